"""The oracle itself: facts about the leaves, and the published likelihood of a published model."""

from __future__ import annotations

from math import log, pi
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests.inference import stored_models
from tests.oracles import covariance
from tests.strategies import kernels

from autostatistician.language.kernel import Kernel, leaf


@given(kernels(columns=("a", "b"), max_leaves=6))
def test_covariances_are_symmetric_and_positive(kernel: Kernel) -> None:
    found = covariance(kernel, np.array([[0.0, 1.0], [0.5, -1.0], [2.0, 0.3], [-1.0, 0.0]]), columns=("a", "b"))
    assert np.allclose(found, found.T)
    assert np.linalg.eigvalsh(found).min() >= -1e-9 * np.abs(found).max()


def test_white_noise_by_index_and_by_place() -> None:
    noise = leaf("WN", sd=2.0)
    assert covariance(noise, [1.0, 1.0]).tolist() == [[4.0, 0.0], [0.0, 4.0]]
    assert covariance(noise, [1.0, 2.0], [1.0, 1.0]).tolist() == [[4.0, 4.0], [0.0, 0.0]]


def test_the_periodic_leaf_has_zero_mean_over_a_period() -> None:
    periodic = leaf("Per", lengthscale=0.8, period=2.0, sd=3.0)
    row = covariance(periodic, [0.0], np.arange(0, 2, 0.05))[0]
    assert row[0] == pytest.approx(9.0)
    assert row.mean() == pytest.approx(0.0, abs=1e-12)


def test_changes_act_on_their_side() -> None:
    before, after = leaf("C", sd=1.0), leaf("C", sd=2.0)
    change = Kernel.change_point(before, after, 0.0, 10.0)
    assert np.diag(covariance(change, [-5.0, 0.0, 5.0])) == pytest.approx([1.0, 1.25, 4.0])
    window = Kernel.change_window(before, after, 0.0, 10.0, 4.0)
    assert np.diag(covariance(window, [-9.0, 0.0, 9.0])) == pytest.approx([1.0, 4.0, 1.0])


def test_published_likelihood_of_the_airline_model(shared_data: Path) -> None:
    data = np.loadtxt(shared_data / "timeseries" / "01-airline.csv", delimiter=",", skiprows=1)
    K = covariance(stored_models.KERNELS["01-airline"], data[:, 0])
    log_det = np.linalg.slogdet(K)[1]
    nll = 0.5 * (data[:, 1] @ np.linalg.solve(K, data[:, 1]) + log_det + len(data) * log(2 * pi))
    assert nll == pytest.approx(534.518354, abs=1e-3)
