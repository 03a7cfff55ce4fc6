"""What estimators of plain tables share: how rows are read and put in standard units, and how a fit is run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.threads import one_thread
from autostatistician.data.inputs import InputColumns, new_inputs, read_inputs, read_target, spreads
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.estimators.snapshots import SavedEstimator
from autostatistician.estimators.typed import RegressorMixin
from autostatistician.forms import UNSEEN
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.exact import MOST_ROWS, check_rows
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, product_of, sum_of
from autostatistician.kernels.kernel import Kernel, unset
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, category_symbol, is_leaf_of
from autostatistician.kernels.text import parse_kernel
from autostatistician.kernels.traits import column_index

if TYPE_CHECKING:
    from autostatistician.estimators.table_reports import TableReport

__all__ = ["KernelRegressor", "TableEstimator", "TableRegressor", "fitting", "on_columns"]

Array = NDArray[np.float64]


@contextmanager
def fitting(error_type: type[Exception] = NotPositiveDefinite, remedy: str = "scale or clean them") -> Iterator[None]:
    """A context for a fit: one thread, so that it gives the same numbers on any machine, and an error that helps.

    >>> with fitting():
    ...     raise NotPositiveDefinite("nothing")
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected data that a model can be fitted to; found nothing; scale or clean them
    """
    with one_thread():
        try:
            yield
        except error_type as error:
            raise InputError.of("data that a model can be fitted to", str(error), remedy) from error


class TableEstimator(SavedEstimator):
    """Of rows that are all needed, in columns of numbers and of categories."""

    unseen: Any = "error"
    _most_rows: int | None = MOST_ROWS
    _is_standardised = False  # whether columns of numbers have mean 0 and deviation 1 in the rows of the fit
    _takes_categories = True
    inputs_: InputColumns
    rows_: Array  # (n, d), in the units of the data; of categories codes
    centre_: Any
    scale_: Array

    def _read(self, X: Any) -> Array:
        """The rows (n, d) of a fit as numbers, in the units of the data or in standard ones."""
        check_choice("unseen", self.unseen, UNSEEN)
        rows, self.inputs_ = read_inputs(self, X)
        self.rows_ = rows
        if self._most_rows is not None:
            check_rows(len(rows), self._most_rows)
        if self.inputs_.levels and not self._takes_categories:
            categories = f"categories in column {next(iter(self.inputs_.levels))!r}"
            raise InputError.of("columns of numbers", categories, "encode them as numbers, or use AdditiveGPRegressor")
        if self._is_standardised:
            measured = np.array([name in self.inputs_.measured for name in self.inputs_.columns])
            self.centre_ = np.where(measured, rows.mean(axis=0), 0.0)
            self.scale_ = np.where(measured, spreads(rows), 1.0)
        return self._standard(rows)

    def _new(self, X: Any) -> Array:
        """The rows (m, d) of a prediction, in the same way."""
        check_is_fitted(self)
        return self._standard(new_inputs(self, X, self.inputs_, self.unseen))

    def _standard(self, rows: Array) -> Array:
        return np.asarray((rows - self.centre_) / self.scale_) if self._is_standardised else rows

    @overload
    def report(self, path: None = None, *, lang: str | None = None) -> TableReport: ...

    @overload
    def report(self, path: str | Path, *, lang: str | None = None) -> Path: ...

    def report(self, path: str | Path | None = None, *, lang: str | None = None) -> TableReport | Path:
        """The page that shows what each column does to the predictions, and how the model was fitted.

        With a path it is written there (the suffix chooses .html, .pdf, .md or .json) and the path is returned; without
        one a report is returned, which shows itself in a notebook. ``lang`` is "en" or "de".
        """
        from autostatistician.estimators.table_reports import TableReport
        from autostatistician.i18n.messages import language, spoken_in

        check_is_fitted(self)
        with spoken_in(lang or language()):
            report = TableReport(self)
        return report if path is None else report.save(path)


class TableRegressor(RegressorMixin, TableEstimator):
    """Numbers as target; subclasses say how ``_fit`` goes on from rows and target."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the model to rows and target.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array of shape (n,)
            Of several outputs (n, q), where the estimator takes them.

        Raises
        ------
        InputError
            When a setting is out of its range or does not fit the columns, data cannot be used, or there are more
            rows than the estimator can bear.
        """
        rows = self._read(X)
        self._fit(rows, self._target(y, rows))
        return self

    def _target(self, y: Any, rows: Array) -> Array:
        return read_target(self, y, rows)

    def _fit(self, rows: Array, y: Array) -> None:
        """Fit to rows as ``_read`` gives them, and target."""
        raise NotImplementedError


@dataclass(eq=False, repr=False)
class KernelRegressor(JointRegressor, TableRegressor):
    """A regressor with a kernel of the language, whose parameters are fitted from several starts."""

    kernel: str | Expr | Kernel = "SE + WN"
    _: KW_ONLY
    unseen: str = "error"
    n_restarts: int = 3
    random_state: Any = 0


# --- A kernel as it is written on the columns of a table: every leaf on columns of its kind -------------------------


def on_columns(kernel: str | Expr | Kernel, inputs: InputColumns, rank: int | None = None) -> Kernel:
    """The kernel with every leaf on a column that is there.

    A leaf without a column becomes a product over all columns (``Lin``: a sum over those of numbers), with ``Cat`` on
    columns of categories; what has numbers keeps them. With a ``rank`` every ``Cat`` becomes a full covariance
    between the levels of its column.

    Raises
    ------
    InputError
        When a column is not there, ``Cat`` acts on numbers, or another leaf on categories.

    Examples
    --------
    >>> str(on_columns("SE + WN", InputColumns(("size", "colour"), {"colour": ("blue", "red")})))
    'SE[size] * Cat[colour] + WN'
    """
    read = parse_kernel(kernel) if isinstance(kernel, str) else kernel
    return _placed(read if isinstance(read, Kernel) else unset(read), inputs, rank)


def _placed(kernel: Kernel, inputs: InputColumns, rank: int | None) -> Kernel:
    parts = [_placed(part, inputs, rank) for part in kernel.parts]
    match kernel.expr:
        case Leaf() as leaf:
            return _placed_leaf(kernel, leaf, inputs, rank)
        case ChangePoint(column=column) | ChangeWindow(column=column) as change:
            placed = replace(change, column=_measured(column, inputs))
            return Kernel.change(placed, kernel.own, parts)
        case Sum() | Product():
            return kernel.rebuilt(tuple(parts))


def _measured(column: str | None, inputs: InputColumns) -> str:
    name = inputs.columns[column_index(column, inputs.columns)]
    if name in inputs.levels:
        raise InputError.of("a change along numbers", f"one along the categories of {name!r}", "name another column")
    return name


def _placed_leaf(kernel: Kernel, leaf: Leaf, inputs: InputColumns, rank: int | None) -> Kernel:
    if not LEAVES[leaf.symbol].has_column:
        return kernel
    of_categories = is_leaf_of(leaf, LeafKind.CATEGORIES)
    if leaf.column is None and len(inputs.columns) > 1 and not of_categories:
        return unset(_spread(leaf.symbol, inputs, rank))
    name = inputs.columns[column_index(leaf.column, inputs.columns)]
    if of_categories != (name in inputs.levels):
        kind = "categories" if of_categories else "numbers"
        raise InputError.of(f"{leaf.symbol} on a column of {kind}", repr(name), "change the leaf or the column")
    if leaf.symbol == "Cat" and rank is not None:
        return unset(_full(name, inputs, rank))
    shape = LEAVES[leaf.symbol].shape
    if shape is not None and shape[0] != len(inputs.levels[name]):
        symbol = category_symbol(len(inputs.levels[name]), shape[1])
        raise InputError.of(f"{symbol}[{name}]", f"{leaf.symbol}: another number of levels", f"write {symbol}")
    return Kernel(Leaf(leaf.symbol, name), kernel.values)


def _spread(symbol: str, inputs: InputColumns, rank: int | None) -> Expr:
    if LEAVES[symbol].kind is LeafKind.LINE and inputs.measured:
        return sum_of(tuple(Leaf(symbol, name) for name in inputs.measured))
    groups = [Leaf("Cat", name) if rank is None else _full(name, inputs, rank) for name in inputs.levels]
    return product_of((*(Leaf(symbol, name) for name in inputs.measured), *groups))


def _full(name: str, inputs: InputColumns, rank: int) -> Leaf:
    count = len(inputs.levels[name])
    symbol = category_symbol(count, min(rank, count))
    if symbol not in LEAVES:
        raise InputError.of("at most 99 categories for a full covariance", f"{count} in {name!r}", "use rank=None")
    return Leaf(symbol, name)
