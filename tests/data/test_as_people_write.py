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
    "months apart": ("MS", _dated(lambda t: f"{t.year},{ROMAN[t.month - 1]}", "Rok,Miesiąc,n")),
    "provisional": ("MS", _dated(lambda t: f"{t:%Y-%m}" + " (prov.)" * (t.year > 2017))),
    "six digits": ("D", _dated(lambda t: f"{t:%y%m%d}")),
    "six digits, day first": ("D", _dated(lambda t: f"{t:%d%m%y}")),
    "half-years in words": ("6MS", _dated(lambda t: f"{ROMAN[t.month // 7]} semestre {t.year}")),
    "French half-years": ("6MS", _dated(lambda t: f"{('1er', '2e')[t.month // 7]} sem. {t.year}")),
    "Buddhist years": ("D", _dated(lambda t: f"{t:%d/%m}/{t.year + 543}")),
    "years of the republic": ("MS", _dated(lambda t: f"民國{t.year - 1911}年{t.month}月")),
    "eras": ("MS", _dated(lambda t: f"{'平成' if t.year < 2019 else '令和'}{(t.year - 1989) % 30 + 1}年{t.month}月")),
    "eras in letters": ("MS", _dated(lambda t: f"{'H' if t.year < 2019 else 'R'}{(t.year - 1989) % 30 + 1}.{t.month}")),
    "short weeks": ("W-MON", _dated(lambda t: f"KW {int(f'{t:%V}')}/{f'{t:%G}'[2:]}")),
    "French weeks": ("W-MON", _dated(lambda t: f"S{t:%V} {t:%G}")),
    "hours by number": ("h", _dated(lambda t: f"{t:%Y-%m-%d},{t.hour + 1}", "MarketDate,HourEnding,MW")),
    "minutes apart": ("30min", _dated(lambda t: f"{t:%Y-%m-%d},{t.hour},{t.minute}", "date,hour,minute,MW")),
    "seconds apart": ("30s", _dated(lambda t: f"{t:%Y,%m,%d,%H,%M,%S}", "Year,Month,Day,Hour,Minute,Second,MW")),
    "compounds alike": ("W-MON", _dated(lambda t: f"{t:%G},{t:%V}", "Meldejahr,Meldewoche,Fälle")),
    "compound names": ("W-MON", _dated(lambda t: f"{t:%G},{t:%V}", "Jahr,Kalenderwoche,Fälle")),
    "names beside units": ("MS", _dated(lambda t: f"{t.year},{t:%B}", ",,Guests\nYear,Month,1000")),
    "titles of two cells": ("D", lambda t: "Station,Kew\nHeight,34\nOpened,long ago\n" + ISO(t)),
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
    ("cells", "values"), [
        (["1,200.00 CR", "35.50 DR", "10.00 Cr."], [1200.0, -35.5, 10.0]),
        (["100.00", "20.00CR", "5.50"], [100.0, -20.0, 5.5]),
        (["$7.50 DR", "$(2.00)", "8"], [-7.5, -2.0, 8.0]),
        (["1.2 Cr", "3 Cr", "4 Cr"], [1.2, 3.0, 4.0]),
        ([*map(str, range(60)), "60(P)"], [*map(float, range(61))]),
        (["\N{EN DASH}5.2", "3.1", "\N{EN DASH}"], [-5.2, 3.1, np.nan]),
    ])  # fmt: skip
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


def _pages(title: str) -> str:
    """Two pages of a year each, below a title with the number of the page."""
    pages = [NUMBERS[12 * page : 12 * page + 12] for page in range(2)]
    rows = [
        [f"{2020 + page}-{k + 1:02d},{value}" for k, value in enumerate(values)] for page, values in enumerate(pages)
    ]
    return "".join(f"{title.format(page + 1)}\nmonth,sold\n" + "\n".join(each) + "\n" for page, each in enumerate(rows))


def _labels(letter: str, of_year: int) -> str:
    rows = (f"{2020 + k // of_year},{letter}{k % of_year + 1:02d},{value}" for k, value in enumerate(NUMBERS[:24]))
    return "year,period,value\n" + "\n".join(rows) + "\n"


def _each(form: str) -> str:
    """Lines of two years of months: with k, the month m, the year y and the number x."""
    return "".join(form.format(k=k, y=2020 + k // 12, m=k % 12 + 1, x=x) for k, x in enumerate(TWO_YEARS.tolist()))


TWO_YEARS = NUMBERS[:24]
READ = {
    "guards": ("month;sold\n" + _each('="{y}-{m:02d}";="{x}"\n'), "month"),
    "pages": (_pages("Page {} of 2"), "month"),
    "Seiten": (_pages("- Seite {} -"), "month"),
    "the header alone": (_pages("").replace("\n\n", "\n"), "month"),
    "M01": (_labels("M", 12), "month"),
    "Q01": (_labels("Q", 4), "quarter"),
    "no names": (_each("{y};{m:02d};{x}\n"), "month"),
    "names in a comment": ("# month sold\n" + _each("{y}-{m:02d} {x}\n"), "month"),
    "elapsed": ("Time,OD\n" + _each("{k}:00:00,{x}\n"), ""),
    "-1 far below": ("day,spots\n" + _each("2020-01-{k:02d},{x}\n").replace("01-00", "01-24")
                     .replace(f",{TWO_YEARS[0]}", ",-1").replace(f",{TWO_YEARS[12]}", ",-1"), "day"),
    "an end without a value": ("at,t\n" + _each("2020-01-01 {k:02d}:00,{x}\n") + "2020-01-02 00:12:07,\n", "hour"),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_people_and_instruments_write_around_a_series_is_left_out(name: str) -> None:
    text, frequency = READ[name]
    data = load(io.StringIO(text))
    values = TWO_YEARS[np.arange(24) % 12 > 0] if name.startswith("-1") else TWO_YEARS
    assert (data.y.tolist(), there(data.axis).frequency) == (values.tolist(), frequency)


def test_seasons_beside_months_and_years_above_quarters_are_no_values() -> None:
    rows = "".join(
        f"{2018 + k} " + " ".join(map(str, NUMBERS[12 * k : 12 * k + 12])) + f" 1 2 3 {2018 + k}\n" for k in range(3)
    )
    months = " ".join(month[:3] for month in MONTHS)
    assert load(io.StringIO(f"Year {months} J-D DJF HALF1 Year\n{rows}")).y.tolist() == NUMBERS[:36].tolist()
    quarters = ",2020,,,,2021,,,\nPlant" + ",Q1,Q2,Q3,Q4" * 2
    alpha, beta = (",".join(map(str, values)) for values in (NUMBERS[:8], NUMBERS[8:16]))
    table = f"{quarters}\nAlpha,{alpha}\nBeta,{beta}\nAll,1,2,3,4,5,6,7,8\n"
    data = load(io.StringIO(table), target="Beta")
    assert (data.target, data.y.tolist()) == ("Beta", NUMBERS[8:16].tolist())


def test_dates_of_another_calendar_are_refused() -> None:
    rows = "".join(f"{1398 + k // 12}/{k % 12 + 1:02d}/01,{x}\n" for k, x in enumerate(TWO_YEARS))
    with pytest.raises(InputError, match="Gregorian"):
        load(io.StringIO("date,value\n" + rows))


def test_codes_words_and_the_row_of_sums_of_a_table_are_no_values() -> None:
    marks = ["12,5", "9,0", "Abs", "14,5", "17,0", "8,5", "Disp", "11,0", "10,5", "6,0", "15,5", "13,0"]
    income = [2100, -99, 1800, 950, 3100, -98, 2750, 1999, 1234, 4100, 2500, 900]
    bands, rows = ("18-24", "65+", "<18"), enumerate(zip(marks, income, strict=True))
    text = "pupil;mark;income;band\n" + "".join(f"P{k};{mark};{sum_};{bands[k % 3]}\n" for k, (mark, sum_) in rows)
    data = load(io.StringIO(text), target="mark", task="auto")
    assert (data.n, data.classes, data.levels["band"]) == (10, (), ("<18", "18-24", "65+"))
    parts = [(f"P{k}", 100 + 7 * k, 311 + k * k) for k in range(9)]
    whole = ("Austria", *(sum(part[place] for part in parts) for place in (1, 2)))
    for rows in ([whole, *parts], [*parts, whole]):
        table = "land,voters,seats\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
        assert load(io.StringIO(table), target="seats").n == len(parts)


DAYS, DAY = _times("D"), pd.Timedelta(days=1)
HALF_HOURS = _times("30min")
TWO_HEADS = {
    "letters": lambda t: f"{t.hour % 12 or 12}:{t.minute:02d}{'ap'[t.hour // 12]}",
    "padded": lambda t: f"{t.hour % 12 or 12:02d}:{t.minute:02d} {'ap'[t.hour // 12]}",
    "halves": lambda t: f"{t:%I:%M %p}",
    "24": lambda t: f"{t:%H:%M}",
    "seconds": lambda t: f"{t:%H:%M:%S}",
}


@pytest.mark.parametrize(("head", "target"), [(",,Temp,Hi\nDate,Time,Out,Temp\n", "Temp Out"),
                                              (",,Air,Air\nDay,Clock,Mean,Max\n", "Mean")])  # fmt: skip
@pytest.mark.parametrize("clock", TWO_HEADS)
def test_names_in_two_rows_stand_above_clock_times(head: str, target: str, clock: str) -> None:
    rows = "".join(
        f"{t:%Y-%m-%d},{TWO_HEADS[clock](t)},{x},{x + k % 3}\n"
        for k, (t, x) in enumerate(zip(HALF_HOURS, NUMBERS, strict=True))
    )
    data = load(io.StringIO(head + rows))
    assert (data.n, there(data.axis).frequency, data.target) == (N, "30 minutes", target)


WORDS = ("Süd", "März", "Größe", "Überschuss", "Käufe", "Fläche", "Öl", "café", "niño", "año")


@pytest.mark.parametrize("word", WORDS)
def test_signs_of_currencies_make_no_other_alphabet(word: str) -> None:
    text = f"day;{word}\n" + "".join(f"{t:%d.%m.%Y};{x} €\n" for t, x in zip(DAYS, NUMBERS, strict=True))
    assert load(io.BytesIO(text.encode("cp1252"))).target == word


@pytest.mark.parametrize("name", ["CaseNo", "case_id", "Order No.", "ticket number", "Rechnungsnummer"])
@pytest.mark.parametrize("form", ["C{:05d}", "2023-A{}"])
def test_rows_with_a_name_of_their_own_are_events(name: str, form: str) -> None:
    days = [t for k, t in enumerate(DAYS.repeat(3)) if k % 3 or k % 2]
    rows = [f"{form.format(k)},{t:%Y-%m-%d},{k % 7},{k * k % 11}" for k, t in enumerate(days)]
    with pytest.raises(InputError, match="--inputs"):
        load(io.StringIO(f"{name},at,age,stay\n" + "\n".join(rows)))
    values = zip([*DAYS, DAYS[-1]], [*NUMBERS, 1.0], strict=True)
    corrected = "".join(f"{form.format(k)},{t:%Y-%m-%d},{x}\n" for k, (t, x) in enumerate(values))
    assert load(io.StringIO(f"{name},at,level\n{corrected}")).n == N + 1
    samples = "".join(f"{form.format(k)},{DAYS[0] + k * k * DAY:%Y-%m-%d},{x}\n" for k, x in enumerate(NUMBERS))
    assert load(io.StringIO(f"{name},at,level\n{samples}")).n == N  # at irregular times, but each once


@pytest.mark.parametrize("mark", ["A", "p", "(P)", "E", "rev"])
@pytest.mark.parametrize("form", ["%Y-%m", "%b %Y"])
def test_marks_below_a_row_of_numbers_are_none_of_its_values(mark: str, form: str) -> None:
    times = _times("MS", "2015-01-01")
    head = ";".join(["name", "id", *(f"{t:{form}}" for t in times)])
    text = "\n".join([head, ";".join(["Index", "17", *map(str, NUMBERS)]), ";".join(["Codes", "17", *[mark] * N])])
    assert _same(text, times, NUMBERS)


COMMENTS = (
    "#YY MM DD hh wave|#yr mo dy hr m", "# year month day hour wave|# yr mo dy hr m", "#|#yyyy mm dd hh wave|#",
    "# made by the new buoy|# year month day hour wave", "%Year Month Day Hour wave|%- - - - m",
    "#yr mo day hr wave|#m", "# year month day hour wave", "# YYYY MM DD HH wave|# one two three four five",
    "# buoy|# yr mon dd hr wave", "## year mm dd hour wave|## first of all five units",
)  # fmt: skip


@pytest.mark.parametrize("head", COMMENTS)
def test_of_several_comments_the_one_that_names_times_is_the_header(head: str) -> None:
    times = _times("h")
    rows = "".join(f"{t:%Y %m %d %H} {x}\n" for t, x in zip(times, NUMBERS, strict=True))
    assert _same(head.replace("|", "\n") + "\n" + rows, times, NUMBERS)


AMOUNTS = ("Annual pay", "deposits", "accounts", "Rent per month", "steps per day", "payments", "Steps/day", "essay",
           "benefits", "visits per date")  # fmt: skip


@pytest.mark.parametrize("name", AMOUNTS)
@pytest.mark.parametrize("size", [1e2, 4e6])
def test_amounts_are_no_times_whatever_their_name_ends_in(name: str, size: float) -> None:
    assert DataColumn(name, tuple(f"{size * x:.0f}" for x in NUMBERS)).times is None


@pytest.mark.parametrize(
    "name", ["date", "Report date", "Messdatum", "order_date", "Month", "fecha", "timestamp", "day"]
)
def test_days_of_spreadsheets_are_times_where_the_name_says_so(name: str) -> None:
    assert DataColumn(name, tuple(map(_serial, DAYS))).times is not None


PARTS = {
    "MMWR {}": "week", "ISO {}": "week", "epi_{}": "week", "{} of sale": "month", "order_{}": "month",
    "Sales {}": "month", "{}_sold": "month", "Birth {}": "month", "Fiscal {}": "quarter", "report-{}": "quarter",
}  # fmt: skip
NUMBERED = {
    "week": ("W-MON", lambda t: f"{t:%G},{t:%V}"),
    "month": ("MS", lambda t: f"{t.year},{t.month}"),
    "quarter": ("QS", lambda t: f"{t.year},{t.quarter}"),
}


@pytest.mark.parametrize("form", PARTS)
def test_parts_of_times_may_be_called_so_beside_another_word(form: str) -> None:
    step, write = NUMBERED[PARTS[form]]
    times = _times(step, "2020-01-06" if step == "W-MON" else "2015-01-01")
    head = f"{form.format('Year')},{form.format(PARTS[form])},cases"
    assert _same(_dated(write, head)(times), times, NUMBERS)


@pytest.mark.parametrize("whole", ["FY {}", "FY{}", "Total {}", "{}", "Year {}"])
@pytest.mark.parametrize("quarter", ["Q{q} {y}", "{y} Q{q}"])
def test_years_between_their_quarters_are_none_of_the_times(whole: str, quarter: str) -> None:
    head, cells = ["($ in thousands)"], ["Revenue"]
    for year in range(10):
        values = NUMBERS[4 * year : 4 * year + 4]
        head += [*(quarter.format(q=q, y=2015 + year) for q in (1, 2, 3, 4)), whole.format(2015 + year)]
        cells += [f"{value:.1f}" for value in (*values, values.sum())]
    assert _same("\n".join([",".join(head), ",".join(cells)]), _times("QS", "2015-01-01"), NUMBERS)


ANSWERS = (
    "Strongly disagree|Disagree|Neither agree nor disagree|Agree|Strongly agree",
    "Very unlikely|Unlikely|Likely|Very likely",
    "Trifft gar nicht zu|Trifft eher nicht zu|Teils/teils|Trifft eher zu|Trifft voll zu",
    "sehr unzufrieden|unzufrieden|weder noch|zufrieden|sehr zufrieden",
    "Very dissatisfied|Neutral|Satisfied|Very satisfied",
    "Pas du tout d'accord|Plutôt pas d'accord|Plutôt d'accord|Tout à fait d'accord",
    "not satisfied|somewhat satisfied|fully satisfied",
    "Muy insatisfecho|Insatisfecho|Neutral|Satisfecho|Muy satisfecho",
    "stimme gar nicht zu|stimme eher zu|stimme völlig zu",
    "not important|slightly important|important|very important",
)


@pytest.mark.parametrize("answers", ANSWERS)
def test_answers_stand_in_the_order_of_agreement(answers: str) -> None:
    levels = answers.split("|")
    assert DataColumn("answer", tuple(sorted(levels))).categories == tuple(levels)


def test_other_words_stay_in_alphabetical_order() -> None:
    assert DataColumn("wine", ("white wine", "red wine", "not red wine")).categories == (
        "not red wine",
        "red wine",
        "white wine",
    )
