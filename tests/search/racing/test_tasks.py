"""Tasks of a race: independent of workers and order, and honest about the whole data."""

import signal
import subprocess
import sys
from dataclasses import replace
from math import inf, nan

import joblib
import numpy as np
import pytest

from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.fitting import Outcome
from autostatistician.gp.parameters.scales import LearnedPriors, measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf, unset
from autostatistician.kernels.text import parse
from autostatistician.search.budget import Budget
from autostatistician.search.constants import SUBSET_ROWS
from autostatistician.search.racing import tasks
from autostatistician.search.racing.tasks import STRETCHES, Effort, Rows, Subsets, Task, run_task
from autostatistician.search.racing.workers import Runner
from autostatistician.search.starting.hints import ColumnHints, hints
from autostatistician.search.starting.starts import Context


def _data(n: int) -> Problem:
    x = np.arange(float(n))[:, None] / (n - 1)
    y = np.sin(20.0 * x[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=n)
    return Problem(x, y, ("x",))


def _context(data: Problem) -> Context:
    suggested = ColumnHints({"x": hints(data.X[:, 0], data.y, detrend=True)})
    return Context(measure(data.X, data.y, data.columns), suggested, suggested)


SMALL = _data(30)
TASKS = [
    Task(unset(parse(text)), Effort(4, 2, 10), (0, index))
    for index, text in enumerate(("WN", "SE + WN", "Per + WN", "Lin + WN", "RQ * Lin + WN"))
]


def test_fits_come_back_in_the_order_of_the_tasks() -> None:
    fits = Runner(SMALL, 0, 1).fits(TASKS, _context(SMALL))
    assert [fit.kernel.expr for fit in fits if fit] == [task.kernel.expr for task in TASKS]
    assert all(fit is not None and np.isfinite(fit.nll) for fit in fits)


def test_a_task_does_not_depend_on_its_neighbours() -> None:
    context = _context(SMALL)
    straight = Runner(SMALL, 0, 1).fits(TASKS, context)
    backwards = Runner(SMALL, 0, 1).fits(TASKS[::-1], context)[::-1]
    assert straight == backwards


@pytest.mark.slow
def test_workers_find_the_same() -> None:
    context = _context(SMALL)
    assert Runner(SMALL, 0, 2).fits(TASKS, context) == Runner(SMALL, 0, 1).fits(TASKS, context)


def test_what_was_not_reached_is_none() -> None:
    used_up = Budget(0.0)
    used_up.start(binds=True)
    fits = Runner(SMALL, 0, 1).fits(TASKS, _context(SMALL), used_up)
    assert len(fits) == len(TASKS)
    assert sum(fit is not None for fit in fits) == 1


def test_a_budget_ends_a_search_inside_of_its_fits() -> None:
    large, budget = _data(900), Budget(0.2)
    task = Task(unset(parse("RQ * Per + SE + Per * Lin + WN")), Effort(40, 10, 300), (0,))
    budget.start(binds=True)
    (fit,) = Runner(large, 0, 1).fits([task], _context(large), budget)
    assert budget.spent < 5.0  # the fits to the end would take minutes
    assert fit is not None
    assert np.isfinite(fit.nll)


@pytest.mark.slow
def test_the_processor_time_of_workers_counts() -> None:
    """As much as without workers: that of this process alone would be a part of it."""
    alone, spread = Budget(None), Budget(None)
    for budget, n_jobs in ((alone, 1), (spread, 2)):
        budget.start(binds=False)
        with joblib.parallel_config("threading"):
            Runner(SMALL, 0, n_jobs).fits(20 * TASKS, _context(SMALL), budget)
    assert spread.spent > 0.5 * alone.spent


def test_workers_end_early_once_what_was_left_is_spent() -> None:
    used_up = Budget(0.0)
    used_up.start(binds=True)
    with joblib.parallel_config("threading"):
        fits = Runner(SMALL, 0, 2).fits(TASKS, _context(SMALL), used_up)
    assert {fit.evaluations for fit in fits if fit is not None} == {1}


def test_a_complete_kernel_is_continued() -> None:
    start = leaf("SE", lengthscale=0.1, sd=1.0) + leaf("WN", sd=0.2)
    subsets = Subsets.of(SMALL, 0)
    context = _context(SMALL)
    few = run_task(Task(start, Effort(1, 1, 1), (0,)), subsets, context)
    many = run_task(Task(start, Effort(1, 1, 100), (0,)), subsets, context)
    assert many.nll < few.nll < objective_of(start.expr, subsets.whole).value(start.values)


def test_many_rows_are_looked_at_in_part_and_judged_as_a_whole() -> None:
    large = _data(2 * SUBSET_ROWS)
    subsets = Subsets.of(large, 0)
    assert (subsets.whole.n, subsets.few.n) == (2 * SUBSET_ROWS, SUBSET_ROWS)
    fit = run_task(Task(unset(parse("Lin + WN")), Effort(2, 1, 3, on_few=True), (0,)), subsets, _context(large))
    assert fit.nll == pytest.approx(objective_of(fit.kernel.expr, subsets.whole).value(fit.kernel.values))


def test_a_table_of_very_many_rows_has_a_larger_part_too() -> None:
    plane = np.random.default_rng(5).uniform(-2.0, 2.0, (801, 2))
    parts = [Subsets.of(Problem(plane[:n], plane[:n, 0], ("a", "b")), 0) for n in (266, 267, 800, 801)]
    assert [(part.few.n, part.more.n) for part in parts] == [(266, 266), (200, 267), (200, 800), (200, 500)]


def test_without_a_seed_the_part_is_of_neighbours_from_the_first_row_to_the_last() -> None:
    large = _data(5 * SUBSET_ROWS)
    few = Subsets.of(large.rows(np.arange(large.n)[::-1]), None).few
    order = np.argsort(few.X[:, 0])
    steps = np.diff(few.X[order, 0]) * (large.n - 1)
    assert (few.n, few.X.min(), few.X.max()) == (SUBSET_ROWS, 0.0, 1.0)
    assert np.sum(steps > 1.5) == STRETCHES - 1


def test_little_work_starts_no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    context = replace(_context(SMALL), scales=replace(_context(SMALL).scales, priors=LearnedPriors({})))
    monkeypatch.setattr("autostatistician.search.racing.workers.gathered", lambda *args: pytest.fail("workers"))
    assert Runner(SMALL, None, 2).fits(TASKS, context) == Runner(SMALL, None, 1).fits(TASKS, context)
    with pytest.raises(pytest.fail.Exception):
        Runner(SMALL, None, 2).fits(300 * TASKS, context)


def test_no_more_starts_are_evaluated_once_time_is_over_and_one_is_known() -> None:
    task, subsets = Task(unset(parse("SE + WN")), Effort(8, 2, 10), (0,)), Subsets.of(SMALL, 0)
    late = run_task(task, subsets, _context(SMALL), lambda: True)
    assert (late.evaluations, late.outcome, late.nll < inf) == (1, Outcome.STOPPED, True)


def test_few_rows_are_their_own_part() -> None:
    subsets = Subsets.of(SMALL, 0)
    assert subsets.few is subsets.whole


def test_the_part_depends_on_the_seed_alone() -> None:
    large = _data(2 * SUBSET_ROWS)
    first, again, other = (Subsets.of(large, seed).few.X for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_candidate_that_cannot_be_fitted_is_said() -> None:
    subsets = Subsets.of(Problem(SMALL.X, np.full(30, nan), ("x",)), 0)
    fit = run_task(Task(unset(parse("SE + WN")), Effort(2, 1, 3), (0,)), subsets, _context(SMALL))
    assert (fit.nll, fit.outcome) == (inf, Outcome.FAILED)
    assert isinstance(fit.kernel, Kernel)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows has no signal masks")
def test_workers_do_not_hear_an_interrupt_that_is_meant_for_the_search() -> None:
    # in a process of its own, because helper processes that run already would hide what their start does
    code = (
        "import signal\n"
        "from joblib.externals.loky import get_reusable_executor\n"
        "from autostatistician.search.racing.workers import _deaf_to_interrupts\n"
        "deaf = lambda: {signal.SIGINT, signal.SIGTERM} <= signal.pthread_sigmask(signal.SIG_BLOCK, [])\n"
        "with _deaf_to_interrupts():\n"
        "    answer = get_reusable_executor(max_workers=1).submit(deaf)\n"
        "print(deaf(), answer.result())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


def test_parts_of_the_rows_lie_within_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SUBSET_ROWS", 20)
    monkeypatch.setattr(tasks, "LARGER_SUBSET_ROWS", 40)
    monkeypatch.setattr(tasks, "VERY_MANY_ROWS", 60)
    plane = np.random.default_rng(5).uniform(-2.0, 2.0, (90, 2))
    subsets = Subsets.of(Problem(plane, plane[:, 0], ("a", "b")), 0)
    few, more, every = ({tuple(row) for row in subsets.rows(rows).X} for rows in Rows)
    assert (len(few), len(more), len(every)) == (20, 40, 90)
    assert few < more < every


def test_known_rows_of_a_table_are_compared_on_after_looks_at_half_of_them() -> None:
    whole = Problem(np.random.default_rng(0).normal(size=(50, 2)), np.zeros(50), ("a", "b"))
    known = np.arange(0, 40, 2)
    found = Subsets.of(whole, 0, (known[::2], known))
    assert (whole.X[known[::2]] == found.few.X).all()
    assert (whole.X[known] == found.more.X).all()
    assert found.whole is whole
