"""A regressor for tables whose function is a sum of functions of few columns each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.additive.base import COLUMN_LEAVES, Base, base_of, base_of_categories
from autostatistician.additive.evidence import fit
from autostatistician.additive.kernel import Layout
from autostatistician.additive.shares import Effects, relevance, relevance_sentence
from autostatistician.data.categories import UNSEEN
from autostatistician.data.inputs import new_inputs, read_inputs, read_target
from autostatistician.errors import InputError
from autostatistician.inference.engines.exact import check_rows
from autostatistician.inference.factor import NotPositiveDefinite
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["AdditiveGPRegressor"]

Array = NDArray[np.float64]

USUAL_ORDER = 10  # at most, as published


class AdditiveGPRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
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
            When a setting is out of its range, or there are more rows than one matrix can hold.
        """
        X, self.inputs_ = read_inputs(self, X)
        check_rows(len(X))
        y = read_target(self, y, X)
        layout = self._layout(X)
        measured = np.array([name in self.inputs_.measured for name in self.inputs_.columns])
        self.centre_, self.scale_ = np.where(measured, X.mean(axis=0), 0.0), np.where(measured, _spread(X), 1.0)
        self.y_mean_, self.y_scale_ = float(np.mean(y)), float(_spread(y[:, None])[0])
        rng = generator(self.random_state)
        self.X_train_ = self._standard(X)
        with one_thread():
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

    @property
    def orders_(self) -> pd.DataFrame:
        """The orders: how many terms each has, its variance in units of y squared, and its share in per cent.

        The variance is that of the prior, on average over the rows of the data; a constant has no share.
        """
        import pandas as pd

        check_is_fitted(self)
        layout, variances = self.fitted_.kernel.layout, self.fitted_.kernel.order_variances(self.X_train_)
        shown = {
            "order": layout.orders,
            "terms": layout.counts.astype(int),
            "variance": variances * self.y_scale_**2,
        }
        orders = pd.DataFrame(shown)[np.array(layout.orders) > 0].reset_index(drop=True)
        return orders.assign(share=100.0 * orders["variance"] / orders["variance"].sum())

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
        sentences = [relevance_sentence(name, one) for name, one in zip(names, of_columns, strict=True)]
        shares, alone = zip(*of_columns, strict=True)
        table = pd.DataFrame({"column": names, "share": shares, "alone": alone, "sentence": sentences})
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
        chosen = tuple(self._place(one) for one in (columns if isinstance(columns, tuple) else (columns,)))
        if len(set(chosen)) < len(chosen):
            raise InputError.of("different columns", repr(columns), "name each of them once")
        X = self._standard(new_inputs(self, X, self.inputs_, self.unseen))
        mean, sd = Effects(self.fitted_).of(chosen, X)
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

    def plot_effects(self, most: int = 6, order: int = 1) -> Figure:
        """The effects of the columns (or, with ``order=2``, of pairs) with 95 % bands, those that vary most first.

        Raises
        ------
        InputError
            When the order is not 1 or 2, or the model has none so large.
        """
        from autostatistician.additive.effects import effects_figure

        check_is_fitted(self)
        known = tuple(range(1, min(2, max(self.fitted_.kernel.layout.orders)) + 1))
        if order not in known:
            raise InputError.of(f"an order among {known}", repr(order), "choose one, or fit with a larger max_order")
        return effects_figure(self, most, order)

    def _layout(self, X: Array) -> Layout:
        if self.orthogonal and self.base != "SE":
            raise InputError.of("base='SE' with orthogonal=True", f"base={self.base!r}", "change one of them")
        for name, value in (("max_order", self.max_order), ("restarts", self.restarts)):
            if value is not None and not (isinstance(value, int | np.integer) and value >= 1):
                raise InputError.of(f"{name} of at least 1", repr(value), "change the setting")
        if self.unseen not in UNSEEN:
            raise InputError.of("unseen='error' or unseen='new'", repr(self.unseen), "choose one of them")
        bases = tuple(map(self._base, self.inputs_.columns, self._symbols(), X.T))
        tied = isinstance(self.orders, str) and self.orders == "all-subsets"
        return Layout(bases, self._chosen_orders(len(bases), tied), tied, self.order_lengthscales)

    def _base(self, name: str, symbol: str, cells: Array) -> Base:
        levels = self.inputs_.levels.get(name)
        if (symbol == "Cat") != (levels is not None):
            kind, remedy = ("categories", "'Cat'") if levels else ("numbers", "another, or make the column text")
            raise InputError.of(f"a base for a column of {kind}", f"{symbol!r} for {name!r}", f"choose {remedy}")
        if levels is None or not self.orthogonal:
            return base_of(symbol, orthogonal=self.orthogonal)
        counts = np.bincount(cells.astype(np.intp), minlength=len(levels))
        return base_of_categories(tuple((counts / len(cells)).tolist()))

    def _symbols(self) -> list[str]:
        """The leaf of every column."""
        columns = len(self.inputs_.columns)
        match self.base:
            case str():
                symbols = self._usual(self.base)
            case dict():
                symbols = self._usual("SE")
                for key, symbol in self.base.items():
                    symbols[self._place(key)] = symbol
            case _:
                symbols = list(self.base)
        unknown = [symbol for symbol in symbols if symbol not in COLUMN_LEAVES]
        if unknown:
            raise InputError.of(f"a base among {', '.join(COLUMN_LEAVES)}", repr(unknown[0]), "choose one of them")
        if len(symbols) != columns:
            raise InputError.of(f"one base for each of the {columns} columns", f"{len(symbols)}", "give as many")
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

    def _place(self, column: Any) -> int:
        """The place of a column that is given by place or by name."""
        names = self._names()
        if isinstance(column, int | np.integer) and 0 <= column < len(names):
            return int(column)
        if column in names:
            return names.index(column)
        raise InputError.of(f"a column among {', '.join(names)}", repr(column), "name one of them, or its place from 0")

    def _names(self) -> list[str]:
        known = getattr(self, "feature_names_in_", None)
        return [f"column {place}" for place in range(self.n_features_in_)] if known is None else list(known)

    def _standard(self, X: Array) -> Array:
        return np.asarray((X - self.centre_) / self.scale_)


def _spread(X: Array) -> Array:
    """Standard deviations; one for columns that do not vary."""
    spread = X.std(axis=0)
    return np.asarray(np.where(spread > 1e-12 * np.abs(X).max(axis=0, initial=0.0), spread, 1.0))
