"""The records of models of classes."""

from __future__ import annotations

import numpy as np
from tests.decompose.table.classes import decomposition


def test_the_chance_of_what_came_and_its_share() -> None:
    out = decomposition().foreseen
    assert out is not None
    np.testing.assert_allclose(out.given, np.where(out.came, out.chance, 1.0 - out.chance))
    assert out.log_score == np.log(out.given).mean()
    assert out.share == out.came.mean()
    assert decomposition().left_out is None
