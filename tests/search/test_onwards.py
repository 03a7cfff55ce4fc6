"""The race on many rows: what is kept is fitted on all of them, and it sees what few rows do not show."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.grammar import neighbours
from autostatistician.language.kernel import leaf
from autostatistician.language.languages import LANGUAGES
from autostatistician.search.hints import ColumnHints, hints
from autostatistician.search.onwards import FITTED, FITTED_ADDED, onwards
from autostatistician.search.rounds import Proposal, Rounds
from autostatistician.search.runner import Runner
from autostatistician.search.starts import Context
from autostatistician.search.strategy import Level

X = np.linspace(0.0, 1.0, 120)
Y = 1.0 + 0.3 * X + 0.4 * np.random.default_rng(2).standard_normal(120)
FEW, MORE = np.arange(0, 120, 6), np.arange(0, 120, 3)


def test_trials_are_of_all_rows_and_show_a_line_that_few_do_not() -> None:
    problem = Problem(X, Y, ("x",))
    rounds = Rounds(Runner(problem, 0, 1, (FEW, MORE)), ("x",), "bic", 2, 0, lambda: False, lambda kernel: 0.0)
    assert rounds.runner.subsets.few.n == len(FEW)
    known = leaf("C", sd=1.2) + leaf("WN", sd=0.4)
    proposals = [Proposal(one, known.expr) for one in neighbours(known, LANGUAGES["interpretable"])]
    found_hints = ColumnHints({"x": hints(X, Y, detrend=False)})
    level = Level(1, proposals, [], Context(measure(problem.X, Y, ("x",)), found_hints, found_hints))
    trials, spent = onwards(rounds, level)
    assert 0 < len(trials) <= 2 * (FITTED + FITTED_ADDED)
    assert spent > len(proposals)
    for one in trials:
        assert abs(one.nll - objective_of(one.kernel.expr, problem).value(one.kernel.values)) < 1e-8 * abs(one.nll)
    assert any("Lin" in str(one.kernel) for one in trials)
    before = objective_of(known.expr, problem).value(known.values)
    assert any(one.nll < before - 0.5 * np.log(problem.n) for one in trials)
