"""The record of several classes."""

from __future__ import annotations

import numpy as np
from tests.decompose.table.several import dataset, found


def test_what_was_given_is_the_chance_of_what_came() -> None:
    out = found().foreseen
    rows = range(dataset().n)
    np.testing.assert_array_equal(out.given, [out.chance[row, out.came[row]] for row in rows])
    assert found().classes == dataset().classes
