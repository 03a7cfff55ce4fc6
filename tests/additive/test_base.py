"""Kernels of one column."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician.additive.base import base_of, base_of_categories


def test_orthogonal_kernels_average_to_zero_under_normal_inputs() -> None:
    base = base_of("SE", orthogonal=True)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    values = base.value(nodes, np.full(60, 0.7), np.array([-0.3]))
    assert weights @ values / weights.sum() == pytest.approx(0.0, abs=1e-6)


SHARES = (0.2, 0.5, 0.3)


CODES = np.array([0.0, 1.0, 2.0, 3.0])  # the last is none of those of the data


def _plain(one: float, other: float, contrast: float) -> float:
    return 1.0 if one == other else 1.0 / (1.0 + contrast)


def _orthogonal(one: float, other: float, contrast: float) -> float:
    """With averages over the categories, one after the other (Lu et al. 2022, equation 9)."""
    mean = [sum(share * _plain(x, s, contrast) for s, share in enumerate(SHARES)) for x in (one, other)]
    both = sum(p * q * _plain(s, t, contrast) for (s, p), (t, q) in product(enumerate(SHARES), repeat=2))
    return _plain(one, other, contrast) - mean[0] * mean[1] / both


@pytest.mark.parametrize("contrast", [0.3, 1.0, 20.0])
def test_the_kernels_of_categories_are_those_of_double_loops(contrast: float) -> None:
    u, at, other = np.array([np.log(contrast)]), CODES[:, None], CODES[None]
    plain = [[_plain(a, b, contrast) for b in CODES] for a in CODES]
    orthogonal = [[_orthogonal(a, b, contrast) for b in CODES] for a in CODES]
    base = base_of_categories(SHARES)
    assert base_of("Cat").value(at, other, u) == pytest.approx(np.array(plain))
    assert base.value(at, other, u) == pytest.approx(np.array(orthogonal))
    assert np.array(SHARES) @ base.value(CODES[:3, None], other, u) == pytest.approx(np.zeros(4), abs=1e-15)
    for one in (base, base_of("Cat")):
        slope = approx_fprime(u, lambda v, one=one: one.value(at, other, v).ravel(), 1e-7)
        assert one.derivatives(at, other, u)[1][0].ravel() == pytest.approx(slope.ravel(), abs=1e-6)
