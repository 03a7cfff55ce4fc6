"""Races: what a schedule keeps, what counts in the end, and that many rows show what few do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.grammar import neighbours
from autostatistician.language.kernel import leaf
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.budget import Budget
from autostatistician.search.racing.race import Heat, Keep, Leg, Round, Schedule, Sizes, Source, run_race
from autostatistician.search.racing.rounds import Proposal, Rounds
from autostatistician.search.racing.runner import Runner
from autostatistician.search.racing.tasks import Rows
from autostatistician.search.series.schedules import onwards
from autostatistician.search.starting.hints import ColumnHints, hints
from autostatistician.search.starting.starts import Context
from autostatistician.search.strategy import Level

X = np.linspace(0.0, 1.0, 120)
Y = 1.0 + 0.3 * X + 0.4 * np.random.default_rng(2).standard_normal(120)
FEW, MORE = np.arange(0, 120, 6), np.arange(0, 120, 3)


def _rounds() -> Rounds:
    runner = Runner(Problem(X, Y, ("x",)), 0, 1, (FEW, MORE))
    return Rounds(runner, ("x",), "bic", 2, 0, Budget(None), lambda kernel: 0.0)


def _level() -> Level:
    known = leaf("C", sd=1.2) + leaf("WN", sd=0.4)
    proposals = [Proposal(one, known.expr) for one in neighbours(known, LANGUAGES["interpretable"])]
    suggestions = ColumnHints({"x": hints(X, Y, detrend=False)})
    return Level(1, proposals, [], Context(measure(X[:, None], Y, ("x",)), suggestions, suggestions))


def _schedule(*rounds: Round, source: Source = Source.PROPOSALS) -> Schedule:
    return Schedule((Leg((Heat(source, rounds),)),))


def test_trials_are_of_all_rows_and_show_a_line_that_few_do_not() -> None:
    rounds, level, problem = _rounds(), _level(), Problem(X, Y, ("x",))
    assert rounds.runner.subsets.few.n == len(FEW)
    schedule = onwards(Sizes(len(level.proposals), 0, len(FEW), len(MORE), problem.n, restarts=2))
    trials, spent = run_race(schedule, rounds, level)
    others, added = schedule.legs[0].heats
    assert 0 < len(trials) <= 2 * sum(heat.steps[-1].asked(1000)[1] for heat in (others, added))
    assert spent > len(level.proposals)
    for one in trials:
        assert abs(one.nll - objective_of(one.kernel.expr, problem).value(one.kernel.values)) < 1e-8 * abs(one.nll)
    assert any("Lin" in str(one.kernel) for one in trials)
    known = leaf("C", sd=1.2) + leaf("WN", sd=0.4)
    before = objective_of(known.expr, problem).value(known.values)
    assert any(one.nll < before - 0.5 * np.log(problem.n) for one in trials)


def test_a_race_counts_its_evaluations() -> None:
    rounds, level = _rounds(), _level()
    trials, spent = run_race(_schedule(Round(Rows.ALL, 3, fits=0, counts=True)), rounds, level)
    assert {one.kernel.expr for one in trials} == {one.kernel.expr for one in level.proposals}
    again = run_race(_schedule(Round(Rows.ALL, 3, fits=0), Round(Rows.ALL, steps=1, counts=True)), rounds, level)[1]
    assert spent >= 3 * len(trials)
    assert again > spent


def test_only_trials_of_all_rows_count() -> None:
    trials, spent = run_race(_schedule(Round(Rows.FEW, 1, fits=0, counts=True)), _rounds(), _level())
    assert trials == []
    assert spent > 0


def test_the_best_are_kept_and_none_that_is_out_of_reach() -> None:
    rounds, level = _rounds(), _level()
    look = Round(Rows.ALL, 2, fits=0)
    every, _ = run_race(_schedule(replace(look, counts=True)), rounds, level)
    best = sorted(map(rounds.score, every))
    for keep, expected in ((Keep(3), best[:3]), (Keep(reach=best[2] - best[0] + 1e-9), best[:3])):
        kept, _ = run_race(_schedule(replace(look, keep=keep), Round(Rows.ALL, 1, fits=0, counts=True)), rounds, level)
        assert sorted(map(rounds.score, kept)) == expected


def test_heats_start_side_by_side_and_their_survivors_go_on_together() -> None:
    rounds, level = _rounds(), _level()
    last = Leg((Heat(Source.SURVIVORS, (Round(Rows.ALL, fits=0, counts=True),)),))
    look = (Round(Rows.ALL, 2, fits=0),)
    added, others = (Leg((Heat(source, look),)) for source in (Source.ADDED, Source.OTHERS))
    apart = [run_race(Schedule((leg, last)), rounds, level)[0] for leg in (added, others)]
    together, _ = run_race(Schedule((Leg((*added.heats, *others.heats)), last)), rounds, level)
    assert all(apart)
    assert {one.kernel.expr for one in together} == {one.kernel.expr for part in apart for one in part}
    assert all(len(str(one.kernel).split(" + ")) == 3 for one in apart[0])  # one more leaf than their parent
