"""Leaves that are the same at all lags, whose increments alone are stationary, or that tell categories apart.

Of each what belongs to it beside its row of the table: functions of the lag and exponential terms of the Wiener process
and of its integral (Taylor, Cumberland and Sy 1994, A stochastic model for analysis of longitudinal AIDS data, for the
integrated Ornstein-Uhlenbeck process), and the covariances between categories.

The leaf ``Cat<levels>r<rank>`` (`LeafRow.shape`) has their covariance in full, ``W W' + diag(sd^2)``: a loading per
level and factor, and a standard deviation per level for what the level has alone (intrinsic coregionalisation: Bonilla,
Chai and Williams 2008; Alvarez, Rosasco and Lawrence 2012). Loadings above the diagonal are zero: others would only
turn the factors.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from autostatistician.i18n.messages import message
from autostatistician.kernels.lag_functions import (
    ALIKE,
    NOTHING,
    Accuracy,
    Derivatives,
    Exponentials,
    LagFunction,
    LeafTerms,
    StateSpace,
    Values,
    by_length_and_size,
    joined,
)
from autostatistician.kernels.leaf_row import (
    LARGEST,
    SD,
    Amount,
    LeafKind,
    LeafParameter,
    LeafRow,
    Role,
    Start,
    Unit,
    lengthscale_of,
    sd_of,
    shape_of,
)

__all__ = ["PLAIN_LEAVES", "UNBOUNDED_LEAVES", "between", "by_parameters", "codes_of", "loadings"]


Array = NDArray[np.float64]


# --- Walks, by half the variance of an increment ---


def wiener(lag: Array, sd: float) -> Array:
    """Wiener process, ``sd^2 |lag| / 2``: a walk whose increments have the variance ``sd^2 |lag|``.

    >>> float(wiener(np.array(-3.0), 2.0))
    6.0
    """
    return np.asarray(np.abs(lag) * (0.5 * sd * sd))


def wiener_derivatives(lag: Array, sd: float) -> Derivatives:
    """`wiener` and its derivative with respect to log sd, twice itself."""
    g = wiener(lag, sd)
    return g, (2.0 * g,)


def wiener_slope(lag: Array, sd: float) -> Array:
    """The slope of `wiener` by the lag, ``sign(lag) sd^2 / 2``; zero at lag zero, where it jumps.

    >>> wiener_slope(np.array([-2.0, 0.0, 2.0]), 2.0).tolist()
    [-2.0, 0.0, 2.0]
    """
    return np.asarray(np.sign(lag) * (0.5 * sd * sd))


def _wiener_terms(values: Values, accuracy: Accuracy) -> LeafTerms:
    """What depends on the lag, ``-g``; the rest are profiles."""
    terms = Exponentials.of([[0.0, -0.5 * values[0] ** 2]], [0.0], real=True)
    return terms, [(2.0 * terms.weight, 0.0 * terms.rate)]


# Below this ratio u of lag and lengthscale the difference u - 1 + exp(-u) is a series: its terms nearly cancel.
SMALL_RATIO = 0.1


# u^2 (1/2 - u/6 + u^2/24 - ...), highest power first.
_RISE_SERIES = (1 / 3628800, -1 / 362880, 1 / 40320, -1 / 5040, 1 / 720, -1 / 120, 1 / 24, -1 / 6, 1 / 2)


def iou(lag: Array, lengthscale: float, sd: float) -> Array:
    """Integrated Ornstein-Uhlenbeck process, ``sd^2 l^2 (u - 1 + exp(-u))`` with ``u = |lag| / lengthscale``.

    The slope has the deviation ``sd`` and is forgotten over the lengthscale: with a long one a line, with a short one
    `wiener` with the deviation ``sd sqrt(2 lengthscale)``.

    >>> float(iou(np.array(-2.0), 2.0, 0.5).round(6))
    0.367879
    """
    g, _, _ = _rise(lag, lengthscale)
    g *= (lengthscale * sd) ** 2
    return g


def iou_derivatives(lag: Array, lengthscale: float, sd: float) -> Derivatives:
    """`iou` and its derivatives with respect to log lengthscale and log sd.

    ``dg/dlog l = 2 g - sd^2 l^2 u (1 - exp(-u))`` and ``dg/dlog s = 2 g``.
    """
    g, ratio, forgotten = _rise(lag, lengthscale)
    variance = (lengthscale * sd) ** 2
    g *= variance
    twice = 2.0 * g
    ratio *= forgotten
    ratio *= variance
    return g, (twice + ratio, twice)


def iou_slope(lag: Array, lengthscale: float, sd: float) -> Array:
    """The slope of `iou` by the lag, ``sign(lag) sd^2 l (1 - exp(-u))``.

    >>> float(iou_slope(np.array(-2.0), 2.0, 0.5).round(6))
    -0.31606
    """
    return np.asarray(np.expm1(-np.abs(lag / lengthscale)) * np.sign(lag) * (-sd * sd * lengthscale))


def _rise(lag: Array, lengthscale: float) -> tuple[Array, Array, Array]:
    """``u - 1 + exp(-u)``, ``u`` and ``exp(-u) - 1``, each exact to its last digits."""
    ratio = np.asarray(np.abs(lag / lengthscale))
    forgotten = np.asarray(np.expm1(-ratio))
    rise = np.asarray(ratio + forgotten)
    small = ratio < SMALL_RATIO
    if small.any():
        u = ratio[small]
        series = np.full(u.shape, _RISE_SERIES[0])
        for coefficient in _RISE_SERIES[1:]:
            series *= u
            series += coefficient
        rise[small] = series * u * u
    return rise, ratio, forgotten


def _iou_terms(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    size = (lengthscale * sd) ** 2
    line = Exponentials.of([[size, -size / lengthscale]], [0.0], real=True)
    terms = joined([line, Exponentials.of([-size], [1.0 / lengthscale], real=True)])
    by_lengthscale = terms.weight * np.array([[2.0, 1.0], [2.0, 0.0]])
    return terms, by_length_and_size(terms, by_lengthscale)


# Beside a constant it means nothing: a parameter all the same, so that a kernel can be moved to other units.
BEGIN = Amount(0.0, Unit.RANGES_BELOW), Amount(0.0, Unit.RANGES_BELOW)
BEGINNING = LeafParameter("location", Role.LOCATION, message("where it begins, at zero"), *BEGIN, Start.FIRST)
DIFFUSION = sd_of(message("size of the steps"), Role.DIFFUSION, Unit.SIZE_PER_ROOT_RANGE)
SLOPE = sd_of(message("size of the slope"), Role.SLOPE, Unit.SIZE_PER_RANGE)
# These two themselves: their increments alone are stationary, and they have no mean to return to.
UNBOUNDED_LEAVES = {
    "Wiener": LeafRow(
        message("Wiener process"),
        message("a level that wanders"),
        LeafKind.UNBOUNDED,
        (DIFFUSION, BEGINNING),
        of_increments=LagFunction(wiener, wiener_derivatives, wiener_slope),
        for_few_rows=True,
        spellings=("brownian", "randomwalk"),
        state_space=StateSpace(_wiener_terms, 3),
    ),
    "IOU": LeafRow(
        message("integrated Ornstein-Uhlenbeck process"),
        message("a trend that levels off"),
        LeafKind.UNBOUNDED,
        (lengthscale_of(message("time after which the slope is forgotten"), Start.MEMORY), SLOPE, BEGINNING),
        of_increments=LagFunction(iou, iou_derivatives, iou_slope),
        for_few_rows=True,
        spellings=("dampedtrend", "integratedou"),
        state_space=StateSpace(_iou_terms, 4),
    ),
}


# --- Categories ---


def cat(lag: Array, contrast: float, sd: float) -> Array:
    """Categories as codes: ``sd^2`` where they are equal (lag zero), ``sd^2 / (1 + contrast)`` where they differ.

    The contrast is the variance of what each category has for itself, relative to that of what all share: an
    exchangeable (compound-symmetric) covariance, as one squared exponential over one-of-k codes gives it (Duvenaud
    2014, section 2.9).

    >>> cat(np.array([0.0, 1.0, -3.0]), 3.0, 2.0).tolist()
    [4.0, 1.0, 1.0]
    """
    variance = sd * sd
    return np.where(lag == 0.0, variance, variance / (1.0 + contrast))


def cat_derivatives(lag: Array, contrast: float, sd: float) -> Derivatives:
    """`cat` and its derivatives with respect to log contrast and log sd.

    Where categories differ ``dk/dlog c = -k c / (1 + c)``, else zero; ``dk/dlog s = 2 k``.
    """
    k = cat(lag, contrast, sd)
    by_contrast = np.where(lag == 0.0, 0.0, -sd * sd * contrast / (1.0 + contrast) ** 2)
    return k, (by_contrast, 2.0 * k)


def cat_slope(lag: Array, contrast: float, sd: float) -> Array:
    """Zero: codes of categories have no order."""
    return np.zeros(np.shape(lag))


NOISE_SD = replace(SD, lowest=Amount(1.0, Unit.NOISE_FLOOR))


def _of_categories(levels: int, rank: int) -> LeafRow:
    """Loadings level by level (none above the diagonal: they would only turn the factors), then sds.

    Of rank 0, the sds are those of a noise for every category.
    """
    pairs = [(level, factor) for level in range(1, levels + 1) for factor in range(1, min(level, rank) + 1)]
    names = [f"w{level}" if rank == 1 else f"w{level}_{factor}" for level, factor in pairs]
    loads = Amount(-LARGEST, Unit.SIZE), Amount(LARGEST, Unit.SIZE)
    smallest = SD.lowest if rank else NOISE_SD.lowest
    weights = [LeafParameter(name, Role.WEIGHT, name, *loads, Start.SIZE) for name in names]
    sds = [
        LeafParameter(f"sd{level}", Role.SD, f"sd{level}", smallest, SD.highest, Start.SIZE)
        for level in range(1, levels + 1)
    ]
    noun = message("a value for each category, each pair of them alike in its own way")
    return LeafRow(
        f"kernel of categories of rank {rank}",
        noun,
        LeafKind.CATEGORIES,
        (*weights, *sds),
        for_few_rows=True,
        shape=(levels, rank),
    )


@lru_cache(maxsize=256)
def _places(levels: int, rank: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the free loadings, in the order of the parameters."""
    pairs = [(level, factor) for level in range(levels) for factor in range(min(level + 1, rank))]
    places = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return places[:, 0], places[:, 1]


def loadings(shape: tuple[int, int], values: tuple[float, ...]) -> tuple[Array, Array]:
    """The loadings (levels, rank) and standard deviations (levels,) among the parameters of a leaf.

    >>> weights, sds = loadings((2, 1), (3.0, -1.0, 0.5, 2.0))
    >>> weights.tolist(), sds.tolist()
    ([[3.0], [-1.0]], [0.5, 2.0])
    """
    levels, rank = shape
    weights = np.zeros((levels, rank))
    rows, columns = _places(levels, rank)
    weights[rows, columns] = values[: len(rows)]
    return weights, np.array(values[len(rows) :])


def between(shape: tuple[int, int], values: tuple[float, ...]) -> Array:
    """The covariance (levels, levels) between the levels.

    >>> between((2, 1), (3.0, -1.0, 0.5, 2.0)).tolist()
    [[9.25, -3.0], [-3.0, 5.0]]
    """
    weights, sds = loadings(shape, values)
    covariances = weights @ weights.T
    covariances[np.diag_indices(len(sds))] += sds**2
    return np.asarray(covariances)


def by_parameters(shape: tuple[int, int], values: tuple[float, ...], by_between: Array) -> Array:
    """Derivatives (..., p) by the parameters (by the logarithm of the standard deviations).

    Given are those (..., levels, levels) by `between`.
    """
    weights, sds = loadings(shape, values)
    rows, columns = _places(*shape)
    by_weights = (by_between + np.swapaxes(by_between, -1, -2)) @ weights
    by_sds = 2.0 * sds**2 * np.diagonal(by_between, axis1=-2, axis2=-1)
    return np.concatenate([by_weights[..., rows, columns], by_sds], axis=-1)


def codes_of(values: Array, levels: int) -> NDArray[np.intp]:
    """The codes in a column; all beyond the levels are the one behind the last."""
    return np.clip(np.rint(values), 0, levels).astype(np.intp)


# --- Lines, constants and noise, and their rows with that of categories ---


# So many ranges beyond the data a line may cross zero.
FARTHEST = Amount(20.0, Unit.RANGES_BELOW), Amount(20.0, Unit.RANGES_ABOVE)
ORIGIN = LeafParameter("location", Role.LOCATION, message("where it crosses zero"), *FARTHEST, Start.ORIGIN)
PLAIN_LEAVES = {
    # Categories: the column holds codes, and only whether they differ counts. What categories share has
    # 1 / contrast times the variance of what each has for itself, so that the correlation of two of them is
    # 1 / (1 + contrast).
    "Cat": LeafRow(
        message("exchangeable kernel"),
        message("a value for each category, all of them equally alike"),
        LeafKind.CATEGORIES,
        (shape_of("contrast", message("contrast"), 1e-4, 1e4, Start.CONTRAST), SD),
        LagFunction(cat, cat_derivatives, cat_slope),
        divisible=True,
        spellings=("categorical", "category"),
        of_shape=_of_categories,
    ),
    "Lin": LeafRow(
        message("linear kernel"),
        message("a straight line; as a factor it makes the size of the other factors grow or shrink"),
        LeafKind.LINE,
        (SLOPE, ORIGIN),
        for_few_rows=True,
        spellings=("linear",),
        state_space=ALIKE,
    ),
    "C": LeafRow(
        message("constant kernel"),
        message("a constant"),
        LeafKind.CONSTANT,
        (SD,),
        divisible=True,
        for_few_rows=True,
        spellings=("const", "constant"),
        state_space=ALIKE,
    ),
    "WN": LeafRow(
        message("white noise kernel"),
        message("random noise"),
        LeafKind.NOISE,
        (NOISE_SD,),
        for_few_rows=True,
        spellings=("noise", "white"),
        state_space=NOTHING,
    ),
    # Zero never takes part in a search: it stands for the absent operand of a change in a component.
    "0": LeafRow("zero", "nothing", LeafKind.ZERO, spellings=("zero",), state_space=NOTHING),
}
