"""One value says whether amounts are told as they are or in per cent, for series and for tables."""

from __future__ import annotations

import numpy as np
from tests.describe.factory import PLAIN

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import units_of


def test_the_units_of_a_series_are_a_scale() -> None:
    x = np.arange(3.0)
    assert not units_of(PLAIN, x, x, "y").is_log
    log = units_of(PLAIN, x, x, "y", level=5.0)
    assert isinstance(log, Scale)
    assert (log.is_log, log.it) == (True, "'y'")


def test_long_names_are_cut() -> None:
    assert len(Scale(target="x" * 200).it) == 62
