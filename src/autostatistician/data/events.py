"""The calendars that users name: a country with its public holidays, a file of own events, working days."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from autostatistician.data.arrays import Days, Floats
from autostatistician.data.columns import DataColumn
from autostatistician.data.covariates import CalendarColumns
from autostatistician.data.holidays import CalendarDays, Event, Holidays, checked_years
from autostatistician.data.sources import read_source
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.calendar_days import ONE_DAY
from autostatistician.data.times.periods import has_months
from autostatistician.data.words import TABLES
from autostatistician.errors import InputError
from autostatistician.i18n.names import counted, listed

__all__ = ["calendar_from", "country_holidays", "own_events", "own_holidays"]


WORKING_DAYS = "workdays"
YEARS_AHEAD = 30  # after the data, for which a calendar keeps the holidays of a country
LONGEST_WINDOW = 366  # days
NAMES = {meaning: names.split(", ") for meaning, names in TABLES["events"].items()}  # of columns
SUBSTITUTE = re.compile(r"\s*\([^()]*\b(?:observed|substituted|in lieu)\b[^()]*\)", re.IGNORECASE)
ESTIMATED = re.compile(r"\s*\([^()]*\bestimated\b[^()]*\)", re.IGNORECASE)


def calendar_from(text: str, axis: Axis, x: Floats) -> tuple[CalendarColumns, ...]:
    """The calendars that a text names, for data at positions (n,) of an axis.

    It names, with commas between, a country ("DE"), a part of one ("DE-BY"), a file of own events, or "workdays". On
    steps of months and quarters a country brings its working days, too.

    >>> month = Axis("month", "year", "month", 1 / 12)
    >>> [type(calendar).__name__ for calendar in calendar_from("workdays", month, np.arange(2020.0, 2023.0, 1 / 12))]
    ['CalendarDays']
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise InputError.of("a country or a file of events, such as DE, DE-BY or events.csv", repr(text), "name one")
    calendars: list[CalendarColumns] = []
    for name in names:
        if name.lower() == WORKING_DAYS:
            calendars.append(CalendarDays(axis).fitted(x))
        elif Path(name).suffix or Path(name).exists():
            calendars.append(own_holidays(name, axis, x))
        else:
            calendars += country_holidays(name, axis, x)
    _check_names(calendars, x)
    return tuple(calendars)


def _check_names(calendars: Sequence[CalendarColumns], x: Floats) -> None:
    names = [column.name for calendar in calendars for column in calendar.columns(x[:1])]
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        remedy = "name each calendar once, and give an event of your own another name"
        raise InputError.of("different names of events", f"{twice[0]!r} in two calendars", remedy)


# --- countries -----------------------------------------------------------------------------------------------------


def country_holidays(name: str, axis: Axis, x: Floats) -> tuple[CalendarColumns, ...]:
    """The public holidays of a country or a part of it, for data at positions (n,); of months its working days, too.

    Raises
    ------
    InputError
        When the package `holidays` is not there, or does not know the country or the years of the data.
    """
    Holidays(axis, (), name)  # so that an axis without dates is told first
    calendar, plain = _country(name)
    known = int(plain.start_year), int(plain.end_year)
    first, last = checked_years(axis, x, known, name)
    span = (max(first - 1, known[0]), min(last + YEARS_AHEAD, known[1]))
    for year in range(span[0], span[1] + 1):  # whose holidays are worked out when one is asked for
        calendar.get(f"{year}-01-01")
    holidays = Holidays(axis, _events_of(calendar, substitutes=not has_months(axis)), name, span).fitted(x)
    if not has_months(axis):
        return (holidays,)
    free = np.array(sorted(calendar), dtype="M8[D]")
    return holidays, CalendarDays(axis, tuple(sorted(plain.weekend)), free, name, span).fitted(x)


def _events_of(calendar: Any, *, substitutes: bool) -> tuple[Event, ...]:
    """Holidays under the names that do not change from year to year, with or without days that stand for them.

    In a month a holiday and the Monday that stands for it are one: the holiday does not move.
    """
    days: dict[str, list[Any]] = {}
    for day, names in sorted(calendar.items()):
        parts = [part for part in names.split("; ") if substitutes or not SUBSTITUTE.search(part)]
        for title in dict.fromkeys(ESTIMATED.sub("", SUBSTITUTE.sub("", part)).strip() for part in parts):
            days.setdefault(title, []).append(day)
    return tuple(Event.of(title, np.array(dates, dtype="M8[D]")) for title, dates in days.items())


def _country(name: str) -> tuple[Any, Any]:
    """The calendar of a country or a part of it, in English where there is such, and that of the whole country."""
    try:
        import holidays
    except ImportError:
        remedy = "pip install holidays, or give a file of events"
        raise InputError.of(f"the package 'holidays', which knows those of {name!r}", "none", remedy) from None
    code, _, part = name.partition("-")
    parts = holidays.list_supported_countries(include_aliases=True)
    code = code.strip().upper() if code.strip().upper() in parts else _code_of(code, parts)
    plain = holidays.country_holidays(code)
    part = _part_of(part.strip(), code, plain) if part else ""
    languages = [str(plain.default_language or ""), *plain.supported_languages]  # its own first
    english = next((language for language in languages if language.startswith("en")), None)
    return holidays.country_holidays(code, subdiv=part or None, language=english), plain


def _code_of(text: str, codes: Mapping[str, Any]) -> str:
    """The code of a country by its name, such as "Germany" or "DEU"."""
    from holidays.registry import COUNTRIES

    by_name = {name.lower(): names[1] for key, names in COUNTRIES.items() for name in (key, names[0], names[2])}
    wanted = re.sub(r"\s+", "_", text.strip().lower())
    if wanted in by_name:
        return str(by_name[wanted])
    close = get_close_matches(wanted, by_name, n=3)
    near = [f"{name.replace('_', ' ').title()} ({by_name[name]})" for name in close]
    near += [code for code in get_close_matches(text.strip().upper(), codes, n=3, cutoff=0.5) if not near]
    remedy = f"did you mean {' or '.join(near)}?" if near else "give a code of two letters, or the path of a file"
    raise InputError.of("a country such as DE, or a file of events that is there", repr(text), remedy)


def _part_of(text: str, code: str, country: Any) -> str:
    """A part of a country, by its code or name."""
    names = {str(part).lower(): str(part) for part in country.subdivisions}
    names |= {str(alias).lower(): str(part) for alias, part in country.subdivisions_aliases.items()}
    if text.lower() in names:
        return names[text.lower()]
    close = get_close_matches(text.lower(), names, n=3)
    there = listed([str(part) for part in country.subdivisions]) if names else "the whole country alone"
    remedy = f"did you mean {' or '.join(repr(names[name]) for name in close)}?" if close else f"there is {there}"
    raise InputError.of(f"a part of {code} whose holidays are known", repr(text), remedy)


# --- own events ----------------------------------------------------------------------------------------------------


def own_holidays(source: Any, axis: Axis, x: Floats, name: str = "") -> Holidays:
    """The events of a file, frame or mapping as a calendar, for data at positions (n,)."""
    text = name or (str(source) if isinstance(source, str | Path) else "your events")
    return Holidays(axis, own_events(source), text, nearest=False).fitted(x, fewest=1)


def own_events(source: Any) -> tuple[Event, ...]:
    """The events of a table with the columns name, date and, if wanted, before and after (days); or name, start, end.

    A mapping may also give the dates of each name, or pairs of first and last day. The names of Prophet's columns
    (holiday, ds, lower_window, upper_window) mean the same.

    >>> (sale,) = own_events({"sale": ["2024-11-29", ("2025-11-24", "2025-11-28")]})
    >>> sale.starts.astype(str).tolist(), sale.days.size
    (['2024-11-29', '2025-11-24'], 6)
    >>> (fair,) = own_events({"name": ["fair", "fair"], "date": ["2024-05-01", "2025-05-02"], "before": [2, 2]})
    >>> fair.before, fair.after
    (2, 0)
    """
    columns = _columns(source)
    names = columns["name"].texts
    if "date" in columns:
        first = last = _dates(columns["date"])
    else:
        first, last = _dates(columns["start"]), _dates(columns["end"])
    if wrong := np.flatnonzero(last < first).tolist():
        what = f"{last[wrong[0]]} after {first[wrong[0]]} in row {wrong[0] + 1}"
        raise InputError.of("events that end on their first day or later", what, "exchange start and end")
    days: dict[str, list[Days]] = {}
    windows: dict[str, tuple[int, int]] = {}
    before, after = (_window(columns.get(side), len(names)) for side in ("before", "after"))
    for row, title in enumerate(names):
        if title is None:
            raise InputError.of("a name of every event", f"nothing in row {row + 1}", "give it a name")
        days.setdefault(title, []).append(np.arange(first[row], last[row] + ONE_DAY))
        wider = windows.get(title, (0, 0))
        windows[title] = max(wider[0], before[row]), max(wider[1], after[row])
    return tuple(Event.of(title, np.concatenate(dates), *windows[title]) for title, dates in days.items())


def _columns(source: Any) -> dict[str, DataColumn]:
    """The columns of a table of events by what they mean."""
    if isinstance(source, Mapping) and not any(str(key).strip().lower() in NAMES["name"] for key in source):
        source = _table_of_names(source)
    columns = read_source(source).table.columns
    named = {column.name.strip().lower(): column for column in reversed(columns)}  # of equal names the first
    known = {meaning: next((name for name in names if name in named), None) for meaning, names in NAMES.items()}
    by_meaning = {meaning: named[name] for meaning, name in known.items() if name is not None}
    there = set(by_meaning)
    if not ("name" in there and ("date" in there or {"start", "end"} <= there)):
        what = f"the columns {listed([column.name for column in columns])}" if columns else "no table"
        raise InputError.of(
            "a table of events with the columns name and date, or name, start and end", what, "name them"
        )
    return by_meaning


def _table_of_names(source: Mapping[Any, Any]) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {"name": [], "start": [], "end": []}
    for name, dates in source.items():
        for date in [dates] if isinstance(dates, str) or not isinstance(dates, Sequence) else dates:
            span = tuple(date) if isinstance(date, list | tuple) and len(date) == 2 else (date, date)
            for key, cell in zip(table, (name, *span), strict=True):
                table[key].append(str(cell))
    return table


def _dates(column: DataColumn) -> Days:
    parsed = column.times_of_most
    if parsed is None or np.isnat(parsed.times).any():
        row = 0 if parsed is None else int(np.flatnonzero(np.isnat(parsed.times))[0])
        what = f"{column.text(row)!r} in row {row + 1}" if column.size else "no rows"
        raise InputError.of(f"dates in column {column.name!r} of every event", what, "write them as 2024-12-25")
    return np.asarray(parsed.times.astype("M8[D]"))


def _window(column: DataColumn | None, rows: int) -> list[int]:
    """Days of each row; none where the column is absent or a cell is empty. Prophet's are negative before an event."""
    if column is None:
        return [0] * rows
    values = np.abs(column.numbers.values)
    wrong = np.flatnonzero((values > LONGEST_WINDOW) | (values != np.round(values)) & ~np.isnan(values))
    if column.numbers.bad or wrong.size:
        row = column.numbers.bad[0] if column.numbers.bad else int(wrong[0])
        expected = f"whole numbers of days up to {counted(LONGEST_WINDOW, 'day')} in column {column.name!r}"
        raise InputError.of(expected, f"{column.text(row)!r} in row {row + 1}", "correct it, or leave it empty")
    return [0 if value != value else int(value) for value in values.tolist()]
