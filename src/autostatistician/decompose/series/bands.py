"""The widths of the bands of a report: of each part, of the parts so far, of those that follow, and of all but noise.

They are those of the posterior given the numbers of the fit, widened by what the data leave open about the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.doubt import Doubt, Member, variance_about_fit
from autostatistician.decompose.series.parts import Part
from autostatistician.inference.posterior import Projection, total

__all__ = ["Bands", "bands", "thinned_for_bands", "zero_projection"]

Array = NDArray[np.float64]
Moments = tuple[Array, Array]  # mean and variance

MOST_MEMBERS, ROWS_OF_MOST_MEMBERS = 40, 200  # of more rows, fewer members
FEWEST_MEMBERS = 6


@dataclass(frozen=True, eq=False)
class Bands:
    """Standard deviations, of the parts (in their order) and of sums of them."""

    at_data: tuple[Array, ...]  # (n,) each
    own: tuple[Array, ...]  # (m,) each, on the grid
    cumulative: tuple[Array, ...]  # up to each part
    remaining: tuple[Array, ...]  # after each part but the last
    signal: Array  # (m,) of all parts but noise
    noise: Array  # (m,) of the noise of new observations


def bands(parts: Sequence[Part], doubt: Doubt, grid: Array) -> Bands:
    """The bands of parts, whose order is that of the doubt, at positions ``grid`` (m,)."""
    others = thinned_for_bands(doubt).others
    noisy, at = [part.is_noise for part in parts], grid[:, None]
    fit = [(part.mean, part.sd**2) for part in parts] + _sums([part.grid for part in parts], noisy)
    every = [fit, *(_moments(one, noisy, at) for one in others)]
    sds = [np.sqrt(variance_about_fit(moments)) for moments in zip(*every, strict=True)]
    k = len(parts)
    noise = np.mean([one.posterior.noise_variance(at) for one in others or (doubt.fit,)], axis=0)
    at_data, own, cumulative, remaining = (tuple(sds[start : start + k]) for start in range(0, 4 * k, k))
    return Bands(at_data, own, cumulative, remaining[:-1], sds[-1], np.sqrt(noise))


def thinned_for_bands(doubt: Doubt) -> Doubt:
    """The same with as many others as have their bands computed: of many rows, few."""
    return doubt.thinned(
        max(FEWEST_MEMBERS, min(MOST_MEMBERS, MOST_MEMBERS * ROWS_OF_MOST_MEMBERS // len(doubt.fit.posterior.y)))
    )


def _moments(member: Member, noisy: Sequence[bool], at: Array) -> list[Moments]:
    """Of each part at the data, and of all `_sums` on the grid."""
    posterior = member.posterior
    at_data = [posterior.project(part) for part in member.parts]
    on_grid = [posterior.project(part, at) for part in member.parts]
    return [(one.mean, one.variance) for one in at_data] + _sums(on_grid, noisy)


def _sums(on_grid: Sequence[Projection], noisy: Sequence[bool]) -> list[Moments]:
    """Of each part, of the parts up to each, of those after each but the last, of all but noise."""
    count = len(on_grid)
    signal = [one for one, noise in zip(on_grid, noisy, strict=True) if not noise]
    sums = [
        *on_grid,
        *(total(on_grid[: index + 1]) for index in range(count)),
        *(total(on_grid[index + 1 :]) for index in range(count - 1)),
        total(signal) if signal else zero_projection(on_grid[0]),
    ]
    return [(one.mean, one.variance) for one in sums]


def zero_projection(like: Projection) -> Projection:
    """A part that is zero everywhere."""
    zeros = np.zeros_like(like.mean)
    return Projection(zeros, lambda: zeros, lambda: like.reduction.zero(), lambda: np.zeros((len(zeros),) * 2))
