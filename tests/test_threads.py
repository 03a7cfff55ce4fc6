"""One thread for the algebra of matrices."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits

from autostatistician.threads import one_thread


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
