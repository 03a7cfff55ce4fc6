"""The table of leaves, one row each, and of the parameters that every node carries (Duvenaud 2014, app. B).

A leaf is one entry of the table: the rows of the library stand in the files of their families (`smooth_leaves`,
`cyclic_leaves`, `plain_leaves`), each beside what the leaf does; `register_leaf` makes one from a covariance.

Parameters are kept in natural units (not logarithms), in the order of this table.

The parameters of an expression in preorder: a node's own, then those of its operands from left to right.
"""

from __future__ import annotations

import copyreg
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.i18n.messages import message
from autostatistician.kernels.cyclic_leaves import CYCLIC_LEAVES
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, format_expr, operands
from autostatistician.kernels.lag_functions import Derivatives, LagFunction
from autostatistician.kernels.leaf_row import Decay, LeafKind, LeafParameter, LeafRow, Role, shape_of
from autostatistician.kernels.plain_leaves import PLAIN_LEAVES, UNBOUNDED_LEAVES
from autostatistician.kernels.smooth_leaves import SMOOTH_LEAVES

__all__ = [
    "LEAVES", "Parameter", "Placed", "category_symbol", "column_index", "is_leaf_of", "lag_function", "nodes_of",
    "operands", "own_parameters", "parameter_names", "parameters", "placed", "register_leaf", "size",
]  # fmt: skip


Array = NDArray[np.float64]
MOST_CATEGORIES = 99  # of a full covariance


class _Leaves(dict[str, LeafRow]):
    """The rows of the table, and those of leaves with a shape (`LeafRow.of_shape`) by their printed form."""

    def __contains__(self, symbol: object) -> bool:
        return super().__contains__(symbol) or (isinstance(symbol, str) and _shaped_row(symbol) is not None)

    def __missing__(self, symbol: str) -> LeafRow:
        row = _shaped_row(symbol)
        if row is None:
            raise KeyError(symbol)
        return row


@lru_cache(maxsize=1024)
def _shaped_row(symbol: str) -> LeafRow | None:
    """The row of a leaf and a shape; None for every other symbol, also for more levels than there can be."""
    match = re.fullmatch(r"([A-Za-z]+)([1-9]\d?)r(0|[1-9]\d?)", symbol)
    of_shape = LEAVES[match[1]].of_shape if match and match[1] in LEAVES else None
    if match is None or of_shape is None:
        return None
    levels, rank = int(match[2]), int(match[3])
    return of_shape(levels, rank) if rank <= levels <= MOST_CATEGORIES else None


# The order of the rows is the canonical order of leaves in sums and products.
LEAVES: dict[str, LeafRow] = _Leaves(SMOOTH_LEAVES | UNBOUNDED_LEAVES | CYCLIC_LEAVES | PLAIN_LEAVES)
OF_THE_LIBRARY = frozenset(LEAVES)


def category_symbol(levels: int, rank: int) -> str:
    """The symbol of a leaf with a full covariance ``W W' + diag(sd^2)`` between levels, W (levels, rank).

    >>> category_symbol(4, 1), LEAVES["Cat4r1"].shape, "Cat100r1" in LEAVES
    ('Cat4r1', (4, 1), False)
    """
    return f"Cat{levels}r{rank}"


def is_leaf_of(expr: Expr, *kinds: LeafKind) -> TypeGuard[Leaf]:
    """Whether an expression is a single leaf of one of these kinds.

    >>> is_leaf_of(Leaf("Per"), LeafKind.CYCLIC), is_leaf_of(Leaf("Per") + Leaf("C"), LeafKind.CYCLIC)
    (True, False)
    """
    return isinstance(expr, Leaf) and LEAVES[expr.symbol].kind in kinds


def lag_function(symbol: str) -> LagFunction:
    """The covariance by the lag of a leaf that has one (`KeyError` for all others)."""
    function = LEAVES[symbol].of_lag
    if function is None:
        raise KeyError(symbol)
    return function


# --- The parameters of nodes ----------------------------------------------------------------------------------------

_CHANGE_POINT = (("location", Role.LOCATION), ("steepness", Role.RATE))
_CHANGE_WINDOW = (*_CHANGE_POINT, ("width", Role.LENGTH))


def own_parameters(expr: Expr) -> tuple[tuple[str, Role], ...]:
    """Names and roles of the parameters of the node itself, without those of its operands.

    >>> [name for name, role in own_parameters(Leaf("Per"))]
    ['lengthscale', 'period', 'sd']
    """
    match expr:
        case Leaf(symbol=symbol):
            return LEAVES[symbol].names_and_roles
        case Sum() | Product():
            return ()
        case ChangePoint():
            return _CHANGE_POINT
        case ChangeWindow():
            return _CHANGE_WINDOW


Placed = tuple[Expr, int]  # an operand, and where its parameters begin


@dataclass(frozen=True, slots=True)
class Parameter:
    """Where a value of a kernel belongs: the path from the root to its node, its name and role."""

    path: tuple[int, ...]
    node: Expr
    name: str
    role: Role

    @property
    def column(self) -> str | None:
        """The column that the node names; None where it names none."""
        return getattr(self.node, "column", None)


@lru_cache(maxsize=20000)
def nodes_of(expr: Expr) -> tuple[Expr, ...]:
    """All nodes of an expression in preorder: itself, and those of its operands from left to right.

    >>> [type(node).__name__ for node in nodes_of(Leaf("SE") + Leaf("WN") * Leaf("SE"))]
    ['Sum', 'Leaf', 'Product', 'Leaf', 'Leaf']
    """
    return expr, *(node for part in operands(expr) for node in nodes_of(part))


@lru_cache(maxsize=4096)
def parameters(expr: Expr) -> tuple[Parameter, ...]:
    """All parameters of an expression, in the order of `Kernel.values`.

    >>> [p.name for p in parameters(Leaf("SE") + Leaf("WN"))]
    ['lengthscale', 'sd', 'sd']
    """
    return tuple(_walk(expr, ()))


def _walk(expr: Expr, path: tuple[int, ...]) -> Iterator[Parameter]:
    for name, role in own_parameters(expr):
        yield Parameter(path, expr, name, role)
    for index, part in enumerate(operands(expr)):
        yield from _walk(part, (*path, index))


@lru_cache(maxsize=4096)
def parameter_names(expr: Expr) -> tuple[str, ...]:
    """A name of its own for each parameter: that of its node and its own; of nodes that come again with a number.

    >>> parameter_names(Leaf("WN") + Leaf("WN") * Leaf("SE"))
    ('WN.sd', 'WN_2.sd', 'SE.lengthscale', 'SE.sd')
    """
    seen: Counter[str] = Counter()
    names = []
    for parameter in parameters(expr):
        node = format_expr(parameter.node) if isinstance(parameter.node, Leaf) else type(parameter.node).__name__
        name = f"{node}.{parameter.name}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{node}_{seen[name]}.{parameter.name}")
    return tuple(names)


@lru_cache(maxsize=20000)
def size(expr: Expr) -> int:
    """The number of values that a kernel of this structure carries (see `traits.effective_parameters` for the BIC).

    >>> size(Leaf("SE") + Leaf("WN"))
    3
    """
    return len(own_parameters(expr)) + sum([size(part) for part in operands(expr)])


def placed(expr: Expr, start: int = 0) -> list[Placed]:
    """The operands of a node whose parameters begin at ``start``, with where those of each begin.

    >>> [at for _, at in placed(Leaf("SE") + Leaf("Per") + Leaf("WN"), 2)]
    [2, 4, 7]
    """
    places, start = [], start + len(own_parameters(expr))
    for part in operands(expr):
        places.append((part, start))
        start += size(part)
    return places


def column_index(column: str | None, columns: tuple[str, ...]) -> int:
    """Where a leaf's column is in ``X``; None means the only one.

    Raises
    ------
    InputError
        When the column is not there, or none is named although there are several.
    """
    if column is None and len(columns) == 1:
        return 0
    if column in columns:
        return columns.index(column)
    names = ", ".join(repr(name) for name in columns)
    found = "a leaf without a column" if column is None else f"a leaf on column {column!r}"
    raise InputError.of(f"leaves on the columns {names}", found, "name one of these columns in the expression")


# --- Leaves of one's own: a covariance by the lag becomes a row, which search, words and files then know ------------

Covariance = Callable[..., Array]

KINDS = {"smooth": LeafKind.SMOOTH, "wandering": LeafKind.WANDERING, "cyclic": LeafKind.CYCLIC}
STEP = 1e-5  # of differences, in units of a parameter
NEAR = 1e-3  # a lag at which it is seen how a correlation begins to fall
LAGS = np.linspace(0.0, 6.0, 40)  # at which a covariance must be one


def register_leaf(
    symbol: str,
    covariance: Covariance,
    parameters: tuple[str, ...] = ("lengthscale", "sd"),
    *,
    kind: str = "smooth",
    noun: str = message("a pattern of its own kind"),
    name: str = "",
) -> LeafRow:
    """Add a leaf to the language: expressions may have it, a `Language` may search for it, models with it are saved.

    Parameters
    ----------
    symbol : str
        As it is written: letters, the first one large.
    covariance : callable
        ``covariance(lag, *parameters)`` of lags of any shape and sign; a covariance for all positive parameters.
        Derivatives are differences of it.
    parameters : tuple of str
        Their names; "lengthscale" (or "period" of a cyclic leaf) and "sd" are among them, all others are shapes
        without a unit.
    kind : {"smooth", "wandering", "cyclic"}
        What functions it stands for, from which the words for a part follow: curves, levels that wander (no slope
        where the correlation has a kink at lag zero), or what repeats.
    noun, name : str
        What the leaf is and its name in the literature, where a report explains its kernels. The sentences about a part
        follow from what its function does.

    Raises
    ------
    InputError
        When the symbol is taken, a parameter lacks, or the function is no covariance.

    Examples
    --------
    >>> from autostatistician.kernels import parse_kernel
    >>> row = register_leaf("Cauchy", lambda lag, lengthscale, sd: sd**2 / (1.0 + (lag / lengthscale) ** 2))
    >>> parse_kernel("Cauchy(lengthscale=2, sd=3) + WN(sd=1)").parts[0](0.0, 2.0)
    4.5
    >>> del LEAVES["Cauchy"]
    """
    known = None if symbol in OF_THE_LIBRARY else LEAVES.get(symbol)
    if known is not None and _code_of(known) == getattr(covariance, "__code__", None):
        return known  # the same once more, as when a cell of a notebook runs again
    if symbol in LEAVES or not (symbol.isalpha() and symbol[0].isupper()):
        raise InputError.of("letters that are no leaf yet, the first one large", repr(symbol), "choose others")
    needed = KINDS[kind].parameters if kind in KINDS else ()
    if not needed or not set(parameters) >= set(needed) or parameters[0] != needed[0]:
        wanted = f"a kind among {', '.join(KINDS)} whose parameters are there"
        raise InputError.of(
            wanted, f"{kind!r} with {', '.join(parameters)}", "name lengthscale (or period) first, and sd"
        )
    values = [1.0] * len(parameters)
    _check_covariance(np.asarray(covariance(np.subtract.outer(LAGS, LAGS), *values)), symbol)
    function = LagFunction(covariance, partial(_derivatives, covariance), partial(_slope, covariance))
    decay = None if kind == "cyclic" else _decay(covariance, values)
    LEAVES[symbol] = LeafRow(name or symbol, noun, KINDS[kind], tuple(map(_parameter, parameters)), function, decay)
    return LEAVES[symbol]


def _code_of(row: LeafRow) -> object:
    """What the covariance of a leaf does; 0 where that is not told."""
    return 0 if row.of_lag is None else getattr(row.of_lag.value, "__code__", 0)


def _parameter(name: str) -> LeafParameter:
    """As the leaf has it that has a parameter of this name, else a shape about one."""
    models = {"lengthscale": "SE", "sd": "SE", "period": "Cos"}
    return LEAVES[models[name]].parameter(name) if name in models else shape_of(name, name, 0.05, 100.0)


def _check_covariance(matrix: Array, symbol: str) -> None:
    """Raise an `InputError` where a matrix (n, n) at unlike places is none of covariances."""
    found = ""
    if matrix.shape != (len(LAGS), len(LAGS)) or not np.isfinite(matrix).all():
        found = "other than finite numbers in the shape of the lags"
    elif not np.allclose(matrix, matrix.T) or np.linalg.eigvalsh(matrix)[0] < -1e-8 * matrix[0, 0]:
        found = "one that is not symmetric or has variances below zero"
    if found:
        raise InputError.of(f"a covariance for {symbol}", found, "correct the function")


def _derivatives(covariance: Covariance, lag: Array, *values: float) -> Derivatives:
    """The covariances, and their derivatives by the logarithm of each parameter."""

    def at(index: int, step: float) -> Array:
        moved = [value * np.exp(step) if place == index else value for place, value in enumerate(values)]
        return np.asarray(covariance(lag, *moved))

    slopes = tuple(np.asarray((at(k, STEP) - at(k, -STEP)) / (2.0 * STEP)) for k in range(len(values)))
    return np.asarray(covariance(lag, *values)), slopes


def _slope(covariance: Covariance, lag: Array, *values: float) -> Array:
    """The derivative by the lag; at a kink the mean of both sides."""
    step = STEP * values[0]
    return np.asarray((covariance(lag + step, *values) - covariance(lag - step, *values)) / (2.0 * step))


def _decay(covariance: Covariance, values: list[float]) -> Decay:
    """How the correlation begins to fall: with the lag, or with its square."""
    whole, near, far = (float(covariance(np.array(lag), *values)) for lag in (0.0, NEAR, 2.0 * NEAR))
    fall = 1.0 - near / whole
    power = 2 if 1.0 - far / whole > 3.0 * fall else 1
    return Decay(fall / NEAR**power, power)


def _carried(leaf: Leaf) -> tuple[Any, ...]:
    """A leaf as a worker gets it: one that is none of the library's brings its row along."""
    row = None if leaf.symbol in OF_THE_LIBRARY else LEAVES.get(leaf.symbol)  # not of categories with a shape
    plain = leaf.symbol, leaf.column
    return (Leaf, plain) if row is None else (_restored, (*plain, row))


def _restored(symbol: str, column: str | None, row: LeafRow) -> Leaf:
    LEAVES.setdefault(symbol, row)
    return Leaf(symbol, column)


copyreg.pickle(Leaf, _carried)
