"""Inputs that are turned before an additive kernel sees them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from autostatistician.additive.base import base_of
from autostatistician.additive.evidence import given, learned_prior
from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.additive.rotation import (
    Turns,
    learned_rotation,
    negative_log_evidence_turned,
    principal_rotation,
    turnable,
    turned_mixture,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 4))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=20)


@pytest.mark.parametrize(
    "layout",
    [
        Layout((base_of("SE"),) * 4, (1, 2, 4)),
        Layout((base_of("SE"), base_of("Cat"), base_of("RQ"), base_of("Per")), (1, 2), stretched=True),
        Layout((base_of("RQ"),) * 4, (1, 3), rooted=True),
    ],
)
def test_the_gradient_is_that_of_differences(layout: Layout) -> None:
    turns = turnable(layout)
    assert turns.places == tuple(d for d in range(4) if layout.bases[d].symbol != "Cat")
    rows = np.where([base.symbol == "Cat" for base in layout.bases], X > 0.0, X)
    v = np.random.default_rng(1).normal(0.0, 0.4, layout.size + turns.size)
    _, slopes = negative_log_evidence_turned(layout, turns, v, rows, Y)
    found = approx_fprime(v, lambda at: negative_log_evidence_turned(layout, turns, at, rows, Y)[0], 1e-6)
    assert slopes == pytest.approx(found, rel=1e-3, abs=1e-3)


def test_rotations_are_orthogonal_and_leave_the_other_columns() -> None:
    turns = Turns(4, (0, 2, 3))
    numbers = np.array([0.5, -2.0, 1.0])
    R = turns.rotation(numbers)
    np.testing.assert_allclose(R.T @ R, np.eye(4), atol=1e-12)
    assert R[1].tolist() == [0.0, 1.0, 0.0, 0.0]
    assert turns.rotation(np.zeros(3)) == pytest.approx(np.eye(4))
    axes = R[np.ix_(turns.places, turns.places)][:, [2, 0, 1]] * [1.0, -1.0, 1.0]
    again = turns.rotation(turns.turns(axes))[np.ix_(turns.places, turns.places)]
    assert np.abs(axes.T @ again).max(axis=0) == pytest.approx(np.ones(3))  # the same axes, in another order


def test_principal_axes_are_not_correlated() -> None:
    rows = X @ np.random.default_rng(2).normal(size=(4, 4))
    turned = rows @ principal_rotation(turnable(Layout((base_of("SE"),) * 4, (1,))), rows)
    assert np.corrcoef(turned, rowvar=False) == pytest.approx(np.eye(4), abs=1e-9)


def test_a_product_becomes_a_sum() -> None:
    """``x1 x2`` is a sum of functions of ``x1 + x2`` and ``x1 - x2`` alone: axes at 45 degrees."""
    rows = np.random.default_rng(3).normal(size=(50, 2))
    layout = Layout((base_of("SE"),) * 2, (1,))
    turns = turnable(layout)
    numbers, u = learned_rotation(layout, turns, rows, rows[:, 0] * rows[:, 1], 3, RNG, None)
    rotation = turns.rotation(numbers)
    assert turns.numbers(rotation) == pytest.approx(numbers)
    assert np.abs(rotation) == pytest.approx(np.full((2, 2), np.sqrt(0.5)), abs=0.02)
    assert AdditiveKernel(layout, u).noise_variance < 1e-3


def test_rotations_are_integrated_over_with_the_parameters() -> None:
    """Every fit sees rows as it turns them: the first as it is, the others each by itself."""
    layout, rng = Layout((base_of("SE"),) * 4, (1,)), np.random.default_rng(4)
    turns, prior = turnable(layout), learned_prior(layout)
    numbers, u = learned_rotation(layout, turns, X, Y, 2, rng, prior)
    R = turns.rotation(numbers)
    first = given(AdditiveKernel(layout, u), X @ R, Y)
    found = turned_mixture(first, turns, numbers, X, Y, prior, rng, 12)
    assert found.fits[0] is first
    means, _ = found.moments(X[:5] @ R)
    for fit, turned, mean in zip(found.fits, found.maps, means, strict=True):
        np.testing.assert_allclose(fit.posterior.X, X @ R @ turned)
        assert mean == pytest.approx(fit.posterior.project(None, X[:5] @ R @ turned).mean)
    assert max(np.abs(turned - np.eye(4)).max() for turned in found.maps) > 0.1
