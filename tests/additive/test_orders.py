"""Elementary symmetric polynomials against sums over subsets, and their gradients."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from autostatistician.additive.orders import newton_girard, polynomials, weighted_sum, weighted_sum_gradient


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_polynomials_are_sums_over_subsets(columns: int, order: int, seed: int) -> None:
    z = np.random.default_rng(seed).uniform(-1.0, 1.0, (columns, 4))
    slow = [sum(np.prod(z[list(one)], axis=0) for one in combinations(range(columns), r)) for r in range(order + 1)]
    assert polynomials(z, order) == pytest.approx(np.array([np.broadcast_to(one, 4) for one in slow]), abs=1e-12)


def test_no_entries_are_no_trouble() -> None:
    assert weighted_sum(np.empty((3, 0)), np.ones(3)).shape == (0,)


def test_newton_girard_loses_the_digits_that_the_recursion_keeps() -> None:
    z = np.random.default_rng(1).uniform(0.0, 1.0, (60, 1))
    exact = [Fraction(1), *[Fraction(0)] * 40]
    for one in z[:, 0]:
        exact = [exact[0], *(exact[r] + Fraction(one) * exact[r - 1] for r in range(1, 41))]
    kept = abs(polynomials(z, 40)[40, 0] / float(exact[40]) - 1.0)
    lost = abs(newton_girard(z, 40)[40, 0] / float(exact[40]) - 1.0)
    assert kept < 1e-14
    assert lost > 1e-11


@given(st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
def test_gradient_of_the_recursion(columns: int, order: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    z, weights, outer = rng.normal(size=(columns, 3)), rng.normal(size=order + 1), rng.normal(size=3)
    by_weights, by_z = weighted_sum_gradient(z, weights, outer)
    assert by_weights == pytest.approx(approx_fprime(weights, lambda w: float(outer @ weighted_sum(z, w))), abs=1e-5)
    found = approx_fprime(z.ravel(), lambda v: float(outer @ weighted_sum(v.reshape(z.shape), weights)))
    assert by_z.ravel() == pytest.approx(found, rel=1e-4, abs=1e-4)
