"""Races: what a schedule keeps, what counts in the end, and that many rows show what few do not."""

from dataclasses import replace
from math import inf, log

import numpy as np
import pytest

from autostatistician.gp.criteria import bic
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.parameters.scales import measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.grammar import LANGUAGES, neighbours
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.search.budget import Budget
from autostatistician.search.racing import tasks
from autostatistician.search.racing.race import Heat, Keep, Leg, Round, Schedule, ScheduleSizes, Source, run_race
from autostatistician.search.racing.rounds import Proposal, Rounds, Trial, merged
from autostatistician.search.racing.tasks import Rows
from autostatistician.search.racing.workers import Runner
from autostatistician.search.series.schedules import onwards
from autostatistician.search.starting.hints import ColumnHints, hints
from autostatistician.search.starting.starts import Context
from autostatistician.search.strategy import Level

PLACES = np.linspace(0.0, 1.0, 40)
WAVE = np.sin(9.0 * PLACES) + 0.1 * np.random.default_rng(0).normal(size=40)
PARENT: Expr = Leaf("WN")
NOISE = leaf("WN", sd=0.3)
SMOOTH = leaf("SE", sd=1.0, lengthscale=0.2) + NOISE


def _rounds(seed: int = 0) -> Rounds:
    return _of(Runner(Problem(PLACES[:, None], WAVE, ("x",)), seed, 1))


def _of(runner: Runner) -> Rounds:
    return Rounds(runner, ("x",), "bic", 0, Budget(None), lambda kernel: 0.0)


def _context() -> Context:
    found = ColumnHints({"x": hints(PLACES, WAVE, detrend=True)})
    return Context(measure(PLACES[:, None], WAVE, ("x",)), found, found)


def test_what_goes_on_keeps_its_parent_and_gets_better() -> None:
    first, _ = _rounds().continued([Proposal(SMOOTH, PARENT)], 1, _context())
    second, spent = _rounds().continued(first, 30, _context())
    assert [one.parent for one in second] == [PARENT]
    assert second[0].nll < first[0].nll
    assert spent > 1


def test_what_is_simplified_has_the_parent_of_what_it_was() -> None:
    flat = Trial(leaf("SE", sd=1.0, lengthscale=1e4) + NOISE, Leaf("Lin"), 5.0, 5.0)
    (found,), _ = _rounds().simplified([flat, Trial(SMOOTH, PARENT, 1.0)], 5, _context())
    assert (str(found.kernel), found.parent) == ("C + WN", Leaf("Lin"))


def test_a_window_that_closes_behind_the_data_is_idle() -> None:
    def window(width: float) -> Kernel:
        return Kernel.change_window(NOISE, SMOOTH, location=0.5, steepness=100.0, width=width)

    assert [_rounds().is_idle(window(width)) for width in (0.3, 1.5)] == [False, True]


def test_the_best_trial_of_every_expression_stays_with_its_parent() -> None:
    better, other = Trial(leaf("WN", sd=1.0), Leaf("C"), 1.0, 1.0), Trial(SMOOTH, PARENT, 3.0, 3.0)
    assert merged([Trial(NOISE, PARENT, 2.0, 2.0), other, better]) == [better, other]
    charged = merged([Trial(NOISE, PARENT, 2.0, 2.0), better], lambda kernel: 5.0 * (kernel == better.kernel))
    assert [one.nll for one in charged] == [2.0]


def test_a_likelihood_of_a_part_of_the_rows_counts_as_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SUBSET_ROWS", 10)
    rounds = _rounds(seed=1)  # not the prepared data of another test
    assert rounds.score(Trial(NOISE, None, 3.0, 3.0), Rows.FEW) == pytest.approx(2.0 * 12.0 + log(40))
    assert rounds.score(Trial(NOISE, None, 3.0, 3.0)) == bic(3.0, NOISE.expr, 40)


def test_equal_scores_are_told_apart_by_structure() -> None:
    kernels = [leaf(symbol, sd=1.0) for symbol in ("WN", "C")]
    trials = [Trial(kernel, None, 1.0) for kernel in kernels]
    assert _rounds().best(trials, 2) == _rounds().best(trials[::-1], 2)


def test_what_fails_is_left_out_and_what_it_took_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = _rounds()
    fits = rounds.runner.fits

    def one_fails(*given: object) -> list[object]:
        first, second = fits(*given)  # type: ignore[arg-type]
        assert first is not None
        return [type(first)(first.kernel, inf, first.outcome, 7), second]

    monkeypatch.setattr(rounds.runner, "fits", one_fails)
    found, spent = rounds.continued([Proposal(NOISE, None), Proposal(SMOOTH, PARENT)], 1, _context())
    assert [one.parent for one in found] == [PARENT]
    assert spent > 7


X = np.linspace(0.0, 1.0, 120)
Y = 1.0 + 0.3 * X + 0.4 * np.random.default_rng(2).standard_normal(120)
FEW, MORE = np.arange(0, 120, 6), np.arange(0, 120, 3)


def _of_many() -> Rounds:
    return _of(Runner(Problem(X, Y, ("x",)), 0, 1, (FEW, MORE)))


def _level() -> Level:
    known = leaf("C", sd=1.2) + leaf("WN", sd=0.4)
    proposals = [Proposal(one, known.expr) for one in neighbours(known, LANGUAGES["interpretable"])]
    suggestions = ColumnHints({"x": hints(X, Y, detrend=False)})
    return Level(1, proposals, [], Context(measure(X[:, None], Y, ("x",)), suggestions, suggestions))


def _schedule(*rounds: Round, source: Source = Source.PROPOSALS) -> Schedule:
    return Schedule((Leg((Heat(source, rounds),)),))


def test_trials_are_of_all_rows_and_show_a_line_that_few_do_not() -> None:
    rounds, level, problem = _of_many(), _level(), Problem(X, Y, ("x",))
    assert rounds.runner.subsets.few.n == len(FEW)
    schedule = onwards(ScheduleSizes(len(level.proposals), 0, len(FEW), len(MORE), problem.n, restarts=2))
    trials, spent = run_race(schedule, rounds, level)
    assert 0 < len(trials) <= 2 * sum(heat.steps[-1].asked(1000)[1] for heat in schedule.legs[0].heats)
    assert spent > len(level.proposals)
    for one in trials:
        assert abs(one.nll - objective_of(one.kernel.expr, problem).value(one.kernel.values)) < 1e-8 * abs(one.nll)
    assert any("Lin" in str(one.kernel) for one in trials)
    known = leaf("C", sd=1.2) + leaf("WN", sd=0.4)
    before = objective_of(known.expr, problem).value(known.values)
    assert any(one.nll < before - 0.5 * np.log(problem.n) for one in trials)


def test_a_race_counts_its_evaluations() -> None:
    rounds, level = _of_many(), _level()
    trials, spent = run_race(_schedule(Round(Rows.ALL, 3, fits=0, counts=True)), rounds, level)
    assert {one.kernel.expr for one in trials} == {one.kernel.expr for one in level.proposals}
    again = run_race(_schedule(Round(Rows.ALL, 3, fits=0), Round(Rows.ALL, steps=1, counts=True)), rounds, level)[1]
    assert spent >= 3 * len(trials)
    assert again > spent


def test_only_trials_of_all_rows_count() -> None:
    trials, spent = run_race(_schedule(Round(Rows.FEW, 1, fits=0, counts=True)), _of_many(), _level())
    assert trials == []
    assert spent > 0


def test_the_best_are_kept_and_none_that_is_out_of_reach() -> None:
    rounds, level = _of_many(), _level()
    look = Round(Rows.ALL, 2, fits=0)
    every, _ = run_race(_schedule(replace(look, counts=True)), rounds, level)
    best = sorted(map(rounds.score, every))
    for keep, expected in ((Keep(3), best[:3]), (Keep(reach=best[2] - best[0] + 1e-9), best[:3])):
        kept, _ = run_race(_schedule(replace(look, keep=keep), Round(Rows.ALL, 1, fits=0, counts=True)), rounds, level)
        assert sorted(map(rounds.score, kept)) == expected


def test_heats_start_side_by_side_and_their_survivors_go_on_together() -> None:
    rounds, level = _of_many(), _level()
    last = Leg((Heat(Source.SURVIVORS, (Round(Rows.ALL, fits=0, counts=True),)),))
    look = (Round(Rows.ALL, 2, fits=0),)
    added, others = (Leg((Heat(source, look),)) for source in (Source.ADDED, Source.OTHERS))
    apart = [run_race(Schedule((leg, last)), rounds, level)[0] for leg in (added, others)]
    together, _ = run_race(Schedule((Leg((*added.heats, *others.heats)), last)), rounds, level)
    assert all(apart)
    assert {one.kernel.expr for one in together} == {one.kernel.expr for part in apart for one in part}
    assert all(len(str(one.kernel).split(" + ")) == 3 for one in apart[0])  # one more leaf than their parent
