"""Curves of parts: their limits, and what is left after each."""

from __future__ import annotations

import numpy as np
from tests.describe import factory

from autostatistician.describe.observe.series.curves import part_curves, series_curves

D = factory.airline()


def test_what_is_left_falls_part_by_part_to_what_the_last_leaves() -> None:
    left = D.modelled.copy()
    for part, curves in zip(D.components, part_curves(D), strict=True):
        left -= part.mean
        np.testing.assert_allclose(curves.left, left, atol=1e-9)


def test_only_the_last_part_leaves_none_to_come() -> None:
    remaining = [curves.remaining is None for curves in part_curves(D)]
    assert remaining == [False] * (len(remaining) - 1) + [True]


def test_limits_hold_95_per_cent_of_a_normal_distribution() -> None:
    curve = series_curves(D).observation
    np.testing.assert_allclose(curve.upper - curve.mean, 1.96 * curve.sd)
    np.testing.assert_allclose(curve.mean - curve.lower, 1.96 * curve.sd)
