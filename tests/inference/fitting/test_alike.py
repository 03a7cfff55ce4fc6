"""Parameters that columns have in common: which move together, what evidence says of forms."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference import Problem
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting import fitted_alike
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.parameters import measure
from autostatistician.language.expr import Expr
from autostatistician.language.text import parse

RNG = np.random.default_rng(0)
COLUMNS = ("a", "b", "c")
X = RNG.standard_normal((120, 3)) * [1.0, 10.0, 1.0]
LINES, CURVES = parse("Lin[a] + Lin[b] + Lin[c] + C"), parse("SE[a] + SE[b] + SE[c] + C")


def _problem(function: np.ndarray) -> Problem:
    y = np.where(function + RNG.standard_normal(len(X)) > 0.0, 1.0, -1.0)
    return Problem(X, y, COLUMNS, likelihood=Bernoulli())


def _evidence(expr: Expr, problem: Problem) -> float:
    return fitted_alike(expr, problem, measure(problem.X, problem.y, COLUMNS)).log_evidence


def test_parameters_of_one_kind_move_together_in_units_of_their_columns() -> None:
    problem = _problem(2.0 * X[:, 0])
    fit = fitted_alike(CURVES, problem, measure(problem.X, problem.y, COLUMNS))
    lengths = [part.named()["lengthscale"] for part in fit.kernel.parts[:3]]
    spread = X.std(axis=0)
    np.testing.assert_allclose(np.divide(lengths, spread), lengths[0] / spread[0], rtol=1e-6)
    sds = [part.named()["sd"] for part in fit.kernel.parts[:3]]
    np.testing.assert_allclose(sds, sds[0], rtol=1e-6)


def test_evidence_says_whether_functions_are_lines() -> None:
    straight, curved = _problem(X @ [1.0, 0.1, -1.0]), _problem(2.0 * np.cos(2.0 * X[:, 0]) + np.sin(0.3 * X[:, 1]))
    assert _evidence(LINES, straight) > _evidence(CURVES, straight)
    assert _evidence(CURVES, curved) > _evidence(LINES, curved)


def test_the_fit_is_one_of_the_lowest_losses() -> None:
    problem = _problem(2.0 * X[:, 0])
    fit = fitted_alike(LINES, problem, measure(problem.X, problem.y, COLUMNS))
    assert -fit.log_evidence > objective_of(LINES, problem).value(fit.kernel.values)
    assert fit.kernel.parts[0].named()["location"] == pytest.approx(X[:, 0].mean(), abs=1e-6)
