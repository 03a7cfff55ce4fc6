"""Which column of a table holds the times of its rows."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.time_column import Timing, timing

N = 24
MONTHS = tuple(f"{2000 + k // 12}-{k % 12 + 1:02d}" for k in range(N))
RNG = np.random.default_rng(0)
VALUES = tuple(f"{value:.3f}" for value in RNG.normal(size=N))
OTHERS = tuple(f"{value:.3f}" for value in RNG.normal(size=N))
SHUFFLED = tuple(MONTHS[k] for k in RNG.permutation(N))
DAYS = tuple(
    str(np.datetime64("2001-01-01") + int(k)) for k in np.sort(RNG.choice(9000, N, replace=False))[RNG.permutation(N)]
)


def _timing(**columns: tuple[str, ...]) -> Timing:
    return timing([Profile(DataColumn(name, cells)) for name, cells in columns.items()])


def _name(found: Timing) -> str | None:
    return None if found.column is None else found.column.name


def test_dates_that_order_the_rows_or_fill_a_grid_are_the_times() -> None:
    assert _name(_timing(a=VALUES, when=MONTHS, b=OTHERS)) == "when"
    assert _name(_timing(a=VALUES, when=SHUFFLED, b=OTHERS)) == "when"


def test_dates_in_no_order_are_no_times_where_other_columns_explain() -> None:
    found = _timing(a=VALUES, born=DAYS, b=OTHERS)
    assert (_name(found), [column.name for column in found.passed_over]) == (None, ["born"])
    assert _name(_timing(born=DAYS, a=VALUES)) == "born"


def test_of_several_dates_the_one_with_a_name_of_times_is_taken_and_the_others_said() -> None:
    found = _timing(born=MONTHS, date=MONTHS[::-1], y=VALUES)
    assert _name(found) == "date"
    assert found.notes == ("Column 'date' is taken as the time axis; other columns of dates are left out: 'born'.",)
    assert {column.name for column in found.used} == {"born", "date"}


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"year": tuple(str(1990 + k) for k in range(N)), "y": VALUES}, "year"),
        ({"k": tuple(map(str, range(N))), "y": VALUES}, "k"),
        ({"id": tuple(map(str, range(N))), "y": VALUES}, None),
        ({"y": VALUES, "z": OTHERS}, None),
    ],
)
def test_numbers_are_times_by_their_name_or_because_they_rise(
    columns: dict[str, tuple[str, ...]], name: str | None
) -> None:
    assert _name(_timing(**columns)) == name


def test_parts_of_a_date_are_put_together() -> None:
    years, months = tuple(month[:4] for month in MONTHS), tuple(month[5:] for month in MONTHS)
    found = _timing(year=years, month=months, y=VALUES)
    assert _name(found) == "year-month"
    assert found.notes == ("Columns 'year' and 'month' were combined into the time axis.",)


def test_a_cycle_of_the_calendar_says_that_the_rows_are_in_order() -> None:
    found = _timing(weekday=("Mo", "Tu", "We", "Th") * 6, y=VALUES)
    assert (found.column, found.ordered) == (None, True)
    assert "starts again and again" in found.notes[0]


def test_times_that_cannot_be_read_are_named_with_the_cell() -> None:
    found = _timing(date=("1 of May", *("n/a",) * 3, *(f"day {k}" for k in range(N - 4))), y=VALUES)
    assert found.ordered
    assert "column 'date' cannot be read as times (such as '1 of May' in row 1)" in found.notes[0]


def test_the_target_is_never_the_time() -> None:
    columns = [Profile(DataColumn("year", tuple(str(1990 + k) for k in range(N)))), Profile(DataColumn("y", VALUES))]
    assert timing(columns, columns[0].column).column is None
