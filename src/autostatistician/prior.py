"""Draws from priors: what functions a kernel means, before any data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician._io.seeds import generator
from autostatistician.errors import InputError
from autostatistician.gp.posterior import draw
from autostatistician.kernels.kernel import Kernel, columns_of, rows_of
from autostatistician.kernels.text import format_kernel, parse_kernel
from autostatistician.models.deep.compositions import composition
from autostatistician.models.symmetry.views import Chain, View, view_covariance

__all__ = ["inputs_of", "kernel_of", "sample", "sample_deep"]

Array = NDArray[np.float64]


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
    whole, rows = kernel_of(kernel), inputs_of(kernel, X)
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


def inputs_of(kernel: Any, X: Any) -> Array:
    """Rows (n, d) of finite numbers; categories are coded as in the fit of an estimator that has some."""
    coded = getattr(getattr(kernel, "inputs_", None), "levels", None)
    return np.asarray(kernel._new(X)) if coded else rows_of(X)


def kernel_of(kernel: Any) -> Kernel:
    """The kernel that is meant; an `InputError` says when parameters of it are open."""
    meant = parse_kernel(kernel) if isinstance(kernel, str) else getattr(kernel, "kernel_", kernel)
    if not isinstance(meant, Kernel):
        raise InputError.of("a kernel, its text or a fitted estimator", type(kernel).__name__, "see `parse_kernel`")
    if any(np.isnan(meant.values)):
        shown = format_kernel(meant)
        raise InputError.of("a number for each parameter of the kernel", shown, "give those shown as '?'")
    return meant
