"""What stands within blocks and between them, together, is the covariance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.profiles import compiled, evaluate
from autostatistician.inference.engines.semiseparable.accuracies import Wanted, can_write, expected_columns, wanted
from autostatistician.inference.engines.semiseparable.at_parameters import TermColumns
from autostatistician.inference.engines.semiseparable.layout import BlockLayout, laid_out
from autostatistician.inference.engines.semiseparable.objective import SemiseparableObjective
from autostatistician.inference.engines.semiseparable.term_products import (
    ExponentialsAdjoint,
    distributed,
    merged,
    numbered,
    product,
    product_adjoints,
    smooth_factors,
    split,
)
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import size
from autostatistician.language.leaf_terms import SQUARED_EXPONENTIAL_TERMS as FORM
from autostatistician.language.state_space import NO_TERMS, Exponentials, joined
from autostatistician.language.text import parse, parse_kernel


@pytest.mark.parametrize(
    "text", ["Lin * (C + CP(Lin, Wiener)) + Lin", "Wiener + IOU * CW(Lin * Per, Wiener)", "SE * Per"]
)
def test_factors_are_numbered_as_profiles_number_them(text: str) -> None:
    expr = parse(text)
    where = laid_out(np.arange(5.0))
    values = tuple(1.0 + index for index in range(size(expr)))
    state = evaluate(compiled(expr), values, where.x[:, None], where, ("x",), [], with_gradient=False)
    numbers = numbered(expr)
    assert set(numbers.values()) <= set(range(len(state.factors)))
    for start, number in numbers.items():
        if np.allclose(np.diff(state.factors[number]), 1.0):  # a line: x - location
            assert state.factors[number][0] == -values[start + 1]


def test_squared_exponentials_become_one() -> None:
    both, one = distributed(parse("Per * SE * (SE + C)"), 0)
    assert len(smooth_factors(both)) == 2
    assert [part.starts for part in merged(both)] == [(0,), (3, 5)]
    assert merged(one) == one


LAGS = np.linspace(0.1, 4.0, 7)
LINE = Exponentials.of([[1.0, -0.5]], [0.3], real=True)
TURNING = Exponentials.of([1.0 + 0.5j, 0.7 - 0.2j], [0.2 + 3.0j, 0.4 + 1.0j], real=False)
BOTH = joined([LINE, TURNING])


def test_a_product_is_that_of_the_values() -> None:
    for one, other in ((LINE, LINE), (LINE, TURNING), (TURNING, TURNING), (BOTH, BOTH)):
        np.testing.assert_allclose(product(one, other).at(LAGS), one.at(LAGS) * other.at(LAGS), rtol=1e-12)


def test_columns_are_counted_as_they_are_needed() -> None:
    assert [one.columns for one in (LINE, TURNING, BOTH, product(LINE, TURNING), product(TURNING, TURNING))] == [
        2, 4, 6, 8, 16,
    ]  # fmt: skip
    assert product(NO_TERMS, BOTH).columns == 0


def test_adjoints_of_a_product_are_its_derivatives() -> None:
    rng = np.random.default_rng(4)

    def shifted(one: Exponentials, by: ExponentialsAdjoint, step: float) -> Exponentials:
        return Exponentials(one.weight + step * by.weight, one.rate + step * by.rate, one.real, one.degree)

    def direction(one: Exponentials) -> ExponentialsAdjoint:
        real = rng.normal(size=one.weight.shape), rng.normal(size=one.rate.shape)
        imaginary = rng.normal(size=one.weight.shape), rng.normal(size=one.rate.shape)
        turning = ~one.real
        return ExponentialsAdjoint(
            real[0] + 1j * imaginary[0] * turning[:, None], real[1] + 1j * imaginary[1] * turning
        )

    outer = product(BOTH, TURNING)
    up = ExponentialsAdjoint(np.conj(direction(outer).weight), np.conj(direction(outer).rate))

    def value(left: Exponentials, right: Exponentials) -> float:
        found = product(left, right)
        return float(((up.weight * found.weight).sum() + (up.rate * found.rate).sum()).real)

    by_left, by_right = product_adjoints(BOTH, TURNING, up)
    h = 1e-6
    for by, one, put in ((by_left, BOTH, lambda w: value(w, TURNING)), (by_right, TURNING, lambda w: value(BOTH, w))):
        along = direction(one)
        difference = (put(shifted(one, along, h)) - put(shifted(one, along, -h))) / (2 * h)
        expected = ((by.weight * along.weight).sum() + (by.rate * along.rate).sum()).real
        assert expected == pytest.approx(difference, rel=1e-7)


def test_a_sum_gives_back_what_is_of_each_part() -> None:
    by = ExponentialsAdjoint(BOTH.weight * 2.0, BOTH.rate * 3.0)
    line, turning = split(by, [LINE, TURNING])
    np.testing.assert_array_equal(line.weight, 2.0 * LINE.weight)
    np.testing.assert_array_equal(turning.weight, 2.0 * TURNING.weight)
    np.testing.assert_array_equal(turning.rate, 3.0 * TURNING.rate)


def _wanted(text: str, values: tuple[float, ...], n: int = 50) -> Wanted:
    where = laid_out(np.arange(float(n)))
    return wanted(evaluate(compiled(parse(text)), values, where.x[:, None], where, ("x",), []), where)


def test_less_noise_more_rows_and_more_signal_want_more() -> None:
    usual, _ = _wanted("SE + WN", (3.0, 1.0, 0.1)).accuracy(FORM, (20.0, 1.0), 1.0, 1.0)
    for noise, power, n, times in ((0.05, 1.0, 50, 0.25), (0.1, 4.0, 50, 0.25), (0.1, 1.0, 100, 0.5)):
        found, _ = _wanted("SE + WN", (3.0, 1.0, noise), n).accuracy(FORM, (20.0, 1.0), 2.0, 0.5 * power)
        assert np.isclose(found.error, usual.error * times)


def test_noise_that_stops_wants_more_than_there_is() -> None:
    found = _wanted("CP(WN, SE)", (25.0, 100.0, 1.0, 3.0, 1.0))
    assert not found.accuracy(FORM, (20.0, 1.0), 1.0, 1.0)[1]
    assert found.accuracy(FORM, (20.0, 1.0), 1.0, found.x < 24.0)[1]  # multiplied with nothing where there is no noise


def test_variances_are_those_of_the_terms() -> None:
    expr = parse("CP(Lin * SE, (C + RQ) * IOU) + Wiener * Per")
    values, where = tuple(0.5 + 0.1 * index for index in range(18)), laid_out(np.arange(1.0, 9.0))
    state = evaluate(compiled(expr), values, where.x[:, None], where, ("x",), [], with_gradient=False)
    expected = sum(
        np.prod([state.factors[index] ** 2 for index in key], axis=0) * slot.at_zero()
        + (0.0 if slot.rise is None else 2.0 * slot.rise)
        for key, slot in state.terms.items()
    )
    found = replace(Wanted.alike(1.0, where.x), x=where.x).variance(expr, values, 0)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_columns_of_sums_and_products() -> None:
    assert expected_columns(parse("CP(SE * Lin, Per) + WN")) == 7 + 14
    assert expected_columns(parse("(C + SE) * SE")) == 7 + 7  # the product of both is one again
    assert not can_write(parse("CP(SE, Cat)"))


Array = NDArray[np.float64]
X = np.sort(np.random.default_rng(2).uniform(-4.0, 9.0, 15))
WHERE = laid_out(X, 4)
PROFILE = WHERE.blocked(np.cos(X))

SOME = joined(
    [
        Exponentials.of([[1.0, -0.5, 0.3]], [0.3], real=True),
        Exponentials.of([1.0 + 0.5j, 0.7 - 0.2j], [0.2 + 3.0j, 0.4 + 1.0j], real=False),
        Exponentials.of([[0.5 + 0.1j, 0.2]], [0.1 + 2.0j], real=False),
    ]
)


def _between(U: Array, V: Array, phi: Array, where: BlockLayout) -> Array:
    B, m, _ = U.shape
    found = np.zeros((B, m, B, m))
    for i in range(B):
        for j in range(i):
            found[i, :, j] = (U[i] * np.prod(phi[j + 1 : i], axis=0)) @ V[j].T
    return found.reshape(B * m, B * m)[: len(where.x), : len(where.x)]


def test_columns_are_the_waves_between_blocks() -> None:
    own = TermColumns.of(SOME, WHERE, PROFILE)
    columns = own.columns()
    assert columns[0].shape[-1] == SOME.columns
    a = np.cos(X)
    expected = SOME.at(np.abs(X[:, None] - X)) * a * a[:, None]
    block = np.arange(len(X)) // 4
    apart = block[:, None] > block
    np.testing.assert_allclose(_between(*columns, WHERE)[apart], expected[apart], atol=1e-12)


def test_adjoints_are_the_derivatives() -> None:
    rng = np.random.default_rng(6)
    own = TermColumns.of(SOME, WHERE, PROFILE)
    weights = [rng.normal(size=one.shape) for one in own.columns()]
    by, by_a = own.adjoint(weights[0], weights[1], weights[2])

    def value(step: float, dw: Array, ds: Array, da: Array) -> float:
        moved = Exponentials(SOME.weight + step * dw, SOME.rate + step * ds, SOME.real, SOME.degree)
        found = TermColumns.of(moved, WHERE, PROFILE + step * da).columns()
        return float(sum((one * weight).sum() for one, weight in zip(found, weights, strict=True)))

    turning = ~SOME.real
    dw = rng.normal(size=SOME.weight.shape) + 1j * rng.normal(size=SOME.weight.shape) * turning[:, None]
    dw *= np.arange(SOME.weight.shape[1]) <= SOME.degree[:, None]
    ds = rng.normal(size=SOME.rate.shape) + 1j * rng.normal(size=SOME.rate.shape) * turning
    da = rng.normal(size=PROFILE.shape) * WHERE.filled
    h = 1e-5
    difference = (value(h, dw, ds, da) - value(-h, dw, ds, da)) / (2 * h)
    expected = float(((by.weight * dw).sum() + (by.rate * ds).sum()).real + (by_a * da).sum())
    assert expected == pytest.approx(difference, rel=1e-7)


def test_blocks_and_columns_are_the_covariance() -> None:
    kernel = parse_kernel("Matern32(lengthscale=2, sd=1) * Lin(sd=0.3, location=-1) + Wiener(sd=0.4, location=0)")
    x = np.sort(np.random.default_rng(0).uniform(0.0, 9.0, 12))
    objective = SemiseparableObjective((kernel + parse_kernel("WN(sd=0.5)")).expr, Problem(x, np.zeros(12)), block=4)
    at = objective.at((*kernel.values, 0.5))
    assert at is not None
    U, V, phi, K = at.blocks.U, at.blocks.V, at.blocks.phi, covariance(kernel, x)
    np.testing.assert_allclose(at.blocks.K[1], K[4:8, 4:8] + 0.25 * np.eye(4), atol=1e-12)
    np.testing.assert_allclose(U[1] @ V[0].T, K[4:8, :4], atol=1e-12)
    np.testing.assert_allclose(U[2] @ (phi[1] * V[0]).T, K[8:, :4], atol=1e-12)
