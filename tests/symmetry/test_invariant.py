"""The covariance with symmetries: what it leaves as it is, and the slopes of its evidence."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from autostatistician.symmetry.claims import Claim, Kind
from autostatistician.symmetry.invariant import Invariant, Rows
from autostatistician.symmetry.structure import structured

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
ROWS = Rows(RNG.uniform(-2.0, 2.0, (25, 4)), RNG.integers(0, 3, (25, 1)).astype(float))
Y = RNG.normal(size=25)
SWAP = Claim(Kind.EXCHANGE, (0, 1))

GROUPS = {
    "none": (),
    "odd and round": (Claim(Kind.EXCHANGE, (0, 1), odd=True), Claim(Kind.PERIOD, (0,))),
    "combination": (Claim(Kind.COMBINATION, (0, 1)), Claim(Kind.MIRROR, (2,))),
    "difference": (Claim(Kind.COMMON_SHIFT, (0, 1)), Claim(Kind.PERIOD, (1,)), SWAP),
    "blocks": (Claim(Kind.BLOCKS, (0, 1, 2, 3)), Claim(Kind.POINT, (0, 1))),
    "differences": (Claim(Kind.COMMON_SHIFT, (0, 1, 2)), SWAP, Claim(Kind.EXCHANGE, (1, 2))),
}


def _model(name: str) -> tuple[Invariant, Array]:
    structure = structured(GROUPS[name], 4)
    assert structure is not None
    model = Invariant.of(structure, ROWS)
    middle = np.array([0.3 * 0.5 * (p.low + p.high) + 0.7 * p.mean for p in model.parameters])
    return model, middle + 0.1 * np.random.default_rng(1).normal(size=len(middle))


@pytest.mark.parametrize("name", GROUPS)
def test_gradient_of_the_posterior_density(name: str) -> None:
    model, u = _model(name)
    slopes = approx_fprime(u, lambda at: model.objective(ROWS, Y, at)[0], 1e-6)
    assert model.objective(ROWS, Y, u)[1] == pytest.approx(slopes, rel=2e-4, abs=2e-2)


@pytest.mark.parametrize("name", GROUPS)
def test_it_is_a_covariance_with_these_variances(name: str) -> None:
    model, u = _model(name)
    K = model.covariance(ROWS, ROWS, u)
    assert pytest.approx(K.T) == K
    assert np.linalg.eigvalsh(K).min() > -1e-9 * K.max()
    assert model.variance(ROWS, u) == pytest.approx(K.diagonal())


def test_the_function_has_the_symmetries() -> None:
    model, u = _model("odd and round")
    value = dict(zip(model.names, u, strict=True))
    period = np.exp(value["period", (0,)])
    moved = ROWS.X[:, [1, 0, 2, 3]] + [2.0 * period, -period, 0.0, 0.0]
    there = model.covariance(Rows(moved, ROWS.codes), ROWS, u) - 1.0
    assert there == pytest.approx(1.0 - model.covariance(ROWS, ROWS, u))
