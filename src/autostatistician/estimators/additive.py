"""A regressor for tables whose function is a sum of functions of few columns each."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician.additive.column_products import exact_evidence, has_products
from autostatistician.additive.evidence import AdditiveFit, fit, learned_prior, negative_log_evidence
from autostatistician.additive.evidence import given as fit_given
from autostatistician.additive.first_order import (
    fit_columns,
    given_by_places,
    is_first_order,
    negative_bound_of_columns,
    places_of,
)
from autostatistician.additive.integrated import Mixture, mixture, usual_draws
from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.additive.many_rows import MANY_ROWS, fit_many, given_by_points, negative_bound
from autostatistician.additive.rotation import (
    ROWS_OF_ROTATION,
    learned_rotation,
    principal_rotation,
    turnable,
    turned_mixture,
)
from autostatistician.data.inputs import spreads
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.estimators.additive_base import AdditiveEstimator
from autostatistician.estimators.checks import check_choice, check_count, check_one_of
from autostatistician.estimators.plain_tables import TableRegressor, fitting
from autostatistician.inference.engines.inducing.conditioned import ConditionedByPoints
from autostatistician.inference.engines.inducing.engine import MOST_ROWS
from autostatistician.inference.parameters import Together
from autostatistician.inference.predictive.predictive import Predictive
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["AdditiveGPRegressor"]

Array = NDArray[np.float64]

ROTATIONS = ("learned", "principal")


@dataclass(eq=False, repr=False)
class AdditiveGPRegressor(TableRegressor, AdditiveEstimator):
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
    order_lengthscales : bool or "root"
        Every order stretches the lengthscales by a factor of its own; "root": that of order r by the root of r.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    learned_priors : bool or "integrated"
        Whether parameters have the priors that were learned from other tables: the most probable ones are then fitted.
        "integrated": besides, predictions are mixtures over draws from their posterior (and of a learned rotation's),
        some dozen fits in one; what is said of orders, columns and pairs is said of the most probable one. False: the
        most likely parameters, which on few rows are often too sure.
    rotation : str or None
        An orthogonal map of the columns of numbers, in standard units, before they are added up: "learned" with the
        parameters, or "principal", the axes of their correlations. Orders, effects and shares are then those of the
        turned columns, which ``rotation_`` holds as its columns. Kernels must depend on lags ("SE", "RQ", "Matern12").
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
    learned_priors: bool | str = True
    rotation: str | None = None

    _most_rows = MOST_ROWS

    def _fit(self, rows: Array, y: Array) -> None:
        if self.learned_priors not in (False, True, "integrated"):
            choices = "learned_priors False, True or 'integrated'"
            raise InputError.of(choices, repr(self.learned_priors), "choose one of them")
        layout = self._layout(rows)
        self.y_mean_, self.y_scale_ = float(np.mean(y)), float(spreads(y[:, None])[0])
        target, rng = (y - self.y_mean_) / self.y_scale_, generator(self.random_state)
        prior = learned_prior(layout) if self.learned_priors else None
        with fitting():
            self.rotation_, turned = self._turned(layout, rows, target, rng, prior)
            self.X_train_ = rows @ self.rotation_ if self.rotation else rows
            self.fitted_ = turned or self._fitted(layout, target, rng, prior)
            self.mixture_ = self._mixture(target, rng, prior)
        self.log_evidence_ = -self.fitted_.nll - len(y) * float(np.log(self.y_scale_))

    def _fitted(self, layout: Layout, y: Array, rng: np.random.Generator, prior: Together | None) -> AdditiveFit:
        of_many = fit_columns if is_first_order(layout) else fit_many
        fitted = of_many if len(y) > MANY_ROWS else fit
        return fitted(layout, self.X_train_, y, int(self.n_restarts), rng, prior)

    def _turned(
        self, layout: Layout, rows: Array, y: Array, rng: np.random.Generator, prior: Together | None
    ) -> tuple[Array, AdditiveFit | None]:
        """The rotation (D, D), and the fit where it was found with it."""
        if self.rotation is None:
            return np.eye(rows.shape[1]), None
        check_choice("rotation", self.rotation, ROTATIONS)
        turns = turnable(layout)
        numbers = [place for place, base in enumerate(layout.bases) if base.symbol != "Cat"]
        if turns.places != tuple(numbers) or len(numbers) < 2:
            given = f"rotation={self.rotation!r}"
            raise InputError.of("two columns of numbers, with kernels of lags", given, "choose others, or no rotation")
        if self.rotation == "principal":
            return principal_rotation(turns, rows), None
        found, u = learned_rotation(layout, turns, rows, y, int(self.n_restarts), rng, prior)
        rotation = turns.rotation(found)
        of_all = len(rows) <= ROWS_OF_ROTATION
        return rotation, fit_given(AdditiveKernel(layout, u), rows @ rotation, y) if of_all else None

    def _mixture(self, y: Array, rng: np.random.Generator, prior: Together | None) -> Mixture:
        fitted, X = self.fitted_, self.X_train_
        if self.learned_priors != "integrated" or prior is None:
            return Mixture((fitted,), np.ones(1))
        layout, count = fitted.kernel.layout, usual_draws(len(y))
        if self.rotation == "learned" and len(y) <= ROWS_OF_ROTATION:
            turns, rows = turnable(layout), X @ self.rotation_.T
            numbers = turns.numbers(self.rotation_[np.ix_(turns.places, turns.places)])
            return turned_mixture(fitted, turns, numbers, rows, y, prior, rng, count)
        if not isinstance(fitted.posterior, ConditionedByPoints):
            exact = partial(negative_log_evidence, layout, X=X, y=y)
            return mixture(fitted, exact, prior, partial(fit_given, X=X, y=y), rng, count)
        points = fitted.posterior.points
        if is_first_order(layout):
            places = places_of(points)
            bound = partial(negative_bound_of_columns, layout, X=X, y=y, places=places)
            return mixture(fitted, bound, prior, partial(given_by_places, X=X, y=y, places=places), rng, count)
        bound = partial(negative_bound, layout, X=X, y=y, points=points)
        return mixture(fitted, bound, prior, partial(given_by_points, X=X, y=y, points=points), rng, count)

    def _new(self, X: Any) -> Array:
        rows = super()._new(X)
        return rows @ self.rotation_ if self.rotation else rows

    def _terms(self) -> list[str]:
        names = super()._terms()
        return names if self.rotation is None else [f"direction {place}" for place in range(len(names))]

    def predict(self, X: Any, *, return_std: bool = False, return_cov: bool = False) -> Any:
        """The mean (m,) of new observations; also their standard deviation (m,), or covariance (m, m)."""
        check_one_of(return_std, return_cov)
        if return_cov:
            rows = self._new(X)
            with one_thread():
                mean, cov = self.mixture_.mean_and_covariance(rows)
            return self.y_mean_ + self.y_scale_ * mean, self.y_scale_**2 * cov
        made = self._predictive(X)
        return (made.mean, made.std) if return_std else made.mean

    def _predictive(self, X: Any) -> Predictive:
        """The distributions of new observations."""
        rows = self._new(X)
        with one_thread():
            means, variances = self.mixture_.moments(rows)
        means, sds = self.y_mean_ + self.y_scale_ * means, self.y_scale_ * np.sqrt(variances)
        return Predictive(means, sds, self.mixture_.weights, Transform())

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
            found = exact_evidence(fitted.kernel, posterior.X, posterior.y, places, rng)
        return found.value - len(posterior.y) * float(np.log(self.y_scale_)), found.error

    def sample_y(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of new observations at rows (m, p), noise included."""
        count, rng, rows = check_count("n_samples", n_samples, 1), generator(random_state), self._new(X)
        with one_thread():
            return self.y_mean_ + self.y_scale_ * self.mixture_.draws(rows, count, rng)

    def plot_effects(self, *, most: int = 6, order: int = 1) -> Figure:
        """The effects of the columns or pairs that vary most (see `AdditiveEstimator`); not of turned columns."""
        if self.rotation is not None:
            raise InputError.of("columns as they are", f"rotation={self.rotation!r}", "use effect, or no rotation")
        return super().plot_effects(most=most, order=order)

    def log_density(self, X: Any, y: Any) -> Array:
        """The log density (m,) of new observations."""
        return self._predictive(X).log_density(np.asarray(y, dtype=np.float64))
