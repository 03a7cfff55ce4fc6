"""The strategy for series: what few rows can show and pay for, and what a period gains by chance."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.search.exact import Exact

from autostatistician.data.dataset import from_arrays
from autostatistician.data.load import load
from autostatistician.fitted.fitting import fit_model
from autostatistician.gp.covariance import covariance
from autostatistician.gp.fitting import Fit
from autostatistician.gp.parameters.scales import learned_priors
from autostatistician.gp.posterior.projection import draw
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import ChangePoint, Expr, Leaf
from autostatistician.kernels.grammar import LANGUAGES, neighbours
from autostatistician.kernels.kernel import Kernel, leaf, operands, unset
from autostatistician.kernels.rewrite import canonical
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import has_structure, showable
from autostatistician.search.racing.race import MOST_DRAWN_AT_ONCE
from autostatistician.search.racing.tasks import Effort, Rows, Task
from autostatistician.search.racing.workers import Runner
from autostatistician.search.run import Settings, search
from autostatistician.search.series import evidence as structures
from autostatistician.search.series import schedules
from autostatistician.search.series.evidence import EvidenceStrategy, has_twins, sums, weighed_sums
from autostatistician.search.series.schedules import (
    BETTER,
    DRAWN_AGAIN,
    FEWEST_PASSING,
    FITTED_ONE_IN,
    MOST_SUMS,
    STARTS,
    STEPS,
    _first_round,
)
from autostatistician.search.series.strategy import SeriesStrategy
from autostatistician.search.stages import rows as stages
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import Context

EXTENDED = LANGUAGES["extended"].with_priors
SETTINGS = Settings(criterion="evidence", n_jobs=1)


def test_the_sums_have_no_cycle_where_no_calendar_names_one() -> None:
    plain, seasonal = list(sums(EXTENDED, ("",))), list(sums(EXTENDED))
    assert len(set(plain)) == len(plain)
    assert set(plain) < set(seasonal)
    assert not any("Per" in str(unset(expr)) for expr in plain)
    assert parse("C + WN") in plain


def test_a_search_begins_with_the_cycle_that_stands_out_of_the_data() -> None:
    places, rng = np.arange(80.0), np.random.default_rng(3)
    values = 5.0 * np.sin(2.0 * np.pi * places / 7.3) + 0.3 * rng.normal(size=80)
    _, problem, scales = standard(from_arrays(places, values), priors=learned_priors())
    begun = EvidenceStrategy(EXTENDED, problem, scales).complete_kernels()
    periods = {period for one in begun for _, period in one.periods}
    assert [round(79.0 * period, 1) for period in periods] == [7.3]
    few = EvidenceStrategy(EXTENDED, problem.rows(np.arange(30)), scales).complete_kernels()
    assert not any("Per" in str(unset(one.expr)) for one in few)


def test_a_search_that_knows_of_two_cycles_begins_with_both() -> None:
    places = np.arange(300.0)
    _, problem, scales = standard(from_arrays(places, np.sin(places)), priors=learned_priors())
    begun = EvidenceStrategy(EXTENDED, problem, scales, (0.1, 0.02)).complete_kernels()
    periods = [tuple(period for _, period in kernel.periods) for kernel in begun]
    assert {frozenset(one) for one in periods} == {frozenset(), *map(frozenset, ([0.1], [0.02], [0.1, 0.02]))}
    mixed = [found for kernel, found in zip(begun, periods, strict=True) if str(unset(kernel.expr)).count("Per") == 2]
    assert {(0.1, 0.02), (0.02, 0.1)} <= set(mixed)  # either may be the one that wanders off
    assert len({(one.expr, one.values) for one in begun}) == len(begun)


def test_all_sums_are_asked_again_beside_a_change() -> None:
    """A walk explains a change as well, so sums that were compared without it say nothing of what stands beside it."""
    _, problem, scales = standard(from_arrays(np.arange(60.0), np.sin(np.arange(60.0))), priors=learned_priors())
    strategy = EvidenceStrategy(EXTENDED, problem, scales)
    change = Kernel.change_point(leaf("C", sd=0.4), leaf("C", sd=2.0), 0.3, 60.0)
    walk, noise = leaf("Wiener", sd=1.0, location=0.0), leaf("WN", sd=0.1)
    asked = {str(unset(one.expr)): one for one in strategy.objections(canonical(Kernel.sum((walk, noise, change))))}
    line = asked["Lin + WN + CP(C, C)"]
    assert change in line.terms
    assert noise in line.terms
    assert {"IOU + WN + CP(C, C)", "SE * Per + Lin + WN + CP(C, C)"} <= set(asked)
    plain = {str(unset(one.expr)) for one in strategy.objections(canonical(Kernel.sum((walk, noise))))}
    assert "Lin + WN" not in plain


def test_sums_beyond_the_likeliest_hardly_change_the_probability_of_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.cumsum(np.random.default_rng(2).normal(size=60)) + 3.0 * np.sin(np.arange(60.0) * np.pi / 6.0)
    _, problem, scales = standard(from_arrays(np.arange(60.0), values), priors=learned_priors())
    few = weighed_sums(EXTENDED, problem, scales)
    monkeypatch.setattr(structures, "MOST_SUMS", len(few.looks))
    every = weighed_sums(EXTENDED, problem, scales)
    assert len(few.fits) == MOST_SUMS < len(every.fits)
    assert few.log_marginal < every.log_marginal < few.log_marginal + 0.1
    assert few.fits[:3] == every.fits[:3]  # the best first


def test_sums_use_only_leaves_of_the_language() -> None:
    assert {str(unset(expr)) for expr in sums(LANGUAGES["changepoint"])} == {"WN", "SE + WN"}


@pytest.mark.parametrize(("text", "twins"), [("C + Wiener + Wiener", True), ("SE + SE + WN", False)])
def test_twins_are_equal_terms_of_one_number(text: str, twins: bool) -> None:
    assert has_twins(parse(text)) is twins


def _yearly(values: np.ndarray) -> pd.DataFrame:
    dates = pd.date_range("1980-01-01", periods=len(values), freq="YS")
    return pd.DataFrame({"date": dates, "value": values})


@pytest.mark.slow
def test_noise_is_told_as_noise() -> None:
    rng = np.random.default_rng(8)
    told = [
        has_structure(fit_model(load(_yearly(10.0 + rng.normal(size=24))), "extended", SETTINGS).kernel.expr)
        for _ in range(6)
    ]
    assert sum(told) <= 1


def test_a_line_of_fifteen_rows_is_a_line_or_a_trend() -> None:
    rng = np.random.default_rng(2)
    model = fit_model(load(_yearly(5.0 + 2.0 * np.arange(15.0) + 0.5 * rng.normal(size=15))), "extended", SETTINGS)
    assert {"Lin", "IOU"} & set(str(model.kernel).replace("+", " ").split())


def test_the_same_series_gives_the_same_model() -> None:
    values = np.cumsum(np.random.default_rng(4).normal(size=18)) + 30.0
    first, second = (fit_model(load(_yearly(values)), "extended", SETTINGS) for _ in range(2))
    assert first.kernel == second.kernel
    assert first.search.frontier == second.search.frontier


def test_ten_rows_have_the_parts_of_sums_and_a_step_alone() -> None:
    y = np.tile([0.0, 3.0, 1.0, -2.0], 3)[:10] + 0.05 * np.random.default_rng(0).normal(size=10)
    found = fit_model(from_arrays(np.arange(10.0), y), "extended", replace(SETTINGS, max_depth=3)).search.frontier
    known = {"C", "Lin", "SE", "WN", "Wiener", "IOU", "Matern12", "CP"}
    assert all(set(re.findall(r"\w+", str(one.kernel))) <= known for one in found)
    assert not any("*" in str(one.kernel) for one in found)


TIMES = np.arange(40.0)
WAVE = np.sin(TIMES / 4.0) + 0.05 * TIMES + 0.1 * np.random.default_rng(2).normal(size=40)


def _run_tasks(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[list[Task]]:
    """The rounds of a search, each with its tasks."""
    rounds: list[list[Task]] = []
    fits = Runner.fits

    def watched(self: Runner, tasks: Sequence[Task], context: Context, *rest: Any) -> list[Fit | None]:
        rounds.append(list(tasks))
        return fits(self, tasks, context, *rest)

    monkeypatch.setattr(Runner, "fits", watched)
    search(from_arrays(TIMES, WAVE), LANGUAGES["full"], settings)
    return rounds


def test_few_candidates_get_more_effort_each_than_many() -> None:
    few, many = _first_round(5, 10), _first_round(150, 10)
    assert (few.starts, few.fits, few.steps) > (many.starts, many.fits, many.steps)
    assert many.fits * 150 * 10 < 10 * few.fits * 5 * 150


def test_only_the_best_are_drawn_again_and_only_small_ones_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = _run_tasks(monkeypatch, Settings(max_depth=1, restarts=1, n_jobs=1))
    again = [task for tasks in rounds for task in tasks if task.key[2:] == (3,)]
    assert 1 <= len({task.kernel.expr for task in again}) <= DRAWN_AGAIN
    (fresh,) = [tasks for tasks in rounds if tasks and tasks[0].key[2:] == (4,)]
    assert all(np.isnan(task.kernel.values).all() for task in fresh)
    assert max(len(task.kernel.values) for task in fresh) <= MOST_DRAWN_AT_ONCE


@pytest.mark.slow
def test_of_very_many_proposals_the_better_ones_enter_the_first_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedules, "MOST_UNSCREENED", FEWEST_PASSING)
    monkeypatch.setattr(schedules, "FEWEST_PASSING", 4)
    rounds = _run_tasks(monkeypatch, Settings(max_depth=2, restarts=1, n_jobs=1))
    screened, first = [tasks for tasks in rounds if tasks and tasks[0].key == (0, 2, 1) and tasks[0].effort.on_few]
    are_open = [bool(np.isnan(task.kernel.values).any()) for task in screened]
    assert len(first) == max(4, sum(are_open) // 8) < len(screened)
    places = [[task.kernel for task in screened].index(task.kernel) for task in first]
    assert places == sorted(places)  # in the order in which they were proposed


@pytest.mark.slow
def test_after_a_stage_on_fewer_rows_looks_choose_what_is_fitted_on_few_and_the_best_are_on_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("MOST_AT_ONCE_IN_COMPARISON", 39), ("FIRST_ROWS", 30)):
        monkeypatch.setattr(stages, name, value)
    monkeypatch.setattr(schedules, "FEWEST_FITTED", 4)
    rounds = _run_tasks(monkeypatch, Settings(max_depth=5, restarts=2, n_jobs=1))
    looked_at = Effort(STARTS, 0, 0, rows=Rows.FEW)
    places = [place for place, tasks in enumerate(rounds) if tasks and tasks[0].effort == looked_at]
    assert places
    for place in places:
        looks, fits, last = rounds[place : place + 3]
        assert len(looks) > len({task.kernel.expr for task in fits}) >= max(4, len(looks) // FITTED_ONE_IN)
        assert {(task.effort.fits, task.effort.rows) for task in fits} == {(1, Rows.FEW)}
        assert {(task.effort.steps, task.effort.rows) for task in last} == {(STEPS, Rows.ALL)}
        assert 1 <= len(last) <= BETTER


X = np.arange(60.0)
NOISE = np.random.default_rng(3).normal(size=60)
WANDERING = leaf("SE", sd=1.0, lengthscale=0.3) + leaf("WN", sd=0.1)


def _strategy(rows: int, language: str = "extended") -> SeriesStrategy:
    return SeriesStrategy(LANGUAGES[language], Problem(X[:rows, None] / X[rows - 1], NOISE[:rows], ("x",)))


def _leaves(expr: Expr) -> set[str]:
    return {expr.symbol} if isinstance(expr, Leaf) else set().union(*map(_leaves, operands(expr)))


def test_steps_come_before_what_the_rules_of_the_language_make() -> None:
    first, *others = [str(one) for one in _strategy(60).neighbours(WANDERING)]
    assert first == "WN + CP(C, C)"
    rules = [str(one) for one in neighbours(WANDERING, LANGUAGES["extended"], variants=2)]
    assert others[-len(rules) :] == rules


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
