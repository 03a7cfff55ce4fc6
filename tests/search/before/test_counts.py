"""Counts with zeros: what their distribution gives is possible, what it hardly ever gives is not."""

from __future__ import annotations

import numpy as np

from autostatistician.search.before.counts import possible_counts


def test_draws_of_a_negative_binomial_are_possible_and_a_hundred_means_are_not() -> None:
    rng = np.random.default_rng(0)
    y = rng.negative_binomial(1.0, 0.25, size=400).astype(float)
    usual = y < np.quantile(y, 0.99)
    assert possible_counts(y, np.full(400, 3.0), usual, 1e-5).all()
    y[7], usual[7] = 300.0, False
    assert np.flatnonzero(~possible_counts(y, np.full(400, 3.0), usual, 1e-5)).tolist() == [7]
