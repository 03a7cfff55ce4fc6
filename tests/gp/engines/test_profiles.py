"""Terms of a kernel: put together again they are the covariance, and the way back is the adjoint."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from tests.strategies import kernels

from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines import profiles
from autostatistician.gp.engines.geometry import geometry_of
from autostatistician.gp.engines.profiles import Evaluation, Slot, compiled
from autostatistician.kernels.evaluators import Compiler, Evaluator
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.text import parse


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
