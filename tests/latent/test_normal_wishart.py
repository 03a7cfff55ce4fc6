"""Groups of points with a conjugate prior: densities against other ways to compute them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import multivariate_t, wishart

from autostatistician.latent.normal_wishart import Assigned, Groups, NormalWishart

RNG = np.random.default_rng(3)
X = RNG.standard_normal((7, 2))
LABELS = np.array([0, 0, 1, 1, 0, 2, 1])
PRIOR = NormalWishart(np.array([0.3, -0.2]), 0.5, np.array([[1.0, 0.2], [0.2, 0.7]]), 3.0)


def outside(rows: int) -> NDArray[np.intp]:
    return np.full(rows, -1)


def test_the_density_of_all_is_that_of_one_after_the_other() -> None:
    total = 0.0
    for n in range(len(X)):
        groups = Groups.of(PRIOR, X[:n], LABELS[:n], room=3)
        total += groups.log_predictive(X[n : n + 1], outside(1))[0, LABELS[n]]
    assert Assigned(PRIOR, LABELS).at(X)[0] == pytest.approx(total)


def test_a_group_is_an_average_over_means_and_precisions() -> None:
    rng = np.random.default_rng(0)
    precision = wishart(3.0, np.linalg.inv(PRIOR.scale)).rvs(40_000, random_state=rng)
    spread = np.linalg.cholesky(np.linalg.inv(PRIOR.strength * precision))
    away = X[0] - PRIOR.centre - np.einsum("nij,nj->ni", spread, rng.standard_normal((40_000, 2)))
    logs = 0.5 * np.linalg.slogdet(precision)[1] - 0.5 * np.einsum("ni,nij,nj->n", away, precision, away)
    wanted = Assigned(PRIOR, LABELS[:1]).at(X[:1])[0]
    assert np.log(np.exp(logs).mean() / (2.0 * np.pi)) == pytest.approx(wanted, abs=0.05)


def test_a_further_point_has_the_t_distribution() -> None:
    groups = Groups.of(PRIOR, X, LABELS, room=1)
    strength, centre, scale, freedom = groups.posterior()
    at = RNG.standard_normal((5, 2))
    found = groups.log_predictive(at, outside(5))
    for c in range(4):
        degrees = freedom[c] - 1.0
        shape = scale[c] * (strength[c] + 1.0) / (strength[c] * degrees)
        np.testing.assert_allclose(found[:, c], multivariate_t(centre[c], shape, degrees).logpdf(at))


def test_in_one_dimension_it_integrates_to_one() -> None:
    groups = Groups.of(NormalWishart.standard(1), X[:3, :1], np.zeros(3, dtype=np.intp))
    density = lambda x: float(np.exp(groups.log_predictive(np.array([[x]]), outside(1))[0, 0]))  # noqa: E731
    assert quad(density, -np.inf, np.inf)[0] == pytest.approx(1.0)


def test_a_point_of_a_group_is_left_out_first() -> None:
    found = Groups.of(PRIOR, X, LABELS, room=1).log_predictive(X, LABELS)
    for n in range(len(X)):
        rest = np.delete(np.arange(len(X)), n)
        groups = Groups.of(PRIOR, X[rest], LABELS[rest], room=4 - int(LABELS[rest].max()) - 1)
        np.testing.assert_allclose(found[n], groups.log_predictive(X[n : n + 1], outside(1))[0], rtol=1e-9)


def test_points_come_and_go() -> None:
    groups = Groups.of(PRIOR, X, LABELS)
    groups.add(0, X[0], -1.0)
    groups.add(2, X[0])
    moved = Groups.of(PRIOR, X, np.array([2, *LABELS[1:]]))
    for name in ("counts", "sums", "squares"):
        np.testing.assert_allclose(getattr(groups, name), getattr(moved, name), atol=1e-12)


def test_the_slope_is_that_of_differences() -> None:
    assigned, step = Assigned(PRIOR, LABELS), 1e-5
    slope = assigned.at(X)[1]
    for n, q in np.ndindex(X.shape):
        both = []
        for sign in (1.0, -1.0):
            moved = X.copy()
            moved[n, q] += sign * step
            both.append(assigned.at(moved)[0])
        assert slope[n, q] == pytest.approx((both[0] - both[1]) / (2.0 * step), abs=1e-7)


def test_draws_are_of_the_t_distribution() -> None:
    groups = Groups.of(NormalWishart.standard(2, freedom=9.0), X, LABELS)
    strength, centre, scale, freedom = groups.posterior()
    drawn = groups.draw(np.zeros(40_000, dtype=np.intp), np.random.default_rng(0))
    degrees = freedom[0] - 1.0
    wanted = scale[0] * (strength[0] + 1.0) / (strength[0] * (degrees - 2.0))
    np.testing.assert_allclose(drawn.mean(axis=0), centre[0], atol=0.02)
    np.testing.assert_allclose(np.cov(drawn.T), wanted, rtol=0.05, atol=0.01)
