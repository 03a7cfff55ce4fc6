"""Regressor and classifier of tables whose function is a sum of functions of few columns each."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.inputs import spreads
from autostatistician.errors import InputError
from autostatistician.estimators.additive_base import AdditiveEstimator
from autostatistician.estimators.classes import LatentClassifier
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.estimators.plain_tables import TableRegressor, fitting
from autostatistician.gp.engines.inducing.engine import MOST_ROWS, ConditionedByPoints
from autostatistician.gp.likelihoods.bernoulli import Bernoulli
from autostatistician.gp.parameters import JointPrior
from autostatistician.models.additive.evidence import AdditiveClasses, AdditiveFit, fit, fit_classes, learned_prior
from autostatistician.models.additive.kernel import Layout
from autostatistician.models.additive.many_rows import (
    MANY_ROWS,
    exact_evidence,
    fit_columns,
    fit_many,
    has_products,
    is_first_order,
    places_of,
)

__all__ = ["AdditiveGPClassifier", "AdditiveGPRegressor"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class AdditiveGPRegressor(JointRegressor, TableRegressor, AdditiveEstimator):
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
        False: the most likely parameters, which on few rows are often too sure.
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
        if not isinstance(self.learned_priors, bool):
            raise InputError.of("learned_priors True or False", repr(self.learned_priors), "choose one of them")
        layout = self._layout(rows)
        self.y_mean_, self.y_scale_ = float(np.mean(y)), float(spreads(y[:, None])[0])
        target, rng = (y - self.y_mean_) / self.y_scale_, generator(self.random_state)
        prior = learned_prior(layout) if self.learned_priors else None
        self.X_train_ = rows
        with fitting():
            self.fitted_ = self._fitted(layout, target, rng, prior)
        self.log_evidence_ = -self.fitted_.nll - len(y) * float(np.log(self.y_scale_))

    def _fitted(self, layout: Layout, y: Array, rng: np.random.Generator, prior: JointPrior | None) -> AdditiveFit:
        of_many = fit_columns if is_first_order(layout) else fit_many
        fitted = of_many if len(y) > MANY_ROWS else fit
        return fitted(layout, self.X_train_, y, int(self.n_restarts), rng, prior)

    def _observations(self, X: Any, *, joint: bool) -> tuple[Array, Array]:
        rows = self._new(X)
        with one_thread():
            function = self.fitted_.posterior.project(None, rows)
            mean, noise = self.y_mean_ + self.y_scale_ * function.mean, self.fitted_.kernel.noise_variance
            if joint:
                return mean, self.y_scale_**2 * (function.covariance() + noise * np.eye(len(rows)))
            return mean, self.y_scale_ * np.sqrt(function.variance + noise)

    def exact_log_evidence(self) -> tuple[float, float]:
        """The log marginal likelihood without a bound, in units of y, and its standard error.

        ``log_evidence_`` is it, up to some 2000 rows. Of more it is a bound by inducing points, and this is what the
        bound is below: of first order alone, by products whose cost grows with rows times columns.

        Raises
        ------
        InputError
            Where there is no exact way: of more rows, kernels with higher orders, lines and categories have none.
        """
        check_is_fitted(self)
        fitted, posterior = self.fitted_, self.fitted_.posterior
        if not isinstance(posterior, ConditionedByPoints):
            return self.log_evidence_, 0.0
        if not has_products(fitted.kernel.layout):
            raise InputError.of("max_order=1 and columns of numbers", "another model of many rows", "use log_evidence_")
        rng, places = generator(self.random_state), places_of(posterior.points)
        with one_thread():
            estimate = exact_evidence(fitted.kernel, posterior.X, posterior.y, places, rng)
        return estimate.value - len(posterior.y) * float(np.log(self.y_scale_)), estimate.error


# --- Classes --------------------------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class AdditiveGPClassifier(LatentClassifier, AdditiveEstimator):
    """Classes whose probability is a function of a latent Gaussian process with the kernel of `AdditiveGPRegressor`.

    A constant (the order 0) is always there. Effects, shares and relevance are those of the latent function; with more
    than two classes there are several, and none of these.

    Parameters
    ----------
    kernel, max_order, orders, orthogonal, order_lengthscales, unseen
        As those of `AdditiveGPRegressor`.
    inference : str
        "ep", expectation propagation, which is nearly exact; or "laplace", cheaper.
    link : str
        "probit" or "logistic": how the function becomes a probability.
    n_restarts : int
        Starts of the optimisation; the best on some rows is followed on all.
    random_state : int, RandomState or None
        Of the starts.

    Examples
    --------
    >>> X = np.array([[a, b] for a in range(7) for b in range(7)], dtype=float)
    >>> y = np.sin(X[:, 0]) + 0.3 * (-1.0) ** (X[:, 0] + X[:, 1]) > 0.1
    >>> model = AdditiveGPClassifier().fit(X, y)
    >>> model.score(X, y) > 0.8, model.relevance_["column"][0]
    (True, 'column 0')
    """

    y_scale_ = 1.0  # the function has no other unit than that of the link

    @property
    def fitted_(self) -> AdditiveClasses:  # type: ignore[override]
        """The latent function of two classes."""
        if len(self.functions_) > 1:
            classes = f"{len(self.classes_)}, with a function for each"
            raise InputError.of("two classes", classes, "fit one class against the rest")
        fitted: AdditiveClasses = self.functions_[0]
        return fitted

    def _function(self, rows: Array, y: Array, likelihood: Bernoulli, rng: np.random.Generator) -> AdditiveClasses:
        self.X_train_ = rows
        layout = self._layout(rows)
        return fit_classes(layout, rows, y, likelihood, self.inference, int(self.n_restarts), rng)

    def _chosen_orders(self, columns: int, tied: bool) -> tuple[int, ...]:
        return tuple(sorted({0, *super()._chosen_orders(columns, tied)}))
