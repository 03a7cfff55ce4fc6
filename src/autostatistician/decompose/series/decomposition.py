"""A fitted model of a series taken apart: its parts in order, the whole, the forecast, and the way back to the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis, plain_axis
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import NO_TRANSFORM, Decomposition, Fitted
from autostatistician.decompose.series.component_order import (
    Counted,
    Folds,
    PartOrder,
    Rows,
    fold_rows,
    greedy_order,
    mean_error,
)
from autostatistician.decompose.series.components import OrderedParts, component, draws, explained_share, window_weight
from autostatistician.decompose.series.evaluation_grid import plotting_grid
from autostatistician.decompose.series.parts import ConditionedPart, bands, part_of, thinned_for_bands, zero_projection
from autostatistician.decompose.statistics import in_stretches
from autostatistician.decompose.uncertainty import (
    MOST_MEMBERS,
    ParameterDraws,
    fixed_parameters,
    uncertainty_of,
    variance_about_fit,
)
from autostatistician.errors import InputError
from autostatistician.forms import BAND_SDS, Curve
from autostatistician.gp.parameters import LearnedPriors, measure
from autostatistician.gp.posterior import Posterior, total
from autostatistician.i18n.messages import Number, note
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.rewrite import components

__all__ = ["decompose", "parts_at"]


Array = NDArray[np.float64]

MOST_ROWS_OF_ORDER = 10_000


def decompose(
    posterior: Posterior,
    dataset: Dataset,
    *,
    fitted: Fitted,
    horizon: int,
    last: float | None = None,
    seed: int = 0,
    transform: Transform = NO_TRANSFORM,
    grid_points: int = 600,
    folds: Folds = "contiguous",
    intervals: bool = True,
    priors: LearnedPriors | None = None,
    counted: Counted | None = None,
) -> Decomposition:
    """Everything that a report says and shows about a fitted model, as plain values.

    Parameters
    ----------
    posterior : Posterior
        The model given the data, in ascending order of their positions.
    dataset : Dataset
        The same data with one input column, in any order; on the scale of the model (see ``transform``).
    horizon, last : int, float
        How many steps of the axis to forecast, and the position after which they begin: the last of the data.
    grid_points : int
        Points of the curves; more are taken where short periods ask for them (`plotting_grid`).
    folds : {"contiguous", "overlapping"}
        The cross-validation by which the parts are ordered; "overlapping" is that of Lloyd et al. 2014.
    intervals : bool
        Whether it is measured how well the data know the parameters of the parts (two evaluations for each).
    counted : Counted
        The counts for which the data stand: errors are then root mean squares in the units of these.
    """
    if dataset.X.shape[1] != 1:
        raise InputError.of("one input column", f"{dataset.X.shape[1]}", "decompose models of one input only")
    kernel, x, axis = posterior.kernel, posterior.X[:, 0], _axis(dataset)
    future = axis.future(float(x[-1]) if last is None else last, horizon)
    grid = plotting_grid(kernel, x, future, grid_points, axis.step)
    y = posterior.y - transform.shift
    plain, reported, order = _in_greedy_order(posterior, grid[:, None], folds, transform.shift, counted)
    streams = _streams(seed, len(reported))
    uncertainty = fixed_parameters(posterior)
    if intervals:
        uncertainty = uncertainty_of(posterior, streams[-1], axis.natural_periods, MOST_MEMBERS, priors)
    uncertainty = uncertainty.reordered(order.indices)
    widths = bands(plain, uncertainty, grid)
    parts = OrderedParts(posterior, y, plain, reported, order, grid, tuple(streams), uncertainty, widths)
    signal = [index for index, part in enumerate(reported) if not part.is_noise]
    projection = total([reported[index].grid for index in signal]) if signal else zero_projection(reported[0].grid)
    scales = measure(dataset.X, dataset.y, dataset.columns, axis.natural_periods)
    data_scale = _DataScale(transform.unshifted, dataset.offset)
    ahead, ahead_sd = posterior.observations(future[:, None])
    fit = np.sum([reported[index].mean for index in signal], axis=0) if signal else np.zeros(len(x))
    return Decomposition(
        name=dataset.name,
        target=dataset.target,
        axis=axis,
        x=x,
        y=data_scale.values(y),
        offset=dataset.offset,
        fitted=fitted,
        components=tuple(component(parts, index) for index in range(len(reported))),
        signal=data_scale.curve(grid, projection.mean, parts.bands.signal),
        observation=data_scale.curve(grid, projection.mean, np.hypot(parts.bands.signal, parts.bands.noise)),
        samples=data_scale.values(draws(parts, signal, projection, streams[len(reported)])),
        forecast=data_scale.curve(future, ahead - transform.shift, ahead_sd),
        signal_r2=explained_share(y - fit, y),
        path=(),
        warnings=dataset.warnings + _warnings(posterior),
        transform=transform,
        choice=dataset.choice,
        noise_floor=scales.noise_floor,
        seasons=tuple(scales.only.seasons),
    )


def parts_at(
    kernels: Sequence[tuple[Kernel, ...]],
    posterior: Posterior,
    dataset: Dataset,
    points: Array,
    *,
    seed: int,
    priors: LearnedPriors | None = None,
) -> list[tuple[Array, Array]]:
    """Mean and standard deviation (m,) of parts of a model at points (m, 1), with the uncertainty that `decompose` has.

    ``kernels`` are those of `Decomposition.kernels`.
    """
    stream = _streams(seed, len(components(posterior.kernel)))[-1]
    uncertainty = thinned_for_bands(uncertainty_of(posterior, stream, _axis(dataset).natural_periods, priors=priors))
    return [_part_at(uncertainty, kernel, points) for (kernel,) in kernels]


def _part_at(uncertainty: ParameterDraws, kernel: Kernel, points: Array) -> tuple[Array, Array]:
    index = uncertainty.fit.parts.index(kernel)
    every = [member.posterior.project(member.parts[index], points) for member in (uncertainty.fit, *uncertainty.others)]
    return every[0].mean, np.sqrt(variance_about_fit([(projection.mean, projection.variance) for projection in every]))


def _axis(dataset: Dataset) -> Axis:
    return dataset.axis or plain_axis(dataset.columns[0], dataset.X[:, 0])


def _streams(seed: int, count: int) -> list[np.random.Generator]:
    """Two for each of so many parts and one for all of them; the last is that of the draws of parameters."""
    return np.random.default_rng(seed).spawn(2 * count + 2)


@dataclass(frozen=True)
class _DataScale:
    """The way back from the scale of the model to the data."""

    transform: Transform
    offset: float

    def values(self, t: Array) -> Array:
        """In data units."""
        return self.transform.back(t) + self.offset

    def curve(self, x: Array, mean: Array, sd: Array) -> Curve:
        """In data units; limits are only kept where they do not follow from the standard deviation."""
        if not self.transform.is_mapped:
            return Curve.normal(x, mean + self.offset, sd)
        limits = (self.values(mean - BAND_SDS * sd), self.values(mean + BAND_SDS * sd))
        return Curve(x, *self.transform.moments(mean, sd), *limits)


def _in_greedy_order(
    posterior: Posterior, grid: Array, folds: Folds, shift: float, counted: Counted | None
) -> tuple[tuple[ConditionedPart, ...], tuple[ConditionedPart, ...], PartOrder]:
    """The parts in greedy order, as the model has them and as they are reported (about the typical level).

    Of very many rows the order is that by some of them: each fold takes a posterior of its own.
    """
    n = len(posterior.y)
    sampled = in_stretches(n, MOST_ROWS_OF_ORDER)
    rows, left_out = (
        [np.intersect1d(fold, sampled) for fold in fold_rows(n, folds)],
        np.setdiff1d(np.arange(n), sampled),
    )
    others = [posterior.without(np.union1d(held_out, left_out)) for held_out in rows]
    plain = [part_of(part, posterior, others, rows, grid) for part in components(posterior.kernel)]
    parts = about_level(plain, shift, posterior, rows, grid)
    targets = [posterior.y[held_out] - shift for held_out in rows]
    error_of = mean_error if counted is None else partial(counted.error, targets=targets, rows=rows)
    order = greedy_order([part.held_out for part in parts], targets, [part.is_noise for part in parts], error_of)
    return tuple(plain[index] for index in order.indices), tuple(parts[index] for index in order.indices), order


def _warnings(posterior: Posterior) -> tuple[str, ...]:
    """What arithmetic did to the model."""
    if not posterior.keeps_digits:
        return (
            note(
                "So little of the values is noise that the arithmetic of so many rows loses digits: ranges of the "
                "parts are not to be relied on; at most 5000 rows have sound ones."
            ),
        )
    if posterior.jitter == 0.0:
        return ()
    sd = float(np.sqrt(posterior.jitter))
    return (
        note(
            "Noise with a standard deviation of {sd} was added to keep the arithmetic of the model stable.",
            sd=Number(sd, ".1e"),
        ),
    )


# --- Parts measured about the typical level of the data, where the model measures them from another zero ------------


def about_level(
    parts: Sequence[ConditionedPart], shift: float, posterior: Posterior, rows: Sequence[Rows], grid: Array
) -> list[ConditionedPart]:
    """Parts whose means add up to those of the data less ``shift``; nothing is done where that is zero.

    The part with the highest mean carries the level as far as its window is open, the next carries what is left, and so
    on; what no window is open for stays with the first. ``rows`` are those held out in every fold, ``grid`` (m, 1) is
    where the curves of the parts are.
    """
    signal = [index for index, part in enumerate(parts) if not part.is_noise]
    if shift == 0.0 or not signal:
        return list(parts)
    inputs = np.vstack([posterior.X, grid])
    windows = {index: window_weight(parts[index].kernel, inputs, posterior.columns) for index in signal}
    carried = _carried(windows, _by_level(parts, windows))
    return [
        _lowered(part, shift * carried[index], rows) if index in carried else part for index, part in enumerate(parts)
    ]


def _by_level(parts: Sequence[ConditionedPart], windows: dict[int, Array]) -> list[int]:
    """The parts by their mean where they are open, highest first."""

    def level(index: int) -> float:
        mean, weight = parts[index].mean, windows[index][: len(parts[index].mean)]
        return float(mean @ weight) / max(float(weight @ weight), 1e-9)

    return sorted(windows, key=level, reverse=True)


def _carried(windows: dict[int, Array], order: Sequence[int]) -> dict[int, Array]:
    """The share of the level that each part carries at every input; they add up to one."""
    unclaimed = np.ones_like(windows[order[0]])
    shares = {}
    for index in order:
        shares[index] = np.minimum(windows[index], unclaimed)
        unclaimed = unclaimed - shares[index]
    shares[order[0]] = shares[order[0]] + unclaimed
    return shares


def _lowered(part: ConditionedPart, level: Array, rows: Sequence[Rows]) -> ConditionedPart:
    """A part less a level, which is given at the data and then on the grid."""
    n = len(part.mean)
    held_out = tuple(values - level[:n][fold] for values, fold in zip(part.held_out, rows, strict=True))
    grid = part.grid.shifted(-level[n:])
    return replace(part, mean=part.mean - level[:n], held_out=held_out, grid=grid)
