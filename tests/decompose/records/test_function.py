"""Records of what a function does."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.decompose.records.function import FunctionDraws


def test_draws_are_all_at_the_same_places() -> None:
    x = np.arange(3.0)
    FunctionDraws(x, np.zeros((5, 3)), np.ones((5, 3)), x, x)
    with pytest.raises(AssertionError, match="same places"):
        FunctionDraws(x, np.zeros((5, 4)), np.ones((5, 3)), x, x)
