"""The additive kernel against the published identities."""

from __future__ import annotations

from itertools import combinations, product
from math import exp, prod

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician.additive.base import base_of, base_of_categories
from autostatistician.additive.evidence import negative_log_evidence
from autostatistician.additive.kernel import AdditiveKernel, Layout

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))


def test_the_highest_order_of_se_is_the_product_of_all_columns() -> None:
    layout = Layout((base_of("SE"),) * 3, (3,))
    kernel = AdditiveKernel(layout, np.array([0.1, -0.2, 0.3, 0.0, -2.0]))
    lengths = np.exp([0.1, -0.2, 0.3])
    expected = np.exp(-0.5 * (((X[:, None] - X[None]) / lengths) ** 2).sum(axis=2))
    assert kernel.matrix(X) == pytest.approx(expected)
    assert kernel.covariance(X[:4], X) == pytest.approx(expected[:4])
    assert kernel.variance(X) == pytest.approx(1.0)


def test_all_subsets_is_a_product_and_dropping_inputs_makes_it() -> None:
    """Input dropout with probability 1/2 averages over all subsets: 2^-D prod_d (1 + k_d) (Duvenaud 2014)."""
    layout = Layout((base_of("SE"),) * 3, (0, 1, 2, 3), tied=True)
    u = np.array([0.1, -0.2, 0.3, -3.0 * np.log(2.0), 0.0, -2.0])
    each = [np.exp(-0.5 * ((X[:, None, d] - X[None, :, d]) / np.exp(u[d])) ** 2) for d in range(3)]
    masks = [prod((each[d] for d in range(3) if mask >> d & 1), start=np.ones((25, 25))) for mask in range(8)]
    assert AdditiveKernel(layout, u).matrix(X) == pytest.approx(np.mean(masks, axis=0))
    assert AdditiveKernel(layout, u).matrix(X) == pytest.approx(np.prod([1.0 + k for k in each], axis=0) / 8.0)


SHARES = (0.2, 0.5, 0.3)


def _plain(one: float, other: float, contrast: float) -> float:
    return 1.0 if one == other else 1.0 / (1.0 + contrast)


def _orthogonal(one: float, other: float, contrast: float) -> float:
    """With averages over the categories, one after the other (Lu et al. 2022, equation 9)."""
    mean = [sum(share * _plain(x, s, contrast) for s, share in enumerate(SHARES)) for x in (one, other)]
    both = sum(p * q * _plain(s, t, contrast) for (s, p), (t, q) in product(enumerate(SHARES), repeat=2))
    return _plain(one, other, contrast) - mean[0] * mean[1] / both


def test_the_matrix_is_the_sum_over_subsets_of_columns() -> None:
    bases = (base_of("SE"), base_of("Cat"), base_of_categories(SHARES))
    u = np.array([0.2, -0.4, 0.6, 0.1, -0.3, 0.5, -1.0])
    rows = np.column_stack([RNG.normal(size=7), RNG.integers(0, 2, 7), RNG.integers(0, 4, 7)]).astype(float)
    expected = np.zeros((7, 7))
    for (i, x), (j, z) in product(enumerate(rows), repeat=2):
        k = [exp(-0.5 * ((x[0] - z[0]) / exp(0.2)) ** 2), _plain(x[1], z[1], exp(-0.4))]
        k.append(_orthogonal(x[2], z[2], exp(0.6)))
        sums = [sum(np.prod([k[d] for d in chosen]) for chosen in combinations(range(3), r)) for r in (1, 2, 3)]
        expected[i, j] = sum(exp(v) / count * one for v, count, one in zip(u[3:6], (3, 3, 1), sums, strict=True))
    layout = Layout(bases, (1, 2, 3))
    assert AdditiveKernel(layout, u).matrix(rows) == pytest.approx(expected)
    y = RNG.normal(size=7)
    slope = approx_fprime(u, lambda v: negative_log_evidence(layout, v, rows, y)[0], 1e-6)
    assert negative_log_evidence(layout, u, rows, y)[1] == pytest.approx(slope, rel=1e-3, abs=1e-3)
