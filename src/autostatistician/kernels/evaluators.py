"""The nodes of an expression that covariances of points (`points`) and engines of one column (by their lags) share.

A domain says on what an expression is evaluated, and what its values are there: some rows of a matrix and the noise on
its diagonal, pairs of points, or terms between profiles. Evaluators keep what the way back needs until they are asked
again.

How much weight the two operands of a change have along the input: the one place where its shape is evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, Placed, lag_function, placed, size

__all__ = [
    "Added", "Compiler", "Domain", "Evaluator", "Even", "LeafEvaluator", "Multiplied", "Part", "Stationary",
    "change_weights", "inner", "is_nothing", "weights_and_slopes",
]  # fmt: skip


Array = NDArray[np.float64]
Part = Array | float  # a float where it is the same everywhere


def is_nothing(part: Any) -> bool:
    """Whether values are an exact zero everywhere.

    >>> is_nothing(0.0), is_nothing(np.zeros(2))
    (True, False)
    """
    return isinstance(part, float) and part == 0.0


class Domain(Protocol):
    """Where an expression is evaluated at some parameters, with the arithmetic of its values there."""

    __slots__ = ()
    values: tuple[float, ...]
    gradient: list[float]  # to which the way back adds

    @property
    def with_gradient(self) -> bool:
        """Whether there will be a way back."""

    def lags(self, column: str | None) -> Array:
        """The lags along a column."""

    def evaluated(
        self, function: LagFunction, lags: Array, values: tuple[float, ...], skipped: int | None
    ) -> tuple[Array, tuple[Array, ...]]:
        """A leaf at these lags with its derivatives, of which that of index ``skipped`` need not be right."""
        return function.value_and_derivatives(lags, *values)

    def zero(self) -> Any:
        """Nothing."""

    def stationary(self, value: Part, noise: float) -> Any:
        """What depends on the lag alone, with what white noise adds where a point meets itself."""

    def by_stationary(self, adjoint: Any) -> tuple[Part, Part]:
        """The derivatives by such values and by such noise."""

    def added(self, parts: Sequence[Any]) -> Any:
        """The sum."""

    def by_term(self, term: Any, adjoint: Any) -> Any:
        """The derivative by a term, given that by a sum."""

    def multiplied(self, left: Any, right: Any) -> Any:
        """The product: (m + d delta)(m' + d' delta), where delta is one where a point meets itself."""

    def by_factor(self, target: Any, other: Any, adjoint: Any) -> Any:
        """The derivative by a factor, given that by its product with another."""

    def total(self, adjoint: Any) -> Any:
        """The sum over all lags or pairs."""
        return adjoint if isinstance(adjoint, float) else float(adjoint.sum())

    def inner(self, adjoint: Any, derivative: Any) -> Any:
        """The sum of products over all lags or pairs; an adjoint that is one number is the same everywhere."""
        return inner(adjoint, derivative)


class Evaluator:
    """A node of the expression during one evaluation."""

    __slots__ = ()

    def forward(self, at: Any) -> Any:
        """The values of the node; what the way back needs is kept."""
        raise NotImplementedError

    def backward(self, at: Any, adjoint: Any) -> None:
        """Add the derivatives by the node's parameters to the gradient, given those by its values."""
        raise NotImplementedError


class LeafEvaluator(Evaluator):
    """A leaf and where its parameters are."""

    __slots__ = ("column", "start", "stop")

    def __init__(self, expr: Leaf, start: int) -> None:
        self.column, self.start, self.stop = expr.column, start, start + size(expr)

    def own(self, at: Domain) -> tuple[float, ...]:
        """Its parameters."""
        return at.values[self.start : self.stop]


class _Nothing(Evaluator):
    __slots__ = ()

    def forward(self, at: Domain) -> Any:
        return at.zero()

    def backward(self, at: Domain, adjoint: Any) -> None:
        return


class Even(LeafEvaluator):
    """A constant or white noise: one variance everywhere, of which a parameter is the root."""

    __slots__ = ("is_noise", "scale")

    def __init__(self, expr: Leaf, start: int, *, is_noise: bool) -> None:
        super().__init__(expr, start)
        self.is_noise, self.scale = is_noise, start + (LEAVES[expr.symbol].scale_index or 0)

    def forward(self, at: Domain) -> Any:
        """The variance."""
        variance = at.values[self.scale] ** 2
        return at.stationary(0.0, variance) if self.is_noise else at.stationary(variance, 0.0)

    def backward(self, at: Domain, adjoint: Any) -> None:
        """By the logarithm of its root."""
        by_value, by_noise = at.by_stationary(adjoint)
        by = by_noise if self.is_noise else by_value
        at.gradient[self.scale] += 2.0 * at.values[self.scale] ** 2 * at.total(by)


class Stationary(LeafEvaluator):
    """Any other leaf that depends on the lag of one column."""

    __slots__ = ("derivatives", "function", "scale")

    def __init__(self, expr: Leaf, start: int) -> None:
        super().__init__(expr, start)
        self.function, self.scale = lag_function(expr.symbol), LEAVES[expr.symbol].scale_index

    def forward(self, at: Domain) -> Any:
        """A function of the lags."""
        lags, values = at.lags(self.column), self.own(at)
        if not at.with_gradient:
            return at.stationary(self.function.value(lags, *values), 0.0)
        value, derivatives = at.evaluated(self.function, lags, values, self.scale)
        # Every stationary leaf is proportional to its variance: the derivative by log sd is twice the value.
        self.derivatives = [value if index == self.scale else slope for index, slope in enumerate(derivatives)]
        return at.stationary(value, 0.0)

    def backward(self, at: Domain, adjoint: Any) -> None:
        """By each of its parameters."""
        by_value, _ = at.by_stationary(adjoint)
        for index, derivative in enumerate(self.derivatives):
            at.gradient[self.start + index] += at.inner(by_value, derivative) * (2.0 if index == self.scale else 1.0)


def inner(adjoint: Part, derivative: Array) -> float:
    """The sum of products; an adjoint that is one number is the same everywhere.

    >>> inner(2.0, np.array([1.0, 3.0])), inner(np.array([1.0, -1.0]), np.array([1.0, 3.0]))
    (8.0, -2.0)
    """
    if not isinstance(adjoint, np.ndarray):
        return float(adjoint * derivative.sum())
    return float(adjoint @ derivative if adjoint.ndim == 1 else np.vdot(adjoint, derivative))


class Added(Evaluator):
    """A sum."""

    __slots__ = ("parts", "terms")

    def __init__(self, parts: Sequence[Evaluator]) -> None:
        self.parts = parts

    def forward(self, at: Domain) -> Any:
        """The sum of the values of its terms."""
        self.terms = [part.forward(at) for part in self.parts]
        return at.added(self.terms)

    def backward(self, at: Domain, adjoint: Any) -> None:
        """To every term its share."""
        for part, term in zip(self.parts, self.terms, strict=True):
            part.backward(at, at.by_term(term, adjoint))


class Multiplied(Evaluator):
    """A product, folded from the left; the partial products are kept for the way back."""

    __slots__ = ("factors", "partial", "parts")

    def __init__(self, parts: Sequence[Evaluator]) -> None:
        self.parts = parts

    def forward(self, at: Domain) -> Any:
        """The product of the values of its factors."""
        self.factors = [part.forward(at) for part in self.parts]
        self.partial = [self.factors[0]]
        for factor in self.factors[1:]:
            self.partial.append(at.multiplied(self.partial[-1], factor))
        return self.partial[-1]

    def backward(self, at: Domain, adjoint: Any) -> None:
        """To every factor the derivative times the product of the others."""
        for index in range(len(self.parts) - 1, 0, -1):
            left, right = self.partial[index - 1], self.factors[index]
            self.parts[index].backward(at, at.by_factor(right, left, adjoint))
            adjoint = at.by_factor(left, right, adjoint)
        self.parts[0].backward(at, adjoint)


class Compiler:
    """Makes the evaluators of an expression; of what is not stationary every kind of domain has its own."""

    def node(self, expr: Expr, start: int = 0, *, multiplied: bool = False) -> Evaluator:
        """That of an expression, which may stand within a product."""
        match expr:
            case Leaf():
                return self.leaf(expr, start, multiplied=multiplied)
            case Product():
                return self.product(placed(expr, start))
        parts = [self.node(part, at, multiplied=multiplied) for part, at in placed(expr, start)]
        return Added(parts) if isinstance(expr, Sum) else self.change(expr, start, parts)

    def leaf(self, expr: Leaf, start: int, *, multiplied: bool) -> Evaluator:
        """That of a leaf."""
        row = LEAVES[expr.symbol]
        if row.of_increments is not None:
            return self.walk(expr, start, row.of_increments, multiplied=multiplied)
        match row.kind:
            case LeafKind.LINE:
                return self.line(expr, start)
            case LeafKind.CONSTANT | LeafKind.NOISE:
                return Even(expr, start, is_noise=row.kind is LeafKind.NOISE)
            case LeafKind.ZERO:
                return _Nothing()
            case _:
                return self.stationary(expr, start)

    def product(self, parts: list[Placed]) -> Evaluator:
        """That of a product of several factors."""
        return Multiplied([self.node(part, at, multiplied=True) for part, at in parts])

    def stationary(self, expr: Leaf, start: int) -> Evaluator:
        """That of any other function of the lag."""
        return Stationary(expr, start)

    def line(self, expr: Leaf, start: int) -> Evaluator:
        """That of ``sd^2 (x - location)(x' - location)``."""
        raise NotImplementedError

    def walk(self, expr: Leaf, start: int, rise: LagFunction, *, multiplied: bool) -> Evaluator:
        """That of ``g(x - o) + g(x' - o) - g(x - x')`` for g, half the variance of increments, and the location o."""
        raise NotImplementedError

    def change(self, expr: ChangePoint | ChangeWindow, start: int, parts: list[Evaluator]) -> Evaluator:
        """That of a change: two weights that sum to one, each on both sides of one operand."""
        raise NotImplementedError


def change_weights(expr: ChangePoint | ChangeWindow, x: Array, values: tuple[float, ...]) -> tuple[Array, Array]:
    """The weights (n,) of the two operands at positions x (n,); they sum to one, and the smaller one keeps its digits.

    Change point: the first operand weighs ``a(x) = (1 - tanh(steepness (x - location))) / 2``. Change window: the
    second operand weighs ``w(x) = (1 + tanh(steepness (x - start))) (1 - tanh(steepness (x - end))) / 4`` with
    start and end ``width / 2`` off the location (Lloyd et al. 2014, with the tanh written as a logistic function).

    >>> from autostatistician.kernels.expr import Leaf
    >>> step = ChangePoint(Leaf("C"), Leaf("SE"))
    >>> before, after = change_weights(step, np.array([0.0, 30.0]), (0.0, 1.0))
    >>> before.tolist(), after.tolist()
    ([0.5, 8.75651076269652e-27], [0.5, 1.0])
    """
    if isinstance(expr, ChangePoint):
        location, steepness = values
        after, before = _sigmoids(2.0 * steepness * (x - location))
        return before, after
    rise, not_yet, fall, over = _edges(x, values)
    return not_yet + rise * over, rise * fall


def weights_and_slopes(
    expr: ChangePoint | ChangeWindow, x: Array, values: tuple[float, ...]
) -> tuple[tuple[Array, Array], tuple[Array, ...]]:
    """The same, and the derivatives of the first weight by location, log steepness (and log width)."""
    location, steepness = values[:2]
    if isinstance(expr, ChangePoint):
        before, after = change_weights(expr, x, values)
        falling = 2.0 * steepness * before * after
        return (before, after), (falling, -falling * (x - location))
    half = 0.5 * values[2]
    rise, not_yet, fall, over = _edges(x, values)
    # d rise / d(argument) = 2 steepness rise (1 - rise); the window is rise * fall and the outside 1 - window.
    rising = 2.0 * steepness * rise * not_yet * fall
    falling = 2.0 * steepness * fall * over * rise
    slopes = (
        rising - falling,
        -(rising * (x - location + half) + falling * (location + half - x)),
        -half * (rising + falling),
    )
    return (not_yet + rise * over, rise * fall), slopes


def _edges(x: Array, values: tuple[float, ...]) -> tuple[Array, Array, Array, Array]:
    """Of both edges of a window the sigmoid that is one within it, and what it lacks of one."""
    location, steepness, width = values
    rise, not_yet = _sigmoids(2.0 * steepness * (x - location + 0.5 * width))
    over, fall = _sigmoids(2.0 * steepness * (x - location - 0.5 * width))
    return rise, not_yet, fall, over


def _sigmoids(z: Array) -> tuple[Array, Array]:
    """``1 / (1 + exp(-z))`` and ``1 / (1 + exp(z))``, each to all its digits."""
    return np.asarray(expit(z)), np.asarray(expit(-z))
