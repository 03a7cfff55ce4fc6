"""Columns of waves put together again, and their adjoints."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.engines.semiseparable.columns import TermColumns
from autostatistician.inference.engines.semiseparable.layout import BlockLayout, laid_out
from autostatistician.language.exponentials import Exponentials, joined

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
