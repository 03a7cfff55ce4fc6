"""A regressor for tables whose function is a sum of functions of few columns each."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data
from threadpoolctl import threadpool_limits

from autostatistician.additive.base import BASES, base_of
from autostatistician.additive.evidence import fit
from autostatistician.additive.kernel import Layout
from autostatistician.errors import InputError
from autostatistician.inference.factor import NotPositiveDefinite

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["AdditiveGPRegressor"]

Array = NDArray[np.float64]

MOST_ROWS = 5000  # the covariance of more does not fit
USUAL_ORDER = 10  # at most, as published
NODES = 40  # of the quadrature of the shares


class AdditiveGPRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A Gaussian process whose kernel sums the products of the columns' kernels over all subsets, order by order.

    The sum of order r has a variance of its own, so the data say whether columns act alone or together (Duvenaud,
    Nickisch and Rasmussen 2011). Sums of few columns carry farther beyond the data than one product of all of them.

    Parameters
    ----------
    base : str
        The leaf that every column gets: "SE", "RQ", "Matern12", "Matern32", "Per", "Cos" or "Lin".
    max_order : int or None
        The largest number of columns that act together; None is all, ten at most.
    orders : str
        "free": a variance for every order. "all-subsets": one variance and one ratio for all orders (Bach 2009).
    orthogonal : bool
        Terms that cannot stand in for each other: with "SE", everything constant under a normal distribution of the
        inputs is taken off each column's kernel, and shares become those of Sobol (Lu et al. 2022).
    order_lengthscales : bool
        Every order stretches the lengthscales by a factor of its own.
    restarts : int
        Starts of the optimisation.
    random_state : int, RandomState or None
        Of the starts.

    Examples
    --------
    >>> X = np.array([[a, b] for a in range(6) for b in range(6)], dtype=float)
    >>> model = AdditiveGPRegressor(restarts=1).fit(X, np.sin(X[:, 0]) + 0.1 * X[:, 1])
    >>> model.orders_["share"].round(0).tolist()
    [100.0, 0.0]
    """

    def __init__(
        self,
        base: str = "SE",
        *,
        max_order: int | None = None,
        orders: str = "free",
        orthogonal: bool = False,
        order_lengthscales: bool = False,
        restarts: int = 3,
        random_state: Any = 0,
    ) -> None:
        self.base = base
        self.max_order = max_order
        self.orders = orders
        self.orthogonal = orthogonal
        self.order_lengthscales = order_lengthscales
        self.restarts = restarts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the numbers by the marginal likelihood.

        Parameters
        ----------
        X : array or frame of shape (n, D)
        y : array of shape (n,)

        Raises
        ------
        InputError
            When a setting is out of its range, or there are more rows than one matrix can hold.
        """
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64, ensure_min_samples=2)
        if len(X) > MOST_ROWS:
            remedy = "give a random sample of the rows (sampling keeps most of what they tell)"
            raise InputError.of(f"at most {MOST_ROWS} rows", f"{len(X)}", remedy)
        layout = self._layout(X.shape[1])
        self.centre_, self.scale_ = X.mean(axis=0), _spread(X)
        self.y_mean_, self.y_scale_ = float(np.mean(y)), float(_spread(np.asarray(y, dtype=np.float64)[:, None])[0])
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        self.X_train_ = self._standard(X)
        with threadpool_limits(limits=1):  # the same numbers on any machine
            try:
                target = (y - self.y_mean_) / self.y_scale_
                self.fitted_ = fit(layout, self.X_train_, target, int(self.restarts), rng)
            except NotPositiveDefinite as error:
                raise InputError.of("data that a model can be fitted to", str(error), "scale or clean them") from error
        self.log_evidence_ = -self.fitted_.nll - len(y) * float(np.log(self.y_scale_))
        return self

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """The mean (m,) of new observations; also their standard deviation (m,), or covariance (m, m)."""
        check_is_fitted(self)
        X = self._standard(validate_data(self, X, reset=False, dtype=np.float64))
        fitted, unit = self.fitted_, self.y_scale_
        cross = fitted.kernel.covariance(X, self.X_train_)
        mean = self.y_mean_ + unit * (cross @ fitted.alpha)
        if not (return_std or return_cov):
            return mean
        reduced = fitted.factor.half_solve(np.asfortranarray(cross.T))
        noise = fitted.kernel.noise_variance
        if return_cov:
            cov = fitted.kernel.matrix(X) - reduced.T @ reduced
            cov[np.diag_indices_from(cov)] += noise
            return mean, unit**2 * cov
        variance = fitted.kernel.variance(X) - np.einsum("ij,ij->j", reduced, reduced)
        return mean, unit * np.sqrt(np.maximum(variance, 0.0) + noise)

    def log_density(self, X: Any, y: Any) -> Array:
        """The log density (m,) of new observations."""
        mean, sd = self.predict(X, return_std=True)
        z = (np.asarray(y, dtype=np.float64) - mean) / sd
        return np.asarray(-0.5 * z**2 - np.log(sd) - 0.5 * np.log(2.0 * np.pi))

    @property
    def orders_(self) -> pd.DataFrame:
        """The orders: how many terms each has, its variance in units of y squared, and its share in per cent."""
        import pandas as pd

        check_is_fitted(self)
        layout, variances = self.fitted_.kernel.layout, self.fitted_.kernel.order_variances(self.X_train_)
        shown = {
            "order": layout.orders,
            "terms": layout.counts.astype(int),
            "variance": variances * self.y_scale_**2,
            "share": 100.0 * variances / variances.sum(),
        }
        return pd.DataFrame(shown)

    def effect(self, columns: tuple[int, ...] | int, X: Any) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) of the one term of a set of columns, in units of y around zero.

        ``X`` (m, D) are inputs as in `predict`; only the columns of the term count.

        Raises
        ------
        InputError
            When the columns are not among those of the data, or the model has no terms of so many.
        """
        check_is_fitted(self)
        chosen = (columns,) if isinstance(columns, int) else tuple(columns)
        kernel, count = self.fitted_.kernel, self.n_features_in_
        if (
            len(chosen) not in kernel.layout.orders
            or len(set(chosen)) < len(chosen)
            or not set(chosen) <= {*range(count)}
        ):
            expected = f"different columns from 0 to {count - 1}, as many as one of the orders {kernel.layout.orders}"
            raise InputError.of(expected, repr(columns), "choose others, or fit with a larger max_order")
        X = self._standard(validate_data(self, X, reset=False, dtype=np.float64))
        cross = kernel.term(chosen, X, self.X_train_)
        reduced = self.fitted_.factor.half_solve(np.asfortranarray(cross.T))
        prior = kernel.term_variance(chosen, X)
        variance = np.maximum(prior - np.einsum("ij,ij->j", reduced, reduced), 0.0)
        return self.y_scale_ * (cross @ self.fitted_.alpha), self.y_scale_ * np.sqrt(variance)

    def sobol(self) -> pd.DataFrame:
        """The share in per cent of the variance of the fitted function that each term of one or two columns has.

        For inputs that are independent and normal with the means and spreads of the data, in the sense of Sobol; the
        last row, without columns, is what terms of more columns have together.

        Raises
        ------
        InputError
            When the model is not orthogonal: the shares of its terms would not be defined.
        """
        import pandas as pd

        check_is_fitted(self)
        if not self.orthogonal:
            raise InputError.of("a model with orthogonal=True", "one without", "its terms can stand in for each other")
        kernel, alpha = self.fitted_.kernel, self.fitted_.alpha
        numbers, scales, _, _ = kernel.layout.split(kernel.u)
        each = dict(zip(kernel.layout.orders, kernel.layout.term_variances(scales), strict=True))
        own = kernel.layout.by_column(numbers)
        nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
        weights = weights / weights.sum()
        inner = []
        for column, x in enumerate(self.X_train_.T):
            a, b = np.meshgrid(nodes, x, indexing="ij")
            k = kernel.layout.bases[column].value(a, b, own[column])
            inner.append((k * weights[:, None]).T @ k)
        parts = {}
        for order in (1, 2):
            for chosen in combinations(range(len(inner)), order) if order in each else ():
                joint = np.prod([inner[column] for column in chosen], axis=0)
                parts[chosen] = float(each[order] ** 2 * (alpha @ joint @ alpha))
        whole = self._whole(each, inner, alpha)
        shares = {chosen: 100.0 * part / whole for chosen, part in parts.items()}
        rest = {(): max(100.0 - sum(shares.values()), 0.0)}
        found = pd.DataFrame({"columns": [*shares, *rest], "share": [*shares.values(), *rest.values()]})
        return found.sort_values("share", ascending=False, kind="stable", ignore_index=True)

    def _whole(self, each: dict[int, float], inner: list[Array], alpha: Array) -> float:
        """The variance of the fitted function: the orders again, with squared variances and the inner products."""
        from autostatistician.additive.orders import weighted_sum

        weights = np.zeros(max(each) + 1)
        for order, variance in each.items():
            weights[order] = variance**2 if order else 0.0
        joint = weighted_sum(np.array([one.ravel() for one in inner]), weights).reshape(inner[0].shape)
        return float(alpha @ joint @ alpha) or 1.0

    def plot_effects(self, most: int = 6) -> Figure:
        """The terms of one column each with their 95 % bands, those that vary most first, as a matplotlib figure."""
        from autostatistician.additive.effects import effects_figure

        check_is_fitted(self)
        return effects_figure(self, most)

    def _layout(self, columns: int) -> Layout:
        if self.base not in BASES:
            raise InputError.of(f"a base among {', '.join(BASES)}", repr(self.base), "choose one of them")
        if self.orders not in ("free", "all-subsets"):
            raise InputError.of("orders 'free' or 'all-subsets'", repr(self.orders), "choose one of them")
        if self.orthogonal and self.base != "SE":
            raise InputError.of("base='SE' with orthogonal=True", f"base={self.base!r}", "change one of them")
        for name, value in (("max_order", self.max_order), ("restarts", self.restarts)):
            if value is not None and not (isinstance(value, int | np.integer) and value >= 1):
                raise InputError.of(f"{name} of at least 1", repr(value), "change the setting")
        most = min(columns, USUAL_ORDER if self.max_order is None else int(self.max_order))
        tied = self.orders == "all-subsets"
        first = 0 if tied or self.orthogonal else 1
        orders = tuple(range(first, (columns if tied else most) + 1))
        return Layout(
            (base_of(self.base, orthogonal=self.orthogonal),) * columns, orders, tied, self.order_lengthscales
        )

    def _standard(self, X: Array) -> Array:
        return np.asarray((X - self.centre_) / self.scale_)


def _spread(X: Array) -> Array:
    """Standard deviations; one for columns that do not vary."""
    spread = X.std(axis=0)
    return np.asarray(np.where(spread > 1e-12 * np.abs(X).max(axis=0, initial=0.0), spread, 1.0))
