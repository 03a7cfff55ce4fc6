"""Hamiltonian steps: the right distribution, a step that learns, and paths that lead nowhere."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.covariance.factor import NotPositiveDefinite
from autostatistician.latent.hamiltonian import WANTED, Step, moved

Array = NDArray[np.float64]
PRECISION = np.linalg.inv(np.array([[1.0, 0.8], [0.8, 1.0]]))


def normal(place: Array) -> tuple[float, Array]:
    return -0.5 * float(place @ PRECISION @ place), -PRECISION @ place


@pytest.mark.slow
def test_it_draws_from_a_correlated_normal_distribution() -> None:
    rng, place, seen = np.random.default_rng(0), np.zeros(2), []
    for _ in range(4000):
        place, level, _ = moved(normal, place, 0.3, rng)
        assert level == pytest.approx(normal(place)[0])
        seen.append(place)
    np.testing.assert_allclose(np.cov(np.array(seen).T), np.linalg.inv(PRECISION), atol=0.1)


def test_the_step_learns_to_be_accepted_as_often_as_wanted() -> None:
    rng, place, step = np.random.default_rng(0), np.zeros(2), Step.beginning(1e-3)
    for _ in range(1500):
        place, _, accepted = moved(normal, place, step.size, rng)
        step = step.learnt(accepted)
    found = [moved(normal, place, step.averaged, rng)[2] for _ in range(500)]
    assert np.mean(found) == pytest.approx(WANTED, abs=0.1)


@pytest.mark.parametrize("fault", [NotPositiveDefinite("no"), np.linalg.LinAlgError("no"), None])
def test_where_there_is_no_density_it_stays(fault: Exception | None) -> None:
    def hostile(place: Array) -> tuple[float, Array]:
        if place[0] == 0.0:
            return 0.0, np.ones(1)
        if fault is not None:
            raise fault
        return np.nan, np.full(1, np.nan)

    place, level, accepted = moved(hostile, np.zeros(1), 0.1, np.random.default_rng(0))
    assert (place.tolist(), level, accepted) == ([0.0], 0.0, 0.0)
