"""Dates of two numbers and a year: read in the right order of day and month, or asked for."""

import io
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician.data.load import load
from autostatistician.data.panels import panel_of, wide_panel_of
from autostatistician.data.times.dates import parse_times
from autostatistician.errors import InputError

KINDS = (
    "daily", "early January", "monthly", "weekly", "hourly", "quarter-hourly", "with gaps", "early days", "quarterly",
    "first Mondays",
)  # fmt: skip
DRESSES = ("plain", "reversed", "shuffled", "two digits", "points", "German")
SURE = ("hourly", "quarter-hourly", "quarterly", "first Mondays")  # right in any dress


def _times(kind: str, rng: np.random.Generator) -> pd.DatetimeIndex:
    """Dates of which no day is beyond the 12th."""
    year, n, month = int(rng.integers(2005, 2024)), int(rng.integers(7, 13)), int(rng.integers(1, 13))
    early = pd.date_range(f"{year}-01-01", periods=400)
    early = early[early.day <= 12]
    first = f"{year}-{month:02d}-{rng.integers(1, 14 - n):02d}"
    weeks = pd.date_range(f"{year}-{month:02d}-01", periods=60, freq="W-MON")
    made = {
        "daily": pd.date_range(first, periods=n),
        "early January": pd.date_range(f"{year}-01-01", periods=n),
        "monthly": pd.date_range(f"{year}-{month:02d}-01", periods=4 * n, freq="MS") + pd.Timedelta(days=4 * (n % 3)),
        "weekly": weeks[weeks.day <= 12],
        "hourly": pd.date_range(f"{year}-{month:02d}-03", periods=24 * (n - 5), freq="h"),
        "quarter-hourly": pd.date_range(f"{year}-01-02", periods=96 * (n - 5), freq="15min"),
        "with gaps": early[np.sort(rng.choice(len(early), 3 * n, replace=False))],
        "early days": early,
        "quarterly": pd.date_range(f"{year}-01-01", periods=n, freq="QS"),
        "first Mondays": pd.date_range(f"{year}-{month:02d}-01", periods=n, freq="WOM-1MON"),
    }
    return made[kind]


def _written(times: pd.DatetimeIndex, dress: str, order: str, *, apart: bool) -> str:
    """A file of numbers over these times, the clock ``apart`` in a column of its own."""
    sep = "." if dress == "points" else "/"
    date = sep.join((*(("%d", "%m") if order == "dmy" else ("%m", "%d")), "%y" if dress == "two digits" else "%Y"))
    rows = np.arange(len(times))
    rows = {"reversed": rows[::-1], "shuffled": np.random.default_rng(1).permutation(rows)}.get(dress, rows)
    cut, point = (";", ",") if dress == "German" else (",", ".")
    clock = "" if (times == times.normalize()).all() else f"{cut if apart else ' '}%H:%M"
    names = ("Datum", "Uhrzeit", "Wert") if dress == "German" else ("date", "time", "value")
    head = cut.join(names if clock[:1] == cut else (names[0], names[2]))
    return "\n".join([head, *(f"{times[k].strftime(date + clock)}{cut}{k}{point}5" for k in rows)])


def _read(text: str, times: pd.DatetimeIndex) -> str:
    try:
        data = load(io.StringIO(text))
    except InputError as error:
        return "asked" if ":dmy" in str(error) else "refused"
    found = pd.DatetimeIndex(np.asarray(there(data.axis).times(data.x)).astype("M8[s]"))
    same = len(found) == len(times) and np.array_equal(data.y + data.offset, np.arange(len(times)) + 0.5)
    return "right" if same and (abs(found - times) < pd.Timedelta(days=4)).all() else "wrong"


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_day_and_month_is_right_or_asked_for(kind: str) -> None:
    rng = np.random.default_rng([56, KINDS.index(kind)])
    found = Counter[str]()
    for k in range(12):
        dress, times = DRESSES[k % len(DRESSES)], _times(kind, rng)
        order = "dmy" if k < 6 or dress in ("points", "German") else "mdy"
        found[_read(_written(times, dress, order, apart=bool(k % 2)), times)] += 1
    assert set(found) <= {"right", "asked"}
    assert found["right"] >= (12 if kind in SURE else 4)


MONTHS_OR_DAYS = "day,sold\n" + "".join(f"0{k}/01/2023,{k % 4}\n" for k in range(1, 8))


@pytest.mark.parametrize(("order", "last"), [("dmy", "2023-01-07"), ("mdy", "2023-07-01")])
def test_a_name_of_times_may_say_the_order(order: str, last: str) -> None:
    data = load(io.StringIO(MONTHS_OR_DAYS), time=f"day:{order}")
    assert there(data.axis).column == "day"
    assert str(there(data.axis).times(data.x[-1:])[0])[:10] == last


def test_two_readings_that_are_close_are_both_named() -> None:
    with pytest.raises(InputError) as error:
        load(io.StringIO(MONTHS_OR_DAYS))
    told = str(error.value)
    assert "'01/01/2023' in column 'day', which may be month/day/year (2023-01-01 to 2023-07-01)" in told
    assert "or day/month/year (2023-01-01 to 2023-01-07); choose by --time day:mdy or --time day:dmy" in told


@pytest.mark.parametrize("settings", [{}, {"every": "week", "by": "sum"}])
def test_sums_by_periods_stop_too(settings: dict[str, str]) -> None:
    with pytest.raises(InputError, match="day:dmy"):
        load(io.StringIO(MONTHS_OR_DAYS), **settings)
    assert load(io.StringIO(MONTHS_OR_DAYS), time="day:mdy", every="quarter", by="sum").n == 3


def test_panels_stop_and_take_the_order() -> None:
    rows = [(f"0{k}/01/2023", shop, k % 3 + 1) for shop in ("A", "B") for k in range(1, 9)]
    text = "day,shop,sold\n" + "".join(f"{day},{shop},{sold}\n" for day, shop, sold in rows)
    with pytest.raises(InputError, match="day:dmy"):
        panel_of(io.StringIO(text), ids=["shop"])
    panel = there(panel_of(io.StringIO(text), ids=["shop"], time="day:dmy"))
    assert there(panel.dataset(1).axis).frequency == "day"
    wide = "day,A,B\n" + "".join(f"0{k}/01/2023,{k % 3},{k % 4}\n" for k in range(1, 9))
    with pytest.raises(InputError, match="day:dmy"):
        wide_panel_of(io.StringIO(wide))
    assert there(wide_panel_of(io.StringIO(wide), time="day:mdy").dataset(0).axis).frequency == "month"


def test_what_all_rows_show_holds_for_some_of_them() -> None:
    text = "day,shop,sold\n" + "".join(f"{k:02d}/01/2023,{'A' if k < 8 else 'B'},{k % 5}\n" for k in range(1, 21))
    data = load(io.StringIO(text), where={"shop": "A"})
    assert there(data.axis).frequency == "day"


def test_one_day_that_is_the_same_in_both_orders_is_no_question() -> None:
    assert there(parse_times(["05/05/2023", "06/06/2023"])).either == {}


DAYS = pd.date_range("2020-01-01", periods=40)


def test_dates_in_two_forms_are_asked_about() -> None:
    cells = [day.strftime("%Y-%m-%d" if k % 3 else "%d %B %Y") for k, day in enumerate(DAYS)]
    with pytest.raises(InputError, match="dates of one form in column 'date'; found '01 January 2020' in row 1"):
        load(pd.DataFrame({"date": cells, "v": np.arange(40.0)}))


def test_dates_of_which_a_spreadsheet_exchanged_day_and_month_are_asked_about() -> None:
    cells = [day.strftime("%d/%m/%Y" if day.day > 12 else "%m/%d/%Y") for day in DAYS]
    frame = pd.DataFrame({"date": cells, "v": np.arange(40.0)})
    with pytest.raises(InputError, match=r"'01/01/2020' in row 1 .21 such cells.* changed places; .*--time date:dmy"):
        load(frame)
    assert load(frame, time="date:dmy").n == 40


@pytest.mark.parametrize("end", ["", " 00:00:00"])
@pytest.mark.parametrize("back", [1, -1])
@pytest.mark.parametrize(
    ("text", "cells", "second"),
    [
        ("%d/%m/%Y", "%Y-%m-%d", "month, day"), ("%m/%d/%Y", "%Y-%m-%d", "month, day"),
        ("%d.%m.%y", "%Y-%m-%d", "month, day"), ("%d/%m/%Y", "%Y-%d-%m", "day, month"),
        ("%m-%d-%Y", "%Y-%d-%m", "day, month"),
    ],
)  # fmt: skip
def test_dates_beside_those_of_a_spreadsheet_are_read_as_all_are_in_order(
    text: str, cells: str, second: str, back: int, end: str
) -> None:
    written = [day.strftime(text if day.day > 12 else cells + end) for day in DAYS[::back]]
    data = load(pd.DataFrame({"date": written, "v": np.arange(40.0)}))
    assert (there(data.axis).frequency, data.n) == ("day", 40)
    assert there(data.axis).label(data.X[0, 0]) == "2020-01-01"
    assert any(f"{end}' as year, {second}." in said for said in data.warnings)


@pytest.mark.parametrize("turn", [20, 60])
def test_files_of_two_programs_below_each_other_are_one_column(turn: int) -> None:
    days = pd.date_range("2023-01-09", periods=80)
    cells = [day.strftime("%d/%m/%Y" if k < turn else "%Y-%m-%d") for k, day in enumerate(days)]
    assert there(parse_times(cells, 0.5)).times.astype("M8[D]").tolist() == [day.date() for day in days]


def test_dates_of_two_forms_in_no_order_are_read_where_the_order_of_day_and_month_is_said() -> None:
    days = DAYS[np.random.default_rng(0).permutation(40)]
    frame = pd.DataFrame({"date": days.strftime("%d/%m/%Y").where(days.day > 12, days.strftime("%Y-%m-%d"))})
    with pytest.raises(InputError, match=r"dates of one form in column 'date'; .* by --time date:dmy"):
        load(frame.assign(v=np.arange(40.0)))
    data = load(frame.assign(v=np.arange(40.0)), time="date:dmy")
    assert (there(data.axis).frequency, data.n) == ("day", 40)


@pytest.mark.parametrize("seed", range(20))
def test_dates_in_no_order_are_not_taken_for_exchanged_ones(seed: int) -> None:
    days = np.random.default_rng(seed).permutation(pd.date_range("2015-01-01", periods=900))[:150]
    cells = pd.DatetimeIndex(days).strftime("%d/%m/%Y")
    parsed = there(parse_times(list(cells)))
    assert np.array_equal(parsed.times, days.astype("M8[us]"))
    assert parsed.exchanged == ()
