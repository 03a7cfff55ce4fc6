"""Pieces of curves keep their limits."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.facts.curves import Curve

X = np.arange(10.0)
CURVE = Curve(X, 2.0 * X, np.ones(10), 2.0 * X - 3.0, 2.0 * X + 4.0)


def test_a_piece_has_every_array_at_its_positions() -> None:
    piece = CURVE.cut(slice(3, 6))
    for name, shift in (("mean", 0.0), ("lower", -3.0), ("upper", 4.0)):
        np.testing.assert_array_equal(getattr(piece, name), 2.0 * X[3:6] + shift)
    assert piece.sd.shape == piece.x.shape == (3,)


def test_until_includes_its_end_and_nothing_beyond() -> None:
    assert CURVE.until(4.0).x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert CURVE.until(4.5).x[-1] == 4.0
    assert CURVE.until(-1.0).x.size == 0
