"""A regressor for tables whose function is a sum of functions of few columns each."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.additive.evidence import fit
from autostatistician.additive.many_rows import MANY_ROWS, fit_many
from autostatistician.data.inputs import new_inputs, read_inputs, read_target, spreads
from autostatistician.errors import InputError
from autostatistician.estimators.additive_base import AdditiveEstimator
from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.engines.exact import check_rows
from autostatistician.inference.engines.inducing.engine import MOST_ROWS
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

__all__ = ["AdditiveGPRegressor"]

Array = NDArray[np.float64]


class AdditiveGPRegressor(RegressorMixin, AdditiveEstimator):  # type: ignore[misc]
    """A Gaussian process whose kernel sums the products of the columns' kernels over all subsets, order by order.

    The sum of order r has a variance of its own, so the data say whether columns act alone or together (Duvenaud,
    Nickisch and Rasmussen 2011). Sums of few columns carry farther beyond the data than one product of all of them.

    Parameters
    ----------
    base : str, list of str or dict
        The leaf of the columns of numbers: "SE", "RQ", "Matern12", "Matern32", "Per", "Cos" or "Lin"; those of
        categories have "Cat". A list has one for each; a dict by name or place has those of some, the others get "SE".
    max_order : int or None
        The largest number of columns that act together; None is all, ten at most.
    orders : str or tuple of int
        "free": a variance for every order. "all-subsets": one variance and one ratio for all orders (Bach 2009). A
        tuple: these orders only; the highest alone is the usual product of all columns.
    orthogonal : bool
        Terms that cannot stand in for each other: with "SE", everything constant under a normal distribution of the
        inputs (of categories: their shares in the data) is taken off each column's kernel, and shares become those of
        Sobol (Lu et al. 2022).
    order_lengthscales : bool
        Every order stretches the lengthscales by a factor of its own.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    restarts : int
        Starts of the optimisation; the two best after thirty steps are followed to their ends.
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
        base: Any = "SE",
        *,
        max_order: int | None = None,
        orders: Any = "free",
        orthogonal: bool = False,
        order_lengthscales: bool = False,
        unseen: str = "error",
        restarts: int = 8,
        random_state: Any = 0,
    ) -> None:
        self.base = base
        self.max_order = max_order
        self.orders = orders
        self.orthogonal = orthogonal
        self.order_lengthscales = order_lengthscales
        self.unseen = unseen
        self.restarts = restarts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the numbers by the marginal likelihood.

        Parameters
        ----------
        X : array or frame of shape (n, D)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array of shape (n,)

        Raises
        ------
        InputError
            When a setting is out of its range, or there are more than a million rows.
        """
        X, self.inputs_ = read_inputs(self, X)
        check_rows(len(X), MOST_ROWS)
        y = read_target(self, y, X)
        layout = self._layout(X)
        measured = np.array([name in self.inputs_.measured for name in self.inputs_.columns])
        self.centre_, self.scale_ = np.where(measured, X.mean(axis=0), 0.0), np.where(measured, spreads(X), 1.0)
        self.y_mean_, self.y_scale_ = float(np.mean(y)), float(spreads(y[:, None])[0])
        rng = generator(self.random_state)
        self.X_train_ = self._standard(X)
        with one_thread():
            try:
                target = (y - self.y_mean_) / self.y_scale_
                fitting = fit_many if len(X) > MANY_ROWS else fit
                self.fitted_ = fitting(layout, self.X_train_, target, int(self.restarts), rng)
            except NotPositiveDefinite as error:
                raise InputError.of("data that a model can be fitted to", str(error), "scale or clean them") from error
        self.log_evidence_ = -self.fitted_.nll - len(y) * float(np.log(self.y_scale_))
        return self

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """The mean (m,) of new observations; also their standard deviation (m,), or covariance (m, m)."""
        check_is_fitted(self)
        X = self._standard(new_inputs(self, X, self.inputs_, self.unseen))
        noise, unit = self.fitted_.kernel.noise_variance, self.y_scale_
        with one_thread():
            known = self.fitted_.posterior.project(None, X)
            mean = self.y_mean_ + unit * known.mean
            if return_cov:
                return mean, unit**2 * (known.covariance() + noise * np.eye(len(X)))
            return (mean, unit * np.sqrt(known.variance + noise)) if return_std else mean

    def log_density(self, X: Any, y: Any) -> Array:
        """The log density (m,) of new observations."""
        mean, sd = self.predict(X, return_std=True)
        z = (np.asarray(y, dtype=np.float64) - mean) / sd
        return np.asarray(-0.5 * z**2 - np.log(sd) - 0.5 * np.log(2.0 * np.pi))
