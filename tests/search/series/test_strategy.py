"""The strategy for series: what few rows can show and pay for, and what a period gains by chance."""

from __future__ import annotations

import numpy as np
import pytest
from tests.search.exact import Exact

from autostatistician.data.dataset import from_arrays
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.posterior.projection import draw
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import ChangePoint, Expr, Leaf
from autostatistician.language.grammar import neighbours
from autostatistician.language.kernel import leaf, operands
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.showable import showable
from autostatistician.language.text import parse
from autostatistician.search.run import Settings, search
from autostatistician.search.series.strategy import SeriesStrategy

X = np.arange(60.0)
NOISE = np.random.default_rng(3).normal(size=60)
WANDERING = leaf("SE", sd=1.0, lengthscale=0.3) + leaf("WN", sd=0.1)


def _strategy(rows: int, language: str = "extended") -> SeriesStrategy:
    return SeriesStrategy(LANGUAGES[language], Problem(X[:rows, None] / X[rows - 1], NOISE[:rows], ("x",)))


def _leaves(expr: Expr) -> set[str]:
    return {expr.symbol} if isinstance(expr, Leaf) else set().union(*map(_leaves, operands(expr)))


def test_steps_come_before_what_the_rules_of_the_language_make() -> None:
    first, second, *others = [str(one) for one in _strategy(60).neighbours(WANDERING)]
    assert first == "WN + CP(C, C)"
    assert second.endswith("CP(WN, WN)")
    assert others == [str(one) for one in neighbours(WANDERING, LANGUAGES["extended"], variants=2)]


def test_few_rows_pay_more_for_a_number() -> None:
    assert _strategy(10).penalty(parse("Lin + C + WN")) > 5.0
    assert _strategy(60).penalty(parse("Lin + C + WN")) == 0.0


def test_a_period_gains_by_chance_where_the_criterion_charges_it_as_any_number() -> None:
    one, two = parse("Per + WN"), parse("Per + Per + WN")
    gained = _strategy(60).gained_by_chance(one, "aic", 1)
    assert gained == pytest.approx(2.0 * np.log(60 / 2 - 2.0), abs=0.1)  # all frequencies but those seen hardly once
    assert _strategy(60).gained_by_chance(two, "aic", 1) == 2.0 * gained
    assert _strategy(60).gained_by_chance(one, "bic", 1) == 0.0
    assert _strategy(60).gained_by_chance(one, "bic", 50) == pytest.approx(2.0 * np.log(50))


@pytest.mark.parametrize("language", ["extended", "deep", "full", "tci", "cks2013", "spectral"])
def test_ten_rows_have_simple_parts_alone(language: str) -> None:
    y = np.tile([0.0, 3.0, 1.0, -2.0], 3)[:10] + 0.05 * NOISE[:10]
    settings = Settings(max_depth=3, restarts=2, n_jobs=1, criterion="bic")
    found = search(from_arrays(X[:10], y), LANGUAGES[language], settings)
    for one in found.frontier:
        assert _leaves(one.kernel.expr) <= {"C", "Lin", "SE", "WN"}
        assert showable(one.kernel.expr, 10, series=True)


def test_the_language_of_deep_kernels_finds_its_own() -> None:
    kernel = leaf("Deep", lengthscale=15.0, sd=3.0) + leaf("WN", sd=0.2)
    y = 5.0 + draw(np.zeros(60), covariance(kernel, X), np.random.default_rng(1), scale=9.0, count=1)[0]
    found = search(from_arrays(X, y), LANGUAGES["deep"], Settings(max_depth=1, restarts=3, n_jobs=1))
    assert "Deep" in _leaves(found.best.kernel.expr)


def test_a_clear_step_in_twelve_rows_is_found() -> None:
    y = np.where(X[:12] > 5.0, 30.0, 10.0) + NOISE[:12]
    found = search(from_arrays(X[:12], y), LANGUAGES["extended"], Settings(max_depth=3, restarts=4, n_jobs=1))
    (step,) = [part for part in found.best.kernel.parts if isinstance(part.expr, ChangePoint)]
    assert step.named()["location"] == pytest.approx(5.5, abs=0.6)


# Likelihoods without noise


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(("rows", "criterion"), [(12, "bic"), (12, "aic"), (12, "loo"), (60, "bic")])
def test_a_series_is_searched_without_noise(rows: int, criterion: str) -> None:
    y = np.sin(X[:rows] / 4.0)
    settings = Settings(max_depth=2, restarts=2, n_jobs=1, criterion=criterion)
    found = search(from_arrays(X[:rows], y), LANGUAGES["extended"], settings, likelihood=Exact())
    assert found.trace[0].expression == "C"
    assert not any("WN" in _leaves(one.kernel.expr) for one in found.frontier)
    assert found.best.kernel.expr != Leaf("C")


def test_targets_keep_their_unit_where_the_likelihood_says_so() -> None:
    settings = Settings(max_depth=0, restarts=1, n_jobs=1)
    plain, scaled = (
        search(from_arrays(X, 8.0 + 0.0 * X), LANGUAGES["full"], settings, likelihood=Exact(unit=unit)).best
        for unit in (1.0, 4.0)
    )
    assert scaled.kernel.values == pytest.approx(plain.kernel.values, rel=1e-3)
    assert scaled.nll == pytest.approx(plain.nll, abs=0.5)
