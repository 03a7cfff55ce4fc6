"""Axes: lengths, places, cycles, phases, scales and units."""

import pickle
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest
from tests.describe.factory import (
    BUSINESS,
    DAILY,
    DAYS,
    DEPTHS,
    HOURLY,
    MONTHLY,
    MONTHS,
    PLAIN,
    YEARLY,
    YEARS,
    units_on,
)

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.cycles import calendar_cycle, cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.lengths import along, length, rate, uncounted
from autostatistician.describe.axis.places import is_day, place, position_text, rows_around, stamp
from autostatistician.describe.axis.units import Scale, units_of
from autostatistician.describe.facts.kinds import Phase


def test_a_wave_that_fits_no_grid_stands_for_the_cycle_of_the_calendar() -> None:
    units = units_on(BUSINESS, DAYS)
    assert calendar_cycle(2.5, units) == (5.0, 2)
    assert calendar_cycle(5.0, units) == (5.0, 1)
    assert calendar_cycle(4.3, units) == (4.3, 1)


def test_a_column_of_minutes_is_measured_in_minutes() -> None:
    minutes = units_on(replace(PLAIN, column="Minutes"), DEPTHS)
    assert (length(2.5, minutes), length(1.0, minutes)) == ("2.5 minutes", "1 minute")
    assert rate(2.0, minutes) == (2.0, "per minute")
    assert uncounted(cycle(1.0, units_on(PLAIN, DEPTHS)).every) == "unit of 'depth'"


def test_slopes_take_the_unit_of_the_span() -> None:
    assert rate(30.0, units_on(MONTHLY, MONTHS)) == (30.0, "per year")
    assert rate(1.0, units_on(DAILY, DAYS)) == (pytest.approx(365.25), "per year")
    assert rate(1.0, units_on(DAILY, np.arange(100.0))) == (pytest.approx(30.4375), "per month")
    assert rate(2.0, units_on(PLAIN, DEPTHS)) == (2.0, "per unit of 'depth'")


def test_a_unit_behind_the_name_of_a_column_is_used() -> None:
    units = units_on(Axis("depth (m)", "", "", None), DEPTHS)
    assert length(2.5, units) == "2.5 m"
    assert place(4.0, units) == "'depth' = 4 m"
    assert stamp(4.0, units) == "4"
    assert rate(0.5, units) == (0.5, "per m")
    assert along(units) == "as 'depth' increases"
    assert cycle(2.0, units).every == "2 m"
    unknown = units_on(Axis("rank (best)", "", "", None), DEPTHS)
    assert (length(1.0, unknown), rate(1.0, unknown)[1]) == ("1 unit of 'rank (best)'", "per unit of 'rank (best)'")


START = datetime(2001, 1, 1)


@pytest.mark.parametrize(
    ("axis", "kind", "told", "size"),
    [
        (DAILY, Phase.MONTH, lambda moment: moment.month, 12),
        (DAILY, Phase.WEEKDAY, lambda moment: moment.weekday(), 7),
        (HOURLY, Phase.HOUR, lambda moment: moment.hour, 24),
        (DAILY, Phase.QUARTER, lambda moment: (moment.month + 2) // 3, 4),
    ],
)
def test_phases_are_those_of_the_calendar(axis: Axis, kind: Phase, told: object, size: int) -> None:
    x = np.arange(0.0, 900.0, 13.0)
    step = timedelta(days=1) if axis is DAILY else timedelta(hours=1)
    labels, count = phases(x, kind, units_on(axis, x))
    assert labels.tolist() == [told(START + float(at) * step) for at in x]  # type: ignore[operator]
    assert count == size


def test_places_have_names_where_the_data_are_fine_enough() -> None:
    assert phase_kind(1.0, units_on(MONTHLY, MONTHS)) is Phase.MONTH
    assert phase_kind(7.0, units_on(DAILY, np.arange(900.0))) is Phase.WEEKDAY
    assert phase_kind(7.0, units_on(replace(DAILY, step=None), np.arange(0.0, 900.0, 7.0))) is Phase.UNNAMED
    assert phase_kind(1.0, units_on(YEARLY, YEARS)) is Phase.UNNAMED
    quarters = replace(MONTHLY, frequency="quarter", step=0.25)
    assert phase_kind(1.0, units_on(quarters, MONTHS[::3])) is Phase.QUARTER


def test_places_are_counted_as_people_count_them() -> None:
    assert phase_text(Phase.QUARTER, (1,)) == "in quarter 1"


def test_neighbouring_rows_on_numbers_have_names_of_their_own() -> None:
    days = 2459000.5 + 0.25 * np.arange(20000.0)
    units = units_on(Axis("JD", "", "", 0.25), days)
    assert stamp(days[4], units) == "2,459,001.5"
    assert len({stamp(day, units) for day in days[:50]}) == 50
    assert position_text(days[100], units_on(Axis("JD", "", "", 0.25), days[:180])) == "2,459,025.5"


@pytest.mark.parametrize("position", np.linspace(1700.0, 1705.0, 11))
def test_rows_enclose_a_place_and_are_a_step_apart_at_most(position: float) -> None:
    low, high = rows_around(position, units_on(YEARLY, YEARS))
    assert low - 1e-3 <= position <= high + 1e-3
    assert (low % 1.0, high % 1.0) == (0.0, 0.0)
    assert high - low == float(position % 1.0 > 0.0)


def test_a_place_that_is_kept_stays_a_day() -> None:
    kept = pickle.loads(pickle.dumps(place(59.0, units_on(DAILY, np.arange(300.0)))))
    assert is_day(kept)
    assert not is_day("May 1955")


def test_the_units_of_a_series_are_a_scale() -> None:
    x = np.arange(3.0)
    assert not units_of(PLAIN, x, x, "y").is_log
    log = units_of(PLAIN, x, x, "y", level=5.0)
    assert isinstance(log, Scale)
    assert (log.is_log, log.it) == (True, "'y'")


def test_long_names_are_cut() -> None:
    assert len(Scale(target="x" * 200).it) == 62


def test_span_gap_and_spread_are_those_of_the_data() -> None:
    x, y = np.array([0.0, 1.0, 1.0, 4.0, 6.0]), np.array([1.0, 5.0, 3.0, 2.0, 9.0])
    units = units_of(PLAIN, x, y, " two\nlines ")
    assert (units.first, units.last, units.span) == (0.0, 6.0, 6.0)
    assert units.gap == 2.0  # the median of 1, 3 and 2: equal places are no gap
    assert units.spread == pytest.approx(y.std())
    assert units.target == "two lines"
    assert units_of(MONTHLY, MONTHS, MONTHS, "y").gap == MONTHLY.step


def test_values_that_are_all_the_same_are_spread_by_their_size() -> None:
    assert units_of(PLAIN, np.arange(3.0), np.full(3, -4.0), "y").spread == 4.0


def test_noise_shows_above_its_floor_and_above_rounding() -> None:
    units = replace(units_of(PLAIN, np.arange(3.0), np.array([0.0, 1.0, 2.0]), "y"), noise_floor=0.1)
    assert not units.shows_noise(0.14)
    assert units.shows_noise(0.16)
    assert not replace(units, noise_floor=0.0).shows_noise(1e-7)
