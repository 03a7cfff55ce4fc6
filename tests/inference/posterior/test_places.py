"""Places are sums of values with weights, so their covariances follow from those of the values."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.posterior.averages import ColumnPrior
from autostatistician.inference.posterior.places import CentredPlaces, Differences, Observed, PartLevel, Places, Values
from autostatistician.language.kernel import Kernel, leaf

Array = NDArray[np.float64]

RNG = np.random.default_rng(0)
X, HERE, THERE = (RNG.uniform(0.0, 3.0, (count, 1)) for count in (7, 4, 4))
PART = leaf("SE", sd=1.2, lengthscale=0.8) + leaf("Lin", sd=0.5, location=1.0)
PRIOR = ColumnPrior(("x",))
EYE, NONE = np.eye(4), np.zeros((4, 4))
LEVEL = PartLevel.of(covariance(PART, X))

# The places, and their weights over the values here, there and at the observations.
CASES: dict[str, tuple[Places, Array]] = {
    "values": (Values(HERE), np.hstack([EYE, NONE, np.zeros((4, 7))])),
    "differences": (Differences(THERE, HERE), np.hstack([-EYE, EYE, np.zeros((4, 7))])),
    "centred": (CentredPlaces(Values(HERE), LEVEL), np.hstack([EYE, NONE, np.full((4, 7), -1.0 / 7.0)])),
    "centred differences": (
        CentredPlaces(Differences(THERE, HERE), LEVEL),
        np.hstack([-EYE, EYE, np.full((4, 7), -1 / 7)]),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_covariances_are_those_of_the_weighted_sums(case: str) -> None:
    places, weights = CASES[case]
    every = np.vstack([HERE, THERE, X])
    known = places.covariances(PRIOR, PART, X)
    whole = covariance(PART, every, every)
    matrix = known.matrix()
    np.testing.assert_allclose(known.cross, weights @ covariance(PART, every, X), atol=1e-12)
    np.testing.assert_allclose(matrix, weights @ whole @ weights.T, atol=1e-12)
    np.testing.assert_allclose(known.variance, matrix.diagonal(), atol=1e-12)


def test_variances_of_differences_need_no_joint_covariance() -> None:
    class Narrow(ColumnPrior):
        """A prior that has no room for a matrix of all places."""

        def matrix(self, part: Kernel, A: Array, B: Array | None = None) -> Array:
            """Covariances of few."""
            assert B is None or len(A) * len(B) < 10**5
            return super().matrix(part, A, B)

    there, here = np.linspace(0.0, 3.0, 9000)[:, None], np.linspace(0.0, 1.0, 9000)[:, None]
    some = [0, 63, 64, 8999]
    known = Differences(there, here).covariances(Narrow(("x",)), PART, X).variance
    expected = Differences(there[some], here[some]).covariances(PRIOR, PART, X).matrix().diagonal()
    np.testing.assert_allclose(known[some], expected, atol=1e-12)


def test_noise_at_the_observations_is_that_of_the_data_and_elsewhere_a_new_draw() -> None:
    noise = leaf("WN", sd=0.3)
    np.testing.assert_array_equal(Observed().covariances(PRIOR, noise, X).cross, 0.3**2 * np.eye(7))
    assert not Values(X).covariances(PRIOR, noise, X).cross.any()
    np.testing.assert_allclose(Values(X).covariances(PRIOR, noise, X).variance, 0.3**2)
