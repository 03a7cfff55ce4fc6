"""One thread for the algebra of matrices."""

from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits

from autostatistician import AutomaticStatistician
from autostatistician._io.threads import one_thread
from autostatistician.fitted import fitting


def _threads() -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def test_every_blas_has_one_thread_inside_and_as_many_as_before_after_it() -> None:
    np.ones((2, 2)) @ scipy.linalg.inv(np.eye(2))  # both libraries are there
    with threadpool_limits(limits=2):
        before = _threads()
        with one_thread():
            assert _threads() == {1}
            with one_thread():
                assert _threads() == {1}
            assert _threads() == {1}
        assert _threads() == before


def test_threads_come_back_when_the_last_of_overlapping_calls_ends() -> None:
    """Calls in threads of a program end in any order."""
    first, second = ExitStack(), ExitStack()
    with threadpool_limits(limits=2):
        before = _threads()
        first.enter_context(one_thread())
        second.enter_context(one_thread())
        first.close()
        assert _threads() == {1}
        second.close()
        assert _threads() == before


@pytest.mark.slow
def test_what_comes_before_a_search_has_one_thread_too(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[int]] = []
    choose = fitting.chosen_likelihood

    def watched(*given: Any) -> Any:
        seen.append(_threads())
        return choose(*given)

    monkeypatch.setattr(fitting, "chosen_likelihood", watched)
    x = np.arange(20.0)
    with threadpool_limits(limits=2):
        AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1).fit(x[:, None], x % 3.0)
    assert seen == [{1}]
