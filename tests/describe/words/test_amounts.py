"""Amounts on both scales, for series and tables alike."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, log, nan

import numpy as np
import pytest
from tests.describe.factory import MONTHLY

from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.amounts import (
    added,
    around,
    by,
    change,
    difference,
    difference_alone,
    drawn,
    drawn_level,
    either_side,
    error,
    errors,
    levels,
    per_cent,
    size,
    slope,
    steepness,
    within,
    zero,
)
from autostatistician.wording.messages import spoken_in

UNITS = Units(MONTHLY, 1949.0, 1960.9, 1 / 12, 0.4, target="sales", level=360.0)
PLAIN, LOG = Scale(target="y"), Scale(target="y", level=5.0)


def test_amounts() -> None:
    assert added(-0.2, 0.3, UNITS) == ("−18%", "+35%")
    assert within(0.001, UNITS) == "within ±0.1%"
    assert within(0.1, UNITS) == "between −9.5% and +11%"
    assert around(0.1, UNITS) == "between 9.5% below and 11% above"
    assert slope(-0.1, (-0.12, -0.08), UNITS, -1) == "9.5% per year (95% range: 7.7% to 11.3%)"
    assert slope(0.1, (nan, nan), UNITS) == "10.5% per year"


@pytest.mark.parametrize("scale", [PLAIN, LOG])
@pytest.mark.parametrize("sd", [0.004, 0.1, 0.9])
def test_tables_and_series_tell_a_range_alike(scale: Scale, sd: float) -> None:
    units = Units(MONTHLY, 0.0, 9.0, 1 / 12, 0.4, target="y", level=scale.level)
    assert around(sd, scale) == around(sd, units)
    assert within(sd, scale) == within(sd, units)


def test_ratios_are_no_plus_or_minus_unless_they_are_small() -> None:
    assert around(log(2.0), LOG) == "between 50% below and 100% above"
    assert around(0.004, LOG) == "within ±0.4% of"
    assert around(0.1, PLAIN) == "within ±0.1 of"


def test_differences_are_told_in_the_direction_that_they_have() -> None:
    assert by(log(1.5), (log(1.4), log(1.6)), LOG) == "by 50% (95% range: 40% to 60%)"
    assert by(log(0.5), (log(0.4), log(0.6)), LOG) == "by 50% (95% range: 40% to 60%)"  # a fall: what is lost
    assert change(-2.0, (-3.0, -1.0), PLAIN) == "−2.0 (−3.0 to −1.0)"
    assert size(log(1.25), LOG, 3) == "25%"
    assert size(-1234.5, PLAIN, 3) == "1,230"


def test_levels_stand_for_themselves() -> None:
    assert levels(0.0, log(2.0), LOG) == ("5", "10")
    assert levels(1.0, 2.5, PLAIN) == ("1", "2.5")
    assert (zero(PLAIN), zero(LOG)) == ("zero", "0%")


def test_errors_show_their_difference() -> None:
    assert error(0.1, LOG) == "10.5%"
    first, last = errors(1.00001, 1.00002, PLAIN)
    assert first != last


def test_what_is_too_large_stays_a_number() -> None:
    assert np.isfinite(per_cent(1e9))
    assert per_cent(inf) == inf
    assert np.isfinite(drawn(np.array([1e9, -1e9]), LOG)).all()
    assert np.isfinite(drawn_level(np.array([1e9]), LOG)).all()


def test_pictures_show_what_words_tell() -> None:
    values = np.array([-0.3, 0.0, 0.4])
    np.testing.assert_allclose(drawn(values, LOG), [per_cent(value) for value in values.tolist()])
    np.testing.assert_allclose(drawn_level(values, LOG), [5.0 * exp(value) for value in values.tolist()])
    assert drawn(values, PLAIN) is values
    assert drawn_level(values, PLAIN) is values


def test_steepness_is_the_size_of_a_slope() -> None:
    assert steepness(-0.1, UNITS) == pytest.approx(100.0 * (1.0 - exp(-0.1)))


def test_differences_can_stand_alone_and_as_nouns() -> None:
    assert difference(-0.1, (-0.3, 0.1), LOG) == "10% (95% range: −11% to 26%)"
    assert difference_alone(-0.1, (-0.3, 0.1), LOG) == "10%"
    assert (either_side(0.1, LOG), either_side(0.1, PLAIN)) == ("between 9.5% below and 11% above", "within ±0.1")
    with spoken_in("de"):
        assert difference(3.14, (2.9, 3.3), PLAIN) == "3,14 (95-%-Bereich: 2,90 bis 3,30)"
        assert around(0.1, PLAIN) == "höchstens 0,1 entfernt von"


def test_a_range_that_is_as_narrow_as_its_middle_is_not_told() -> None:
    assert slope(0.1, (0.1, 0.1 + 1e-13), replace(UNITS, level=None)) == "0.1 per year"
    assert zero(Scale(target="share", level=0.3, top=1.0)) == "30%"
