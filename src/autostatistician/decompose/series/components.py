"""The facts about each additive part of a model of a series, in the order in which a report tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.doubt import Doubt
from autostatistician.decompose.records.series import Bend, Component, Curve
from autostatistician.decompose.series.bands import Bands
from autostatistician.decompose.series.joint import joint
from autostatistician.decompose.series.order import Order
from autostatistician.decompose.series.parts import Part
from autostatistician.decompose.series.shape import Shape, shape_of, window_weight
from autostatistician.inference.posterior import Posterior, Projection

__all__ = ["OrderedParts", "component", "draws", "explained_share"]

Array = NDArray[np.float64]

DRAWN_CURVES = 3  # in a picture


@dataclass(frozen=True, eq=False)
class OrderedParts:
    """The parts of a model in greedy order, with all that the facts about each are computed from."""

    posterior: Posterior
    y: Array  # (n,) about the typical level, as the means of the parts are
    plain: tuple[Part, ...]  # as the model has them
    told: tuple[Part, ...]  # the same about the typical level
    order: Order
    grid: Array  # (m,)
    streams: tuple[np.random.Generator, ...]  # of draws: for every part, for the whole, again for every part
    doubt: Doubt  # with the parts in the same order
    bands: Bands


def component(parts: OrderedParts, index: int) -> Component:
    """The facts about the part at an index."""
    told, posterior, wide, y = parts.told, parts.posterior, parts.bands, parts.y
    part = told[index]
    before, after = (y - np.sum([one.mean for one in told[:count]], axis=0) for count in (index, index + 1))
    weight = window_weight(part.kernel, posterior.X, posterior.columns)
    shape = shape_of(posterior.X[:, 0], part.mean, weight)
    ends = np.sqrt(posterior.prior_variance(part.kernel, posterior.X[[0, -1]]))
    error, error_before = parts.order.errors[index], _error_before(parts, index)
    rng = parts.streams[len(told) + 1 + index]
    return Component(
        kernel=part.kernel,
        mean=part.mean,
        sd=wide.at_data[index],
        curve=Curve(parts.grid, part.grid.mean, wide.own[index]),
        cumulative=_sum(parts, slice(0, index + 1), wide.cumulative[index]),
        remaining=_sum(parts, slice(index + 1, None), wide.remaining[index]) if told[index + 1 :] else None,
        samples=draws(parts, [index], part.grid, parts.streams[index]),
        is_noise=part.is_noise,
        r2=explained_share(after, y),
        delta_r2=explained_share(after, y) - explained_share(before, y),
        residual_r2=explained_share(after, before),
        mae=error,
        mae_reduction=1.0 - error / error_before if error_before > 0.0 else 0.0,
        variance_share=_variance_share(part.mean, y),
        active=shape.active,
        monotonic=0 if part.is_noise else shape.monotonic,
        slope=0.0 if part.is_noise else shape.slope,
        slope_sd=0.0 if part.is_noise else _slope_sd(parts, index, shape),
        low=shape.low,
        high=shape.high,
        prior_sd_first=float(ends[0]),
        prior_sd_last=float(ends[1]),
        bend=None if part.is_noise else _bend(parts, index, shape),
        joint=None if part.is_noise else joint(parts.doubt, index, part.mean, weight, rng),
        numbers=parts.doubt.numbers[index],
    )


def _error_before(parts: OrderedParts, index: int) -> float:
    return parts.order.errors[index - 1] if index else float(np.abs(parts.y).mean())


def _sum(parts: OrderedParts, which: slice, sd: Array) -> Curve:
    return Curve(parts.grid, np.sum([part.grid.mean for part in parts.told[which]], axis=0), sd)


def explained_share(after: Array, before: Array) -> float:
    """Share of the variance of ``before`` that is gone in ``after``; a variance that is rounding counts as none."""
    variance = float(np.var(before))
    return 1.0 - float(np.var(after)) / variance if variance > _rounding_variance(before) else 0.0


def _variance_share(mean: Array, y: Array) -> float:
    variance = float(np.var(y))
    return float(np.var(mean)) / variance if variance > _rounding_variance(y) else 0.0


def _rounding_variance(values: Array) -> float:
    """A variance of values that rounding alone may leave."""
    return 1e-28 * float(np.square(values).max(initial=0.0))


def _slope_sd(parts: OrderedParts, index: int, shape: Shape) -> float:
    """Posterior standard deviation of the slope between the first and the last active datum."""
    if shape.rows is None or not shape.active or shape.active[1] <= shape.active[0]:
        return 0.0
    _, cov = parts.doubt.component([index], parts.posterior.X[list(shape.rows)])
    variance = cov[0, 0] + cov[1, 1] - 2.0 * cov[0, 1]
    return float(np.sqrt(max(variance, 0.0))) / (shape.active[1] - shape.active[0])


def _bend(parts: OrderedParts, index: int, shape: Shape) -> Bend | None:
    """How the slope changes from the first half of the active data to the second, judged with its uncertainty."""
    if shape.rows is None or shape.middle is None:
        return None
    rows = [shape.rows[0], shape.middle, shape.rows[1]]
    mean, at = parts.told[index].mean[rows], parts.posterior.X[rows]
    x = at[:, 0]
    if not x[0] < x[1] < x[2]:
        return None
    _, cov = parts.doubt.component([index], at)
    early, late = np.array([-1.0, 1.0, 0.0]) / (x[1] - x[0]), np.array([0.0, -1.0, 1.0]) / (x[2] - x[1])
    slopes = [(float(w @ mean), float(np.sqrt(max(w @ cov @ w, 0.0)))) for w in (early, late, late - early)]
    return Bend(*slopes[0], *slopes[1], *slopes[2])


def draws(parts: OrderedParts, indices: Sequence[int], told: Projection, rng: np.random.Generator) -> Array:
    """Joint draws of the sum of some parts on the grid, about the level at which it is ``told``."""
    if not indices:
        return np.zeros((DRAWN_CURVES, len(parts.grid)))
    level = told.mean - np.sum([parts.plain[index].grid.mean for index in indices], axis=0)
    doubt, scale = parts.doubt.thinned(DRAWN_CURVES), float(told.prior.max())
    return np.asarray(doubt.curves(indices, parts.grid[:, None], rng, scale=scale, count=DRAWN_CURVES) + level)
