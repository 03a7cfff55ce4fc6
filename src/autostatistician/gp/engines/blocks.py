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

from autostatistician.gp.covariance import between, by_parameters, weights_and_slopes
from autostatistician.gp.engines.nodes import Compiler, Evaluator, LeafEvaluator, Multiplied, Part, inner
from autostatistician.gp.engines.terms import is_nothing
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf
from autostatistician.kernels.kernel import Placed, operands
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.leaves import LEAVES, own_parameters
from autostatistician.kernels.traits import column_index

__all__ = ["Block", "Squares", "blocked", "fill", "gradient", "only_in_blocks"]

Array = NDArray[np.float64]
Pair = tuple[Part, Part]  # values, and what white noise adds on the diagonal

Squares = dict[tuple[int, int], Array]  # of differences, by the first row of a block and the column
CELLS_PER_BLOCK = 8192  # of a block: 64 kilobytes


@dataclass(slots=True)
class Block:
    """Some rows of a matrix with all that they meet, at given parameters.

    Of a symmetric matrix that is from the diagonal to its right end.
    """

    rows: slice
    points: Array  # (n, d)
    others: Array  # (m, d), the points of the columns; no fewer than the rows of the block
    columns: tuple[str, ...]
    values: tuple[float, ...]
    gradient: list[float]
    differences: dict[int, Array] = field(default_factory=dict)
    squares: Squares = field(default_factory=dict)

    @property
    def with_gradient(self) -> bool:
        """Whether there will be a way back."""
        return bool(self.gradient)

    def lags(self, column: str | None) -> Array:
        """The differences (rows, columns) of one column."""
        index = column_index(column, self.columns)
        if index not in self.differences:
            self.differences[index] = np.subtract.outer(self.points[self.rows, index], self.others[:, index])
        return self.differences[index]

    def square(self, column: str | None) -> Array:
        """Their squares."""
        index = self.rows.start, column_index(column, self.columns)
        if index not in self.squares:
            lag = self.lags(column)
            self.squares[index] = lag * lag
        return self.squares[index]

    def position(self, column: str | None) -> tuple[Array, Array]:
        """The positions of the rows, as a column, and of the columns."""
        index = column_index(column, self.columns)
        return self.points[self.rows, index, None], self.others[:, index]

    def evaluated(
        self, function: LagFunction, lags: Array, values: tuple[float, ...], skipped: int | None
    ) -> tuple[Array, tuple[Array, ...]]:
        """A leaf at these lags with its derivatives."""
        return function.value_and_derivatives(lags, *values)

    def total(self, adjoint: Part) -> float:
        """The sum over all cells."""
        return adjoint if isinstance(adjoint, float) else float(adjoint.sum())

    def inner(self, adjoint: Part, derivative: Array) -> float:
        """The sum of products over all cells."""
        return inner(adjoint, derivative)

    def zero(self) -> Pair:
        """Nothing."""
        return 0.0, 0.0

    def stationary(self, value: Part, noise: float) -> Pair:
        """What depends on the lag alone."""
        return value, noise

    def by_stationary(self, adjoint: tuple[Array, Array]) -> tuple[Array, Array]:
        """The derivatives by such values and by such noise."""
        return adjoint

    def added(self, parts: Sequence[Pair]) -> Pair:
        """The sum."""
        m: Part = 0.0
        d: Part = 0.0
        for more, noise in parts:
            m, d = m + more, d + noise
        return m, d

    def by_term(self, term: Pair, adjoint: tuple[Array, Array]) -> tuple[Array, Array]:
        """The derivative by a term of a sum is that by the sum."""
        return adjoint

    def multiplied(self, left: Pair, right: Pair) -> Pair:
        """The product: (m + d delta)(m' + d' delta)."""
        if is_nothing(left[1]) and is_nothing(right[1]):
            return left[0] * right[0], 0.0
        d = left[1] * right[1] + left[1] * _diagonal(right[0]) + right[1] * _diagonal(left[0])
        return 0.0 if is_nothing(left[0]) or is_nothing(right[0]) else left[0] * right[0], d

    def by_factor(self, target: Pair, other: Pair, adjoint: tuple[Array, Array]) -> tuple[Array, Array]:
        """The derivatives by one factor, given those by its product with the other."""
        (by_value, by_noise), (m, d) = adjoint, other
        value = by_value * m
        if not is_nothing(d):
            value.reshape(-1)[:: value.shape[1] + 1][: len(value)] += by_noise * d
        return value, by_noise * (d + _diagonal(m))


def _diagonal(m: Part) -> Part:
    return m if isinstance(m, float) else m.diagonal()


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
    root: Evaluator,
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
    root: Evaluator,
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
    slopes = [0.0] * len(values)
    for block in blocks(points, columns, values, slopes, squares):
        weight = np.multiply.outer(-alpha[block.rows], alpha[block.rows.start :])
        weight += matrix[block.rows, block.rows.start :]
        height = len(weight)
        weight[:, :height] = np.triu(weight[:, :height])
        on_diagonal = 0.5 * weight.diagonal()
        np.fill_diagonal(weight, on_diagonal)
        root.forward(block)
        root.backward(block, (weight, on_diagonal))
    return np.array(slopes)


def only_in_blocks(expr: Expr) -> bool:
    """Whether an expression has a leaf that is no function of lags, so that `lag_space` cannot take it."""
    has_shape = isinstance(expr, Leaf) and LEAVES[expr.symbol].shape is not None
    return has_shape or any(only_in_blocks(part) for part in operands(expr))


def blocked(expr: Expr) -> Evaluator:
    """The nodes of an expression, made once and evaluated many times (one block at a time)."""
    return _BlockCompiler().node(expr)


class _LineInBlock(LeafEvaluator):
    """``sd^2 (x - location)(x' - location)``."""

    def _factors(self, block: Block) -> tuple[float, Array, Array]:
        sd, location = self.own(block)
        left, right = block.position(self.column)
        return sd**2, left - location, right - location

    def forward(self, block: Block) -> Pair:
        variance, left, right = self._factors(block)
        return (variance * left) * right, 0.0

    def backward(self, block: Block, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        variance, left, right = self._factors(block)
        to_right, to_left = by_value @ right, left[:, 0] @ by_value
        block.gradient[self.start] += 2.0 * variance * float(left[:, 0] @ to_right)
        block.gradient[self.start + 1] -= variance * float(to_right.sum() + to_left.sum())


class _Gaussians(Evaluator):
    """A product of squared exponentials: one exponential of the sum of their exponents."""

    def __init__(self, parts: list[tuple[Leaf, int]]) -> None:
        self.parts = [(leaf.column, start) for leaf, start in parts]

    def forward(self, block: Block) -> Pair:
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

    def backward(self, block: Block, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        product = by_value * self.k
        total = 2.0 * float(product.sum())
        for column, start in self.parts:
            lengthscale = block.values[start]
            block.gradient[start] += float(np.vdot(product, block.square(column))) / lengthscale**2
            block.gradient[start + 1] += total


class _WalkInBlock(LeafEvaluator):
    """``g(x - o) + g(x' - o) - g(x - x')`` for g, half the variance of increments, and the location o."""

    def __init__(self, expr: Leaf, start: int, rise: LagFunction) -> None:
        super().__init__(expr, start)
        self.rise = rise

    def forward(self, block: Block) -> Pair:
        *own, location = self.own(block)
        left, right = block.position(self.column)
        every = left - location, right - location, block.lags(self.column)
        if not block.with_gradient:
            return _walked([self.rise.value(lags, *own) for lags in every]), 0.0
        values, derivatives = zip(*(self.rise.value_and_derivatives(lags, *own) for lags in every), strict=True)
        self.derivatives = [_walked(three) for three in zip(*derivatives, strict=True)]
        return _walked(values), 0.0

    def backward(self, block: Block, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        for index, derivative in enumerate(self.derivatives, start=self.start):
            block.gradient[index] += float(np.vdot(by_value, derivative))


def _walked(of_left_right_lag: Sequence[Array]) -> Array:
    left, right, lag = of_left_right_lag
    return np.asarray(left + right - lag)


class _Categories(LeafEvaluator):
    """A full covariance between the categories of one column (see `lowrank`)."""

    def __init__(self, expr: Leaf, start: int, shape: tuple[int, int]) -> None:
        super().__init__(expr, start)
        self.shape = shape

    def forward(self, block: Block) -> Pair:
        left, right = block.position(self.column)
        self.rows, self.others = left[:, 0].astype(np.intp), right.astype(np.intp)
        covariances = between(self.shape, self.own(block))
        return covariances[np.ix_(self.rows, self.others)], 0.0

    def backward(self, block: Block, adjoint: tuple[Array, Array]) -> None:
        by_value, _ = adjoint
        every = np.eye(self.shape[0])
        sums = every[self.rows].T @ by_value @ every[self.others]
        slopes = by_parameters(self.shape, self.own(block), sums)
        for index, derivative in enumerate(slopes, start=self.start):
            block.gradient[index] += float(derivative)


class _ChangeInBlock(Evaluator):
    """Change point or window: two weights that sum to one, each on both sides of one operand."""

    def __init__(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Evaluator]) -> None:
        self.expr, self.parts = expr, parts
        self.start, self.stop = start, start + len(own_parameters(expr))

    def forward(self, block: Block) -> Pair:
        own, (left, right) = block.values[self.start : self.stop], block.position(self.expr.column)
        both = (weights_and_slopes(self.expr, x, own) for x in (left[:, 0], right))
        weights, self.slopes = zip(*both, strict=True)
        self.weights = list(zip(*weights, strict=True))
        self.seen = [part.forward(block) for part in self.parts]
        m: Part = 0.0
        d: Part = 0.0
        for (value, noise), (here, there) in zip(self.seen, self.weights, strict=True):
            if not is_nothing(value):
                m = m + np.multiply.outer(here, there) * value
            if not is_nothing(noise):
                d = d + here**2 * noise
        return m, d

    def backward(self, block: Block, adjoint: tuple[Array, Array]) -> None:
        by_value, by_noise = adjoint
        height, width = by_value.shape
        by_top, by_weight = np.zeros(height), np.zeros(width)
        for part, (value, noise), (here, there), sign in zip(
            self.parts, self.seen, self.weights, (1.0, -1.0), strict=True
        ):
            part.backward(block, (np.multiply.outer(here, there) * by_value, by_noise * here**2))
            if not is_nothing(value):
                product = by_value * value
                by_top += sign * (product @ there)
                by_weight += sign * (here @ product)
            by_top += sign * 2.0 * by_noise * noise * here
        for index, pieces in enumerate(zip(*self.slopes, strict=True), start=self.start):
            block.gradient[index] += float(by_top @ pieces[0]) + float(by_weight @ pieces[1])


class _BlockCompiler(Compiler):
    def leaf(self, expr: Leaf, start: int, *, multiplied: bool) -> Evaluator:
        if expr.symbol == "SE":
            return _Gaussians([(expr, start)])
        shape = LEAVES[expr.symbol].shape
        return super().leaf(expr, start, multiplied=multiplied) if shape is None else _Categories(expr, start, shape)

    def product(self, parts: list[Placed]) -> Evaluator:
        """A product, its squared exponentials taken together."""
        smooth = [(part, at) for part, at in parts if isinstance(part, Leaf) and part.symbol == "SE"]
        others = [self.node(*factor) for factor in parts if factor not in smooth]
        nodes = [*([_Gaussians(smooth)] if smooth else []), *others]
        return nodes[0] if len(nodes) == 1 else Multiplied(nodes)

    def line(self, expr: Leaf, start: int) -> Evaluator:
        return _LineInBlock(expr, start)

    def walk(self, expr: Leaf, start: int, rise: LagFunction, *, multiplied: bool) -> Evaluator:
        return _WalkInBlock(expr, start, rise)

    def change(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Evaluator]) -> Evaluator:
        return _ChangeInBlock(expr, start, parts)
