"""Work spaces: one for a problem and a thread, and none without its problem."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import numpy as np
import pytest

from autostatistician.inference.engines.workspace import workspace_of
from autostatistician.inference.problem import Problem


def _problem() -> Problem:
    return Problem(np.arange(4.0)[:, None], np.ones(4), ("x",))


def test_evaluations_of_a_problem_share_a_space_and_other_problems_have_another() -> None:
    one, other = _problem(), _problem()
    assert workspace_of(one) is workspace_of(one)
    assert workspace_of(one) is not workspace_of(other)


def test_threads_that_share_a_problem_do_not_share_its_space() -> None:
    problem = _problem()
    with ThreadPoolExecutor(1) as pool:
        elsewhere = pool.submit(workspace_of, problem).result()
    assert elsewhere is not workspace_of(problem)


@pytest.mark.slow
def test_a_space_goes_with_its_problem() -> None:
    problem = _problem()
    space = ref(workspace_of(problem))
    del problem
    gc.collect()
    assert space() is None
