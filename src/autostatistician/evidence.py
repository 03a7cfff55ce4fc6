"""How probable data are under a kernel: the log marginal likelihood, with its gradient."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autostatistician._io.threads import one_thread
from autostatistician.errors import InputError
from autostatistician.gp import Problem
from autostatistician.gp.engines.choice import engine_for, with_every_slope
from autostatistician.gp.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.kernels.kernel import columns_of
from autostatistician.prior import inputs_of, kernel_of

__all__ = ["log_marginal_likelihood"]


def log_marginal_likelihood(kernel: Any, X: ArrayLike, y: ArrayLike, *, return_gradient: bool = False) -> Any:
    """The log density of observations under a Gaussian process with mean zero, parameters of the kernel given.

    ``log p(y | X) = -1/2 y' K^-1 y - 1/2 log|K| - n/2 log(2 pi)`` (Rasmussen and Williams 2006, equation 2.30),
    where ``K`` holds the noise too; by the cheapest engine that is exact, without that matrix where it can. For more
    than 5000 rows of several columns it is a lower bound by inducing points (Titsias 2009), and a `RuntimeWarning`
    says so: it may be off by thousands.

    Parameters
    ----------
    kernel : str, Kernel, or fitted estimator
        With all its parameters, as `sample` takes it.
    X : array (n,) or (n, d), or frame
        The leaves name the columns of a frame, ``x1``, ``x2``, ... of an array, and none when there is one.
    y : array (n,)
        Observations; the mean is zero, so take it off or add a constant to the kernel.
    return_gradient : bool
        Whether to give the gradient (p,) as well, in the order of ``kernel.values``: by the logarithm of parameters
        that are positive (lengthscales, periods, standard deviations), by others as they are; also by the location of
        a Wiener process or an IOU, which fits never move.

    Where there is so little noise (a millionth, with more than 5000 rows) that no engine keeps its digits, a
    `RuntimeWarning` says so.

    Raises
    ------
    InputError
        When parameters of the kernel are open, a leaf names no column, or rows and observations differ.

    Examples
    --------
    >>> round(log_marginal_likelihood("WN(sd=1)", [0.0, 1.0], [1.0, -1.0]), 4)
    -2.8379
    >>> value, gradient = log_marginal_likelihood("WN(sd=1)", [0.0, 1.0], [1.0, -2.0], return_gradient=True)
    >>> gradient.round(6).tolist()  # y'y / sd^2 - n
    [3.0]
    """
    whole, rows, target = kernel_of(kernel), inputs_of(kernel, X), np.asarray(y, dtype=np.float64)
    if target.shape != (len(rows),) or not np.isfinite(target).all():
        found = f"an array of shape {target.shape} with {np.sum(~np.isfinite(target))} that are not"
        raise InputError.of(f"{len(rows)} finite observations, one for each row", found, "give one number for each")
    problem = Problem(rows, target, columns_of(X, rows.shape[1]))
    engine = engine_for(whole.expr, problem, "exact", often=True)
    if not engine.is_exact:
        text = f"of {len(rows)} rows of several columns the value is a lower bound, which may be far off"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    objective = engine.objective(whole.expr, problem)
    with one_thread():
        result = with_every_slope(objective, whole, problem) if return_gradient else objective.value(whole.values)
    if isinstance(objective, SemiseparableObjective) and not objective.is_sure:
        text = f"so little is noise that no engine keeps the digits of {len(rows)} rows: the value may be off"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
    return -result if isinstance(result, float) else (-result[0], np.asarray(-result[1]))
