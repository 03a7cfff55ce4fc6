"""Regressor and classifier of tables whose function is a sum of functions of few columns each.

What the estimators of additive kernels share: settings that become a layout, and what columns do in a fitted function.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.inputs import spreads
from autostatistician.errors import InputError
from autostatistician.estimators.classes import LatentClassifier
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.estimators.options import check_count
from autostatistician.estimators.plain_tables import TableEstimator, TableRegressor, fitting
from autostatistician.gp.engines.inducing import MOST_ROWS, ConditionedByPoints
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.parameters import JointPrior
from autostatistician.models.additive.base import COLUMN_LEAVES, Base, base_of, base_of_categories
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
from autostatistician.models.additive.shares import Effects, relevance, relevance_sentence

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["AdditiveEstimator", "AdditiveGPClassifier", "AdditiveGPRegressor"]


Array = NDArray[np.float64]

USUAL_ORDER = 10  # at most, as published


class _WithAdditiveFit(TableEstimator):
    fitted_: AdditiveFit
    X_train_: Array
    y_scale_: float
    _is_standardised = True


@dataclass(eq=False, repr=False)
class AdditiveEstimator(_WithAdditiveFit):
    """Of a function whose kernel sums the products of the columns' kernels; effects are in units of the function."""

    kernel: Any = "SE"
    _: KW_ONLY
    max_order: int | None = None
    orders: Any = "free"
    orthogonal: bool = False
    order_lengthscales: bool = False
    unseen: str = "error"
    n_restarts: int = 8
    random_state: Any = 0

    @property
    def orders_(self) -> pd.DataFrame:
        """The share in per cent of the variance of the fitted function that sets of one column, two, ... have.

        What a set does beyond what fewer of its columns do, as in `sobol`, over all sets of as many columns; ``sets``
        is how many there are.
        """
        import pandas as pd

        check_is_fitted(self)
        shares = Effects(self.fitted_).orders()
        orders = range(1, len(shares) + 1)
        sets = [comb(len(self._names()), order) for order in orders]
        return pd.DataFrame({"order": orders, "sets": sets, "share": shares})

    @property
    def relevance_(self) -> pd.DataFrame:
        """The columns, those that matter most first: share of the variance of the fitted function, and a sentence.

        ``share`` is in per cent what changes when only this column does, over the rows of the data; what columns do
        together counts for each of them. ``alone`` is what the column does on average over the others.
        """
        import pandas as pd

        check_is_fitted(self)
        of_columns = relevance(self.fitted_)
        names = self._names()
        sentences = [relevance_sentence(name, share) for name, share in zip(names, of_columns, strict=True)]
        shares, first_order = zip(*of_columns, strict=True)
        table = pd.DataFrame({"column": names, "share": shares, "alone": first_order, "sentence": sentences})
        return table.sort_values("share", ascending=False, kind="stable", ignore_index=True)

    def effect(self, columns: Any, X: Any) -> tuple[Array, Array]:
        """What a set of columns does together: mean and standard deviation (m,), in units of y.

        On average over the values of the other columns in the data, and beyond what fewer of the columns do (functional
        analysis of variance), so effects of different sets do not stand in for each other. Those of all sets, with the
        mean of y and the effect of no column, sum to the prediction.

        Parameters
        ----------
        columns : int, str or tuple of them
            Columns by place or by name.
        X : array or frame of shape (m, D)
            As in `predict`; only the columns of the set count.

        Raises
        ------
        InputError
            When the columns are not among those of the data, or the same twice.
        """
        check_is_fitted(self)
        several = columns if isinstance(columns, tuple) else (columns,)
        chosen = tuple(_place(column, self._names()) for column in several)
        if len(set(chosen)) < len(chosen):
            raise InputError.of("different columns", repr(columns), "name each of them once")
        mean, sd = Effects(self.fitted_).of(chosen, self._new(X))
        return self.y_scale_ * mean, self.y_scale_ * sd

    def sobol(self) -> pd.DataFrame:
        """The share in per cent of the variance of the fitted function that each column and each pair has (Sobol 1993).

        For columns that are independent, each with the values that it has in the data; a pair has what it does beyond
        its columns. The last row, without columns, is what more columns do together.
        """
        import pandas as pd

        check_is_fitted(self)
        shares, names = Effects(self.fitted_).shares(), self._names()
        shown = [tuple(names[column] for column in chosen) for chosen in shares]
        every = pd.DataFrame({"columns": shown, "share": shares.values()})
        last = every["columns"].map(len) == 0
        ranked = every[~last].sort_values("share", ascending=False, kind="stable")
        return pd.concat([ranked, every[last]], ignore_index=True)

    def plot_effects(self, *, most: int = 6, order: int = 1) -> Figure:
        """The effects of the columns (or, with ``order=2``, of pairs) with 95 % bands, those that vary most first.

        Raises
        ------
        InputError
            When the order is not 1 or 2, or the model has none so large.
        """
        from autostatistician.models.additive.shares import effects_figure

        check_is_fitted(self)
        shown = tuple(range(1, min(2, max(self.fitted_.kernel.layout.orders)) + 1))
        if order not in shown:
            raise InputError.of(f"an order among {shown}", repr(order), "choose one, or fit with a larger max_order")
        return effects_figure(self, most, order)

    def _layout(self, X: Array) -> Layout:
        if self.orthogonal and self.kernel != "SE":
            raise InputError.of("kernel='SE' with orthogonal=True", f"kernel={self.kernel!r}", "change one of them")
        check_count("n_restarts", self.n_restarts, 1)
        if self.max_order is not None:
            check_count("max_order", self.max_order, 1)
        bases = tuple(map(self._base, self.inputs_.columns, self._symbols(), X.T))
        tied = isinstance(self.orders, str) and self.orders == "all-subsets"
        if not isinstance(self.order_lengthscales, bool):
            remedy = "choose one of them"
            raise InputError.of("order_lengthscales False or True", repr(self.order_lengthscales), remedy)
        return Layout(bases, self._chosen_orders(len(bases), tied), tied, self.order_lengthscales)

    def _base(self, name: str, symbol: str, cells: Array) -> Base:
        levels = self.inputs_.levels.get(name)
        if (symbol == "Cat") != (levels is not None):
            kind, remedy = ("categories", "'Cat'") if levels else ("numbers", "another, or make the column text")
            raise InputError.of(f"a leaf for a column of {kind}", f"{symbol!r} for {name!r}", f"choose {remedy}")
        if levels is None or not self.orthogonal:
            return base_of(symbol, orthogonal=self.orthogonal)
        counts = np.bincount(cells.astype(np.intp), minlength=len(levels))
        return base_of_categories(tuple((counts / len(cells)).tolist()))

    def _symbols(self) -> list[str]:
        """The leaf of every column."""
        columns = len(self.inputs_.columns)
        match self.kernel:
            case str():
                symbols = self._usual(self.kernel)
            case dict():
                symbols = self._usual("SE")
                for key, symbol in self.kernel.items():
                    symbols[_place(key, self._names())] = symbol
            case _:
                symbols = list(self.kernel)
        unknown = [symbol for symbol in symbols if symbol not in COLUMN_LEAVES]
        if unknown:
            raise InputError.of(f"a leaf among {', '.join(COLUMN_LEAVES)}", repr(unknown[0]), "choose one of them")
        if len(symbols) != columns:
            raise InputError.of(f"one leaf for each of the {columns} columns", f"{len(symbols)}", "give as many")
        return symbols

    def _usual(self, symbol: str) -> list[str]:
        return ["Cat" if name in self.inputs_.levels else symbol for name in self.inputs_.columns]

    def _chosen_orders(self, columns: int, tied: bool) -> tuple[int, ...]:
        if tied:
            return tuple(range(columns + 1))
        if isinstance(self.orders, str):
            if self.orders != "free":
                remedy = "choose one of them, or give a tuple of orders"
                raise InputError.of("orders 'free' or 'all-subsets'", repr(self.orders), remedy)
            most = min(columns, USUAL_ORDER if self.max_order is None else int(self.max_order))
            return tuple(range(0 if self.orthogonal else 1, most + 1))
        chosen = tuple(sorted({int(order) for order in self.orders}))
        if not chosen or chosen[0] < 0 or not 1 <= chosen[-1] <= columns:
            raise InputError.of(f"orders from 1 to {columns}", repr(self.orders), "give some of them")
        return chosen

    def _names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        return [f"column {place}" for place in range(self.n_features_in_)] if names is None else list(names)


def _place(column: Any, names: list[str]) -> int:
    """The place of a column that is given by place or by name."""
    if isinstance(column, int | np.integer) and 0 <= column < len(names):
        return int(column)
    if column in names:
        return names.index(column)
    raise InputError.of(f"a column among {', '.join(names)}", repr(column), "name one of them, or its place from 0")


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
