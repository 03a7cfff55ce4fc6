"""Backward elimination: what the data do not need goes, what they need stays."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.traits import columns_of
from autostatistician.search.budget import Budget
from autostatistician.search.racing.race import Heat, Leg, Schedule, Source, further, run_race
from autostatistician.search.racing.rounds import Proposal, Rounds
from autostatistician.search.racing.runner import Runner
from autostatistician.search.racing.tasks import Rows
from autostatistician.search.starting.hints import ColumnHints, hints
from autostatistician.search.starting.starts import Context
from autostatistician.search.strategy import Level
from autostatistician.search.tables.elimination import Elimination
from autostatistician.search.tables.proposals import TableGrammar

NAMES = ("a", "b", "c", "d")
RNG = np.random.default_rng(3)
X = RNG.uniform(0.0, 1.0, (60, 4))
Y = np.sin(6.0 * X[:, 1]) + 0.1 * RNG.normal(size=60)


def test_columns_that_the_data_do_not_need_go_and_others_stay() -> None:
    scales, suggestions = measure(X, Y, NAMES), ColumnHints({name: hints(x, Y, detrend=False)
                                                             for name, x in zip(NAMES, X.T, strict=True)})  # fmt: skip
    complete = TableGrammar(LANGUAGES["mkl"], NAMES, frozenset()).over_all_columns(scales)
    level = Level(1, [], [Proposal(one, one.expr) for one in complete], Context(scales, suggestions, suggestions))
    rounds = Rounds(Runner(Problem(X, Y, NAMES), 0, 1), NAMES, "bic", 2, 0, Budget(None), lambda kernel: 0.0)
    begun = Heat(Source.COMPLETE, (further(Rows.FEW, 20), Elimination()))
    trials, spent = run_race(Schedule((Leg((begun,)),)), rounds, level)
    assert {columns_of(one.expr) for one in complete} == {frozenset(NAMES)}
    assert "b" in columns_of(min(trials, key=rounds.score).kernel.expr)
    assert len(columns_of(min(trials, key=rounds.score).kernel.expr)) < len(NAMES)
    assert spent > len(NAMES) * len(trials)
