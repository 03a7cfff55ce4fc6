"""Inducing points: as many as the noise asks for, where the function varies."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.engines.inducing.selection import FEWEST, inducing_rows
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

RNG = np.random.default_rng(7)
PROBLEM = Problem(RNG.uniform(0.0, 1.0, (6000, 3)), RNG.normal(size=6000), ("a", "b", "c"))


def test_more_points_for_less_noise_and_none_that_says_nothing() -> None:
    counts = []
    for noise in (1.0, 0.01):
        kernel = parse_kernel(f"SE[a](lengthscale=0.3, sd=1) * SE[b](lengthscale=0.3, sd=1) + WN(sd={noise})")
        counts.append(len(inducing_rows(kernel, PROBLEM, 200)))
    assert FEWEST <= counts[0] < counts[1] <= 200
    line = parse_kernel("Lin[a](sd=1, location=0.5) + C(sd=1) + WN(sd=0.1)")
    assert len(inducing_rows(line, PROBLEM, 200)) == 2


def test_the_same_rows_for_the_same_data_each_once() -> None:
    kernel = parse_kernel("SE[a](lengthscale=0.1, sd=1) + WN(sd=0.1)")
    rows = inducing_rows(kernel, PROBLEM, 100)
    assert len(set(rows.tolist())) == len(rows)
    np.testing.assert_array_equal(rows, inducing_rows(kernel, PROBLEM, 100))
    # along the column that matters no two are neighbours, along the others they are as they come
    assert np.diff(np.sort(PROBLEM.X[rows, 0])).min() > 1e-4
