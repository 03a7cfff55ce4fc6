"""A kernel on points in several columns, a few rows of its matrix at a time, and its gradient by the same way back.

Scattered points share no lags, so there is nothing to gain from tables of them (see `lag_space` for one column). The
upper triangle (in C order) is made in blocks of some rows that fit into the processor's cache: every node of the
expression is evaluated on a block before the next one is begun, and again, with derivatives, on the way back. Nothing
but the matrix itself is as large as the matrix. Squared exponentials that are multiplied share one exponential.

A block is a pair ``(m, d)``: the values ``m`` (rows, columns) at pairs of points, a float where they are all the
same, and ``d``, what white noise adds where a point meets itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import between, by_numbers, change_weight, column_index
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.kernel import operands, size
from autostatistician.language.lag_functions import LagFunction
from autostatistician.language.leaves import category_shape, increments_of, lag_function, own_parameters

__all__ = ["Node", "Squares", "blocked", "fill", "gradient", "only_in_blocks"]

Array = NDArray[np.float64]
Part = Array | float

Squares = dict[tuple[int, int], Array]  # of differences, by the first row of a block and the column
CELLS_PER_BLOCK = 8192  # of a block: 64 kilobytes


@dataclass(slots=True)
class Block:
    """Some rows of a matrix with all that they meet, at given numbers.

    Of a symmetric matrix that is from the diagonal to its right end.
    """

    rows: slice
    points: Array  # (n, d)
    others: Array  # (m, d), the points of the columns; no fewer than the rows of the block
    columns: tuple[str, ...]
    values: tuple[float, ...]
    gradient: list[float]
    lags: dict[int, Array] = field(default_factory=dict)
    squares: Squares = field(default_factory=dict)

    def lag(self, column: str | None) -> Array:
        """The differences (rows, columns) of one column."""
        index = column_index(column, self.columns)
        if index not in self.lags:
            self.lags[index] = np.subtract.outer(self.points[self.rows, index], self.others[:, index])
        return self.lags[index]

    def square(self, column: str | None) -> Array:
        """Their squares."""
        index = self.rows.start, column_index(column, self.columns)
        if index not in self.squares:
            lag = self.lag(column)
            self.squares[index] = lag * lag
        return self.squares[index]

    def position(self, column: str | None) -> tuple[Array, Array]:
        """The positions of the rows, as a column, and of the columns."""
        index = column_index(column, self.columns)
        return self.points[self.rows, index, None], self.others[:, index]


def blocks(
    points: Array,
    columns: tuple[str, ...],
    values: tuple[float, ...],
    gradient: list[float],
    squares: Squares | None = None,
) -> Iterator[Block]:
    """The blocks of the upper triangle from above; ``squares`` that are given are kept for the next time."""
    start, n = 0, len(points)
    while start < n:
        stop = min(n, start + max(1, CELLS_PER_BLOCK // (n - start)))
        kept: Squares = {} if squares is None else squares
        yield Block(slice(start, stop), points, points[start:], columns, values, gradient, squares=kept)
        start = stop


def fill(
    root: Node,
    values: tuple[float, ...],
    points: Array,
    columns: tuple[str, ...],
    matrix: Array,
    main: Array,
    squares: Squares | None = None,
) -> None:
    """Write the upper triangle of the covariance into ``matrix`` (n, n), whose diagonal is the view ``main``.

    What stands below the diagonal afterwards has no meaning.
    """
    for block in blocks(points, columns, values, [], squares):
        m, d = root.forward(block)
        matrix[block.rows, block.rows.start :] = m
        main[block.rows] += d


def gradient(
    root: Node,
    values: tuple[float, ...],
    points: Array,
    columns: tuple[str, ...],
    matrix: Array,
    alpha: Array,
    squares: Squares | None = None,
) -> Array:
    """The derivative of the negative log likelihood by every parameter (log for positive ones).

    ``matrix`` holds the upper triangle of the inverse covariance and ``alpha`` its product with the targets. The
    derivative is ``tr((K^-1 - alpha alpha') dK) / 2`` (Rasmussen and Williams 2006, eq. 5.9): every pair counts
    once, every diagonal entry half.
    """
    found = [0.0] * len(values)
    for block in blocks(points, columns, values, found, squares):
        weight = np.multiply.outer(-alpha[block.rows], alpha[block.rows.start :])
        weight += matrix[block.rows, block.rows.start :]
        height = len(weight)
        weight[:, :height] = np.triu(weight[:, :height])
        on_diagonal = 0.5 * weight.diagonal()
        np.fill_diagonal(weight, on_diagonal)
        root.forward(block, with_gradient=True)
        root.backward(block, weight, on_diagonal)
    return np.array(found)


def only_in_blocks(expr: Expr) -> bool:
    """Whether an expression has a leaf that is no function of lags, so that `lag_space` cannot take it."""
    own = isinstance(expr, Leaf) and category_shape(expr.symbol) is not None
    return own or any(only_in_blocks(part) for part in operands(expr))


def blocked(expr: Expr) -> Node:
    """The nodes of an expression, made once and evaluated many times (one block at a time)."""
    return _node(expr, 0)


class Node:
    """A node of the expression; it keeps what the way back needs until the next block."""

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        """The values on a block, and what white noise adds on the diagonal."""
        raise NotImplementedError

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        """Add to the gradient, given the derivatives by the values (0 below the diagonal) and by the noise."""
        raise NotImplementedError


def _node(expr: Expr, start: int) -> Node:
    match expr:
        case Leaf(symbol="Lin"):
            return _Linear(expr, start)
        case Leaf(symbol="WN" | "C" | "0" as symbol):
            return _Even(symbol, start)
        case Leaf(symbol="SE"):
            return _Gaussians([(expr, start)])
        case Leaf(symbol=symbol) if shape := category_shape(symbol):
            return _Categories(expr, start, shape)
        case Leaf(symbol=symbol) if rise := increments_of(symbol):
            return _Walk(expr, start, rise)
        case Leaf():
            return _Stationary(expr, start)
        case Sum(terms=parts):
            return _Sum([_node(part, at) for part, at in _placed(parts, start)])
        case Product(factors=parts):
            return _product(list(_placed(parts, start)))
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            inner = _placed((first, second), start + len(own_parameters(expr)))
            return _Change(expr, start, [_node(part, at) for part, at in inner])


def _placed(parts: tuple[Expr, ...], start: int) -> Iterator[tuple[Expr, int]]:
    for part in parts:
        yield part, start
        start += size(part)


def _product(parts: list[tuple[Expr, int]]) -> Node:
    """A product, its squared exponentials taken together."""
    smooth = [(part, at) for part, at in parts if isinstance(part, Leaf) and part.symbol == "SE"]
    others = [_node(part, at) for part, at in parts if not (isinstance(part, Leaf) and part.symbol == "SE")]
    nodes = [*([_Gaussians(smooth)] if smooth else []), *others]
    return nodes[0] if len(nodes) == 1 else _Product(nodes)


class _Even(Node):
    """Constants, white noise and zero: the same everywhere."""

    def __init__(self, symbol: str, start: int) -> None:
        self.symbol, self.start = symbol, start

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        variance = 0.0 if self.symbol == "0" else block.values[self.start] ** 2
        return (0.0, variance) if self.symbol == "WN" else (variance, 0.0)

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        if self.symbol != "0":
            total = float(by_noise.sum() if self.symbol == "WN" else by_value.sum())
            block.gradient[self.start] += 2.0 * block.values[self.start] ** 2 * total


class _Linear(Node):
    """``sd^2 (x - location)(x' - location)``."""

    def __init__(self, expr: Leaf, start: int) -> None:
        self.column, self.start = expr.column, start

    def _factors(self, block: Block) -> tuple[float, Array, Array]:
        sd, location = block.values[self.start : self.start + 2]
        left, right = block.position(self.column)
        return sd**2, left - location, right - location

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        variance, left, right = self._factors(block)
        return (variance * left) * right, 0.0

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        variance, left, right = self._factors(block)
        to_right, to_left = by_value @ right, left[:, 0] @ by_value
        block.gradient[self.start] += 2.0 * variance * float(left[:, 0] @ to_right)
        block.gradient[self.start + 1] -= variance * float(to_right.sum() + to_left.sum())


class _Gaussians(Node):
    """A product of squared exponentials: one exponential of the sum of their exponents."""

    def __init__(self, parts: list[tuple[Leaf, int]]) -> None:
        self.parts = [(leaf.column, start) for leaf, start in parts]

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        variance, exponents = 1.0, []
        for column, start in self.parts:
            lengthscale, sd = block.values[start : start + 2]
            exponents.append(block.square(column) * (-0.5 / lengthscale**2))
            variance *= sd * sd
        k: Array = exponents[0]
        for exponent in exponents[1:]:
            k += exponent
        np.exp(k, out=k)
        k *= variance
        self.k = k
        return k, 0.0

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        product = by_value * self.k
        total = 2.0 * float(product.sum())
        for column, start in self.parts:
            lengthscale = block.values[start]
            block.gradient[start] += float(np.vdot(product, block.square(column))) / lengthscale**2
            block.gradient[start + 1] += total


class _Stationary(Node):
    """Any other leaf that depends on the lag of one column."""

    def __init__(self, expr: Leaf, start: int) -> None:
        self.expr, self.start, self.stop = expr, start, start + size(expr)
        self.math = lag_function(expr.symbol)
        self.scale = [name for name, _ in own_parameters(expr)].index("sd")

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        own, lag = block.values[self.start : self.stop], block.lag(self.expr.column)
        if not with_gradient:
            return self.math.value(lag, *own), 0.0
        self.k, self.derivatives = self.math.value_and_derivatives(lag, *own)
        return self.k, 0.0

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        for index, derivative in enumerate(self.derivatives):
            block.gradient[self.start + index] += float(np.vdot(by_value, derivative))


class _Walk(Node):
    """``g(x - o) + g(x' - o) - g(x - x')`` for g, half the variance of increments, and the location o."""

    def __init__(self, expr: Leaf, start: int, rise: LagFunction) -> None:
        self.column, self.start, self.stop, self.rise = expr.column, start, start + size(expr) - 1, rise

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        own, location = block.values[self.start : self.stop], block.values[self.stop]
        left, right = block.position(self.column)
        every = left - location, right - location, block.lag(self.column)
        if not with_gradient:
            return _walked([self.rise.value(one, *own) for one in every]), 0.0
        values, derivatives = zip(*(self.rise.value_and_derivatives(one, *own) for one in every), strict=True)
        self.derivatives = [_walked(three) for three in zip(*derivatives, strict=True)]
        return _walked(values), 0.0

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        for index, derivative in enumerate(self.derivatives, start=self.start):
            block.gradient[index] += float(np.vdot(by_value, derivative))


def _walked(of_left_right_lag: Sequence[Array]) -> Array:
    left, right, lag = of_left_right_lag
    return np.asarray(left + right - lag)


class _Categories(Node):
    """A full covariance between the categories of one column (see `lowrank`)."""

    def __init__(self, expr: Leaf, start: int, shape: tuple[int, int]) -> None:
        self.column, self.start, self.stop, self.shape = expr.column, start, start + size(expr), shape

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        left, right = block.position(self.column)
        self.rows, self.others = left[:, 0].astype(np.intp), right.astype(np.intp)
        found = between(self.shape, block.values[self.start : self.stop])
        return found[np.ix_(self.rows, self.others)], 0.0

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        every = np.eye(self.shape[0])
        sums = every[self.rows].T @ by_value @ every[self.others]
        found = by_numbers(self.shape, block.values[self.start : self.stop], sums)
        for index, derivative in enumerate(found, start=self.start):
            block.gradient[index] += float(derivative)


class _Sum(Node):
    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        m: Part = 0.0
        d: Part = 0.0
        for part in self.parts:
            more, noise = part.forward(block, with_gradient)
            m, d = m + more, d + noise
        return m, d

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        for part in self.parts:
            part.backward(block, by_value, by_noise)


class _Product(Node):
    """Folded from the left; the partial products are kept for the way back."""

    def __init__(self, parts: list[Node]) -> None:
        self.parts = parts

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        self.seen = [part.forward(block, with_gradient) for part in self.parts]
        self.partial = [self.seen[0]]
        for factor in self.seen[1:]:
            self.partial.append(_multiplied(self.partial[-1], factor))
        return self.partial[-1]

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        for index in range(len(self.parts) - 1, 0, -1):
            left, right = self.partial[index - 1], self.seen[index]
            self.parts[index].backward(block, *_by_factor(left, by_value, by_noise))
            by_value, by_noise = _by_factor(right, by_value, by_noise)
        self.parts[0].backward(block, by_value, by_noise)


def _multiplied(left: tuple[Part, Part], right: tuple[Part, Part]) -> tuple[Part, Part]:
    """(m + d delta)(m' + d' delta), where delta is one where a point meets itself."""
    if _is_zero(left[1]) and _is_zero(right[1]):
        return left[0] * right[0], 0.0
    d = left[1] * right[1] + left[1] * _diagonal(right[0]) + right[1] * _diagonal(left[0])
    if _is_zero(left[0]) or _is_zero(right[0]):
        return 0.0, d
    return left[0] * right[0], d


def _by_factor(other: tuple[Part, Part], by_value: Array, by_noise: Array) -> tuple[Array, Array]:
    """The derivatives by one factor, given those by its product with the other."""
    m, d = other
    value = by_value * m
    if not _is_zero(d):
        value.reshape(-1)[:: value.shape[1] + 1][: len(value)] += by_noise * d
    return value, by_noise * (d + _diagonal(m))


def _diagonal(m: Part) -> Part:
    return m if isinstance(m, float) else m.diagonal()


def _is_zero(part: Part) -> bool:
    return isinstance(part, float) and part == 0.0


class _Change(Node):
    """Change point or window: two weights that sum to one, each on both sides of one operand."""

    def __init__(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Node]) -> None:
        self.expr, self.parts = expr, parts
        self.start, self.stop = start, start + len(own_parameters(expr))

    def forward(self, block: Block, with_gradient: bool = False) -> tuple[Part, Part]:
        own = block.values[self.start : self.stop]
        left, right = block.position(self.expr.column)
        weight, self.pieces = change_weight(self.expr, right, own)
        top, self.top_pieces = change_weight(self.expr, left[:, 0], own)
        self.weights = ((top, weight), (1.0 - top, 1.0 - weight))
        self.seen = [part.forward(block, with_gradient) for part in self.parts]
        m: Part = 0.0
        d: Part = 0.0
        for (value, noise), (here, there) in zip(self.seen, self.weights, strict=True):
            if not _is_zero(value):
                m = m + np.multiply.outer(here, there) * value
            if not _is_zero(noise):
                d = d + here**2 * noise
        return m, d

    def backward(self, block: Block, by_value: Array, by_noise: Array) -> None:
        height, width = by_value.shape
        by_top, by_weight = np.zeros(height), np.zeros(width)
        for part, (value, noise), (here, there), sign in zip(
            self.parts, self.seen, self.weights, (1.0, -1.0), strict=True
        ):
            part.backward(block, np.multiply.outer(here, there) * by_value, by_noise * here**2)
            if not _is_zero(value):
                product = by_value * value
                by_top += sign * (product @ there)
                by_weight += sign * (here @ product)
            by_top += sign * 2.0 * by_noise * noise * here
        for index, pieces in enumerate(zip(self.top_pieces, self.pieces, strict=True), start=self.start):
            block.gradient[index] += float(by_top @ pieces[0]) + float(by_weight @ pieces[1])
