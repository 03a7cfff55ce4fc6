"""Products and parts of sums of exponential terms, and the way back through them."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.semiseparable.term_products import (
    ExponentialsAdjoint,
    product,
    product_adjoints,
    split,
)
from autostatistician.language.exponentials import NO_TERMS, Exponentials, joined

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
    for by, one, put in (
        (by_left, BOTH, lambda w: value(w, TURNING)),
        (by_right, TURNING, lambda w: value(BOTH, w)),
    ):
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
