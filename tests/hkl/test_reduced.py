"""The problem on a hull: its gradient, its gap, and that it is solved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.hkl.columns import PackedTriangle, column_of
from autostatistician.hkl.hull import Hull
from autostatistician.hkl.losses import LogisticLoss, Loss, SquaredLoss
from autostatistician.hkl.reduced import Reduced

RNG = np.random.default_rng(3)
X = RNG.normal(size=(30, 3))
Y = X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=30)
LOSSES: list[Loss] = [SquaredLoss(Y), LogisticLoss((Y > 0.0).astype(float))]
START = np.zeros(30)


def _reduced(loss: Loss, penalty: float = 1e-3) -> Reduced:
    triangle = PackedTriangle(30)
    features = [column_of(x, 0.3, 30).features(x) for x in X.T]
    hull = Hull(np.array([triangle.pack(one @ one.T) for one in features]), 8)
    hull.add([1, 2, 4, 3, 5])
    return Reduced(hull, triangle, loss, np.where(hull.sizes == 0.0, 0.1, 2.0**hull.sizes), penalty)


@pytest.mark.parametrize("loss", LOSSES, ids=["square", "logistic"])
def test_slopes_are_those_of_the_objective(loss: Loss) -> None:
    reduced, shares = _reduced(loss), np.array([0.2, 0.1, 0.3, 0.1, 0.25, 0.05])
    slopes = reduced.at(shares, START).slopes
    for place in range(6):
        step = 1e-5 * np.eye(6)[place]
        rise = reduced.at(shares + step, START).value - reduced.at(shares - step, START).value
        assert rise / 2e-5 == pytest.approx(-0.5 * reduced.penalty * slopes[place], rel=1e-4, abs=1e-7)


@given(shares=st.lists(st.floats(0.01, 1.0), min_size=6, max_size=6), at=st.sampled_from([0, 1]))
def test_no_gap_is_negative(shares: list[float], at: int) -> None:
    reduced = _reduced(LOSSES[at])
    point = reduced.at(np.array(shares) / sum(shares), START)
    assert reduced.gap(point) >= -1e-10
    assert point.primal <= point.value + 1e-12


@pytest.mark.parametrize("loss", LOSSES, ids=["square", "logistic"])
@pytest.mark.parametrize("penalty", [1e-1, 1e-3, 1e-6])
def test_it_is_solved(loss: Loss, penalty: float) -> None:
    reduced = _reduced(loss, penalty)
    point = reduced.solve(np.ones(6), START, 1e-6)
    assert 0.0 <= reduced.gap(point) + 1e-10 <= 2e-6
    assert point.shares.sum() == pytest.approx(1.0)
    assert reduced.level(point, 1e-4) > point.slopes.max()
