"""Draws in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from autostatistician.decompose.records.function import Estimate
from autostatistician.decompose.series.estimates import estimate, robust_sd, witness


def test_the_range_holds_what_it_says() -> None:
    draws = np.random.default_rng(0).normal(2.0, 1.0, size=20_000)
    known = estimate(draws)
    assert (known.number, known.low, known.high) == pytest.approx((2.0, 0.04, 3.96), abs=0.05)
    assert known.probability == pytest.approx(0.977, abs=0.005)


def test_the_range_holds_as_much_of_further_values_where_draws_are_few() -> None:
    known = [estimate(np.random.default_rng(seed).normal(size=60)) for seed in range(400)]
    held = [norm.cdf(one.high) - norm.cdf(one.low) for one in known]
    assert float(np.mean(held)) == pytest.approx(0.95, abs=0.006)


def test_the_robust_size_of_normal_values_is_their_standard_deviation() -> None:
    values = np.random.default_rng(0).normal(0.0, 3.0, size=20_000)
    assert robust_sd(values) == pytest.approx(3.0, rel=0.03)


@pytest.mark.parametrize(("number", "agrees"), [(5.0, True), (1.0, False)])
def test_a_witness_agrees_where_ranges_have_a_common_part(number: float, agrees: bool) -> None:
    assert witness("medians", number, 0.5, Estimate(6.0, 5.5, 6.5, 1.0)).agrees is agrees


def test_a_witness_of_array_numbers_agrees_as_plain_values_do() -> None:
    number, error = np.array([6.0, 0.5])
    assert witness("medians", number, error, Estimate(6.0, 5.5, 6.5, 1.0)).agrees is True  # a record is plain JSON
