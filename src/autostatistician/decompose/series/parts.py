"""The posteriors of all additive parts of a model, computed once and added up as needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.series.component_order import Rows
from autostatistician.decompose.uncertainty import FEWEST_MEMBERS, ConditionedModel, ParameterDraws, variance_about_fit
from autostatistician.gp.posterior import Posterior, Projection, total
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

__all__ = ["Bands", "ConditionedPart", "bands", "part_of", "thinned_for_bands", "zero_projection"]


Array = NDArray[np.float64]

Moments = tuple[Array, Array]  # mean and variance

MOST_MEMBERS, ROWS_OF_MOST_MEMBERS = 40, 200  # of more rows, fewer members


@dataclass(frozen=True, eq=False)
class ConditionedPart:
    """One additive part of a conditioned kernel."""

    kernel: Kernel
    is_noise: bool
    mean: Array  # (n,) at the data
    sd: Array  # (n,)
    held_out: tuple[Array, ...]  # per fold, the prediction of the held-out rows
    grid: Projection


def part_of(
    kernel: Kernel, posterior: Posterior, others: Sequence[Posterior], folds: Sequence[Rows], grid: Array
) -> ConditionedPart:
    """The posterior of the part ``kernel`` at the data and on the grid, and its prediction of each fold.

    ``others`` are the posteriors that do without each fold (`Posterior.without`).
    """
    held_out = tuple(other.project(kernel, posterior.X[rows]).mean for other, rows in zip(others, folds, strict=True))
    at_data = posterior.project(kernel)
    return ConditionedPart(
        kernel, is_noise(kernel), at_data.mean, at_data.sd, held_out, posterior.project(kernel, grid)
    )


# --- The widths of the bands of a report ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Bands:
    """Standard deviations, of the parts (in their order) and of sums of them."""

    at_data: tuple[Array, ...]  # (n,) each
    on_grid: tuple[Array, ...]  # (m,) each
    cumulative: tuple[Array, ...]  # up to each part
    signal: Array  # (m,) of all parts but noise
    noise: Array  # (m,) of the noise of new observations


def bands(parts: Sequence[ConditionedPart], uncertainty: ParameterDraws, grid: Array) -> Bands:
    """The bands of parts, whose order is that of the uncertainty, at positions ``grid`` (m,)."""
    others = thinned_for_bands(uncertainty).others
    noisy, at = [part.is_noise for part in parts], grid[:, None]
    fit = [(part.mean, part.sd**2) for part in parts] + _sums([part.grid for part in parts], noisy)
    every = [fit, *(_moments(member, noisy, at) for member in others)]
    sds = [np.sqrt(variance_about_fit(moments)) for moments in zip(*every, strict=True)]
    k = len(parts)
    noise = np.mean([member.posterior.noise_variance(at) for member in others or (uncertainty.fit,)], axis=0)
    at_data, on_grid, cumulative = (tuple(sds[start : start + k]) for start in range(0, 3 * k, k))
    return Bands(at_data, on_grid, cumulative, sds[-1], np.sqrt(noise))


def thinned_for_bands(uncertainty: ParameterDraws) -> ParameterDraws:
    """The same with as many others as have their bands computed: of many rows, few."""
    return uncertainty.thinned(
        max(FEWEST_MEMBERS, min(MOST_MEMBERS, MOST_MEMBERS * ROWS_OF_MOST_MEMBERS // len(uncertainty.fit.posterior.y)))
    )


def _moments(member: ConditionedModel, noisy: Sequence[bool], at: Array) -> list[Moments]:
    """Of each part at the data, and of all `_sums` on the grid."""
    posterior = member.posterior
    at_data = [posterior.project(part) for part in member.parts]
    on_grid = [posterior.project(part, at) for part in member.parts]
    return [(projection.mean, projection.variance) for projection in at_data] + _sums(on_grid, noisy)


def _sums(on_grid: Sequence[Projection], noisy: Sequence[bool]) -> list[Moments]:
    """Of each part, of the parts up to each, of all but noise."""
    cumulative = list(accumulate(on_grid, lambda before, part: total([before, part])))
    signal = [projection for projection, noise in zip(on_grid, noisy, strict=True) if not noise]
    whole = total(signal) if signal else zero_projection(on_grid[0])
    if signal and signal == on_grid[: len(signal)]:  # noise is last
        whole = cumulative[len(signal) - 1]
    return [(projection.mean, projection.variance) for projection in (*on_grid, *cumulative, whole)]


def zero_projection(like: Projection) -> Projection:
    """A part that is zero everywhere."""
    zeros = np.zeros_like(like.mean)
    return Projection(zeros, lambda: zeros, lambda: like.reduction.zero(), lambda: np.zeros((len(zeros),) * 2))
