"""Draws from priors: what functions a kernel means, before any data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician._io.seeds import generator
from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance, prior_variance
from autostatistician.gp.posterior import draw
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.text import format_kernel, parse_kernel
from autostatistician.models.deep.compositions import composition
from autostatistician.models.symmetry.views import Chain, View, view_covariance

__all__ = ["columns_of", "covariance_of", "kernel_of", "rows_of", "sample", "sample_deep", "slope_of", "variance_of"]

Array = NDArray[np.float64]

STEP = 1e-3  # of differences, in units of a parameter: errors of 1e-12 of what is differenced


def sample(kernel: Any, X: ArrayLike, *, n_samples: int = 1, random_state: Any = 0, view: View | None = None) -> Array:
    """Draws (n_samples, n) from the Gaussian process with mean zero and a kernel, at the rows of ``X``.

    Parameters
    ----------
    kernel : str, Kernel, or fitted estimator
        A kernel with all its parameters, as text or as an object; of an estimator its ``kernel_``, which may be on
        another scale than its data (a calendar axis, a logarithm).
    X : array (n,) or (n, d), or frame
        The leaves name the columns of a frame, ``x1``, ``x2``, ... of an array, and none when there is one.
    n_samples : int
        How many draws.
    random_state : int, RandomState or None
        The same draws for the same number.
    view : View, optional
        Draws with a symmetry or a known factor (`autostatistician.models.symmetry`); leaves act on what it shows.

    Raises
    ------
    InputError
        When parameters of the kernel are open, or a leaf names a column that is not there.

    Examples
    --------
    >>> sample("SE(lengthscale=2, sd=1) + WN(sd=0.1)", [0.0, 1.0, 5.0], n_samples=2).round(2).tolist()
    [[0.04, 0.16, 1.52], [0.99, 0.26, 0.64]]
    >>> from autostatistician.models.symmetry import OrbitSum, reflection
    >>> sample("SE(lengthscale=2, sd=1)", [-1.0, 0.0, 1.0], view=OrbitSum(reflection(1))).round(2).tolist()
    [[0.38, 0.06, 0.38]]
    """
    whole, rows = kernel_of(kernel), rows_of(X)
    view = Chain() if view is None else view
    K = view_covariance(whole, view, rows, None, columns_of(X, view(rows[:0]).points.shape[2]))
    return draw(np.zeros(len(rows)), K, generator(random_state), count=n_samples, independent=True)


def sample_deep(kernel: Any, X: ArrayLike, *, layers: int, connected: bool = False, random_state: Any = 0) -> Array:
    """One draw of a composition of functions, ``f_layers(... f_2(f_1(x)))``, each from the prior of one kernel.

    Every layer has as many outputs as ``X`` has columns, drawn independently; the kernel of one column acts on each of
    the inputs of a layer, and the correlations multiply. ``connected`` layers depend on ``X``, too, beside the outputs
    of the layer below (Neal 1995). What such draws look like is told in ``docs/explanation/deep-kernels.md``.

    Parameters
    ----------
    kernel : str, Kernel, or fitted estimator
        A kernel with all its parameters, without noise, that names no column. For several columns, and connected
        layers, one that depends on the lag alone.
    X : array (n,) or (n, d), or frame
        The inputs of the first layer.
    layers : int
        How many functions are composed.
    connected : bool
        Whether every layer but the first sees ``X``.
    random_state : int, RandomState or None
        The same draw for the same number.

    Returns
    -------
    array (layers + 1, n) or (layers + 1, n, d)
        ``X`` and the outputs of every layer: entry ``l`` is a draw of a composition of ``l`` functions.

    Raises
    ------
    InputError
        When parameters of the kernel are open, or it is one that has no compositions.

    Examples
    --------
    >>> sample_deep("SE(lengthscale=1, sd=1)", [-1.0, 0.0, 1.0], layers=2).round(2).tolist()
    [[-1.0, 0.0, 1.0], [0.04, 0.8, 1.5], [0.97, 0.66, 0.06]]
    """
    whole, rows = kernel_of(kernel), rows_of(X)
    if not (isinstance(layers, int | np.integer) and layers >= 0):
        raise InputError.of("a whole number of layers from 0", repr(layers), "say how many functions to compose")
    drawn = composition(whole, layers, rows, generator(random_state), connected=connected)
    return drawn[:, :, 0] if np.ndim(X) == 1 else drawn


def covariance_of(kernel: Kernel, X: Any, Z: Any = None) -> Array:
    """The covariances (n, m) of a kernel between rows; without ``Z`` of observations with themselves."""
    rows = rows_of(X)
    return covariance(kernel_of(kernel), rows, None if Z is None else rows_of(Z), columns_of(X, rows.shape[1]))


def variance_of(kernel: Kernel, X: Any) -> Array:
    """The variances (n,) of a kernel at rows."""
    rows = rows_of(X)
    return prior_variance(kernel_of(kernel), rows, columns_of(X, rows.shape[1]))


def slope_of(kernel_at: Callable[[float], Kernel], value: float, X: Any, Z: Any = None) -> Array:
    """The derivative (n, m) of covariances by one parameter, by differences of the fourth order."""
    step = STEP * (abs(value) or 1.0)
    near, far = (
        covariance_of(kernel_at(value + step * k), X, Z) - covariance_of(kernel_at(value - step * k), X, Z)
        for k in (1.0, 2.0)
    )
    return np.asarray((8.0 * near - far) / (12.0 * step))


def kernel_of(kernel: Any) -> Kernel:
    """The kernel that is meant; an `InputError` says when parameters of it are open."""
    meant = parse_kernel(kernel) if isinstance(kernel, str) else getattr(kernel, "kernel_", kernel)
    if not isinstance(meant, Kernel):
        raise InputError.of("a kernel, its text or a fitted estimator", type(kernel).__name__, "see `parse_kernel`")
    if any(np.isnan(meant.values)):
        shown = format_kernel(meant)
        raise InputError.of("a number for each parameter of the kernel", shown, "give those shown as '?'")
    return meant


def rows_of(X: Any) -> Array:
    """Rows (n, d) of finite numbers; an array (n,) is one column."""
    rows = np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise InputError.of("rows of finite numbers", f"an array of shape {rows.shape}", "clean them")
    return rows


def columns_of(X: Any, count: int) -> tuple[str, ...]:
    """The names of the latent columns: those of the frame, unless a view changes how many there are."""
    if hasattr(X, "columns") and len(X.columns) == count:
        return tuple(str(name) for name in X.columns)
    return ("x",) if count == 1 else tuple(f"x{index + 1}" for index in range(count))
