"""The table of leaves, one row each, and of the parameters that every node carries (Duvenaud 2014, app. B).

Parameters are kept in natural units (not logarithms), in the order of this table.

The parameters of an expression in preorder: a node's own, then those of its operands from left to right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard

from autostatistician.errors import InputError
from autostatistician.i18n.messages import message
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, format_expr
from autostatistician.kernels.lag_functions import (
    CATEGORIES,
    COSINE,
    DEEP,
    DEEP_2,
    DEEP_3,
    INTEGRATED_OU,
    MATERN_12,
    MATERN_32,
    PERIODIC,
    RATIONAL_QUADRATIC,
    SQUARED_EXPONENTIAL,
    WIENER,
    LagFunction,
)
from autostatistician.kernels.leaf_row import Amount, Decay, LeafKind, LeafParameter, LeafRow, Role, Start, Unit
from autostatistician.kernels.state_space import (
    ALIKE,
    COSINE_TERMS,
    INTEGRATED_OU_TERMS,
    MATERN_12_TERMS,
    MATERN_32_TERMS,
    NOTHING,
    PERIODIC_TERMS,
    SQUARED_EXPONENTIAL_TERMS,
    WIENER_TERMS,
    fitted,
)

__all__ = [
    "LEAVES", "Parameter", "Placed", "category_symbol", "column_index", "increments_of", "is_leaf_of", "lag_function",
    "operands", "own_parameters", "parameter_names", "parameters", "placed", "size",
]  # fmt: skip


_SMALLEST, _LARGEST = 1e-5, 1e4  # sizes, relative to that of the target
_FARTHEST = 20.0  # ranges beyond the data in which a line may cross zero

_SIZES = Amount(_SMALLEST, Unit.SIZE), Amount(_LARGEST, Unit.SIZE)
_SD = LeafParameter("sd", Role.SD, message("size"), *_SIZES, Start.SIZE)
_NOISE_SD = LeafParameter(
    "sd", Role.SD, message("size"), Amount(1.0, Unit.NOISE_FLOOR), Amount(_LARGEST, Unit.SIZE), Start.SIZE
)
# Shorter than a spacing, a curve cannot be told from noise; longer than a hundred ranges, it is a constant.
_LENGTHS = Amount(1.0, Unit.SPACING), Amount(100.0, Unit.RANGE)
_PERIODS = Amount(1.0, Unit.SHORTEST_PERIOD), Amount(1.0, Unit.LONGEST_PERIOD)
_PERIOD = LeafParameter("period", Role.LENGTH, message("period"), *_PERIODS, Start.PERIOD)


def _lengthscale(meaning: str, start: Start = Start.LENGTHSCALE) -> LeafParameter:
    return LeafParameter("lengthscale", Role.LENGTH, meaning, *_LENGTHS, start)


def _shape(name: str, meaning: str, low: float, high: float, start: Start = Start.SHAPE) -> LeafParameter:
    return LeafParameter(name, Role.SHAPE, meaning, Amount(low), Amount(high), start)


_ALPHA = _shape("alpha", message("mixture of scales (small: many, large: one)"), 0.05, 100.0)
_DETAIL = _shape(
    "lengthscale", message("smoothness within a cycle (small: detailed, large: a pure wave)"), 0.1, 30.0
)  # relative to the period
_CONTRAST = _shape("contrast", message("contrast"), 1e-4, 1e4, Start.CONTRAST)
_SLOPE = LeafParameter(
    "sd",
    Role.SLOPE,
    message("size of the slope"),
    Amount(_SMALLEST, Unit.SIZE_PER_RANGE),
    Amount(_LARGEST, Unit.SIZE_PER_RANGE),
    Start.SIZE,
)
_DIFFUSION = LeafParameter(
    "sd",
    Role.DIFFUSION,
    message("size of the steps"),
    Amount(_SMALLEST, Unit.SIZE_PER_ROOT_RANGE),
    Amount(_LARGEST, Unit.SIZE_PER_ROOT_RANGE),
    Start.SIZE,
)
_ORIGIN = LeafParameter(
    "location",
    Role.LOCATION,
    message("where it crosses zero"),
    Amount(_FARTHEST, Unit.RANGES_BELOW),
    Amount(_FARTHEST, Unit.RANGES_ABOVE),
    Start.ORIGIN,
)
# Beside a constant it means nothing: a parameter all the same, so that a kernel can be moved to other units.
_BEGINNING = LeafParameter(
    "location",
    Role.LOCATION,
    message("where it begins, at zero"),
    Amount(0.0, Unit.RANGES_BELOW),
    Amount(0.0, Unit.RANGES_BELOW),
    Start.FIRST,
)


MOST_CATEGORIES = 99  # of a full covariance


def _of_categories(levels: int, rank: int) -> LeafRow:
    """Loadings level by level (none above the diagonal: they would only turn the factors), then sds.

    Of rank 0, the sds are those of a noise for every category.
    """
    pairs = [(level, factor) for level in range(1, levels + 1) for factor in range(1, min(level, rank) + 1)]
    names = [f"w{level}" if rank == 1 else f"w{level}_{factor}" for level, factor in pairs]
    loads = Amount(-_LARGEST, Unit.SIZE), Amount(_LARGEST, Unit.SIZE)
    smallest = _SIZES[0] if rank else _NOISE_SD.lowest
    weights = [LeafParameter(name, Role.WEIGHT, name, *loads, Start.SIZE) for name in names]
    sds = [
        LeafParameter(f"sd{level}", Role.SD, f"sd{level}", smallest, _SIZES[1], Start.SIZE)
        for level in range(1, levels + 1)
    ]
    noun = message("a value for each category, each pair of them alike in its own way")
    return LeafRow(
        f"kernel of categories of rank {rank}",
        noun,
        LeafKind.CATEGORIES,
        (*weights, *sds),
        for_few_rows=True,
        shape=(levels, rank),
    )


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
LEAVES: dict[str, LeafRow] = _Leaves(
    {
        "SE": LeafRow(
            message("squared exponential kernel"),
            message("a smooth curve without a fixed form"),
            LeafKind.SMOOTH,
            (_lengthscale(message("length over which it changes")), _SD),
            SQUARED_EXPONENTIAL,
            Decay(0.5, 2, exponential=True),
            divisible=True,
            for_few_rows=True,
            spellings=("rbf", "exponential"),
            state_space=SQUARED_EXPONENTIAL_TERMS,
        ),
        "RQ": LeafRow(
            message("rational quadratic kernel"),
            message("a smooth curve that varies on several scales"),
            LeafKind.SMOOTH,
            (_lengthscale(message("typical length over which it changes")), _SD, _ALPHA),
            RATIONAL_QUADRATIC,
            Decay(0.5, 2, mixed=True),
            divisible=True,
            state_space=fitted(RATIONAL_QUADRATIC),
        ),
        # Levels and slopes that wander: with a long lengthscale a Wiener process and its integral.
        "Matern12": LeafRow(
            message("Matern kernel of order 1/2"),
            message("a level that wanders"),
            LeafKind.WANDERING,
            (_lengthscale(message("length of its memory"), Start.MEMORY), _SD),
            MATERN_12,
            Decay(1.0, 1, exponential=True),
            divisible=True,
            state_space=MATERN_12_TERMS,
        ),
        "Matern32": LeafRow(
            message("Matern kernel of order 3/2"),
            message("a curve whose slope wanders"),
            LeafKind.WANDERING,
            (_lengthscale(message("length over which its slope changes"), Start.MEMORY), _SD),
            MATERN_32,
            Decay(1.5, 2),
            divisible=True,
            state_space=MATERN_32_TERMS,
        ),
        # Deep kernels, every layer connected to the input: mixtures of squared exponentials of the lengthscale and of
        # shorter ones; without end of ever shorter ones.
        "Deep2": LeafRow(
            message("deep kernel of two layers"),
            message("a smooth curve with some finer detail"),
            LeafKind.SMOOTH,
            (_lengthscale(message("length over which it changes")), _SD),
            DEEP_2,
            Decay(1.0, 2, mixed=True),
            divisible=True,
            state_space=fitted(DEEP_2),
        ),
        "Deep3": LeafRow(
            message("deep kernel of three layers"),
            message("a smooth curve with finer detail"),
            LeafKind.SMOOTH,
            (_lengthscale(message("length over which it changes")), _SD),
            DEEP_3,
            Decay(1.5, 2, mixed=True),
            divisible=True,
            state_space=fitted(DEEP_3),
        ),
        "Deep": LeafRow(
            message("deep kernel of infinitely many layers"),
            message("a rough curve, like a level that wanders, that forgets all in the end"),
            LeafKind.WANDERING,
            (_lengthscale(message("length of its memory")), _SD),
            DEEP,
            Decay(1.0, 1),
            divisible=True,
            spellings=("deepkernel", "deepest"),
            state_space=fitted(DEEP),
        ),
        # These two themselves: their increments alone are stationary, and they have no mean to return to.
        "Wiener": LeafRow(
            message("Wiener process"),
            message("a level that wanders"),
            LeafKind.UNBOUNDED,
            (_DIFFUSION, _BEGINNING),
            of_increments=WIENER,
            for_few_rows=True,
            spellings=("brownian", "randomwalk"),
            state_space=WIENER_TERMS,
        ),
        "IOU": LeafRow(
            message("integrated Ornstein-Uhlenbeck process"),
            message("a trend that levels off"),
            LeafKind.UNBOUNDED,
            (_lengthscale(message("time after which the slope is forgotten"), Start.MEMORY), _SLOPE, _BEGINNING),
            of_increments=INTEGRATED_OU,
            for_few_rows=True,
            spellings=("dampedtrend", "integratedou"),
            state_space=INTEGRATED_OU_TERMS,
        ),
        # The periodic leaf is the zero-mean one of Lloyd et al. (2014): with z = 1 / lengthscale^2 its correlation is
        # (exp(z cos(2 pi t / period)) - I0(z)) / (exp(z) - I0(z)). The lengthscale is relative to the period, so it
        # has no unit.
        "Per": LeafRow(
            message("periodic kernel"),
            message("a pattern that repeats"),
            LeafKind.CYCLIC,
            (_DETAIL, _PERIOD, _SD),
            PERIODIC,
            spellings=("periodic",),
            state_space=PERIODIC_TERMS,
        ),
        "Cos": LeafRow(
            message("cosine kernel"),
            message("a pure wave, a sinusoid"),
            LeafKind.CYCLIC,
            (_PERIOD, _SD),
            COSINE,
            spellings=("cosine",),
            state_space=COSINE_TERMS,
        ),
        # Categories: the column holds codes, and only whether they differ counts. What categories share has
        # 1 / contrast times the variance of what each has for itself, so that the correlation of two of them is
        # 1 / (1 + contrast).
        "Cat": LeafRow(
            message("exchangeable kernel"),
            message("a value for each category, all of them equally alike"),
            LeafKind.CATEGORIES,
            (_CONTRAST, _SD),
            CATEGORIES,
            divisible=True,
            spellings=("categorical", "category"),
            of_shape=_of_categories,
        ),
        "Lin": LeafRow(
            message("linear kernel"),
            message("a straight line; as a factor it makes the size of the other factors grow or shrink"),
            LeafKind.LINE,
            (_SLOPE, _ORIGIN),
            for_few_rows=True,
            spellings=("linear",),
            state_space=ALIKE,
        ),
        "C": LeafRow(
            message("constant kernel"),
            message("a constant"),
            LeafKind.CONSTANT,
            (_SD,),
            divisible=True,
            for_few_rows=True,
            spellings=("const", "constant"),
            state_space=ALIKE,
        ),
        "WN": LeafRow(
            message("white noise kernel"),
            message("random noise"),
            LeafKind.NOISE,
            (_NOISE_SD,),
            for_few_rows=True,
            spellings=("noise", "white"),
            state_space=NOTHING,
        ),
        # Zero never takes part in a search: it stands for the absent operand of a change in a component.
        "0": LeafRow("zero", "nothing", LeafKind.ZERO, spellings=("zero",), state_space=NOTHING),
    }
)


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


def increments_of(symbol: str) -> LagFunction | None:
    """Half the variance of increments of a leaf where these alone are stationary; None for all others."""
    return LEAVES[symbol].of_increments


# Nodes -------------------------------------------------------------------------------------------------------

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


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of a node, in the order in which their parameters are stored."""
    match expr:
        case Leaf():
            return ()
        case Sum(terms=parts) | Product(factors=parts):
            return parts
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return (first, second)


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


def placed(parts: Sequence[Expr], start: int) -> list[Placed]:
    """Operands with where the parameters of each begin, those of the first at ``start``.

    >>> [at for _, at in placed((Leaf("SE"), Leaf("Per"), Leaf("WN")), 2)]
    [2, 4, 7]
    """
    operands = []
    for part in parts:
        operands.append((part, start))
        start += size(part)
    return operands


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
