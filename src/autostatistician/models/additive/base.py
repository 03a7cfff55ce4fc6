"""The kernel of one column, of unit variance, with its derivatives: any leaf of the language, or an orthogonal one.

A column's parameters are kept in the coordinates of their priors: logarithms, for the place of a line an inverse
hyperbolic sine. The orthogonal kernel is a squared exponential from which what is constant under a normal distribution
of the inputs is taken off, so that functions drawn from it have mean zero and the terms of a sum cannot stand in for
each other (Lu, Boukouvalas and Hensman 2022, equation 9). That of a column of categories takes off what is constant on
average over the data, as they do for discrete inputs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.parameters import (
    FreeParameters,
    ParameterPrior,
    ParameterPriors,
    learned_table_priors,
    standard_scales,
)
from autostatistician.kernels.expr import Leaf, Product
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, lag_function

__all__ = ["COLUMN_LEAVES", "Base", "base_of", "base_of_categories", "derivatives", "leaf_values", "values"]

Array = NDArray[np.float64]
Values = Callable[[Array, Array, Array], Array]
ValuesAndDerivatives = Callable[[Array, Array, Array], tuple[Array, list[Array]]]

COLUMN = "x"  # any name: all columns are alike in standard units


@dataclass(frozen=True)
class Base:
    """A kernel of one column in units of its standard deviation, around its mean; or of codes of categories.

    ``value(x, other, u)`` and ``derivatives(x, other, u)`` take positions that broadcast and the parameters ``u``; the
    latter also gives the derivatives by them.
    """

    symbol: str
    orthogonal: bool
    names: tuple[str, ...]
    priors: ParameterPriors
    size: ParameterPrior  # of a product of such kernels: of its standard deviation
    value: Values
    derivatives: ValuesAndDerivatives


# Leaves that have one size everywhere, and lines.
COLUMN_LEAVES = tuple(
    symbol for symbol, row in LEAVES.items() if row.has_column and (row.stationary or row.kind is LeafKind.LINE)
)


@cache
def base_of(symbol: str, *, orthogonal: bool = False) -> Base:
    """The kernel of a column for a leaf of the language: of size one, as factors of products have it.

    >>> base = base_of("SE")
    >>> base.names, base.value(np.array([0.0]), np.array([2.0]), np.array([0.0])).round(4).tolist()
    (('lengthscale',), [0.1353])
    """
    row, pair = LEAVES[symbol], Product((Leaf(symbol, COLUMN), Leaf(symbol, COLUMN)))
    free = FreeParameters.of(pair, standard_scales((COLUMN,), learned_table_priors())).priors()
    first = [prior for prior in free if prior.index < len(row.names_and_roles)]
    (size,) = (prior for prior in first if prior.index == row.scale_index)
    priors = ParameterPriors(prior for prior in first if prior is not size)
    names = tuple(row.names_and_roles[prior.index][0] for prior in priors)
    value: Values = partial(_stationary, symbol)
    derivatives: ValuesAndDerivatives = partial(_stationary_derivatives, symbol)
    if row.kind is LeafKind.LINE:
        value, derivatives = partial(_line, priors[0]), partial(_line_derivatives, priors[0])
    elif orthogonal:
        value, derivatives = _orthogonal, _orthogonal_derivatives
    return Base(symbol, orthogonal, names, priors, size, value, derivatives)


def base_of_categories(shares: tuple[float, ...]) -> Base:
    """The orthogonal kernel of a column of categories, of which each has this share of the data.

    >>> base = base_of_categories((0.5, 0.5))
    >>> base.value(np.array([0.0]), np.array([0.0, 1.0]), np.array([0.0])).tolist()
    [0.25, -0.25]
    """
    plain = base_of("Cat")
    value, derivatives = partial(_shared, shares), partial(_shared_derivatives, shares)
    return replace(plain, orthogonal=True, value=value, derivatives=derivatives)


def values(bases: tuple[Base, ...], x: Array, other: Array, parameters: list[Array]) -> Array:
    """The kernels of all columns at positions ``x`` and ``other`` (D, ...) that broadcast: (D, ...)."""
    symbol = _common(bases)
    if symbol:
        return lag_function(symbol).value(x - other, _lengths(parameters, x.ndim), 1.0)
    z = np.empty(np.broadcast_shapes(x.shape, other.shape))
    for column, base in enumerate(bases):
        z[column] = base.value(x[column], other[column], parameters[column])
    return z


def derivatives(
    bases: tuple[Base, ...], x: Array, other: Array, parameters: list[Array]
) -> tuple[Array, list[tuple[int, Array]]]:
    """The same with, for every parameter of the columns in turn, its column and the derivative by it (...)."""
    symbol = _common(bases)
    if symbol:
        z, (slopes, _) = lag_function(symbol).value_and_derivatives(x - other, _lengths(parameters, x.ndim), 1.0)
        return z, list(enumerate(slopes))
    pairs = [base.derivatives(x[d], other[d], parameters[d]) for d, base in enumerate(bases)]
    return np.array([k for k, _ in pairs]), [(d, slope) for d, (_, slopes) in enumerate(pairs) for slope in slopes]


def _common(bases: tuple[Base, ...]) -> str | None:
    """The symbol of all columns, where they have a lengthscale and nothing else: one call for all."""
    first = bases[0]
    same = not first.orthogonal and all(base is first for base in bases)
    return first.symbol if same and first.names == ("lengthscale",) else None


def _lengths(parameters: list[Array], dimensions: int) -> Any:
    return np.exp(np.concatenate(parameters)).reshape(-1, *[1] * (dimensions - 1))


def leaf_values(symbol: str, u: Array, sd: float = 1.0) -> list[float]:
    """The parameters of a leaf in the order of its function, with this size.

    >>> leaf_values("SE", np.array([0.0]), 2.0)
    [1.0, 2.0]
    """
    values = iter(np.exp(u))
    return [sd if name == "sd" else float(next(values)) for name, _ in LEAVES[symbol].names_and_roles]


def _stationary(symbol: str, x: Array, other: Array, u: Array) -> Array:
    return lag_function(symbol).value(x - other, *leaf_values(symbol, u))


def _stationary_derivatives(symbol: str, x: Array, other: Array, u: Array) -> tuple[Array, list[Array]]:
    k, by = lag_function(symbol).value_and_derivatives(x - other, *leaf_values(symbol, u))
    return k, [slope for (name, _), slope in zip(LEAVES[symbol].names_and_roles, by, strict=True) if name != "sd"]


def _line(prior: ParameterPrior, x: Array, other: Array, u: Array) -> Array:
    location = prior.value(u[0])
    return np.asarray((x - location) * (other - location))


def _line_derivatives(prior: ParameterPrior, x: Array, other: Array, u: Array) -> tuple[Array, list[Array]]:
    by_location = 2.0 * prior.value(u[0]) - x - other
    return _line(prior, x, other, u), [by_location * prior.slope(u[0])]


# --- orthogonal: inputs are standard normal in these units ------------------------------------------------------------


def _averages(x: Array, u: Array) -> tuple[Array, Array, float, float]:
    """``E k(x, S)`` with its derivative by log lengthscale, and ``E k(S, S')`` with its derivative."""
    square = float(np.exp(2.0 * u[0]))
    mean = np.sqrt(square / (square + 1.0)) * np.exp(-0.5 * x**2 / (square + 1.0))
    slope = mean * (1.0 / (square + 1.0) + x**2 * square / (square + 1.0) ** 2)
    both = float(np.sqrt(square / (square + 2.0)))
    return np.asarray(mean), np.asarray(slope), both, both * 2.0 / (square + 2.0)


def _orthogonal(x: Array, other: Array, u: Array) -> Array:
    mean_x, _, both, _ = _averages(x, u)
    mean_other, _, _, _ = _averages(other, u)
    return np.asarray(np.exp(-0.5 * ((x - other) / np.exp(u[0])) ** 2) - mean_x * mean_other / both)


def _orthogonal_derivatives(x: Array, other: Array, u: Array) -> tuple[Array, list[Array]]:
    mean_x, slope_x, both, slope_both = _averages(x, u)
    mean_other, slope_other, _, _ = _averages(other, u)
    square = ((x - other) / np.exp(u[0])) ** 2
    k = np.exp(-0.5 * square)
    product = mean_x * mean_other / both
    by = k * square - (slope_x * mean_other + mean_x * slope_other) / both + product * slope_both / both
    return np.asarray(k - product), [np.asarray(by)]


# --- orthogonal: categories with their shares in the data -------------------------------------------------------------


def _met(shares: tuple[float, ...], codes: Array) -> Array:
    """How often the category of each cell is met: never, where the data do not have it."""
    every = np.array([*shares, 0.0])
    return np.asarray(every[np.minimum(codes, len(shares)).astype(np.intp)])


def _shared(shares: tuple[float, ...], x: Array, other: Array, u: Array) -> Array:
    return _shared_derivatives(shares, x, other, u)[0]


def _shared_derivatives(shares: tuple[float, ...], x: Array, other: Array, u: Array) -> tuple[Array, list[Array]]:
    """Averages of ``alike + (1 - alike) [x = s]`` over the categories s; ``alike`` is 1 / (1 + contrast)."""
    contrast = float(np.exp(u[0]))
    alike, slope = 1.0 / (1.0 + contrast), -contrast / (1.0 + contrast) ** 2
    met_x, met_other, met = _met(shares, x), _met(shares, other), float(np.square(shares).sum())
    mean_x, mean_other, both = (alike + (1.0 - alike) * share for share in (met_x, met_other, met))
    same = x == other
    product = mean_x * mean_other / both
    by_mean = (1.0 - met_x) * mean_other + mean_x * (1.0 - met_other) - product * (1.0 - met)
    k = np.where(same, 1.0, alike) - product
    return k, [np.asarray(slope * (np.where(same, 0.0, 1.0) - by_mean / both))]
