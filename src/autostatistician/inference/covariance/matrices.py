"""The covariance of a kernel as a dense matrix, one case per node: the plain definition of every expression.

The fast evidence of the search works in lag space and is tested against this file; predictions use it directly.
Formulas: Duvenaud 2014, appendix B; Lloyd et al. 2014 for `Per` and the change operators.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician.errors import InputError
from autostatistician.inference.covariance.lowrank import category_matrix, category_variance
from autostatistician.language.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.language.kernel import Kernel
from autostatistician.language.lag_functions import LagFunction
from autostatistician.language.leaves import category_shape, increments_of, lag_function
from autostatistician.language.traits import is_noise

__all__ = ["change_weights", "column_index", "covariance", "prior_variance", "signal_and_noise"]

Array = NDArray[np.float64]
Columns = tuple[str, ...]
Coincidence = Literal["separate", "coincide"]


def covariance(
    kernel: Kernel,
    X: Array,
    X2: Array | None = None,
    columns: Columns = ("x",),
    *,
    noise: Coincidence = "separate",
) -> Array:
    """The matrix of covariances between the rows of ``X`` and those of ``X2``.

    Parameters
    ----------
    kernel : Kernel
        Expression with its parameters.
    X : array (n, d)
        Inputs; (n,) is taken as one column.
    X2 : array (m, d), optional
        Other inputs; without them the matrix is that of the observations at ``X`` with themselves.
    columns : tuple of str or None
        Which column of ``X`` a leaf means; with a single one a leaf need not name it.
    noise : {"separate", "coincide"}
        White noise is one draw per row. Without ``X2`` it is the identity, by row. With ``X2`` the rows are other
        observations even at the same place, so it is zero; with ``"coincide"`` it is one where inputs are equal (one
        draw per place, as in the original system).

    Returns
    -------
    array (n, n) or (n, m)
        A new array.

    Raises
    ------
    InputError
        When a leaf names a column that is not there.

    Examples
    --------
    >>> from autostatistician.language.kernel import leaf
    >>> covariance(leaf("Lin", sd=2.0, location=1.0) + leaf("WN", sd=1.0), np.array([[0.0], [2.0]]))
    array([[ 5., -4.],
           [-4.,  5.]])
    """
    return _matrix(kernel, _rows(X), None if X2 is None else _rows(X2), columns, noise == "coincide")


def _matrix(kernel: Kernel, X: Array, X2: Array | None, columns: Columns, coincide: bool) -> Array:
    match kernel.expr:
        case Leaf():
            return _leaf_matrix(kernel, X, X2, columns, coincide)
        case Sum():
            return _folded(np.add, (_matrix(part, X, X2, columns, coincide) for part in kernel.parts))
        case Product():
            return _folded(np.multiply, (_matrix(part, X, X2, columns, coincide) for part in kernel.parts))
        case ChangePoint() | ChangeWindow():
            sides = [_matrix(part, X, X2, columns, coincide) for part in kernel.parts]
            weights = change_weights(kernel, X, columns)
            weights2 = weights if X2 is None else change_weights(kernel, X2, columns)
            for side, left, right in zip(sides, weights, weights2, strict=True):
                side *= left[:, None]
                side *= right
            sides[0] += sides[1]
            return sides[0]


def _folded(combine: np.ufunc, arrays: Iterator[Array]) -> Array:
    total = next(arrays)
    for array in arrays:
        combine(total, array, out=total)
    return total


def _leaf_matrix(kernel: Kernel, X: Array, X2: Array | None, columns: Columns, coincide: bool) -> Array:
    expr, own = kernel.expr, kernel.own
    assert isinstance(expr, Leaf)
    other = X if X2 is None else X2
    shape = (len(X), len(other))
    match expr.symbol:
        case "0":
            return np.zeros(shape)
        case "C":
            return np.full(shape, own[0] ** 2)
        case "WN" if X2 is None:
            return np.diag(np.full(len(X), own[0] ** 2))
        case "WN":
            return np.where(_same_place(X, other), own[0] ** 2, 0.0) if coincide else np.zeros(shape)
        case "Lin":
            sd, location = own
            column = column_index(expr.column, columns)
            return np.multiply.outer(sd * (X[:, column] - location), sd * (other[:, column] - location))
        case symbol if of_categories := category_shape(symbol):
            column = column_index(expr.column, columns)
            return category_matrix(of_categories, own, X[:, column], other[:, column])
        case symbol if (rise := increments_of(symbol)) is not None:
            column = column_index(expr.column, columns)
            return _walk_matrix(rise, own, X[:, column], other[:, column])
        case symbol:
            column = column_index(expr.column, columns)
            return lag_function(symbol).value(np.subtract.outer(X[:, column], other[:, column]), *own)


def _walk_matrix(rise: LagFunction, own: tuple[float, ...], x: Array, other: Array) -> Array:
    """``g(x - o) + g(x' - o) - g(x - x')`` for g, half the variance of increments, and the location o."""
    *numbers, location = own
    from_origin = rise.value(x - location, *numbers), rise.value(other - location, *numbers)
    return np.asarray(np.add.outer(*from_origin) - rise.value(np.subtract.outer(x, other), *numbers))


def _same_place(X: Array, X2: Array) -> NDArray[np.bool_]:
    return np.asarray((X[:, None, :] == X2[None, :, :]).all(axis=2))


def prior_variance(kernel: Kernel, X: Array, columns: Columns = ("x",)) -> Array:
    """The diagonal of ``covariance(kernel, X)``, shape (n,), without the matrix.

    Examples
    --------
    >>> from autostatistician.language.kernel import leaf
    >>> prior_variance(leaf("WN", sd=0.5) * leaf("Lin", sd=2.0, location=0.0), np.array([[1.0], [3.0]]))
    array([1., 9.])
    """
    X = _rows(X)
    match kernel.expr:
        case Leaf(symbol="0"):
            return np.zeros(len(X))
        case Leaf(symbol="Lin", column=column):
            sd, location = kernel.own
            return np.asarray((sd * (X[:, column_index(column, columns)] - location)) ** 2)
        case Leaf(symbol=symbol, column=column) if found := category_shape(symbol):
            return category_variance(found, kernel.own, X[:, column_index(column, columns)])
        case Leaf(symbol=symbol, column=column) if (rise := increments_of(symbol)) is not None:
            *own, location = kernel.own
            return 2.0 * rise.value(X[:, column_index(column, columns)] - location, *own)
        case Leaf():  # the other leaves are stationary with the variance sd^2
            return np.full(len(X), kernel.named()["sd"] ** 2)
        case Sum():
            return _folded(np.add, (prior_variance(part, X, columns) for part in kernel.parts))
        case Product():
            return _folded(np.multiply, (prior_variance(part, X, columns) for part in kernel.parts))
        case ChangePoint() | ChangeWindow():
            first, second = (prior_variance(part, X, columns) for part in kernel.parts)
            left, right = change_weights(kernel, X, columns)
            return np.asarray(left * left * first + right * right * second)


def change_weights(kernel: Kernel, X: Array, columns: Columns = ("x",)) -> tuple[Array, Array]:
    """The weights (n,) of the two operands of a change point or window; they sum to one.

    Change point: the first operand weighs ``a(x) = (1 - tanh(steepness (x - location))) / 2``. Change window: the
    second operand weighs ``w(x) = (1 + tanh(steepness (x - start))) (1 - tanh(steepness (x - end))) / 4`` with
    start and end ``width / 2`` off the location (Lloyd et al. 2014, with the tanh written as a logistic function,
    which keeps small weights exact).
    """
    X = _rows(X)
    match kernel.expr:
        case ChangePoint(column=column):
            location, steepness = kernel.own
            signed = 2.0 * steepness * (X[:, column_index(column, columns)] - location)
            return np.asarray(expit(-signed)), np.asarray(expit(signed))
        case ChangeWindow(column=column):
            location, steepness, width = kernel.own
            x = X[:, column_index(column, columns)] - location
            started, ended = 2.0 * steepness * (x + width / 2.0), 2.0 * steepness * (x - width / 2.0)
            inside = expit(started) * expit(-ended)
            return np.asarray(expit(-started) + expit(started) * expit(ended)), np.asarray(inside)
        case Leaf() | Sum() | Product():
            raise AssertionError("only change points and windows have weights")


def column_index(column: str | None, columns: Columns) -> int:
    """Where a leaf's column is in ``X``; None means the only one.

    Raises
    ------
    InputError
        When the column is not there, or none is named although there are several.
    """
    if column is None and len(columns) == 1:
        return 0
    if column in columns:
        return columns.index(column)
    known = ", ".join(repr(name) for name in columns)
    found = "a leaf without a column" if column is None else f"a leaf on column {column!r}"
    raise InputError.of(f"leaves on the columns {known}", found, "name one of these columns in the expression")


def signal_and_noise(kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
    """Split a kernel into the sum of its parts without white noise and the sum of those with it.

    The parts are the additive components of the kernel (products, each perhaps inside change points or windows), so
    both halves together have the covariance of the whole. None stands for an absent half.
    """
    from autostatistician.language.rewrite import components

    parts = components(kernel)
    signal = tuple(part for part in parts if not is_noise(part))
    noise = tuple(part for part in parts if is_noise(part))
    return (Kernel.sum(signal) if signal else None), (Kernel.sum(noise) if noise else None)


def _rows(X: Array) -> Array:
    return X[:, None] if X.ndim == 1 else X
