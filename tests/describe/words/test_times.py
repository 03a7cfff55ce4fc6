"""What numbers are told for, and stretches of time."""

from __future__ import annotations

from tests.describe.factory import MONTHLY, MONTHS, PLAIN, units_on

from autostatistician.describe.axis.places import told_span
from autostatistician.describe.words.times import named_for, named_place, told_for, told_in
from autostatistician.wording.messages import spoken_in

TIMES, DEPTHS = units_on(MONTHLY, MONTHS), units_on(PLAIN, MONTHS)


def test_numbers_are_told_for_a_time_or_a_place_on_an_axis_with_its_name() -> None:
    assert (told_for(1961.0, TIMES), told_in(1961.0, TIMES)) == ("for January 1961", "in January 1961")
    assert (named_for(1961.0, TIMES), named_for(1961.0, DEPTHS)) == ("for January 1961", "for 'depth' = 1961")
    with spoken_in("de"):
        assert named_for(1961.0, DEPTHS) == "bei 'depth' = 1961"


def test_a_stretch_goes_from_one_place_to_another() -> None:
    assert told_span("January 1961", "May 1962", TIMES) == "from January 1961 to May 1962"
    first = named_place("3", DEPTHS)
    with spoken_in("de"):
        assert told_span(first, "9", DEPTHS) == "von 'depth' = 3 bis 9"
