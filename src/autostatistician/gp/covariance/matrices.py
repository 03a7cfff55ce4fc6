"""The covariance of a kernel as a dense matrix, one case per node: the plain definition of every expression.

The fast evidence of the search works in lag space and is tested against this file; predictions use it directly.
Formulas: Duvenaud 2014, appendix B; Lloyd et al. 2014 for `Per` and the change operators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance.changes import change_weights
from autostatistician.gp.covariance.factor import factorise
from autostatistician.gp.covariance.lowrank import category_matrix
from autostatistician.gp.covariance.variances import variances
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.leaves import LEAVES, increments_of, lag_function
from autostatistician.kernels.traits import column_index, is_noise

__all__ = ["covariance", "prior_variance", "signal_and_noise", "whitener"]

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
    >>> from autostatistician.kernels.kernel import leaf
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
            along = column_index(kernel.expr.column, columns)
            weights = change_weights(kernel.expr, X[:, along], kernel.own)
            weights2 = weights if X2 is None else change_weights(kernel.expr, X2[:, along], kernel.own)
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
    expr, values = kernel.expr, kernel.own
    assert isinstance(expr, Leaf)
    other = X if X2 is None else X2
    shape = (len(X), len(other))
    match expr.symbol:
        case "0":
            return np.zeros(shape)
        case "C":
            return np.full(shape, values[0] ** 2)
        case "WN" if X2 is None:
            return np.diag(np.full(len(X), values[0] ** 2))
        case "WN":
            return np.where(_same_place(X, other), values[0] ** 2, 0.0) if coincide else np.zeros(shape)
        case "Lin":
            sd, location = values
            column = column_index(expr.column, columns)
            return np.multiply.outer(sd * (X[:, column] - location), sd * (other[:, column] - location))
        case symbol if (of_categories := LEAVES[symbol].shape) is not None:
            column = column_index(expr.column, columns)
            return category_matrix(of_categories, values, X[:, column], other[:, column])
        case symbol if (rise := increments_of(symbol)) is not None:
            column = column_index(expr.column, columns)
            return _walk_matrix(rise, values, X[:, column], other[:, column])
        case symbol:
            column = column_index(expr.column, columns)
            return lag_function(symbol).value(np.subtract.outer(X[:, column], other[:, column]), *values)


def _walk_matrix(rise: LagFunction, own: tuple[float, ...], x: Array, other: Array) -> Array:
    """``g(x - o) + g(x' - o) - g(x - x')`` for g, half the variance of increments, and the location o."""
    *values, location = own
    from_origin = rise.value(x - location, *values), rise.value(other - location, *values)
    return np.asarray(np.add.outer(*from_origin) - rise.value(np.subtract.outer(x, other), *values))


def _same_place(X: Array, X2: Array) -> NDArray[np.bool_]:
    return np.asarray((X[:, None, :] == X2[None, :, :]).all(axis=2))


def whitener(kernel: Kernel, X: Array, columns: Columns) -> Callable[[Array], Array]:
    """What makes values (n,) at points (n, d) white where they have the covariance of a kernel: its factor's inverse.

    >>> from autostatistician.kernels.kernel import leaf
    >>> whitener(leaf("WN", sd=2.0), np.array([[0.0], [1.0]]), ("x",))(np.array([2.0, 6.0])).tolist()
    [1.0, 3.0]
    """
    return factorise(covariance(kernel, X, None, columns), overwrite=True).half_solve


def prior_variance(kernel: Kernel, X: Array, columns: Columns = ("x",)) -> Array:
    """The diagonal of ``covariance(kernel, X)``, shape (n,), without the matrix.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> prior_variance(leaf("WN", sd=0.5) * leaf("Lin", sd=2.0, location=0.0), np.array([[1.0], [3.0]]))
    array([1., 9.])
    """
    X = _rows(X)
    both = variances(kernel.expr, kernel.values, X, columns)
    return np.asarray(np.zeros(len(X)) + both.signal + both.noise)


def signal_and_noise(kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
    """Split a kernel into the sum of its parts without white noise and the sum of those with it.

    The parts are the additive components of the kernel (products, each perhaps inside change points or windows), so
    both halves together have the covariance of the whole. None stands for an absent half.
    """
    from autostatistician.kernels.rewrite import components

    parts = components(kernel)
    signal = tuple(part for part in parts if not is_noise(part))
    noise = tuple(part for part in parts if is_noise(part))
    return (Kernel.sum(signal) if signal else None), (Kernel.sum(noise) if noise else None)


def _rows(X: Array) -> Array:
    return X[:, None] if X.ndim == 1 else X
