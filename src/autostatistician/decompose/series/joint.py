"""How a part runs over the data where it applies, judged from joint draws of its posterior and not from its mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Joint
from autostatistician.decompose.series.legs import legs
from autostatistician.decompose.series.shape import OPEN_WEIGHT
from autostatistician.decompose.uncertainty import ParameterDraws
from autostatistician.inference.posterior import Posterior
from autostatistician.rows import evenly_spaced

__all__ = ["joint", "run_of"]

Array = NDArray[np.float64]

CURVES_DRAWN = 400
MOST_MEMBERS = 40
MOST_POSITIONS = 400  # at which a curve is drawn
STEPPING_POINTS = 24  # a steady curve keeps its direction from each of these points to the next
STRETCHES = 6  # how a curve bends is judged by their means, so that small wiggles do not count
HALF_OPEN_WEIGHT = 0.5  # a part acts where its window weighs more
_ROUNDING_SHARE = 1e-9


def joint(
    uncertainty: ParameterDraws, index: int, mean: Array, weight: Array, rng: np.random.Generator
) -> Joint | None:
    """The run of a part by joint draws at the rows where its window is open; None with fewer than three points.

    ``mean`` (n,) is the posterior mean of the part at the data, ``weight`` (n,) how far its window is open there. Its
    legs are those of the rows between, too, where it is half open: between two changes it may not close wholly.
    """
    posterior, thinned = uncertainty.fit.posterior, uncertainty.thinned(MOST_MEMBERS)
    open_rows = np.flatnonzero(weight > OPEN_WEIGHT)
    rows = _distinct_rows(posterior, open_rows)
    if len(rows) < 3:
        return None
    at = posterior.X[rows]
    scale = float(posterior.prior_variance(uncertainty.fit.parts[index], at).max(initial=0.0))
    curves = thinned.curves((index,), at, rng, scale=scale, count=CURVES_DRAWN)
    run = run_of(at[:, 0], curves, _size_sd(uncertainty, index, mean, open_rows))
    half = np.flatnonzero(weight > HALF_OPEN_WEIGHT)
    between = half[(half >= open_rows[0]) & (half <= open_rows[-1])]
    rows = _distinct_rows(posterior, between) if len(between) > len(open_rows) else rows
    _, cov = thinned.component((index,), posterior.X[rows])
    return replace(run, legs=legs(posterior.X[rows, 0], mean[rows], cov))


def _distinct_rows(posterior: Posterior, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """One row for each input, and not too many."""
    _, first = np.unique(posterior.X[rows, 0], return_index=True)
    return np.asarray(rows[first][evenly_spaced(len(first), MOST_POSITIONS)]) if len(first) else rows


def run_of(x: Array, curves: Array, size_sd: float) -> Joint:
    """What ``curves`` (k, m) at ascending positions ``x`` (m,) share: in how many of them a statement holds.

    >>> x = np.linspace(0.0, 1.0, 50)
    >>> run = run_of(x, np.array([x, x**2, -x, (x - 0.5) ** 2]), 0.0)
    >>> run.rising, run.falling, run.convex, run.dip
    (0.5, 0.25, 0.5, 0.25)
    """
    steps = np.diff(curves[:, evenly_spaced(len(x), STEPPING_POINTS)], axis=1)
    spread = np.ptp(curves, axis=1)
    alive, slack = spread > _ROUNDING_SHARE * np.abs(curves).max(axis=1), _ROUNDING_SHARE * spread[:, None]
    slopes = _slopes(x, curves)
    bends, flat = np.diff(slopes, axis=1), 1e-6 * np.abs(slopes).max(axis=1, keepdims=True)
    turns = np.sign(slopes[:, 0]) * (np.count_nonzero(np.diff(np.sign(slopes), axis=1), axis=1) == 1)
    turned = np.sign(slopes[:, 0]) * np.sign(slopes[:, -1]) < 0
    return Joint(
        rising=_share(alive & (steps > -slack).all(axis=1)),
        falling=_share(alive & (steps < slack).all(axis=1)),
        convex=_share(alive & (bends > flat).all(axis=1)),
        concave=_share(alive & (bends < -flat).all(axis=1)),
        peak=_share(alive & turned & (turns > 0)),
        dip=_share(alive & turned & (turns < 0)),
        size_sd=size_sd,
        growth=_growth(curves),
    )  # fmt: skip


def _slopes(x: Array, curves: Array) -> Array:
    """The slopes (k, s - 1) between the means of s stretches of equally many points; of fewer points, between these."""
    pieces = np.array_split(np.arange(len(x)), min(STRETCHES, len(x)))
    middles = np.array([x[piece].mean() for piece in pieces])
    means = np.stack([curves[:, piece].mean(axis=1) for piece in pieces], axis=1)
    return np.asarray(np.diff(means, axis=1) / np.diff(middles))


def _share(holds: NDArray[np.bool_]) -> float:
    return float(np.mean(holds))


def _growth(curves: Array) -> tuple[float, float, float] | None:
    """How much larger the spread of the last third is than that of the first: its median and the ends of its 95 %."""
    third = curves.shape[1] // 3
    if third < 4:
        return None
    early, late = curves[:, :third].std(axis=1), curves[:, -third:].std(axis=1)
    if not (early > _ROUNDING_SHARE * np.abs(curves).max()).all():
        return None
    middle, low, high = np.quantile(late / early, [0.5, 0.025, 0.975])
    return float(middle), float(low), float(high)


def _size_sd(uncertainty: ParameterDraws, index: int, mean: Array, rows: NDArray[np.intp]) -> float:
    """The standard deviation of the difference between the points where the mean is highest and lowest."""
    ends = [int(rows[np.argmax(mean[rows])]), int(rows[np.argmin(mean[rows])])]
    _, cov = uncertainty.component((index,), uncertainty.fit.posterior.X[ends])
    return float(np.sqrt(max(cov[0, 0] + cov[1, 1] - 2.0 * cov[0, 1], 0.0)))
