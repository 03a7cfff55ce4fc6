"""Terms of a kernel: put together again they are the covariance, and the way back is the adjoint."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from tests.inference.numeric import differences, numbered
from tests.strategies import kernels

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines import profiles
from autostatistician.inference.engines.geometry import geometry_of
from autostatistician.inference.engines.nodes import Compiler, Evaluator
from autostatistician.inference.engines.profiles import Evaluation, compiled
from autostatistician.inference.engines.terms import (
    BLOCK_LENGTH,
    Slot,
    Terms,
    added,
    multiplied,
    product_adjoint,
    total,
    with_factor,
)
from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.lag_functions import LagFunction
from autostatistician.language.text import parse

Vector = NDArray[np.float64]
LAGS = np.array([3.0, 2.0, 1.0])  # of which the first is that of a point with itself


class Memory:
    """Fresh memory."""

    def __init__(self) -> None:
        self.asked = 0

    def scratch(self, length: int) -> Vector:
        self.asked += 1
        return np.full(length, np.nan)


ONE: Terms = {(): Slot(LAGS.copy(), 0.5), (0,): Slot(2.0)}
OTHER: Terms = {(): Slot(0.0, 4.0), (1,): Slot(LAGS**2, 0.25)}


def _on_diagonal(terms: Terms) -> float:
    """The variance of a point at which all profiles are one."""
    return sum(slot.at_zero() + slot.d for slot in terms.values())


def _apart(terms: Terms) -> Vector:
    """Covariances of points apart."""
    return sum(((np.zeros(3) + slot.v)[1:] for slot in terms.values()), np.zeros(2))


def test_sums_and_products_are_those_of_the_covariances() -> None:
    memory = Memory()
    assert _on_diagonal(added([ONE, OTHER], memory)) == _on_diagonal(ONE) + _on_diagonal(OTHER)
    assert _on_diagonal(multiplied(ONE, OTHER, memory)) == _on_diagonal(ONE) * _on_diagonal(OTHER)
    np.testing.assert_allclose(_apart(multiplied(ONE, OTHER, memory)), _apart(ONE) * _apart(OTHER))
    assert set(multiplied(ONE, OTHER, memory)) == {(), (0,), (1,), (0, 1)}
    assert memory.asked == 0


def test_long_vectors_come_from_the_memory() -> None:
    memory, long = Memory(), np.linspace(0.0, 1.0, BLOCK_LENGTH + 1)
    found = multiplied({(): Slot(long)}, {(): Slot(long)}, memory)[()].v
    np.testing.assert_array_equal(found, long**2)
    assert memory.asked == 1


def _measure(terms: Terms) -> float:
    """A linear function of terms, with another weight on every part of them."""
    return sum(
        (index + 1.0) * (total(slot.v * np.array([1.0, -2.0, 0.5])) + 3.0 * slot.d)
        for index, (_, slot) in enumerate(sorted(terms.items()))
    )


def test_the_way_back_is_the_derivative() -> None:
    """In steps of one: a product is linear in each factor, so differences are derivatives."""
    memory, whole = Memory(), multiplied(ONE, OTHER, Memory())
    weights = {
        key: Slot((index + 1.0) * np.array([1.0, -2.0, 0.5]), (index + 1.0) * 3.0)
        for index, key in enumerate(sorted(whole))
    }
    found = product_adjoint(ONE, OTHER, weights, memory)
    moved = deepcopy(ONE)
    moved[()].d += 1.0
    assert found[()].d == pytest.approx(_measure(multiplied(moved, OTHER, memory)) - _measure(whole))
    for lag in range(3):
        moved = deepcopy(ONE)
        moved[()].v = np.asarray(moved[()].v) + np.eye(3)[lag]
        assert np.asarray(found[()].v)[lag] == pytest.approx(
            _measure(multiplied(moved, OTHER, memory)) - _measure(whole)
        )
    moved = deepcopy(ONE)
    moved[(0,)].v = 3.0
    assert found[(0,)].v == pytest.approx(_measure(multiplied(moved, OTHER, memory)) - _measure(whole))


def test_a_profile_keeps_its_factors_in_order() -> None:
    assert with_factor((1, 3), 2) == (1, 2, 3)


Array = NDArray[np.float64]
LAG = np.array([0.8])


@dataclass
class OneLag:
    """Values at one lag and, apart, the noise where a point meets itself (which it never does here)."""

    values: tuple[float, ...]
    gradient: list[float] = field(default_factory=list)
    with_gradient: bool = True

    def lags(self, column: str | None) -> Array:
        return LAG

    def evaluated(
        self, function: LagFunction, lags: Array, own: tuple[float, ...], skipped: int | None
    ) -> tuple[Array, tuple[Array, ...]]:
        return function.value_and_derivatives(lags, *own)

    def zero(self) -> Array:
        return np.zeros(1)

    def stationary(self, value: Array | float, noise: float) -> Array:
        return np.zeros(1) + value

    def by_stationary(self, adjoint: Array) -> tuple[Array, float]:
        return adjoint, 0.0

    def added(self, parts: list[Array]) -> Array:
        return np.sum(parts, axis=0)

    def by_term(self, term: Array, adjoint: Array) -> Array:
        return adjoint

    def multiplied(self, left: Array, right: Array) -> Array:
        return left * right

    def by_factor(self, target: Array, other: Array, adjoint: Array) -> Array:
        return adjoint * other

    def total(self, adjoint: Array | float) -> float:
        return float(np.sum(adjoint))

    def inner(self, adjoint: Array, derivative: Array) -> float:
        return float(adjoint @ derivative)


@pytest.mark.parametrize("text", ["SE * Per + C", "(C + RQ) * Matern32 * SE", "WN + SE", "0 + Cos * (C + Deep)"])
def test_values_and_gradient_of_sums_and_products(text: str) -> None:
    kernel = numbered(text, 0.7)
    expr, values = kernel.expr, kernel.values

    def value(at: tuple[float, ...]) -> float:
        return float(covariance(Kernel(expr, at), LAG, np.zeros(1))[0, 0])

    domain, root = OneLag(values, [0.0] * len(values)), Compiler().node(expr)
    assert root.forward(domain)[0] == pytest.approx(value(values))
    root.backward(domain, np.ones(1))
    assert domain.gradient == pytest.approx(differences(value, kernel, 1e-6).tolist(), abs=1e-8)


def test_what_is_not_stationary_needs_evaluators_of_its_own() -> None:
    for text in ("Lin", "Wiener", "CP(C, SE)"):
        with pytest.raises(NotImplementedError):
            Compiler().node(parse(text))


Matrix = NDArray[np.float64]


@dataclass
class Inputs:
    """Points to evaluate an expression on."""

    X: Matrix
    columns: tuple[str, ...] = ("x",)
    pool: list[Matrix] = field(default_factory=list)


LINE = Inputs(np.arange(5.0)[:, None] / 2.0)
PLANE = Inputs(np.random.default_rng(0).normal(size=(5, 2)), ("a", "b"))


def evaluate(root: Evaluator, values: tuple[float, ...], at: Inputs, with_gradient: bool = True) -> Evaluation:
    return profiles.evaluate(root, values, at.X, geometry_of(at.X), at.columns, at.pool, with_gradient)


def _matrix(state: Evaluation, n: int) -> Matrix:
    """The covariance from the terms, the slow way."""
    total = np.zeros((n, n))
    for key, slot in state.terms.items():
        v = np.full(state.geometry.size, slot.v) if isinstance(slot.v, float) else slot.v
        part = np.zeros((n, n))
        state.geometry.expand(v, part)
        part += np.triu(part, 1).T + slot.d * np.eye(n)
        part += 0.0 if slot.rise is None else np.add.outer(slot.rise, slot.rise)
        profile = state.profile(key)
        total += part if profile is None else part * np.outer(profile, profile)
    return total


@given(kernels(max_leaves=7), kernels(columns=("a", "b"), max_leaves=7))
def test_terms_add_up_to_the_covariance(on_line: Kernel, in_plane: Kernel) -> None:
    for kernel, at in ((on_line, LINE), (in_plane, PLANE)):
        expected = covariance(kernel, at.X, None, at.columns)
        found = _matrix(evaluate(compiled(kernel.expr), kernel.values, at), 5)
        np.testing.assert_allclose(found, expected, atol=1e-12 * np.abs(expected).max())


def test_special_functions_are_evaluated_on_lags_only() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=2.0) * leaf("Per", lengthscale=1.0, period=2.0, sd=1.0) + leaf("WN", sd=0.5)
    state = evaluate(compiled(kernel.expr), kernel.values, LINE)
    (key,) = state.terms
    assert key == ()
    assert np.shape(state.terms[key].v) == (5,)
    assert state.terms[key].d == 0.25
    assert state.terms[key].at_zero() == 4.0


@pytest.mark.parametrize("power", [1, 2, 3])
def test_powers_of_a_line_are_one_term(power: int) -> None:
    line = leaf("Lin", sd=2.0, location=1.0)
    kernel = Kernel.product((line,) * power)
    state = evaluate(compiled(kernel.expr), kernel.values, LINE)
    (key,) = state.terms
    assert len(key) == power
    assert state.terms[key].v == 4.0**power
    profile = state.profile(key)
    assert profile is not None
    np.testing.assert_allclose(profile, (LINE.X[:, 0] - 1.0) ** power)


def test_white_noise_stays_on_the_diagonal_and_costs_no_vector() -> None:
    for kernel in (leaf("WN", sd=0.5) * leaf("SE", lengthscale=1.0, sd=3.0), leaf("WN", sd=0.5) * leaf("C", sd=3.0)):
        slot = evaluate(compiled(kernel.expr), kernel.values, LINE).terms[()]
        assert slot == Slot(0.0, 2.25)


def test_zero_has_no_terms() -> None:
    assert evaluate(compiled(Leaf("0")), (), LINE).terms == {}
    product = Kernel.product((leaf("0"), leaf("SE", lengthscale=1.0, sd=1.0)))
    assert evaluate(compiled(product.expr), product.values, LINE).terms == {}


def test_without_gradient_nothing_is_kept_for_the_way_back() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=3.0)
    with_gradient, without = (evaluate(compiled(kernel.expr), kernel.values, LINE, flag) for flag in (True, False))
    np.testing.assert_array_equal(without.terms[()].v, with_gradient.terms[()].v)


def test_vectors_are_taken_from_the_pool_again() -> None:
    points = Inputs(LINE.X)
    state = evaluate(compiled(Leaf("C")), (1.0,), points)
    first, second = state.scratch(7), state.scratch(7)
    again = evaluate(compiled(Leaf("C")), (1.0,), points)
    assert again.scratch(7) is first
    assert again.scratch(7) is second
    assert len(points.pool) == 2
    longer = evaluate(compiled(Leaf("C")), (1.0,), points)
    assert (len(longer.scratch(9)), len(longer.scratch(3)), len(points.pool)) == (9, 3, 2)
