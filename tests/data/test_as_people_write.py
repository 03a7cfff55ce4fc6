"""Small files of kinds that users of libraries for series ask about, each with the series that a person reads in it."""

import io
from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
import pytest
from tests.there import there

from autostatistician.data.columns import DataColumn
from autostatistician.data.load import load
from autostatistician.data.times.calendar_days import MONTHS
from autostatistician.data.times.forms import ROMAN
from autostatistician.errors import InputError

N = 40
NUMBERS = np.round(250.0 + 40.0 * np.sin(np.arange(N)) + np.arange(N) % 7, 1)
SIGNED = np.where(np.arange(N) % 3 == 1, -7.0, 7.0) * NUMBERS
HEAD = "      " + "".join(f"{month[:3]:>7}" for month in MONTHS)
Cell = Callable[[pd.Timestamp], str]
ORDINALS = ("First", "Second", "Third", "Fourth")


def _times(step: str, first: str = "2020-01-06") -> pd.DatetimeIndex:
    return pd.date_range(first, periods=N, freq=step)


def _file(head: str, times: Iterable[pd.Timestamp], row: Callable[[pd.Timestamp, float], str]) -> str:
    lines = [row(time, value) for time, value in zip(times, NUMBERS.tolist(), strict=True)]
    return "\n".join([head, *lines]) + "\n"


def _dated(time: Cell, head: str = "date,value") -> Callable[[pd.DatetimeIndex], str]:
    """A file of numbers beside times in some form."""
    return lambda times: _file(head, times, lambda moment, value: f"{time(moment)},{value}")


def _serial(time: pd.Timestamp) -> str:
    return f"{(time - pd.Timestamp('1899-12-30')) / pd.Timedelta(days=1):.9f}".rstrip("0").rstrip(".")


def _spanish(time: pd.Timestamp) -> str:
    return f"{time:%d/%m/%Y %I:%M}:00 {'a' if time.hour < 12 else 'p'}. m."


def _until_24(time: pd.Timestamp) -> str:
    return f"{time:%d.%m.%Y %H:%M}" if time.hour else f"{time - pd.Timedelta(hours=1):%d.%m.%Y} 24:00"


def _across(first: str, time: Cell, cell: Callable[[float], str]) -> Callable[[pd.DatetimeIndex], str]:
    """A row of numbers below their times."""
    return lambda times: "\t".join([first, *map(time, times)]) + "\n" + "\t".join(["A,DE", *map(cell, NUMBERS)]) + "\n"


ISO, PLAIN = _dated(lambda t: f"{t:%Y-%m-%d}"), _dated(lambda t: f"{t:%Y-%m-%d %H:%M}", "time,value")
FILES: dict[str, tuple[str, Callable[[pd.DatetimeIndex], str]]] = {
    "spreadsheet days": ("D", _dated(_serial)),
    "spreadsheet hours": ("h", _dated(_serial, "Timestamp,value")),
    "spreadsheet months": ("MS", _dated(_serial, "month,value")),
    "milliseconds": ("h", _dated(lambda t: f"{t.value // 10**6}", "ts,value")),
    "nanoseconds": ("h", _dated(lambda t: f"{t:%Y-%m-%dT%H:%M:%S}.000000000Z")),
    "annotations": ("h", lambda t: "#datatype,dateTime,double\n#group,false,true\n" + PLAIN(t)),
    "half days": ("h", _dated(lambda t: f"{t:%m/%d/%Y %I:%M:%S %p}")),
    "half days in Spanish": ("h", _dated(_spanish, "fecha,consumo")),
    "half days apart": ("h", _dated(lambda t: f"{t:%m/%d/%Y},{t.hour % 12 or 12} {t:%p}", "Date,Time,MW")),
    "hours and minutes": ("h", _dated(lambda t: f"{t:%Y%m%d},{t:%H%M}", "date,time,load")),
    "to 24:00": ("h", lambda t: _dated(_until_24, "datum,last")(t)),
    "1Q2020": ("QS", _dated(lambda t: f"{t.quarter}Q{t.year}", "period,sales")),
    "20Q1": ("QS", _dated(lambda t: f"{t:%y}Q{t.quarter}", "Qtr,sales")),
    "fiscal quarters": ("QS", _dated(lambda t: f"Q{t.quarter} FY{t:%y}/{(t.year + 1) % 100:02d}")),
    "years of two": ("QS", _dated(lambda t: f"{t.year}/{(t.year + 1) % 100:02d}-Q{t.quarter}")),
    "Roman quarters": ("QS", _dated(lambda t: f"{ROMAN[t.quarter - 1]}/{t.year}")),
    "Polish quarters": ("QS", _dated(lambda t: f"{ROMAN[t.quarter - 1]} kwartał {t.year}")),
    "Italian quarters": ("QS", _dated(lambda t: f"{ROMAN[t.quarter - 1]} trim. {t.year}")),
    "quarters in words": ("QS", _dated(lambda t: f"{ORDINALS[t.quarter - 1]} quarter {t.year}")),
    "quarters apart": ("QS", _dated(lambda t: f"{t.year},{ROMAN[t.quarter - 1]}", "Year,Quarter,GDP")),
    "half-years": ("6MS", _dated(lambda t: f"{1 + t.month // 7}H{t:%y}")),
    "Roman months": ("MS", _dated(lambda t: f"1.{ROMAN[t.month - 1]}.{t.year}")),
    "months apart": ("MS", _dated(lambda t: f"{t.year},{ROMAN[t.month - 1]}", "Rok,Miesiąc,n")),
    "provisional": ("MS", _dated(lambda t: f"{t:%Y-%m}" + " (prov.)" * (t.year > 2017))),
    "six digits": ("D", _dated(lambda t: f"{t:%y%m%d}")),
    "six digits, day first": ("D", _dated(lambda t: f"{t:%d%m%y}")),
    "half-years in words": ("6MS", _dated(lambda t: f"{ROMAN[t.month // 7]} semestre {t.year}")),
    "French half-years": ("6MS", _dated(lambda t: f"{('1er', '2e')[t.month // 7]} sem. {t.year}")),
    "Buddhist years": ("D", _dated(lambda t: f"{t:%d/%m}/{t.year + 543}")),
    "eras": ("MS", _dated(lambda t: f"{'平成' if t.year < 2019 else '令和'}{(t.year - 1989) % 30 + 1}年{t.month}月")),
    "eras in letters": ("MS", _dated(lambda t: f"{'H' if t.year < 2019 else 'R'}{(t.year - 1989) % 30 + 1}.{t.month}")),
    "short weeks": ("W-MON", _dated(lambda t: f"KW {int(f'{t:%V}')}/{f'{t:%G}'[2:]}")),
    "French weeks": ("W-MON", _dated(lambda t: f"S{t:%V} {t:%G}")),
    "hours by number": ("h", _dated(lambda t: f"{t:%Y-%m-%d},{t.hour + 1}", "MarketDate,HourEnding,MW")),
    "week in words": ("W-MON", _dated(lambda t: f"{t:%G} Wk {t:%V}", "Week,Units")),
    "weeks of one year": ("W-MON", _dated(lambda t: f"{t:%G-%V}", "week,n")),
    "JavaScript": ("h", _dated(lambda t: f"{t:%a %b %d %Y %H:%M:%S} GMT+0000 (Coordinated Universal Time)")),
    "week by number": ("W-MON", _dated(lambda t: f"{t:%G},{t:%V}", "Year,Week No,Units")),
    "Eurostat": ("QS", _across("freq,geo\\TIME_PERIOD", lambda t: f"{t.year}-Q{t.quarter} ", lambda v: f"{v} p")),
    "months across": ("MS", _across("unit,geo\\time", lambda t: f"{t.year}M{t.month:02d} ", lambda v: f"{v} ")),
    "summary above": ("D", lambda t: f"Summary\nmean,{NUMBERS.mean():.1f}\nn,{N}\n\n" + ISO(t)),
    "table below": ("D", lambda t: ISO(t) + "\nregion,value\nnorth,12\nsouth,23\n"),
    "table beside": ("D", lambda t: _file("date,value,,kind,n", t, lambda d, v: f"{d:%Y-%m-%d},{v},,,")),
    "source below": ("D", lambda t: ISO(t) + "\nSource: the town, 2023\n* provisional\n"),
    "units": ("h", lambda t: PLAIN(t).replace("value\n", "value\n,degC\n", 1)),
    "logger": (
        "h",
        lambda t: '"TOA5","CR1","CR1","123","Std.32","Table1"\n"TIME","AirT"\n"TS","Deg C"\n"","Avg"\n' + PLAIN(t)[11:],
    ),
    "header again": ("h", lambda t: PLAIN(t).replace("2020-01-07 00:00", "time,value\n2020-01-07 00:00")),
    "Markdown": ("D", lambda t: _file("| day | n |\n|-----|--:|", t, lambda d, v: f"| {d:%Y-%m-%d} | {v} |")),
    "psql": ("D", lambda t: _file(" day | n\n-----+----", t, lambda d, v: f" {d:%Y-%m-%d} | {v}") + "(40 rows)\n"),
    "R data frame": ("D", lambda t: _file("   day   n", t, lambda d, v: f"{d.timetuple().tm_yday} {d:%Y-%m-%d} {v}")),
}


def _same(text: str, times: pd.DatetimeIndex, numbers: np.ndarray) -> bool:
    data = load(io.BytesIO(text.encode()))
    found = pd.DatetimeIndex(np.asarray(there(data.axis).times(data.x)).astype("M8[s]"))
    return len(found) == len(times) and bool((found == times).all()) and np.allclose(data.y + data.offset, numbers)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_as_a_person_reads_it(name: str) -> None:
    step, written = FILES[name]
    times = _times(step, "2020-01-06" if step in ("D", "h", "W-MON") else "2015-01-01")
    assert _same(written(times), times, NUMBERS)


def _said(text: str) -> str:
    return " ".join(load(io.StringIO(text)).warnings)


def test_it_is_said_that_the_beginning_of_fiscal_years_is_not_known() -> None:
    assert "In which month fiscal years such as that of 'Q1 FY15/16' begin is not known" in _said(
        FILES["fiscal quarters"][1](_times("QS", "2015-01-01"))
    )


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("2023-10-29 00:00", "1 time stands twice where the clock is put back (the first is 2023-10-29T02:00)"),
        ("2024-03-31 00:00", "1 time is skipped where the clock is put forward (the first is 2024-03-31T02:00)."),
    ],
)
def test_clocks_that_change_neither_lose_rows_nor_leave_gaps(first: str, said: str) -> None:
    zoned = pd.date_range(first, periods=N, freq="h", tz="Europe/Berlin")
    text = "time,value\n" + "".join(f"{time:%Y-%m-%d %H:%M},0.{time.day}\n" for time in zoned)
    assert said in _said(text)
    assert "left out" not in _said(text)
    assert load(io.StringIO(text)).n == N


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("2:10:15", "2:07:18", "59:59"), [7815.0, 7638.0, 3599.0]),
        (("00:01:15", "1 day, 0:00:00", "PT1H5M"), [75.0, 86_400.0, 3900.0]),
        (("1h 05m", "45 min", "1h05"), [65.0, 45.0, 65.0]),
        (("05:30", "12:15", "00:10"), [330.0, 735.0, 10.0]),
        (("1 Std. 5 Min.", "2 Std.", "40 Min."), [65.0, 120.0, 40.0]),
    ],
)
def test_lengths_of_time_are_numbers_as_a_target(cells: tuple[str, ...], numbers: list[float]) -> None:
    rows = "".join(f'{2001 + k},"{cell}"\n' for k, cell in enumerate(cells))
    data = load(io.StringIO("Year,Time\n" + rows), target="Time")
    assert (data.y + data.offset).tolist() == numbers
    assert any(
        warning.startswith(f"Durations such as {cells[0]!r} in column 'Time' were read in") for warning in data.warnings
    )


def test_months_as_r_prints_them() -> None:
    rows = [HEAD, *(f"{2015 + k}  " + "".join(f"{v:7.1f}" for v in NUMBERS[12 * k : 12 * k + 12]) for k in range(3))]
    assert _same("\n".join(rows), _times("MS", "2015-01-01")[:36], NUMBERS[:36])


@pytest.mark.parametrize(
    ("cell", "values"),
    [
        (lambda v: f'"{abs(v):,.1f}{"-" if v < 0 else ""}"', SIGNED),
        (lambda v: f'"({-v:,.1f})"' if v < 0 else f'"{v:,.1f}"', SIGNED),
        (lambda v: f'"$({-v:,.1f})"' if v < 0 else f'"${v:,.1f}"', SIGNED),
        (lambda v: f"%{v}", NUMBERS),
        (lambda v: f'"USD {v:,.2f}"', 1000 * NUMBERS),
    ],
    ids=["1,234.5-", "(1,234.5)", "$(1,234.5)", "%12.5", "USD 1,234.50"],
)
def test_numbers_as_accountants_write_them(cell: Callable[[float], str], values: np.ndarray) -> None:
    times = _times("D")
    text = "".join(f"{time:%Y-%m-%d},{cell(value)}\n" for time, value in zip(times, values.tolist(), strict=True))
    assert _same("date,value\n" + text, times, values)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1,200.00 CR", "35.50 DR", "10.00 Cr."], [1200.0, -35.5, 10.0]),
        (["100.00", "20.00CR", "5.50"], [100.0, -20.0, 5.5]),
        (["$7.50 DR", "$(2.00)", "8"], [-7.5, -2.0, 8.0]),
        (["1.2 Cr", "3 Cr", "4 Cr"], [1.2, 3.0, 4.0]),
        (["\N{EN DASH}5.2", "3.1", "\N{EN DASH}"], [-5.2, 3.1, np.nan]),
    ],
)
def test_debits_are_negative_and_so_is_what_alone_is_marked(cells: list[str], values: list[float]) -> None:
    np.testing.assert_array_equal(DataColumn("amount", tuple(cells)).numbers.values, values)


def test_a_mark_that_may_be_a_sign_or_a_unit_is_not_taken_off() -> None:
    assert DataColumn("amount", ("20 CR", "5", "3")).numbers.bad == (0,)


def test_two_tables_of_one_size_are_not_guessed_between() -> None:
    with pytest.raises(InputError, match="found 2 tables below each other; keep one of them, such as that of"):
        load(io.StringIO(ISO(_times("D")) + "\n" + _dated(lambda t: f"{t:%Y-%m}", "month,sold")(_times("MS"))))


def test_a_price_with_a_point_is_no_clock_time() -> None:
    rows = "".join(f"2020-01-{day:02d},5.{10 + day}\n" for day in range(1, 29))
    assert load(io.StringIO("day,price\n" + rows)).target == "price"
