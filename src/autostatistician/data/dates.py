"""Read dates and times from text (and from whole numbers such as 19490131): any year from 1 to 9999."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

__all__ = ["MISSING", "ParsedTimes", "parse_times"]

Times = NDArray[np.datetime64]

MISSING = frozenset(
    {"", "-", "--", "?", ".", "..", "...", "*", "na", "n/a", "n.a.", "#n/a", "nan", "nat", "null", "none", "nil"}
    | {"missing", "(missing)", "unknown", "#value!", "#div/0!", "<na>", "\N{EN DASH}", "\N{EM DASH}"}
)
LONG_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MONTHS = {name[:3]: k + 1 for k, name in enumerate(LONG_MONTHS)}
PIVOT = 40  # years of two digits are 1940 to 2039

_CLOCK = r"(?:[T ,]\s*(?P<h>\d{1,2}):(?P<mi>\d{2})(?::(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?)?\s*(?P<ap>[ap]\.?m\.?)?)?"
_ZONE = r"\s*(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?"
_END = _CLOCK + _ZONE + "$"
_COMPACT = r"^(?P<y>1[5-9]\d\d|2[01]\d\d)(?P<m>0[1-9]|1[0-2])"  # without separators only usual years
_NAME = r"(?P<name>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"


@dataclass(frozen=True, eq=False)
class ParsedTimes:
    """Dates of all cells: NaT where missing or not readable, with the rows of the latter."""

    times: Times  # (n,) datetime64[us]
    bad: tuple[int, ...]
    missing: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Form:
    """One way of writing dates: its pattern, and how its groups become numbers."""

    name: str
    pattern: re.Pattern[str]


def _form(name: str, pattern: str) -> _Form:
    return _Form(name, re.compile(pattern, re.IGNORECASE))


# Day-month and month-day orders are told apart afterwards, over all cells of a column.
_FORMS = (
    _form("ymd", r"^(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})" + _END),
    _form("ym", r"^(?P<y>\d{4})[-/](?P<m>\d{1,2})$"),
    _form("dmy", r"^(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})" + _END),
    _form("my", r"^(?P<m>\d{1,2})[-/](?P<y>\d{4})$"),
    _form("yearmonth", r"^(?P<y>\d{4})[- ]?M(?P<m>\d{1,2})$"),
    _form("quarter", r"^(?P<y>\d{4})[-/ :]?Q(?P<q>[1-4])$"),
    _form("quarter", r"^Q(?P<q>[1-4])[-/ ]?(?P<y>\d{4})$"),
    _form("week", r"^(?P<y>\d{4})-?W(?P<w>\d{2})(?:-?(?P<wd>[1-7]))?$"),
    _form("dname", rf"^{_WEEKDAY}{_DAY}[-/. ]\s*{_NAME},?[-/. ]\s*(?P<y>\d{{4}}|\d{{2}})" + _END),
    _form("named", rf"^{_WEEKDAY}{_NAME}\s+{_DAY},?\s+(?P<y>\d{{4}})" + _END),
    _form("namey", rf"^{_NAME},?[-/ ]?\s*'?(?P<y>\d{{4}}|\d{{2}})$"),
    _form("yname", rf"^(?P<y>\d{{4}})[-/. ]?{_NAME}(?:[-/. ](?P<d>\d{{1,2}}))?$"),
    _form("compact", _COMPACT + r"(?P<d>\d{2})(?:T?(?P<h>\d{2})(?P<mi>\d{2})(?P<s>\d{2})?)?" + _ZONE + "$"),
    _form("compact", _COMPACT + "$"),
)


def parse_times(cells: Sequence[str | None], share: float = 0.95) -> ParsedTimes | None:
    """Dates of a column of text; None when less than ``share`` of its cells are dates of one form.

    Ambiguous orders (03/04/2020) are settled by the other cells, else read as month/day with slashes and as
    day.month with dots, and said. Times with a zone become UTC unless they all show the same clock time.

    >>> parse_times(["Jan 1949", "n/a", "Mar 1949"]).times.astype("M8[M]").astype(str).tolist()
    ['1949-01', 'NaT', '1949-03']
    """
    texts = [(cell or "").strip() for cell in cells]
    filled = [k for k, text in enumerate(texts) if text.lower() not in MISSING]
    if not filled or not any(character.isdigit() for character in texts[filled[0]]):
        return None
    matches = _best_form(texts, filled)
    if matches is None:
        return None
    name, found = matches
    share = 1.0 if name == "compact" else share  # these look like plain numbers: no exception is allowed
    if len(found) < max(1.0, share * len(filled)):
        return None
    read, notes = _reader(name, [found[k] for k in found])
    parsed = _collect(texts, filled, found, read, share)
    return parsed and replace(parsed, notes=notes + parsed.notes)


def _best_form(texts: list[str], filled: list[int]) -> tuple[str, dict[int, re.Match[str]]] | None:
    best: tuple[str, dict[int, re.Match[str]]] | None = None
    probe = filled[:: max(1, len(filled) // 50)]
    for form in _FORMS:
        if sum(bool(form.pattern.match(texts[k])) for k in probe) * 2 < len(probe):
            continue
        found = {k: match for k in filled if (match := form.pattern.match(texts[k]))}
        if best is None or len(found) > len(best[1]):
            best = (form.name, found)
    return best


Reader = Callable[[re.Match[str]], "tuple[datetime, timedelta | None] | None"]


def _collect(
    texts: list[str], filled: list[int], found: dict[int, re.Match[str]], read: Reader, share: float
) -> ParsedTimes | None:
    """The dates of all matched cells, or None where too many turn out not to exist (31 February)."""
    local = np.full(len(texts), np.datetime64("NaT"), dtype="M8[us]")
    shift = np.zeros(len(texts), dtype="m8[us]")
    zoned = False
    for k, match in found.items():
        moment = read(match)
        if moment is not None:
            local[k] = np.datetime64(moment[0], "us")
            if moment[1] is not None:
                shift[k], zoned = np.timedelta64(moment[1], "us"), True
    bad = tuple(k for k in filled if np.isnat(local[k]))
    if len(filled) - len(bad) < max(1.0, share * len(filled)):
        return None
    times, notes = utc_or_local(local, local - shift) if zoned else (local, ())
    return ParsedTimes(times, bad, len(texts) - len(filled), notes)


def utc_or_local(local: Times, utc: Times) -> tuple[Times, tuple[str, ...]]:
    """Times with a zone: as UTC, but dates as they are written when all show the same clock time.

    Days that begin at local midnight are no regular grid in UTC where clocks change; hours are one only in UTC.
    """
    valid = local[~np.isnat(local)]
    if np.unique(valid - valid.astype("M8[D]")).size == 1:
        return local, ("The times carry a time zone; they were read as local dates.",)
    return utc, ("The times carry a time zone; they were converted to UTC.",)


def _reader(name: str, matches: list[re.Match[str]]) -> tuple[Reader, tuple[str, ...]]:
    """How to read the matches of a form, with the order of day and month decided over all of them."""
    notes: tuple[str, ...] = ()
    if any(match.groupdict().get("y") and len(match["y"]) == 2 for match in matches):
        notes = ("Years of two digits were read as 1940 to 2039.",)
    if name != "dmy":
        return (lambda match: _moment(match, match.groupdict().get("m"), match.groupdict().get("d"))), notes
    day_first, said = _order(matches)
    first, second = ("b", "a") if day_first else ("a", "b")
    return (lambda match: _moment(match, match[first], match[second])), notes + said


def _order(matches: list[re.Match[str]]) -> tuple[bool, tuple[str, ...]]:
    """Whether the day stands first, and a word on it where the cells leave it open."""
    first, second = ([int(match[group]) for match in matches] for group in "ab")
    if max(first) > 12 or max(second) > 12:
        return sum(a > 12 for a in first) >= sum(b > 12 for b in second), ()
    example = matches[0].group(0)
    if matches[0]["sep"] == ".":
        return True, ()
    # Monthly dates on the first of the month show it by the part that never changes.
    if len(set(first)) == 1 and len(set(second)) > 1:
        return True, (f"Dates such as {example!r} were read as day/month/year, because only the second part changes.",)
    return False, (f"Dates such as {example!r} were read as month/day/year.",)


def _moment(match: re.Match[str], month: str | None, day: str | None) -> tuple[datetime, timedelta | None] | None:
    parts = match.groupdict()
    try:
        date = _date(parts, _year(parts["y"]), month, day)
        hour = _hour(int(parts.get("h") or 0), parts.get("ap"))
        extra = timedelta(days=1) if hour == 24 else timedelta()  # 24:00 is the end of the day
        micro = int((parts.get("f") or "0").ljust(6, "0")[:6])
        clock = date.replace(hour=hour % 24, minute=int(parts.get("mi") or 0), second=int(parts.get("s") or 0))
        return clock.replace(microsecond=micro) + extra, _zone(parts.get("z"))
    except (ValueError, OverflowError):
        return None


def _date(parts: dict[str, str | None], year: int, month: str | None, day: str | None) -> datetime:
    if quarter := parts.get("q"):
        return datetime(year, 3 * int(quarter) - 2, 1)
    if week := parts.get("w"):
        return datetime.fromisocalendar(year, int(week), int(parts.get("wd") or 1))
    if name := parts.get("name"):
        return datetime(year, _month(name), int(day or 1))
    return datetime(year, int(month or 1), int(day or 1))


def _month(name: str) -> int:
    name = name.lower()
    if name not in MONTHS and name not in LONG_MONTHS and name != "sept":
        raise ValueError(name)
    return MONTHS[name[:3]]


def _year(text: str | None) -> int:
    year = int(text or 0)
    return year if len(text or "") == 4 else year + (2000 if year < PIVOT else 1900)


def _hour(hour: int, half: str | None) -> int:
    if half is None:
        if hour > 24:
            raise ValueError(hour)
        return hour
    return hour % 12 + (12 if half.lower().startswith("p") else 0)


def _zone(text: str | None) -> timedelta | None:
    if not text:
        return None
    if text[0] not in "+-":
        return timedelta()
    digits = text[1:].replace(":", "").ljust(4, "0")
    return timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) * (-1 if text[0] == "-" else 1)
