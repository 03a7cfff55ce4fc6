"""A Gaussian process with a kernel that is given: fitted, conditioned, drawn from, its evidence and its gradient.

A regressor with a part of known form and a part of unknown form: explicit basis functions and a Gaussian process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.known_errors import variances_of
from autostatistician.errors import InputError
from autostatistician.estimators.options import check_count
from autostatistician.estimators.plain_tables import KernelRegressor, fitting, on_columns
from autostatistician.gp import Problem, condition
from autostatistician.gp.covariance import prior_variance, signal_and_noise
from autostatistician.gp.engines.choice import objective_of, with_every_slope
from autostatistician.gp.fitting import TableData, best_fit
from autostatistician.gp.posterior import ColumnPrior, Posterior, with_functions
from autostatistician.gp.problem import Basis
from autostatistician.i18n.names import listed
from autostatistician.kernels.kernel import Kernel, leaf, parameter_names, parameters

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["GPRegressor", "SemiParametricGPRegressor"]


Array = NDArray[np.float64]


class GPRegressor(KernelRegressor):
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
        Log marginal likelihood: exact up to 5000 rows, and for one column; of more rows of several columns the lower
        bound by inducing points (``posterior_.points``), which may be far off. The fit itself goes by that bound from
        2000 rows on.

    Examples
    --------
    >>> x = np.arange(20.0)[:, None]
    >>> model = GPRegressor("Lin + WN").fit(x, 3.0 * x[:, 0] + np.cos(5.0 * x[:, 0]))
    >>> model.predict([[30.0]]).round(), model.condition(x, -3.0 * x[:, 0]).predict([[30.0]]).round()
    (array([90.]), array([-90.]))
    """

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
            self.posterior_: Posterior = condition(kernel, self._problem, "exact")
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
        names of the parameters: enough for bounds and priors of one's own, by any optimiser.

        Examples
        --------
        A normal prior of the logarithm of the lengthscale, and noise of 0.2 at least:

        >>> from scipy.optimize import minimize
        >>> x = np.arange(20.0)[:, None]
        >>> y = np.sin(x[:, 0] / 3.0) + 0.1 * (-1.0) ** x[:, 0]
        >>> model = GPRegressor("SE(lengthscale=2, sd=1) + WN(sd=0.1)", n_restarts=0).fit(x, y)
        >>> def loss(logs):
        ...     kernel, off = Kernel(model.kernel_.expr, tuple(np.exp(logs))), (logs[0] - np.log(2.0)) / 0.1
        ...     evidence, slopes = model.evidence(kernel, return_gradient=True)
        ...     return 0.5 * off**2 - evidence, [off / 0.1, 0.0, 0.0] - np.exp(logs) * list(slopes.values())
        >>> bounds = [(None, None), (None, None), (np.log(0.2), None)]
        >>> best = np.exp(minimize(loss, np.log(model.kernel_.values), jac=True, bounds=bounds).x)
        >>> str(model.kernel_), best.round(2).tolist()
        ('SE[x] + WN', [2.16, 0.51, 0.2])
        >>> fitted = GPRegressor(Kernel(model.kernel_.expr, tuple(best)), n_restarts=0).fit(x, y)
        >>> round(fitted.log_evidence_, 1)
        -3.6
        """
        check_is_fitted(self)
        placed = self.kernel_ if kernel is None else on_columns(kernel, self.inputs_)
        with one_thread():
            nll, slopes = with_every_slope(objective_of(placed.expr, self._problem, "exact"), placed, self._problem)
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


Function = Callable[[Array], Any]

NOTHING = leaf("0")
BASIS_NAMES = ("none", "constant", "linear", "quadratic")


@dataclass(eq=False, repr=False)
class SemiParametricGPRegressor(KernelRegressor):
    """A sum of known functions with unknown coefficients and a Gaussian process: ``y = m(x) + h(x)' b + g(x)``.

    The coefficients have a normal prior, or none (its limit for a prior without information); they are integrated out
    when the hyperparameters are fitted, and their posterior is reported (O'Hagan 1978; Rasmussen and Williams 2006,
    section 2.7).

    Parameters
    ----------
    kernel : str, Expr or Kernel
        Of the unknown part and the noise, such as ``"SE[size] * Cat[colour] + WN"``. Parameters that it has are where
        the first start begins. A leaf without a column acts on all of them. Columns are those of the frame, or
        ``x1``, ``x2``, ... (``x`` when there is one).
    basis : str or callable
        "none", "constant", "linear" (a constant and every column of numbers), "quadratic" (also their squares), or a
        function from rows (n, d) to the values of the known functions (n, m).
    prior_mean : float or sequence (m,)
        Of the coefficients; only where ``prior_sd`` is finite.
    prior_sd : float, sequence (m,) or None
        Of the coefficients; None (or infinity) means that nothing is known of them.
    mean : callable or None
        A known mean function from rows (n, d) to numbers (n,).
    rank : int or None
        Rank of a full covariance ``W W' + diag`` between the levels of every column of categories that the kernel has
        a ``Cat`` for; None leaves the one correlation of ``Cat``.
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
    coefficients_ : DataFrame
        The posterior: name, mean and sd of every coefficient.
    parametric_share_ : float
        Per cent of the variance of y that the part of known form explains, at its posterior mean: what is left
        without it, the unknown part and the noise, is the rest to a hundred.
    log_evidence_ : float
        Log marginal likelihood; with coefficients of which nothing is known, equation 2.45 of Rasmussen and Williams
        (2006), which compares models with the same such functions only.

    Examples
    --------
    >>> x = np.arange(10.0)[:, None]
    >>> model = SemiParametricGPRegressor("WN", basis="linear").fit(x, 3.0 + 2.0 * x[:, 0] + 0.1 * (-1.0) ** x[:, 0])
    >>> model.coefficients_.round(2).to_dict("list")
    {'name': ['1', 'x'], 'mean': [3.03, 1.99], 'sd': [0.06, 0.01]}
    >>> round(model.parametric_share_, 1)
    100.0
    """

    _: KW_ONLY
    basis: str | Function = "linear"
    prior_mean: float | Sequence[float] = 0.0
    prior_sd: float | Sequence[float] | None = None
    mean: Function | None = None
    rank: int | None = None

    def _fit(self, rows: Array, y: Array) -> None:
        check_count("n_restarts", self.n_restarts, 0)
        rank = None if self.rank is None else check_count("rank", self.rank, 0)
        kernel = on_columns(self.kernel, self.inputs_, rank)
        H = self._basis(rows)
        means, precisions = self._prior(H.shape[1])
        expected = self._mean(rows) + H @ means
        free = H[:, precisions == 0.0]
        if np.linalg.matrix_rank(free / np.maximum(np.abs(free).max(axis=0), 1e-300)) < free.shape[1]:
            raise self._not_distinct(rows, H)
        basis = Basis(H, precisions)
        table = TableData(rows, y - expected, self.inputs_.columns, self.inputs_.levels, basis if H.shape[1] else None)
        self.kernel_ = best_fit(kernel, table, int(self.n_restarts), generator(self.random_state))
        self._set_posterior(rows, y, expected, basis, means)

    def _set_posterior(self, rows: Array, y: Array, expected: Array, basis: Basis, means: Array) -> None:
        """The posterior of the coefficients and of the rest, given the hyperparameters of the kernel."""
        prior = ColumnPrior(self.inputs_.columns)
        with fitting(remedy="add WN to the kernel"):
            posterior = with_functions(prior, rows, y - expected, prior.matrix(self.kernel_, rows), basis)
        if posterior is None:
            raise self._not_distinct(rows, basis.values)
        self._posterior, self._expected = posterior, means
        self._coefficients, self.log_evidence_ = means + posterior.coefficients, posterior.log_evidence
        residual, spread = y - self._mean(rows) - basis.values @ self._coefficients, float(np.var(y))
        self.parametric_share_ = 100.0 * (1.0 - float(np.var(residual)) / spread) if spread else 0.0

    @property
    def coefficients_(self) -> pd.DataFrame:
        """The posterior of the coefficients: name, mean, sd."""
        import pandas as pd

        check_is_fitted(self)
        sds = np.sqrt(np.maximum(self._posterior.covariance.diagonal(), 0.0))
        return pd.DataFrame({"name": self._names(), "mean": self._coefficients, "sd": sds})

    def _observations(self, X: Any, *, joint: bool) -> tuple[Array, Array]:
        rows = self._new(X)
        signal, noise = signal_and_noise(self.kernel_)
        H = self._basis(rows)
        with one_thread():
            function = self._posterior.project(signal or NOTHING, rows, H)
            mean = self._mean(rows) + H @ self._expected + function.mean
            noise_variance = prior_variance(noise or NOTHING, rows, self.inputs_.columns)
            if joint:
                return mean, function.covariance() + np.diag(noise_variance)
            return mean, np.sqrt(function.variance + noise_variance)

    def predict_parametric(self, X: Any, *, return_std: bool = False) -> Any:
        """The mean (m,) of the part of known form, ``m(x) + h(x)' b``; also its standard deviation (m,)."""
        rows = self._new(X)
        H = self._basis(rows)
        mean = self._mean(rows) + H @ self._coefficients
        variance = np.einsum("ij,jk,ik->i", H, self._posterior.covariance, H)
        sd = np.sqrt(np.maximum(variance, 0.0))
        return (mean, sd) if return_std else mean

    def _measured(self, rows: Array) -> Array:
        return rows[:, [self.inputs_.columns.index(name) for name in self.inputs_.measured]]

    def _basis(self, rows: Array) -> Array:
        """The known functions at some rows (n, m)."""
        if callable(self.basis):
            return _values(self.basis, rows, "basis")
        if self.basis not in BASIS_NAMES:
            raise InputError.of(
                f"a basis among {', '.join(BASIS_NAMES)}, or a function", repr(self.basis), "choose one"
            )
        x = self._measured(rows)
        parts = [np.ones((len(rows), 1)), x, x**2][: BASIS_NAMES.index(self.basis)]
        return np.column_stack([np.zeros((len(rows), 0)), *parts])

    def _not_distinct(self, rows: Array, H: Array) -> InputError:
        """The error for basis functions of which some are sums of others on these rows; it names what it can."""
        columns = zip(self.inputs_.columns, rows.T, strict=True)
        constant = [name for name, values in columns if name in self.inputs_.measured and np.ptp(values) == 0.0]
        found, remedy = "some that are sums of others", "leave some of them out"
        if H.shape[1] > len(rows):
            found, remedy = f"{H.shape[1]} functions on {len(rows)} rows", "name fewer columns"
        elif constant and not callable(self.basis):
            found, remedy = f"one value only in {listed(constant)}, which is like the constant", "leave it out"
        remedy = f"{remedy}, or give the coefficients a prior (prior_sd)"
        return InputError.of("basis functions that differ on these rows", found, remedy)

    def _names(self) -> list[str]:
        if callable(self.basis):
            return [f"b{k + 1}" for k in range(len(self._coefficients))]
        names = self.inputs_.measured
        parts = [["1"], list(names), [f"{name}^2" for name in names]][: BASIS_NAMES.index(self.basis)]
        return [name for part in parts for name in part]

    def _mean(self, rows: Array) -> Array:
        return np.zeros(len(rows)) if self.mean is None else _values(self.mean, rows, "mean")[:, 0]

    def _prior(self, count: int) -> tuple[Array, Array]:
        """Prior means and precisions (m,) of the coefficients."""
        try:
            means = np.array(np.broadcast_to(np.asarray(self.prior_mean, dtype=np.float64), (count,)))
            given = np.inf if self.prior_sd is None else np.asarray(self.prior_sd, dtype=np.float64)
            sds = np.array(np.broadcast_to(given, (count,)))
        except (TypeError, ValueError):
            expected = f"prior_mean and prior_sd as one number or {count}"
            raise InputError.of(expected, f"{self.prior_mean!r} and {self.prior_sd!r}", "one per coefficient") from None
        if not ((sds > 0.0).all() and np.isfinite(means).all()):
            raise InputError.of("prior_sd above 0 and finite prior_mean", "others", "None: nothing is known")
        means[np.isinf(sds)] = 0.0
        return means, sds**-2.0


def _values(function: Function, rows: Array, name: str) -> Array:
    """What a function of the caller returns, as finite numbers (n, m)."""
    values = np.asarray(function(rows), dtype=np.float64)
    values = values[:, None] if values.ndim == 1 else values
    if values.ndim != 2 or len(values) != len(rows) or not np.isfinite(values).all():
        shape = f"an array of shape {values.shape}" if np.isfinite(values).all() else "numbers that are not finite"
        raise InputError.of(f"finite numbers from {name}, a row for each of {len(rows)}", shape, f"change {name}")
    return values
