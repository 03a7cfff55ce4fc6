"""The part of a fitted function that repeats with a period, for any kernel with its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.decompose.series.repeats import Repeats, repeats
from autostatistician.decompose.uncertainty import fixed_parameters
from autostatistician.errors import InputError
from autostatistician.gp import Problem, condition
from autostatistician.kernels.kernel import columns_of, rows_of
from autostatistician.kernels.traits import is_noise
from autostatistician.prior import kernel_of

__all__ = ["split_by_period"]


def split_by_period(kernel: Any, X: ArrayLike, y: ArrayLike, period: float, *, random_state: Any = 0) -> Repeats:
    """A function given its observations, as a part that repeats with a period and a part that does not.

    Any kernel will do, also one that knows of no cycle (the aim of Durrande et al. 2016): the part that repeats is the
    mean cycle of the function beside a broken line, by least squares over the span of the rows, and the rest is what it
    leaves. Both are normal, and they add up to the function. The numbers of the kernel are held.

    Parameters
    ----------
    kernel : str, Kernel, or fitted estimator
        With all its parameters, on one column, as `sample` takes it; its noise is in neither part.
    X : array (n,) or (n, 1)
        Where the observations are.
    y : array (n,)
        Observations; the mean is zero, so take it off or add a constant to the kernel.
    period : float
        In the units of ``X``, which must span it twice.
    random_state : int, RandomState or None
        Of the draws behind the range of the share.

    Returns
    -------
    Repeats
        ``cycle`` and ``rest`` are curves with bands of 95 % (of the function alone); ``share`` is the variance of the
        former in that of both, with its range of 95 %. Where it is far above ``expected``, the share before the data,
        the kernel has missed a cycle.

    Raises
    ------
    InputError
        When parameters of the kernel are open, all of it is noise, there are several columns, rows and observations
        differ, or the rows do not show the period twice.

    Examples
    --------
    >>> x = np.arange(48.0)
    >>> y = np.sin(2.0 * np.pi * x / 12.0) + 0.05 * x - 1.2
    >>> parts = split_by_period("SE(lengthscale=2, sd=1) + WN(sd=0.1)", x, y, 12.0)
    >>> round(parts.share.number, 2), round(parts.expected, 2), parts.cycle.mean[:4].round(1).tolist()
    (0.51, 0.17, [0.0, 0.5, 0.9, 1.0])
    """
    whole, rows, target = kernel_of(kernel), rows_of(X), np.asarray(y, dtype=np.float64)
    if rows.shape[1] != 1 or target.shape != (len(rows),) or not np.isfinite(target).all():
        found = f"arrays of shapes {rows.shape} and {target.shape}"
        raise InputError.of("one column, and a finite observation for each row", found, "give one number for each")
    with one_thread():
        members = fixed_parameters(condition(whole, Problem(rows, target, columns_of(X, 1))))
        signal = [index for index, part in enumerate(members.fit.parts) if not is_noise(part)]
        if not signal:
            raise InputError.of("a kernel with a part that is no noise", f"{whole}", "name what shall repeat")
        gaps = np.diff(np.unique(rows))
        gap = float(np.median(gaps)) if gaps.size else 0.0
        return repeats(members, signal, float(period), gap, generator(random_state))
