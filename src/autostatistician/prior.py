"""Draws from priors: what functions a kernel means, before any data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician.errors import InputError
from autostatistician.inference.projection import draw
from autostatistician.language.kernel import Kernel
from autostatistician.language.text import format_kernel, parse_kernel
from autostatistician.seeds import generator
from autostatistician.symmetry.views import Chain, View, view_covariance

__all__ = ["sample"]

Array = NDArray[np.float64]


def sample(kernel: Any, X: ArrayLike, size: int = 1, random_state: Any = 0, *, view: View | None = None) -> Array:
    """Draws (size, n) from the Gaussian process with mean zero and a kernel, at the rows of ``X``.

    Parameters
    ----------
    kernel : str, Kernel, or fitted estimator
        A kernel with all its numbers, as text or as an object; of an estimator its ``kernel_``, which may be on another
        scale than its data (a calendar axis, a logarithm).
    X : array (n,) or (n, d), or frame
        The leaves name the columns of a frame, ``x1``, ``x2``, ... of an array, and none when there is one.
    size : int
        How many draws.
    random_state : int, RandomState or None
        The same draws for the same number.
    view : View, optional
        Draws with a symmetry or a known factor (see `autostatistician.symmetry`); leaves act on the columns it shows.

    Raises
    ------
    InputError
        When numbers of the kernel are open, or a leaf names a column that is not there.

    Examples
    --------
    >>> sample("SE(lengthscale=2, sd=1) + WN(sd=0.1)", [0.0, 1.0, 5.0], size=2).round(2).tolist()
    [[0.04, 0.16, 1.52], [0.99, 0.26, 0.64]]
    >>> from autostatistician.symmetry import OrbitSum, reflection
    >>> sample("SE(lengthscale=2, sd=1)", [-1.0, 0.0, 1.0], view=OrbitSum(reflection(1))).round(2).tolist()
    [[0.38, 0.06, 0.38]]
    """
    found = _kernel(kernel)
    if any(np.isnan(found.values)):
        raise InputError.of(
            "a number for each parameter of the kernel", format_kernel(found), "give those shown as '?'"
        )
    rows = _rows(X)
    view = Chain() if view is None else view
    K = view_covariance(found, view, rows, None, _columns(X, view(rows[:0]).points.shape[2]))
    rng = generator(random_state)
    return draw(np.zeros(len(rows)), K, rng, scale=float(K.diagonal().max(initial=0.0)), count=size)


def _kernel(kernel: Any) -> Kernel:
    if isinstance(kernel, str):
        return parse_kernel(kernel)
    found = getattr(kernel, "kernel_", kernel)
    if not isinstance(found, Kernel):
        raise InputError.of("a kernel, its text or a fitted estimator", type(kernel).__name__, "see `parse_kernel`")
    return found


def _rows(X: Any) -> Array:
    rows = np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise InputError.of("rows of finite numbers", f"an array of shape {rows.shape}", "clean them")
    return rows


def _columns(X: Any, count: int) -> tuple[str, ...]:
    """The names of the latent columns: those of the frame, unless a view changes how many there are."""
    if hasattr(X, "columns") and len(X.columns) == count:
        return tuple(str(name) for name in X.columns)
    return ("x",) if count == 1 else tuple(f"x{index + 1}" for index in range(count))
