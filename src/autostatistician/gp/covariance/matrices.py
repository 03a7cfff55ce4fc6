"""The covariance of a kernel as a dense matrix, its variances, and its halves of signal and noise.

The fast evidence of the search works in lag space and is tested against this file; predictions use it directly.
Formulas: Duvenaud 2014, appendix B; Lloyd et al. 2014 for `Per` and the change operators.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance.factor import factorise
from autostatistician.kernels.covariance import CrossCovariance, covariances, variances
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

__all__ = [
    "covariance",
    "prior_variance",
    "signal_and_noise",
    "slopes_by_points",
    "variance_slopes_by_points",
    "whitener",
]

Array = NDArray[np.float64]
Columns = tuple[str, ...]


def covariance(kernel: Kernel, X: Array, X2: Array | None = None, columns: Columns = ("x",)) -> Array:
    """The matrix of covariances between the rows of ``X`` and those of ``X2``.

    Parameters
    ----------
    kernel : Kernel
        Expression with its parameters.
    X : array (n, d)
        Inputs; (n,) is taken as one column.
    X2 : array (m, d), optional
        Other inputs, of other observations: white noise, one draw per row, is zero. Without them the matrix is that of
        the observations at ``X`` with themselves.
    columns : tuple of str or None
        Which column of ``X`` a leaf means; with a single one a leaf need not name it.

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
    return covariances(kernel.expr, kernel.values, _rows(X), None if X2 is None else _rows(X2), columns)


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
    return variances(kernel.expr, kernel.values, _rows(X), columns).every


def slopes_by_points(
    kernel: Kernel, X: Array, X2: Array, weights: Array, columns: Columns = ("x",)
) -> tuple[Array, Array]:
    """The derivatives of ``sum(weights * covariance(kernel, X, X2, columns))`` by ``X`` (n, d) and by ``X2`` (m, d).

    The points are apart: those of ``X2`` stay when those of ``X`` move, also where they are the same. Of a leaf with a
    kink at lag zero the slope there is zero, the mean of both sides. Categories and white noise have none.

    Raises
    ------
    InputError
        When the kernel names a column that is not there.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> line = leaf("Lin", sd=2.0, location=1.0)
    >>> [one.tolist() for one in slopes_by_points(line, np.array([[0.0]]), np.array([[3.0]]), np.ones((1, 1)))]
    [[[8.0]], [[-4.0]]]
    """
    return CrossCovariance(kernel.expr, columns).by_points(kernel.values, X, X2, weights)


def variance_slopes_by_points(kernel: Kernel, X: Array, weights: Array, columns: Columns = ("x",)) -> Array:
    """The derivatives (n, d) of ``sum(weights * prior_variance(kernel, X, columns))`` by ``X``, for weights (n,).

    >>> from autostatistician.kernels.kernel import leaf
    >>> line = leaf("Lin", sd=2.0, location=1.0)
    >>> variance_slopes_by_points(line, np.array([[0.0], [3.0]]), np.ones(2)).tolist()
    [[-8.0], [16.0]]
    """
    return variances(kernel.expr, kernel.values, X, columns).by_points(weights)


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
