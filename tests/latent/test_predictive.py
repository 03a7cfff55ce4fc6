"""Densities of further rows: those of plain averages; they integrate to one, and rows drawn have them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import norm

from autostatistician.latent.chain import MixturePrior
from autostatistician.latent.chains import Draws
from autostatistician.latent.normal_wishart import Groups, NormalWishart
from autostatistician.latent.predictive import companions, drawn, log_densities
from autostatistician.latent.warp import Warp

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
