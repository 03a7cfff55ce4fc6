"""A Gaussian process with a kernel that is given: fitted, conditioned, drawn from, its evidence and its gradient."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.known_errors import variances_of
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.estimators.options import check_count
from autostatistician.estimators.plain_tables import TableRegressor, fitting, on_columns
from autostatistician.gp import Problem, condition
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.fitting import TableData, best_fit
from autostatistician.gp.posterior import Posterior
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, parameter_names, parameters

__all__ = ["GPRegressor"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class GPRegressor(JointRegressor, TableRegressor):
    """A Gaussian process with mean zero and a kernel of the language, which the caller knows.

    Parameters
    ----------
    kernel : str, Expr or Kernel
        Of function and noise, such as ``"SE[size] * Cat[colour] + WN"``. Parameters that it has are where the first
        start begins. A leaf without a column acts on all of them. Columns are those of the frame, or ``x1``, ``x2``,
        ... (``x`` when there is one). A constant is a part of it: the mean is zero.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    n_restarts : int
        Starts of the optimisation; 0 keeps the parameters that the kernel has.
    random_state : int, RandomState or None
        Of the starts.

    Attributes
    ----------
    kernel_ : Kernel
        With its parameters in the units of the data.
    posterior_ : Posterior
        Of parts and test points: ``posterior_.project(kernel_.parts[0], rows)`` is that of one additive part.
    log_evidence_ : float
        Log marginal likelihood.

    Examples
    --------
    >>> x = np.arange(20.0)[:, None]
    >>> model = GPRegressor("Lin + WN").fit(x, 3.0 * x[:, 0] + np.cos(5.0 * x[:, 0]))
    >>> model.predict([[30.0]]).round(), model.condition(x, -3.0 * x[:, 0]).predict([[30.0]]).round()
    (array([90.]), array([-90.]))
    """

    kernel: str | Expr | Kernel = "SE + WN"
    _: KW_ONLY
    unseen: str = "error"
    n_restarts: int = 3
    random_state: Any = 0

    _most_rows = None  # the engine says how many observations it can bear

    def fit(self, X: Any, y: Any, *, error: Any = None) -> Self:
        """Fit the parameters of the kernel to rows and target.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array of shape (n,)
        error : array of shape (n,) or number, optional
            Standard deviations of the errors with which the target was measured. Their variances are added to the
            noise of the rows; predictions are of the values without them.

        Raises
        ------
        InputError
            When a setting is out of its range or does not fit the columns, or data cannot be used.

        Examples
        --------
        >>> x, y = np.zeros((3, 1)), np.array([1.0, 2.0, 9.0])
        >>> model = GPRegressor("C(sd=10) + WN(sd=0.1)", n_restarts=0).fit(x, y, error=[1.0, 1.0, 9.0])
        >>> model.predict([[0.0]]).round(1)
        array([1.5])
        """
        rows = self._read(X)
        target = self._target(y, rows)
        starts = check_count("n_restarts", self.n_restarts, 0)
        kernel, noise = on_columns(self.kernel, self.inputs_), variances_of(error, target)
        table = TableData(rows, target, self.inputs_.columns, self.inputs_.levels, noise=noise)
        self._given(best_fit(kernel, table, starts, generator(self.random_state)), rows, target, noise)
        return self

    def _given(self, kernel: Kernel, rows: Array, y: Array, noise: Array | None) -> None:
        self.kernel_, self._problem = kernel, Problem(rows, y, self.inputs_.columns, noise=noise)
        with fitting(remedy="add WN to the kernel"):
            self.posterior_: Posterior = condition(kernel, self._problem)
        self.log_evidence_ = self.posterior_.log_evidence

    def condition(self, X: Any, y: Any, *, error: Any = None) -> Self:
        """A model of the same kernel with the same parameters, given other observations; nothing is fitted."""
        check_is_fitted(self)
        other = type(self)(**self.get_params())
        rows = other._read(X)
        target = other._target(y, rows)
        other._given(self.kernel_, rows, target, variances_of(error, target))
        return other

    @overload
    def evidence(self, kernel: Kernel | None = None, *, return_gradient: Literal[False] = False) -> float: ...

    @overload
    def evidence(
        self, kernel: Kernel | None = None, *, return_gradient: Literal[True]
    ) -> tuple[float, dict[str, float]]: ...

    def evidence(
        self, kernel: Kernel | None = None, *, return_gradient: bool = False
    ) -> float | tuple[float, dict[str, float]]:
        """The log marginal likelihood of the data of the fit, and its gradient by each parameter as it is.

        ``kernel`` has other parameters, or is another one; without it that of the fit is taken. The gradient has the
        names of ``kernel.parameters``.
        """
        check_is_fitted(self)
        placed = self.kernel_ if kernel is None else on_columns(kernel, self.inputs_)
        with one_thread():
            nll, slopes = objective_of(placed.expr, self._problem).value_and_gradient(placed.values)
        if not return_gradient:
            return -nll
        by_value = zip(parameter_names(placed.expr), parameters(placed.expr), placed.values, slopes, strict=True)
        return -nll, {
            name: -float(slope) / (value if each.role.positive else 1.0) for name, each, value, slope in by_value
        }

    def sample(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of the function without noise, from its posterior; `sample_y` has the noise."""
        rows, count = self._new(X), check_count("n_samples", n_samples, 1)
        with one_thread():
            return self.posterior_.samples(rows, generator(random_state), count=count).T

    def _observations(self, X: Any, *, joint: bool) -> tuple[Array, Array]:
        rows = self._new(X)
        with one_thread():
            return self.posterior_.observations_joint(rows) if joint else self.posterior_.observations(rows)
