"""Times that are numbers: counted from a fixed moment, or dates that are written without separators."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.times.dates import ParsedTimes, parse_times
from autostatistician.wording.messages import message, note

__all__ = [
    "DAY_NAMES", "MONTH_NAMES", "TIME_WORDS", "YEAR_NAMES", "counted_times", "may_count_times", "written_as_numbers",
]  # fmt: skip


YEAR_NAMES = frozenset((
    "year", "yr", "yyyy", "jahr", "année", "annee", "an", "año", "ano", "anno", "jaar", "år", "vuosi", "rok",
    "év", "yıl", "год", "рік", "година", "έτος", "年", "年份", "年度", "연도", "년", "السنة", "năm", "tahun",
))  # fmt: skip

MONTH_NAMES = frozenset((
    "month", "mon", "mm", "mo", "monat", "mois", "mes", "mês", "mese", "maand", "månad", "måned", "kuukausi",
    "miesiąc", "měsíc", "mesiac", "hónap", "ay", "месяц", "місяць", "месец", "μήνας", "月", "月份", "월", "الشهر",
    "tháng", "bulan",
))  # fmt: skip

DAY_NAMES = frozenset((
    "day", "dd", "dom", "tag", "jour", "día", "dia", "giorno", "dag", "päivä", "dzień", "den", "deň", "nap",
    "gün", "день", "ден", "ημέρα", "日", "일", "ngày", "hari",
))  # fmt: skip

# Of whole dates and times.
TIME_WORDS = frozenset((
    "datum", "zeit", "zeitpunkt", "fecha", "hora", "heure", "temps", "dato", "tid", "dátum", "tarih",
    "päivämäärä", "дата", "время", "час", "ημερομηνία", "日期", "日付", "日時", "年月", "时间", "時間", "날짜", "일시",
    "التاريخ", "ngày tháng",
))  # fmt: skip

Floats = NDArray[np.float64]

TIME_ENDINGS = (*("time", "timestamp", "unix", "epoch", "_at", "ds", "date", "day", "ts"), *sorted(TIME_WORDS))

FEWEST_TICKS = 8  # so many numbers that rise by whole minutes are times, whatever the name of their column

UNIX_UNITS = (
    (message("Column {name} was read as seconds since 1970 (UTC)."), 1e6),
    (message("Column {name} was read as milliseconds since 1970 (UTC)."), 1e3),
    (message("Column {name} was read as microseconds since 1970 (UTC)."), 1.0),
    (message("Column {name} was read as nanoseconds since 1970 (UTC)."), 1e-3),
)

SERIAL_ORIGIN = 25_569  # days from 30 December 1899 to 1970

SERIAL_DAYS = (20_000, 60_000)  # 1954 to 2064: outside, numbers are too likely to be something else


def _is_named(name: str) -> bool:
    return name.strip().lower().endswith(TIME_ENDINGS)


def may_count_times(name: str, first: str) -> bool:
    """Whether a column of this name and first cell may count times, so that its numbers are worth a look.

    Its name speaks of times, or the cell is a whole number of the nine or more digits that times since 1970 have.

    >>> may_count_times("timestamp", "7"), may_count_times("sales", "1500000000"), may_count_times("sales", "7")
    (True, True, False)
    """
    first = first.strip()
    return _is_named(name) or bool(re.fullmatch(r"\d{9,19}(?:\.0*)?|\d\.\d+e\+1\d", first))


def counted_times(name: str, values: Floats) -> ParsedTimes | None:
    """Times that are counted from a fixed moment, where the name of the column speaks of times, or they tick.

    Seconds, or a fraction of them, since 1970; days as spreadsheets count them.

    >>> counted_times("timestamp", np.array([0.0, 3600.0, 7200.0]) + 1.5e9).times.astype("M8[s]").astype(str).tolist()
    ['2017-07-14T02:40:00', '2017-07-14T03:40:00', '2017-07-14T04:40:00']
    """
    named = _is_named(name)
    finite = values[np.isfinite(values)]
    if finite.size < 3:
        return None
    for told, factor in UNIX_UNITS:
        if finite.min() >= 1e14 / factor and finite.max() < 4.2e15 / factor and (named or _ticks(finite * factor)):
            return _since(values, factor, 0, note(told, name=repr(name)))
    low, high = SERIAL_DAYS
    dated = name.strip().lower().endswith(("date", "ds", "day", "datetime"))
    if named and dated and finite.min() >= low and finite.max() < high:
        said = note(
            "Column {name} was read as days since the end of 1899, as spreadsheets count them.", name=repr(name)
        )
        return _since(values, 86_400e6, -SERIAL_ORIGIN, said)
    return None


def _ticks(micros: Floats) -> bool:
    """Whether times rise from row to row by whole minutes, a year at most, from 2001 on: no other counts do."""
    steps = np.diff(micros)
    whole = bool(np.all(steps % 60e6 == 0)) and bool(np.all(micros % 1e6 == 0))
    rising = bool(np.all((steps > 0) & (steps <= 366 * 86_400e6)))
    return micros.size >= FEWEST_TICKS and whole and rising and bool(micros.min() >= 1e15)


def _since(values: Floats, factor: float, origin: int, said: str) -> ParsedTimes:
    """Times of numbers that count units of ``factor`` microseconds from ``origin``, in days since 1970."""
    times = np.full(values.size, np.datetime64("NaT"), dtype="M8[us]")
    filled = np.isfinite(values)
    micros = np.round(values[filled] * factor)
    # A day as a decimal number holds microseconds; people mean milliseconds at best.
    micros = np.round(micros / 1000) * 1000 if origin else micros
    times[filled] = (micros.astype(np.int64) + origin * 86_400_000_000).astype("M8[us]")
    return ParsedTimes(times, (), int((~filled).sum()), (said,))


def written_as_numbers(values: Floats) -> ParsedTimes | None:
    """Dates that came as numbers though they were written as digits: 19490131, 194901, or 1.2018 for a month.

    >>> written_as_numbers(np.array([194901.0, 194902.0, 194903.0])).times.astype("M8[M]").astype(str).tolist()
    ['1949-01', '1949-02', '1949-03']
    """
    return _compact_dates(values) or _dotted_months(values)


def _compact_dates(values: Floats) -> ParsedTimes | None:
    """Whole numbers that are dates written without separators: 19490131 or 194901."""
    finite = values[np.isfinite(values)]
    if finite.size < 3 or np.any(finite != np.round(finite)):
        return None
    low, high = finite.min(), finite.max()
    is_day, is_month = low >= 10_000_101 and high <= 29_991_231, low >= 150_001 and high <= 219_912
    if not (is_day or is_month) or np.unique(finite).size < 3:
        return None
    return _of_all([f"{value:.0f}" if np.isfinite(value) else None for value in values])


def _dotted_months(values: Floats) -> ParsedTimes | None:
    """Numbers that are months written as 1.2018, whose last zeros were lost."""
    finite = values[np.isfinite(values)]
    if finite.size < 3 or finite.min() < 1 or finite.max() >= 13 or np.any(np.abs(finite - np.round(finite, 4)) > 1e-9):
        return None
    return _of_all([f"{value:.4f}".rstrip("0") if np.isfinite(value) else None for value in values])


def _of_all(texts: list[str | None]) -> ParsedTimes | None:
    parsed = parse_times(texts)
    return parsed if parsed is not None and not parsed.bad else None


# --- What columns of times are called -------------------------------------------------------------------------------
