"""Searches side by side: their results, their failures, and that none depends on the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autostatistician.inference import Problem
from autostatistician.inference.together import ValuesOf, answered
from autostatistician.language.kernel import leaf
from autostatistician.search.side_by_side import side_by_side

NOISE = leaf("WN", sd=1.0)


def asking(times: int, size: float = 1.0) -> Callable[[], list[float]]:
    """A job that asks so many times for a value."""

    def job() -> list[float]:
        problem = Problem(np.arange(3.0), size * np.ones(3))
        return [value for _ in range(times) for (value,) in answered([ValuesOf([NOISE], problem)])]

    return job


def test_results_come_in_order_whenever_a_job_ends() -> None:
    results = side_by_side([asking(times, size) for times, size in ((3, 1.0), (0, 1.0), (1, 2.0))])
    assert results == [asking(3)(), [], pytest.approx(asking(1, 2.0)())]


def test_one_that_fails_does_not_touch_the_others() -> None:
    def failing() -> Any:
        asking(1)()
        raise ValueError("no")

    error, result = side_by_side([failing, asking(2)])
    assert isinstance(error, ValueError)
    assert result == pytest.approx(asking(2)())


def test_a_request_that_fails_is_the_error_of_its_own_search() -> None:
    broken = Problem(np.arange(3.0), np.ones(3))
    object.__setattr__(broken, "y", np.array(["no number"] * 3))
    error, result = side_by_side([lambda: answered([ValuesOf([NOISE], broken)]), asking(1)])
    assert isinstance(error, Exception)
    assert result == pytest.approx(asking(1)())


def test_no_result_depends_on_the_others() -> None:
    (alone,) = side_by_side([asking(2, 0.7)])
    beside = side_by_side([asking(2, size) for size in (0.1, 0.7, 3.0)])
    assert beside[1] == alone


def test_an_interrupt_ends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    def job() -> None:
        try:
            asking(5)()
        finally:
            ended.append(True)

    def interrupted(requests: object) -> list[Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr("autostatistician.search.side_by_side.grouped_answers", interrupted)
    with pytest.raises(KeyboardInterrupt):
        side_by_side([job, job])
    assert ended == [True, True]
