"""What pictures are drawn from holds arrays, and is told apart by identity."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from autostatistician.describe.facts.curves import PartSpread

X = np.arange(10.0)
SPREAD = PartSpread(0, X, X - 1.0, X + 1.0, X)


def test_equal_arrays_make_no_equal_curves() -> None:
    assert replace(SPREAD) != SPREAD
    assert len({SPREAD, replace(SPREAD)}) == 2


def test_curves_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        SPREAD.part = 1  # type: ignore[misc]
