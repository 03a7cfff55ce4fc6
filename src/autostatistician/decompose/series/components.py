"""The facts about each additive part of a model of a series, in the order in which a report tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.decompose.records.series import Component, Joint
from autostatistician.decompose.series.component_order import PartOrder
from autostatistician.decompose.series.parts import Bands, ConditionedPart
from autostatistician.decompose.uncertainty import CURVES_DRAWN, ParameterDraws
from autostatistician.forms import Curve
from autostatistician.gp.posterior import Posterior, Projection
from autostatistician.kernels.evaluators import change_weights
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import column_index

__all__ = ["OrderedParts", "component", "draws", "explained_share", "slope_and_size_sd", "window_weight"]


Array = NDArray[np.float64]

Columns = tuple[str, ...]

#: A part counts as fully there where its window weighs more than this.
OPEN_WEIGHT = 0.99

# Relative to the spread of a curve (to its level): smaller steps (spreads) are rounding.
_ROUNDING_SHARE = 1e-9


MOST_POSITIONS = 400  # at which a curve is drawn

STEPPING_POINTS = 24  # a steady curve keeps its direction from each of these points to the next

DRAWN_CURVES = 3  # in a picture


@dataclass(frozen=True, eq=False)
class OrderedParts:
    """The parts of a model in greedy order, with all that the facts about each are computed from."""

    posterior: Posterior
    y: Array  # (n,) about the typical level, as the means of the parts are
    plain: tuple[ConditionedPart, ...]  # as the model has them
    reported: tuple[ConditionedPart, ...]  # the same about the typical level
    order: PartOrder
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
    active, slope = shape_of(posterior.X[:, 0], part.mean, weight)
    rng = parts.streams[len(reported) + 1 + index]
    sds = (0.0, 0.0) if part.is_noise else slope_and_size_sd(parts.uncertainty, index, part.mean, weight)
    return Component(
        kernel=part.kernel,
        mean=part.mean,
        sd=wide.at_data[index],
        curve=Curve.normal(parts.grid, part.grid.mean, wide.on_grid[index]),
        cumulative=Curve.normal(
            parts.grid, np.sum([other.grid.mean for other in reported[: index + 1]], axis=0), wide.cumulative[index]
        ),
        samples=draws(parts, [index], part.grid, parts.streams[index]),
        is_noise=part.is_noise,
        r2=explained_share(after, y),
        residual_r2=explained_share(after, before),
        mae=parts.order.errors[index],
        variance_share=_variance_share(part.mean, y),
        active=active,
        slope=0.0 if part.is_noise else slope,
        slope_sd=sds[0],
        joint=None if part.is_noise else joint(parts.uncertainty, index, sds[1], weight, rng),
        numbers=parts.uncertainty.parameters[index],
    )


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


def slope_and_size_sd(uncertainty: ParameterDraws, index: int, mean: Array, weight: Array) -> tuple[float, float]:
    """Posterior standard deviations: of the slope of a part from the first to the last active datum, and of its size.

    The size is the difference between the points where the ``mean`` (n,) is highest and lowest.
    """
    rows = np.flatnonzero(weight > OPEN_WEIGHT)
    if not len(rows):
        return 0.0, 0.0
    X = uncertainty.fit.posterior.X[[rows[0], rows[-1], rows[np.argmax(mean[rows])], rows[np.argmin(mean[rows])]]]
    _, cov = uncertainty.component([index], X)
    change, size = (float(np.sqrt(max(cov[i, i] + cov[j, j] - 2.0 * cov[i, j], 0.0))) for i, j in ((0, 1), (2, 3)))
    rise = float(X[1, 0] - X[0, 0])
    return change / rise if rise > 0.0 else 0.0, size


def draws(parts: OrderedParts, indices: Sequence[int], reported: Projection, rng: np.random.Generator) -> Array:
    """Joint draws of the sum of some parts on the grid, about the level at which it is ``reported``."""
    if not indices:
        return np.zeros((DRAWN_CURVES, len(parts.grid)))
    level = reported.mean - np.sum([parts.plain[index].grid.mean for index in indices], axis=0)
    uncertainty, scale = parts.uncertainty.thinned(DRAWN_CURVES), float(reported.prior.max())
    return np.asarray(uncertainty.curves(indices, parts.grid[:, None], rng, scale=scale, count=DRAWN_CURVES) + level)


# --- How a part runs over the data where it applies -----------------------------------------------------------------


def joint(
    uncertainty: ParameterDraws, index: int, size_sd: float, weight: Array, rng: np.random.Generator
) -> Joint | None:
    """The run of a part by joint draws at the rows where its window is open; None with fewer than three points.

    ``size_sd`` is the standard deviation of its size, ``weight`` (n,) how far its window is open at the data.
    """
    posterior = uncertainty.fit.posterior
    rows = _distinct_rows(posterior, np.flatnonzero(weight > OPEN_WEIGHT))
    if len(rows) < 3:
        return None
    at = posterior.X[rows]
    scale = float(posterior.prior_variance(uncertainty.fit.parts[index], at).max(initial=0.0))
    curves = uncertainty.curves((index,), at, rng, scale=scale, count=CURVES_DRAWN)
    return run_of(curves, size_sd)


def _distinct_rows(posterior: Posterior, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """One row for each input, and not too many."""
    _, first = np.unique(posterior.X[rows, 0], return_index=True)
    return np.asarray(rows[first][evenly_spaced(len(first), MOST_POSITIONS)]) if len(first) else rows


def run_of(curves: Array, size_sd: float) -> Joint:
    """What ``curves`` (k, m) at ascending positions share: in how many of them a statement holds.

    >>> x = np.linspace(0.0, 1.0, 50)
    >>> run = run_of(np.array([x, x**2, -x, (x - 0.5) ** 2]), 0.0)
    >>> run.rising, run.falling
    (0.5, 0.25)
    """
    steps = np.diff(curves[:, evenly_spaced(curves.shape[1], STEPPING_POINTS)], axis=1)
    spread = np.ptp(curves, axis=1)
    alive, slack = spread > _ROUNDING_SHARE * np.abs(curves).max(axis=1), _ROUNDING_SHARE * spread[:, None]
    return Joint(
        rising=_share(alive & (steps > -slack).all(axis=1)),
        falling=_share(alive & (steps < slack).all(axis=1)),
        size_sd=size_sd,
    )  # fmt: skip


def _share(holds: NDArray[np.bool_]) -> float:
    return float(np.mean(holds))


# --- The shape of an additive part over the data --------------------------------------------------------------------


def window_weight(kernel: Kernel, X: Array, columns: Columns = ("x",)) -> Array:
    """How far the change points and windows around a part are open (0 to 1) at each row of ``X``.

    This is the part's covariance structure with every leaf replaced by one, as a factor of the function itself.

    >>> from autostatistician.kernels.kernel import leaf
    >>> part = Kernel.change_point(leaf("C", sd=3.0), leaf("0"), location=0.0, steepness=1.0)
    >>> window_weight(part, np.array([[-9.0], [0.0], [9.0]])).round(3).tolist()
    [1.0, 0.5, 0.0]
    """
    match kernel.expr:
        case Leaf(symbol=symbol):
            return np.full(len(X), 0.0 if symbol == "0" else 1.0)
        case Sum():
            return np.asarray(np.max([window_weight(part, X, columns) for part in kernel.parts], axis=0))
        case Product():
            return np.asarray(np.prod([window_weight(part, X, columns) for part in kernel.parts], axis=0))
        case ChangePoint(column=column) | ChangeWindow(column=column):
            first, second = (window_weight(part, X, columns) for part in kernel.parts)
            left, right = change_weights(kernel.expr, X[:, column_index(column, columns)], kernel.own)
            return np.asarray(np.hypot(left * first, right * second))


def shape_of(x: Array, mean: Array, weight: Array) -> tuple[tuple[float, float] | None, float]:
    """Where the window of a part is fully open, and the slope there from end to end of its ``mean`` at ascending ``x``.

    >>> x = np.arange(4.0)
    >>> shape_of(x, 2 * x, np.array([0.0, 1.0, 1.0, 1.0]))
    ((1.0, 3.0), 2.0)
    """
    rows = np.flatnonzero(weight > OPEN_WEIGHT)
    if not len(rows):
        return None, 0.0
    first, last = int(rows[0]), int(rows[-1])
    rise = x[last] - x[first]
    slope = float((mean[last] - mean[first]) / rise) if rise > 0.0 else 0.0
    return (float(x[first]), float(x[last])), slope
