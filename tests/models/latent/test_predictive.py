"""Densities of further rows: those of plain averages; they integrate to one, and rows drawn have them."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import logsumexp
from scipy.stats import multivariate_t, norm, wishart
from tests.models.latent.small_cases import slopes

from autostatistician.models.latent.chain import MixturePrior
from autostatistician.models.latent.chains import Draws, companions, drawn, log_densities
from autostatistician.models.latent.partition import Assigned, Groups, NormalWishart
from autostatistician.models.latent.warp import Warp

DRAWN = np.random.default_rng(3)
X = DRAWN.standard_normal((7, 2))
LABELS = np.array([0, 0, 1, 1, 0, 2, 1])
NORMAL_WISHART = NormalWishart(np.array([0.3, -0.2]), 0.5, np.array([[1.0, 0.2], [0.2, 0.7]]), 3.0)


def outside(rows: int) -> NDArray[np.intp]:
    return np.full(rows, -1)


def test_the_density_of_all_is_that_of_one_after_the_other() -> None:
    total = 0.0
    for n in range(len(X)):
        groups = Groups.of(NORMAL_WISHART, X[:n], LABELS[:n], room=3)
        total += groups.log_predictive(X[n : n + 1], outside(1))[0, LABELS[n]]
    assert Assigned(NORMAL_WISHART, LABELS).at(X)[0] == pytest.approx(total)


def test_a_group_is_an_average_over_means_and_precisions() -> None:
    rng = np.random.default_rng(0)
    precision = wishart(3.0, np.linalg.inv(NORMAL_WISHART.scale)).rvs(40_000, random_state=rng)
    spread = np.linalg.cholesky(np.linalg.inv(NORMAL_WISHART.strength * precision))
    away = X[0] - NORMAL_WISHART.centre - np.einsum("nij,nj->ni", spread, rng.standard_normal((40_000, 2)))
    logs = 0.5 * np.linalg.slogdet(precision)[1] - 0.5 * np.einsum("ni,nij,nj->n", away, precision, away)
    wanted = Assigned(NORMAL_WISHART, LABELS[:1]).at(X[:1])[0]
    assert np.log(np.exp(logs).mean() / (2.0 * np.pi)) == pytest.approx(wanted, abs=0.05)


def test_a_further_point_has_the_t_distribution() -> None:
    groups = Groups.of(NORMAL_WISHART, X, LABELS, room=1)
    strength, centre, scale, freedom = groups.posterior()
    at = DRAWN.standard_normal((5, 2))
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
    found = Groups.of(NORMAL_WISHART, X, LABELS, room=1).log_predictive(X, LABELS)
    for n in range(len(X)):
        rest = np.delete(np.arange(len(X)), n)
        groups = Groups.of(NORMAL_WISHART, X[rest], LABELS[rest], room=4 - int(LABELS[rest].max()) - 1)
        np.testing.assert_allclose(found[n], groups.log_predictive(X[n : n + 1], outside(1))[0], rtol=1e-9)


def test_points_come_and_go() -> None:
    groups = Groups.of(NORMAL_WISHART, X, LABELS)
    groups.add(0, X[0], -1.0)
    groups.add(2, X[0])
    moved = Groups.of(NORMAL_WISHART, X, np.array([2, *LABELS[1:]]))
    for name in ("counts", "sums", "squares"):
        np.testing.assert_allclose(getattr(groups, name), getattr(moved, name), atol=1e-12)


def test_the_slope_is_that_of_differences() -> None:
    assigned = Assigned(NORMAL_WISHART, LABELS)
    expected = slopes(lambda u: assigned.at(u.reshape(X.shape))[0], X.ravel())
    assert assigned.at(X)[1].ravel() == pytest.approx(expected, abs=1e-7)


def test_draws_are_of_the_t_distribution() -> None:
    groups = Groups.of(NormalWishart.standard(2, freedom=9.0), X, LABELS)
    strength, centre, scale, freedom = groups.posterior()
    drawn = groups.draw(np.zeros(40_000, dtype=np.intp), np.random.default_rng(0))
    degrees = freedom[0] - 1.0
    wanted = scale[0] * (strength[0] + 1.0) / (strength[0] * (degrees - 2.0))
    np.testing.assert_allclose(drawn.mean(axis=0), centre[0], atol=0.02)
    np.testing.assert_allclose(np.cov(drawn.T), wanted, rtol=0.05, atol=0.01)


RNG = np.random.default_rng(4)
PRIOR = MixturePrior(NormalWishart.standard(1, 0.5, 3.0), 0.5)
Y = np.concatenate([RNG.normal(-1.0, 0.2, (8, 1)), RNG.normal(1.0, 0.2, (8, 1))])

DRAWS = Draws(
    np.arange(2),
    np.array([np.repeat([0, 1], 8), np.zeros(16, dtype=int)]),
    np.stack([Y, 1.5 * Y]),
    np.log([[1.0, 1.0, 0.1], [1.2, 0.8, 0.3]]),
)

GRID = np.linspace(-6.0, 6.0, 1201)[:, None]


def plain(at: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """The same density by drawing places from the mixture alone."""
    rng, each = np.random.default_rng(0), []
    for k in range(2):
        groups = Groups.of(PRIOR.groups, DRAWS.X[k], DRAWS.labels[k], room=1)
        chances = np.append(groups.counts[:-1], PRIOR.concentration)
        places = groups.draw(rng.choice(len(chances), count, p=chances / chances.sum()), rng)
        mean, variance = Warp.at(DRAWS.X[k], DRAWS.parameters[k], Y).predict(places)
        logs = norm.logpdf(at[:, None, 0], mean[:, 0], np.sqrt(variance))
        each.append(logsumexp(logs, axis=1) - np.log(count))
    return np.asarray(logsumexp(each, axis=0) - np.log(2.0))


def test_it_is_the_average_over_places_from_the_mixture() -> None:
    at = np.array([[-1.0], [0.0], [0.9], [2.0]])
    found = log_densities(DRAWS, Y, at, PRIOR, np.random.default_rng(1), 4000)
    np.testing.assert_allclose(found, plain(at, 20_000), atol=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("prior", [PRIOR, replace(PRIOR, warped=False)])
def test_it_integrates_to_one(prior: MixturePrior) -> None:
    logs = log_densities(DRAWS, Y, GRID, prior, np.random.default_rng(1), 400)
    assert np.trapezoid(np.exp(logs), GRID[:, 0]) == pytest.approx(1.0, abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("prior", [PRIOR, replace(PRIOR, warped=False)])
def test_rows_that_are_drawn_have_that_density(prior: MixturePrior) -> None:
    rows = drawn(DRAWS, Y, prior, np.random.default_rng(2), 20_000)
    logs = log_densities(DRAWS, Y, GRID, prior, np.random.default_rng(1), 400)
    below = np.cumsum(np.exp(logs)) * (GRID[1, 0] - GRID[0, 0])
    for share in (0.2, 0.5, 0.8):
        assert np.interp(np.quantile(rows, share), GRID[:, 0], below) == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize("prior", [PRIOR, replace(PRIOR, warped=False)])
def test_rows_are_with_those_that_are_near(prior: MixturePrior) -> None:
    found = companions(DRAWS, Y, np.array([[-1.0], [1.0]]), prior, np.random.default_rng(1), 400)
    assert found.shape == (2, 16)
    assert found[0, :8].min() > 0.85 > 0.6 > found[0, 8:].max()
    assert found[1, 8:].min() > 0.85 > 0.6 > found[1, :8].max()
