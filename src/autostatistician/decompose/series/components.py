"""Take a fitted model apart: the posterior of each additive part, their order, and the facts about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis, plain_axis
from autostatistician.data.transform import Transform
from autostatistician.decompose.doubt import Doubt, about, doubt_of, known
from autostatistician.decompose.records.series import (
    BAND_SDS,
    NO_TRANSFORM,
    Bend,
    Component,
    Curve,
    Decomposition,
    Fitted,
)
from autostatistician.decompose.series.bands import Bands, bands, members, nothing
from autostatistician.decompose.series.grid import plotting_grid
from autostatistician.decompose.series.joint import joint
from autostatistician.decompose.series.level import about_level
from autostatistician.decompose.series.order import Folds, Order, fold_rows, greedy_order
from autostatistician.decompose.series.parts import Part, part_of
from autostatistician.decompose.series.shape import Shape, shape_of, window_weight
from autostatistician.errors import InputError
from autostatistician.inference.posterior import Posterior
from autostatistician.inference.projection import Projection, total
from autostatistician.inference.scales import measure
from autostatistician.language.kernel import Kernel
from autostatistician.language.rewrite import components

__all__ = ["decompose", "parts_at"]

Array = NDArray[np.float64]

_DRAWN_CURVES = 3


def decompose(
    posterior: Posterior,
    dataset: Dataset,
    *,
    fitted: Fitted,
    path: tuple[tuple[str, float, float], ...] = (),
    horizon: int,
    seed: int = 0,
    transform: Transform = NO_TRANSFORM,
    grid_points: int = 600,
    folds: Folds = "contiguous",
    intervals: bool = True,
) -> Decomposition:
    """Everything that a report says and shows about a fitted model, as plain values.

    Parameters
    ----------
    posterior : Posterior
        The model given the data, in ascending order of their places.
    dataset : Dataset
        The same data with one input column, in any order; on the scale of the model (see `transform`).
    fitted : Fitted
        The numbers of the search, passed on.
    path : tuple of (expression, bic, seconds)
        The search level by level, passed on.
    horizon : int
        How many steps of the axis to forecast.
    seed : int
        Of the draws.
    transform : Transform
        From the data to the scale of the model.
    grid_points : int
        Points of the curves; more are taken where short periods ask for them (`plotting_grid`).
    folds : {"contiguous", "overlapping"}
        The cross-validation by which the parts are ordered; "overlapping" is that of Lloyd et al. 2014.
    intervals : bool
        Whether it is measured how well the data know the numbers of the parts (two evaluations per number).

    Raises
    ------
    InputError
        When the data set has several input columns.
    """
    if dataset.X.shape[1] != 1:
        raise InputError.of("one input column", f"{dataset.X.shape[1]}", "decompose models of one input only")
    kernel, x, axis = posterior.kernel, posterior.X[:, 0], _axis(dataset)
    future = axis.future(float(x[-1]), horizon)
    grid = plotting_grid(kernel, x, future, grid_points, axis.step)
    y = posterior.y - transform.shift
    plain, ordered, order = _ordered_parts(posterior, grid[:, None], folds, transform.shift)
    streams = _streams(seed, len(ordered))
    doubt = doubt_of(posterior, streams[-1], axis.natural_periods) if intervals else known(posterior)
    doubt = doubt.reordered(order.indices)
    work = _Work(posterior, y, plain, ordered, order, grid, tuple(streams), doubt, bands(plain, doubt, grid))
    signal = [index for index, part in enumerate(ordered) if not part.is_noise]
    projection = total([ordered[index].grid for index in signal]) if signal else nothing(ordered[0].grid)
    told = _Told(transform.unshifted, dataset.offset)
    ahead, ahead_sd = posterior.observations(future[:, None])
    fit = np.sum([ordered[index].mean for index in signal], axis=0) if signal else np.zeros(len(x))
    return Decomposition(
        name=dataset.name,
        target=dataset.target,
        axis=axis,
        x=x,
        y=told.values(y),
        offset=dataset.offset,
        fitted=fitted,
        components=tuple(_component(work, index) for index in range(len(ordered))),
        mae_baseline=float(np.abs(y).mean()),
        signal=told.curve(grid, projection.mean, work.bands.signal),
        observation=told.curve(grid, projection.mean, np.hypot(work.bands.signal, work.bands.noise)),
        samples=told.values(_draws(work, signal, projection, streams[len(ordered)])),
        forecast=told.curve(future, ahead - transform.shift, ahead_sd),
        signal_r2=_explained(y - fit, y),
        path=path,
        warnings=dataset.warnings + _jitter_warning(posterior),
        transform=transform,
        choice=dataset.choice,
        noise_floor=measure(dataset.X, dataset.y, dataset.columns).noise_floor,
    )


def parts_at(
    parts: Sequence[Kernel], posterior: Posterior, dataset: Dataset, points: Array, *, seed: int
) -> list[tuple[Array, Array]]:
    """Mean and standard deviation (m,) of parts of a model at points (m, 1), with the doubt that `decompose` has."""
    stream = _streams(seed, len(components(posterior.kernel)))[-1]
    doubt = members(doubt_of(posterior, stream, _axis(dataset).natural_periods))
    found = []
    for part in parts:
        index = doubt.fit.parts.index(part)
        each = [one.posterior.project(one.parts[index], points) for one in (doubt.fit, *doubt.others)]
        found.append((each[0].mean, np.sqrt(about([(one.mean, one.variance) for one in each]))))
    return found


def _axis(dataset: Dataset) -> Axis:
    return dataset.axis or plain_axis(dataset.columns[0], dataset.X[:, 0])


def _streams(seed: int, count: int) -> list[np.random.Generator]:
    """Two for each of so many parts and one for all of them; the last is that of the doubt about the numbers."""
    return np.random.default_rng(seed).spawn(2 * count + 2)


@dataclass(frozen=True)
class _Told:
    """The way back from the scale of the model to the data."""

    transform: Transform
    offset: float

    def values(self, t: Array) -> Array:
        return self.transform.back(t) + self.offset

    def curve(self, x: Array, mean: Array, sd: Array) -> Curve:
        """In data units; the limits of a normal curve follow from its standard deviation."""
        if not self.transform.is_log:
            return Curve(x, mean + self.offset, sd)
        limits = (self.values(mean - BAND_SDS * sd), self.values(mean + BAND_SDS * sd))
        return Curve(x, *self.transform.moments(mean, sd), *limits)


@dataclass(frozen=True, eq=False)
class _Work:
    """What the facts of every component are computed from."""

    posterior: Posterior
    y: Array  # (n,) about the typical level, as the means of the parts are
    plain: tuple[Part, ...]  # in greedy order
    parts: tuple[Part, ...]  # the same about the typical level
    order: Order
    grid: Array
    streams: tuple[np.random.Generator, ...]
    doubt: Doubt  # with the parts in the same order
    bands: Bands


def _ordered_parts(
    posterior: Posterior, grid: Array, folds: Folds, shift: float
) -> tuple[tuple[Part, ...], tuple[Part, ...], Order]:
    """The parts in greedy order, as they are and about the typical level."""
    rows = fold_rows(len(posterior.y), folds)
    others = [posterior.without(held_out) for held_out in rows]
    plain = [part_of(part, posterior, others, rows, grid) for part in components(posterior.kernel)]
    parts = about_level(plain, shift, posterior, rows, grid)
    targets = [posterior.y[held_out] - shift for held_out in rows]
    order = greedy_order([part.held_out for part in parts], targets, [part.is_noise for part in parts])
    return tuple(plain[index] for index in order.indices), tuple(parts[index] for index in order.indices), order


def _component(work: _Work, index: int) -> Component:
    part, posterior, parts, wide = work.parts[index], work.posterior, work.parts, work.bands
    y = work.y
    left = [y - np.sum([part.mean for part in parts[:count]], axis=0) for count in (index, index + 1)]
    weight = window_weight(part.kernel, posterior.X, posterior.columns)
    shape = shape_of(posterior.X[:, 0], part.mean, weight)
    ends = np.sqrt(posterior.project(part.kernel, posterior.X[[0, -1]]).prior)
    error, before = work.order.errors[index], _error_before(work, index)
    rng = work.streams[len(parts) + 1 + index]
    return Component(
        kernel=part.kernel,
        mean=part.mean,
        sd=wide.at_data[index],
        curve=Curve(work.grid, part.grid.mean, wide.own[index]),
        cumulative=_sum(work, slice(0, index + 1), wide.cumulative[index]),
        remaining=_sum(work, slice(index + 1, None), wide.remaining[index]) if parts[index + 1 :] else None,
        samples=_draws(work, [index], part.grid, work.streams[index]),
        is_noise=part.is_noise,
        r2=_explained(left[1], y),
        delta_r2=_explained(left[1], y) - _explained(left[0], y),
        residual_r2=_explained(left[1], left[0]),
        mae=error,
        mae_reduction=1.0 - error / before if before > 0.0 else 0.0,
        variance_share=_share(part.mean, y),
        active=shape.active,
        monotonic=0 if part.is_noise else shape.monotonic,
        slope=0.0 if part.is_noise else shape.slope,
        slope_sd=0.0 if part.is_noise else _slope_sd(work, index, shape),
        low=shape.low,
        high=shape.high,
        prior_sd_first=float(ends[0]),
        prior_sd_last=float(ends[1]),
        bend=None if part.is_noise else _bend(work, index, shape),
        joint=None if part.is_noise else joint(work.doubt, index, part.mean, weight, rng),
        numbers=work.doubt.numbers[index],
    )


def _error_before(work: _Work, index: int) -> float:
    return work.order.errors[index - 1] if index else float(np.abs(work.y).mean())


def _sum(work: _Work, which: slice, sd: Array) -> Curve:
    return Curve(work.grid, np.sum([part.grid.mean for part in work.parts[which]], axis=0), sd)


def _explained(after: Array, before: Array) -> float:
    """Share of the variance of ``before`` that is gone in ``after``; a variance that is rounding counts as none."""
    variance = float(np.var(before))
    return 1.0 - float(np.var(after)) / variance if variance > _least(before) else 0.0


def _share(mean: Array, y: Array) -> float:
    variance = float(np.var(y))
    return float(np.var(mean)) / variance if variance > _least(y) else 0.0


def _least(values: Array) -> float:
    return 1e-28 * float(np.square(values).max(initial=0.0))


def _slope_sd(work: _Work, index: int, shape: Shape) -> float:
    """Posterior standard deviation of the slope between the first and the last active datum."""
    if shape.rows is None or not shape.active or shape.active[1] <= shape.active[0]:
        return 0.0
    _, cov = work.doubt.component([index], work.posterior.X[list(shape.rows)])
    variance = cov[0, 0] + cov[1, 1] - 2.0 * cov[0, 1]
    return float(np.sqrt(max(variance, 0.0))) / (shape.active[1] - shape.active[0])


def _bend(work: _Work, index: int, shape: Shape) -> Bend | None:
    """How the slope changes from the first half of the active data to the second, judged with its uncertainty."""
    if shape.rows is None or shape.middle is None:
        return None
    rows = [shape.rows[0], shape.middle, shape.rows[1]]
    mean, at = work.parts[index].mean[rows], work.posterior.X[rows]
    x = at[:, 0]
    if not x[0] < x[1] < x[2]:
        return None
    _, cov = work.doubt.component([index], at)
    early, late = np.array([-1.0, 1.0, 0.0]) / (x[1] - x[0]), np.array([0.0, -1.0, 1.0]) / (x[2] - x[1])
    told = [(float(w @ mean), float(np.sqrt(max(w @ cov @ w, 0.0)))) for w in (early, late, late - early)]
    return Bend(*told[0], *told[1], *told[2])


def _draws(work: _Work, indices: Sequence[int], told: Projection, rng: np.random.Generator) -> Array:
    """Joint draws of the sum of some parts, about the level at which it is ``told``."""
    if not indices:
        return np.zeros((_DRAWN_CURVES, len(work.grid)))
    at, scale = work.grid[:, None], float(told.prior.max())
    level = told.mean - np.sum([work.plain[index].grid.mean for index in indices], axis=0)
    return np.asarray(work.doubt.few(_DRAWN_CURVES).curves(indices, at, rng, scale=scale, count=_DRAWN_CURVES) + level)


def _jitter_warning(posterior: Posterior) -> tuple[str, ...]:
    if posterior.jitter == 0.0:
        return ()
    sd = float(np.sqrt(posterior.jitter))
    return (f"Noise with a standard deviation of {sd:.1e} was added to keep the arithmetic of the model stable.",)
