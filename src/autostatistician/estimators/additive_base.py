"""What the faces of additive kernels share: settings that become a layout, and what columns do in a fitted function."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician.errors import InputError
from autostatistician.estimators.options import check_count
from autostatistician.estimators.plain_tables import TableEstimator
from autostatistician.models.additive.base import COLUMN_LEAVES, Base, base_of, base_of_categories
from autostatistician.models.additive.evidence import AdditiveFit
from autostatistician.models.additive.kernel import Layout
from autostatistician.models.additive.shares import Effects, relevance, relevance_sentence

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["AdditiveEstimator"]

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
