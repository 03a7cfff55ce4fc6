"""Deep kernels: the kernel of features of features, for any kernel of the language as the first layer.

Infinitely many random features of a kind, of what has the kernel k, have a kernel again, which depends on k alone.
Formulas: Duvenaud 2014, section 5.5 (the sign of the squared distance in connected kernels corrected); Cho and Saul
2009 (Kernel methods for deep learning) for arc-cosine kernels. Connected squared exponential layers over one column are
the leaves `Deep2`, `Deep3` and, without end, `Deep` of the language.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance, prior_variance
from autostatistician.kernels.kernel import Kernel

__all__ = ["Features", "arc_cosine", "deep_covariance", "of_features"]

Array = NDArray[np.float64]
Features = Literal["SE", "step", "ramp"]


def of_features(cross: Array, variance: Array, other: Array) -> Array:
    """The squared exponential of features, ``exp(-(k(x, x) - 2 k(x, x') + k(x', x')) / 2)``.

    Parameters
    ----------
    cross : array (n, m)
        ``k(x, x')`` of the features.
    variance, other : array (n,), (m,)
        ``k(x, x)`` and ``k(x', x')``.

    Examples
    --------
    >>> of_features(np.array([[1.0, 0.5]]), np.ones(1), np.ones(2)).round(4).tolist()  # exp(k - 1)
    [[1.0, 0.6065]]
    """
    return np.asarray(np.exp(np.minimum(cross - 0.5 * np.add.outer(variance, other), 0.0)))


def arc_cosine(cross: Array, variance: Array, other: Array, order: int) -> Array:
    """The kernel of infinitely many features that switch on where a random combination is positive (Cho and Saul 2009).

    With the angle between the features below, ``cos a = k(x, x') / sqrt(k(x, x) k(x', x'))``, order 0 (steps) is
    ``1 - a / pi``, order 1 (ramps) ``sqrt(k(x, x) k(x', x')) (sin a + (pi - a) cos a) / pi``.

    Parameters
    ----------
    cross, variance, other : arrays (n, m), (n,), (m,)
        As in `of_features`.
    order : {0, 1}
        Of the features: steps or ramps.

    Raises
    ------
    InputError
        When it is another order.

    Examples
    --------
    >>> [arc_cosine(np.zeros((1, 1)), np.ones(1), np.ones(1), order).round(4).item() for order in (0, 1)]
    [0.5, 0.3183]
    """
    if order not in (0, 1):
        raise InputError.of("an arc-cosine kernel of order 0 or 1", str(order), "others are not used")
    size = np.sqrt(np.multiply.outer(variance, other))
    cosine = np.clip(np.divide(cross, size, out=np.ones_like(size), where=size > 0.0), -1.0, 1.0)
    angle = np.arccos(cosine)
    if order == 0:
        return np.asarray(1.0 - angle / np.pi)
    return np.asarray(size * (np.sqrt(1.0 - cosine * cosine) + (np.pi - angle) * cosine) / np.pi)


# The kernel of the features, and its variance by that of the layer below.
_LAYERS: dict[str, tuple[Callable[[Array, Array, Array], Array], Callable[[Array], Array]]] = {
    "SE": (of_features, np.ones_like),
    "step": (partial(arc_cosine, order=0), np.ones_like),
    "ramp": (partial(arc_cosine, order=1), np.array),
}


def deep_covariance(
    kernel: Kernel,
    X: Array,
    X2: Array | None = None,
    columns: tuple[str, ...] = ("x",),
    *,
    layers: int,
    features: Features = "SE",
    connected: bool = False,
    lengthscale: float = 1.0,
) -> Array:
    """The covariance of a deep kernel, between the rows of ``X`` or between them and those of ``X2``.

    Parameters
    ----------
    kernel : Kernel
        The first layer, any kernel of the language with its parameters.
    X, X2, columns
        As in `covariance`.
    layers : int
        At least one; every layer but the first is made of features of the one below.
    features : {"SE", "step", "ramp"}
        What further layers are: squared exponential kernels (`of_features`) or arc-cosine ones of order 0 and 1.
    connected : bool
        Whether the features of every layer have the inputs, divided by the lengthscale, beside them.
    lengthscale : float
        Of that connection.

    Returns
    -------
    array (n, n) or (n, m)

    Raises
    ------
    InputError
        When a leaf names a column that is not there, the features have no such name, or there is no layer.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> smooth = leaf("SE", lengthscale=1.0, sd=1.0)
    >>> deep_covariance(smooth, np.array([0.0, 1.0]), layers=3, connected=True).round(4).tolist()
    [[1.0, 0.336], [0.336, 1.0]]
    """
    if features not in _LAYERS:
        raise InputError.of("features 'SE', 'step' or 'ramp'", repr(features), "use one of these")
    if layers < 1:
        raise InputError.of("at least one layer", str(layers), "the first is the kernel itself")
    places, others = _rows(X), _rows(X if X2 is None else X2)
    cross = covariance(kernel, places, None if X2 is None else others, columns)
    here, there = (prior_variance(kernel, rows, columns) for rows in (places, others))
    layer, variance = _LAYERS[features]
    for _ in range(layers - 1):
        if connected:
            cross += places @ others.T / lengthscale**2
            here = here + (places**2).sum(axis=1) / lengthscale**2
            there = there + (others**2).sum(axis=1) / lengthscale**2
        cross, here, there = layer(cross, here, there), variance(here), variance(there)
    return cross


def _rows(X: Array) -> Array:
    return X[:, None] if X.ndim == 1 else X
