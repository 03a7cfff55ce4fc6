"""Leaving values out: predictions are those of refits, and the checks find what is wrong and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.tables import bump, dataset, model, posterior

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.table import LeaveOneOut
from autostatistician.decompose.table.left_out import TESTED_LEVELS, leave_one_out
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.posterior.posterior import Posterior
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import leaf


def _out(known: Posterior, seed: int = 0) -> LeaveOneOut:
    return leave_one_out(known, Transform(), 0.0, np.random.default_rng(seed))


def _alarms(out: LeaveOneOut) -> set[tuple[str, str | None]]:
    return {(one.check.kind, one.column) for one in out.checks if one.check.adjusted < 0.05}


def test_a_value_is_predicted_as_if_it_were_not_there() -> None:
    known, data = posterior(40), dataset(40)
    out = _out(known)
    rest = np.arange(40) != 7
    mean, sd = condition(model(), Problem(data.X[rest], data.y[rest], data.columns)).observations(data.X[[7]])
    assert out.predicted[7] == pytest.approx(mean[0], abs=1e-8)
    assert out.upper[7] == pytest.approx(mean[0] + 1.959964 * sd[0], abs=1e-5)
    assert out.errors[7] == pytest.approx((data.y[7] - mean[0]) / sd[0], abs=1e-6)


def test_how_well_it_predicts() -> None:
    out, y = _out(posterior()), dataset().y
    assert out.r2 == pytest.approx(1.0 - np.sum((y - out.predicted) ** 2) / np.sum((y - y.mean()) ** 2))
    assert out.r2 > 0.9
    left_out = [np.abs(value - np.delete(y, row).mean()) for row, value in enumerate(y)]
    assert out.mae_of_mean == pytest.approx(np.mean(left_out))
    assert out.levels == TESTED_LEVELS
    assert 0.88 < out.held[-1] <= 1.0


def test_a_right_model_raises_no_alarm() -> None:
    assert _alarms(_out(posterior())) == set()


def test_a_column_that_was_forgotten_leaves_a_pattern_along_it() -> None:
    data = dataset()
    forgot = condition(bump("b") * bump("c") + leaf("WN", sd=0.7), Problem(data.X, data.y, data.columns))
    assert ("pattern", "a") in _alarms(_out(forgot))
    assert ("pattern", "d") not in _alarms(_out(forgot))


def test_outliers_and_growing_errors_are_found() -> None:
    data = dataset()
    wild = data.y.copy()
    wild[::20] += 3.0
    assert ("distribution", None) in _alarms(_out(condition(model(), Problem(data.X, wild, data.columns))))
    rng = np.random.default_rng(5)
    x = np.linspace(0.0, 5.0, 150)
    grown = x + 0.3 * x * rng.normal(size=150)
    kernel = leaf("Lin", "x", sd=1.0, location=0.0) + leaf("WN", sd=float(np.std(grown - x)))
    assert ("spread", None) in _alarms(_out(condition(kernel, Problem(x[:, None], grown, ("x",)))))


def test_too_few_rows_are_not_checked() -> None:
    assert _out(posterior(15)).checks == ()


def test_logarithms_are_told_in_the_units_of_the_data() -> None:
    data = dataset(40)
    out = leave_one_out(posterior(40), Transform("log", 10.0), 0.0, np.random.default_rng(0))
    plain = _out(posterior(40))
    np.testing.assert_allclose(out.predicted, 10.0 * np.exp(plain.predicted))
    np.testing.assert_allclose(out.lower, 10.0 * np.exp(plain.lower))
    assert out.held == plain.held
    assert len(out.errors) == data.n
