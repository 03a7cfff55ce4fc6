"""The facts about each additive part of a model of a series, in the order in which a report tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Bend, Component
from autostatistician.decompose.series.bands import Bands
from autostatistician.decompose.series.joint import joint
from autostatistician.decompose.series.order import PartOrder
from autostatistician.decompose.series.parts import ConditionedPart
from autostatistician.decompose.series.shape import Shape, shape_of, window_weight
from autostatistician.decompose.uncertainty import ParameterDraws
from autostatistician.forms import Curve
from autostatistician.inference.posterior import Posterior, Projection

__all__ = ["OrderedParts", "component", "draws", "explained_share"]

Array = NDArray[np.float64]

DRAWN_CURVES = 3  # in a picture


@dataclass(frozen=True, eq=False)
class OrderedParts:
    """The parts of a model in greedy order, with all that the facts about each are computed from."""

    posterior: Posterior
    y: Array  # (n,) about the typical level, as the means of the parts are
    plain: tuple[ConditionedPart, ...]  # as the model has them
    reported: tuple[ConditionedPart, ...]  # the same about the typical level
    order: PartOrder
    baseline: float  # the error before any part
    grid: Array  # (m,)
    streams: tuple[np.random.Generator, ...]  # of draws: for every part, for the whole, again for every part
    uncertainty: ParameterDraws  # with the parts in the same order
    bands: Bands


def component(parts: OrderedParts, index: int) -> Component:
    """The facts about the part at an index."""
    reported, posterior, wide, y = parts.reported, parts.posterior, parts.bands, parts.y
    part = reported[index]
    before = y - np.sum([other.mean for other in reported[:index] if not other.is_noise], axis=0)
    after = before - part.mean
    weight = window_weight(part.kernel, posterior.X, posterior.columns)
    shape = shape_of(posterior.X[:, 0], part.mean, weight)
    error, error_before = parts.order.errors[index], _error_before(parts, index)
    rng = parts.streams[len(reported) + 1 + index]
    return Component(
        kernel=part.kernel,
        mean=part.mean,
        sd=wide.at_data[index],
        curve=Curve.normal(parts.grid, part.grid.mean, wide.on_grid[index]),
        cumulative=_sum(parts, slice(0, index + 1), wide.cumulative[index]),
        remaining=_sum(parts, slice(index + 1, None), wide.remaining[index]) if reported[index + 1 :] else None,
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
        bend=None if part.is_noise else _bend(parts, index, shape),
        joint=None if part.is_noise else joint(parts.uncertainty, index, part.mean, weight, rng),
        numbers=parts.uncertainty.parameters[index],
    )


def _error_before(parts: OrderedParts, index: int) -> float:
    return parts.order.errors[index - 1] if index else parts.baseline


def _sum(parts: OrderedParts, which: slice, sd: Array) -> Curve:
    return Curve.normal(parts.grid, np.sum([part.grid.mean for part in parts.reported[which]], axis=0), sd)


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
    _, cov = parts.uncertainty.component([index], parts.posterior.X[list(shape.rows)])
    variance = cov[0, 0] + cov[1, 1] - 2.0 * cov[0, 1]
    return float(np.sqrt(max(variance, 0.0))) / (shape.active[1] - shape.active[0])


def _bend(parts: OrderedParts, index: int, shape: Shape) -> Bend | None:
    """How the slope changes from the first half of the active data to the second, judged with its uncertainty."""
    if shape.rows is None or shape.middle is None:
        return None
    rows = [shape.rows[0], shape.middle, shape.rows[1]]
    mean, at = parts.reported[index].mean[rows], parts.posterior.X[rows]
    x = at[:, 0]
    if not x[0] < x[1] < x[2]:
        return None
    _, cov = parts.uncertainty.component([index], at)
    early, late = np.array([-1.0, 1.0, 0.0]) / (x[1] - x[0]), np.array([0.0, -1.0, 1.0]) / (x[2] - x[1])
    change = late - early
    sd = float(np.sqrt(max(change @ cov @ change, 0.0)))
    return Bend(float(early @ mean), float(late @ mean), float(change @ mean), sd)


def draws(parts: OrderedParts, indices: Sequence[int], reported: Projection, rng: np.random.Generator) -> Array:
    """Joint draws of the sum of some parts on the grid, about the level at which it is ``reported``."""
    if not indices:
        return np.zeros((DRAWN_CURVES, len(parts.grid)))
    level = reported.mean - np.sum([parts.plain[index].grid.mean for index in indices], axis=0)
    uncertainty, scale = parts.uncertainty.thinned(DRAWN_CURVES), float(reported.prior.max())
    return np.asarray(uncertainty.curves(indices, parts.grid[:, None], rng, scale=scale, count=DRAWN_CURVES) + level)
