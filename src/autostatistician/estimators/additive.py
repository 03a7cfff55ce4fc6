"""A regressor for tables whose function is a sum of functions of few columns each."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.additive.evidence import fit, learned_prior
from autostatistician.additive.many_rows import MANY_ROWS, fit_many
from autostatistician.data.inputs import spreads
from autostatistician.estimators.additive_base import AdditiveEstimator
from autostatistician.estimators.checks import check_one_of
from autostatistician.estimators.joint import DrawsJointly
from autostatistician.estimators.plain_tables import TableRegressor, fitting
from autostatistician.inference.engines.inducing.engine import MOST_ROWS
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

__all__ = ["AdditiveGPRegressor"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class AdditiveGPRegressor(DrawsJointly, TableRegressor, AdditiveEstimator):
    """A Gaussian process whose kernel sums the products of the columns' kernels over all subsets, order by order.

    The sum of order r has a variance of its own, so the data say whether columns act alone or together (Duvenaud,
    Nickisch and Rasmussen 2011). Sums of few columns carry farther beyond the data than one product of all of them.

    Parameters
    ----------
    kernel : str, list of str or dict
        The leaf of the columns of numbers, such as "SE", "RQ", "Matern12", "Per", "Cos" or "Lin"; those of categories
        have "Cat". A list has one for each; a dict by name or place has those of some, the others get "SE".
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
    learned_priors : bool
        Whether parameters have the priors that were learned from other tables: the most probable ones are then fitted.
        Otherwise it is the most likely ones, which on few rows are often too sure.
    n_restarts : int
        Starts of the optimisation; the two best after thirty steps are followed to their ends.
    random_state : int, RandomState or None
        Of the starts.

    Examples
    --------
    >>> X = np.array([[a, b] for a in range(6) for b in range(6)], dtype=float)
    >>> model = AdditiveGPRegressor(n_restarts=1).fit(X, np.sin(X[:, 0]) + 0.1 * X[:, 1])
    >>> model.orders_["share"].round(0).tolist()
    [100.0, 0.0]
    """

    _: KW_ONLY
    learned_priors: bool = True

    _most_rows = MOST_ROWS

    def _fit(self, rows: Array, y: Array) -> None:
        self.X_train_, layout = rows, self._layout(rows)
        self.y_mean_, self.y_scale_ = float(np.mean(y)), float(spreads(y[:, None])[0])
        target, rng = (y - self.y_mean_) / self.y_scale_, generator(self.random_state)
        prior = learned_prior(layout) if self.learned_priors else None
        with fitting():
            fitted = fit_many if len(rows) > MANY_ROWS else fit
            self.fitted_ = fitted(layout, rows, target, int(self.n_restarts), rng, prior)
        self.log_evidence_ = -self.fitted_.nll - len(y) * float(np.log(self.y_scale_))

    def predict(self, X: Any, *, return_std: bool = False, return_cov: bool = False) -> Any:
        """The mean (m,) of new observations; also their standard deviation (m,), or covariance (m, m)."""
        check_one_of(return_std, return_cov)
        rows = self._new(X)
        noise, unit = self.fitted_.kernel.noise_variance, self.y_scale_
        with one_thread():
            function = self.fitted_.posterior.project(None, rows)
            mean = self.y_mean_ + unit * function.mean
            if return_cov:
                return mean, unit**2 * (function.covariance() + noise * np.eye(len(rows)))
            return (mean, unit * np.sqrt(function.variance + noise)) if return_std else mean

    def log_density(self, X: Any, y: Any) -> Array:
        """The log density (m,) of new observations."""
        mean, sd = self.predict(X, return_std=True)
        z = (np.asarray(y, dtype=np.float64) - mean) / sd
        return np.asarray(-0.5 * z**2 - np.log(sd) - 0.5 * np.log(2.0 * np.pi))
