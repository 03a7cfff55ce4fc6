"""Rounds of a race: what is ranked, what is merged, and that every trial keeps its parent."""

from __future__ import annotations

from math import inf, log

import numpy as np
import pytest

from autostatistician.inference.criteria import bic
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.search.budget import Budget
from autostatistician.search.racing import tasks
from autostatistician.search.racing.rounds import Proposal, Rounds, Trial, merged
from autostatistician.search.racing.runner import Runner
from autostatistician.search.racing.tasks import Rows
from autostatistician.search.starting.hints import ColumnHints, hints
from autostatistician.search.starting.starts import Context

X = np.linspace(0.0, 1.0, 40)
Y = np.sin(9.0 * X) + 0.1 * np.random.default_rng(0).normal(size=40)
PARENT: Expr = Leaf("WN")
NOISE = leaf("WN", sd=0.3)
SMOOTH = leaf("SE", sd=1.0, lengthscale=0.2) + NOISE


def _rounds(seed: int = 0) -> Rounds:
    return Rounds(
        Runner(Problem(X[:, None], Y, ("x",)), seed, 1), ("x",), "bic", 2, 0, Budget(None), lambda kernel: 0.0
    )


def _context() -> Context:
    found = ColumnHints({"x": hints(X, Y, detrend=True)})
    return Context(measure(X[:, None], Y, ("x",)), found, found)


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
