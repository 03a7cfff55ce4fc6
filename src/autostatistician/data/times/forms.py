"""The table of forms of time: how it is written in text, counted in numbers, and called in the names of columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from autostatistician.data.arrays import Floats, Times
from autostatistician.data.times.calendar_days import MONTHS, ONE_YEAR
from autostatistician.data.words import TABLES, words
from autostatistician.i18n.messages import message

__all__ = [
    "COUNTS", "DAY", "DECIMAL_YEARS", "EARLIEST_YEAR", "FORMS", "LATEST_YEAR", "LONG_MONTHS",
    "NAMES", "NOTE_ON_PARTS_OF_FISCAL_YEARS", "ROMAN", "TIME_NAMES", "USUAL_YEAR", "Count", "DecimalYears", "DateForm",
    "beside_part", "is_called", "moment", "number_of",
]  # fmt: skip

# Numbers outside are not taken for years; whole ones between the usual years are, whatever their column is called.
EARLIEST_YEAR, USUAL_YEAR, LATEST_YEAR = 1000, 1500, 2200


# What columns of dates, of clock times and of parts of both are called; parts have the letters of the patterns below.
NAMES = {part: words("parts", part) for part in TABLES["parts"]}
NAMES["j"] |= NAMES["d"]  # the day of the year
TIME_NAMES = frozenset(("month", "period", "t", "x")) | NAMES["date"] | NAMES["clock"] | (NAMES["y"] - {"yyyy", "an"})

COMPOUND = re.compile(rf"([^\W\d_]{{4,}})({'|'.join(sorted(words('stems', 'times')))})\b")  # Meldewoche
BESIDE_NAMES = frozenset(("no", "nr", "num", "number", "of", "iso", "calendar", "kalender"))


def is_called(name: str, part: str) -> bool:
    """Whether a column is called by the name of a part of a time.

    >>> is_called("Week No.", "w"), is_called("iso_week", "w"), is_called("week sales", "w")
    (True, True, False)
    """
    return beside_part(name, part) == frozenset()


def beside_part(name: str, part: str) -> frozenset[str] | None:
    """The other words of a name that has one for a part of a time; None of another name.

    >>> beside_part("MMWR Week", "w"), beside_part("week no.", "w"), beside_part("sales", "w")
    (frozenset({'mmwr'}), frozenset(), None)
    """
    plain = name.strip().lower()
    called = frozenset(re.split(r"[\W_]+", COMPOUND.sub(r"\1 \2", plain))) - BESIDE_NAMES - {""}
    return frozenset() if plain in NAMES[part] else called - NAMES[part] if called & NAMES[part] else None


ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
LONG_MONTHS = tuple(map(str.lower, MONTHS))
MONTH_NAMES = {text: k + 1 for k, name in enumerate(LONG_MONTHS) for text in (name, name[:3])} | {"sept": 9}
FEW_GAPS = 0.8  # share of the parts of the years from first to last that have a cell at least
FEWEST_SHORT = 5  # dates without their century that no numbers look like by chance: 18/19, 190431
FIRST_YEAR_OF_1900S = 40  # years of two digits are 1940 to 2039: smaller ones are of this century
Matches = Sequence[re.Match[str]]

_MINUTES = r"[:.h](?P<mi>\d{2})(?:[:.](?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?)?"
_CLOCK = rf"(?:[T ,:]\s*(?P<h>\d{{1,2}})(?:{_MINUTES}|(?=\s*(?:h|uhr|[ap]\.? ?m)\b))\s*(?P<ap>[ap](?:\.? ?m\.?)?)?)?"
_ZONE = r"\s*(?P<z>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?"
# Words for the clock on the wall: what they are called changes with it, so times are read as they are written.
_WALL = (
    r"(?:\s*(?:uhr|h)\b)?(?:\s*[\[(]?(?P<wall>(?:UTC|GMT) ?[+-] ?\d{1,2}(?::?\d{2})?|(?:AK|A?[CEW]|[CEMP]|NZ)[SD]?T"
    r"|[CWE]ES?T|MES?Z|BST|MSK|[HIJKS]ST|[HS]KT|DST|(?:local|std|standard|summer|winter)(?: time)?"
    r"|[a-z]+/[a-z_]+)[\])]?)?"
)
_END = _CLOCK + _ZONE + _WALL + r"(?: \([^\W\d][^()\d]*\))?$"
_COMPACT = r"^(?P<y>1[5-9]\d\d|2[01]\d\d)(?P<m>0[1-9]|1[0-2])"  # without separators only usual years
_COMPACT_DAY = r"(?P<d>\d{2})(?:T?(?P<h>\d{2})(?:(?P<mi>\d{2})(?P<s>\d{2})?)?)?"
_NAME = r"(?P<name>[A-Za-z]{3,9})\.?"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"
_YEAR = r"(?P<y>\d{4})"
_SECOND = r" ?[-/\u2013] ?(?P<second>\d{4}|\d{2})"
_CALLED = r"(?P<fiscal>(?:FYE?|[SA]Y|GJ|fiscal(?: year)?) ?)"  # fiscal, school, academic years
_YEARS = rf"{_CALLED}?\(?'?(?P<y>\d{{4}}|\d{{2}})(?:{_SECOND})?\)?"
_USUAL = r"(?P<y>1[5-9]\d\d|2[01]\d\d)"
_SHORT = r"(?P<y>(?:1[5-9]|2[01])\d\d|\d{2})"
_QUARTER = r"(?P<q>[1-4]|I{1,3}|IV)"
_QUARTERS = (rf"Q(?:TR|UARTER)?\.? ?{_QUARTER}", rf"(?<!\d){_QUARTER}(?:st|nd|rd|th)? ?Q(?:TR|UARTER)?\.?")
_HALF = r"(?P<half>[12]|I{1,2})"


@dataclass(frozen=True)
class DateForm:
    """One way of writing dates: its pattern, when all cells together may mean it, and a word on what it was read as.

    A strict form looks like numbers; not one other cell is allowed beside it.
    """

    name: str
    pattern: re.Pattern[str]
    fits: Callable[[Matches], bool] = bool
    note: str = ""
    strict: bool = False


def _form(
    name: str, pattern: str, fits: Callable[[Matches], bool] = bool, note: str = "", strict: bool = False
) -> DateForm:
    return DateForm(name, re.compile(pattern, re.IGNORECASE), fits, note, strict)


def _are_seasons(matches: Matches) -> bool:
    """Whether every second year follows the first, under one word, and they are no months of one year (2000/01)."""
    years, words = {_year(match["y"]) for match in matches}, {(match["word"] or "").lower() for match in matches}
    if len(words) > 1 or not all(moment(match) for match in matches):
        return False
    if any(len(match["y"]) == 2 for match in matches) and len(max(words).strip()) < 2:
        slashes = all("/" in match.string for match in matches) and max(years) % 100 > 12
        return slashes and len(years) >= FEWEST_SHORT and len(years) == max(years) - min(years) + 1
    return len(years) > 1 or int(matches[0]["second"]) > 12


def _are_short_dates(matches: Matches) -> bool:
    """Whether six digits are a year, a month and a day: all of them in order, and not of one month alone."""
    if len(matches) < FEWEST_SHORT or not all(moment(match) for match in matches):
        return False
    return len({match["m"] for match in matches}) > 1 and _are_in_order(matches)


def _are_months(matches: Matches) -> bool:
    """Whether pairs like 01.2018 are months: with a zero in front, as no number is written; or filling a grid."""
    months = [match["m"] for match in matches]
    padded = all(len(month) == 2 for month in months) and any(month[0] == "0" for month in months)
    padded &= all(1 <= int(month) <= 12 for month in months) and all(len(match["y"]) == 4 for match in matches)
    return padded or _on_grid("m", 12, 0, years=1, once=True)(matches)


def _on_grid(part: str, of_year: int, least: int, *, years: int = 2, once: bool = False) -> Callable[[Matches], bool]:
    """Whether numbers beside so many years count such parts of them: one is above ``least``, and few are left out.

    Those that could be numbers with decimals stand ``once`` each, at any distance, and in order or at least a dozen:
    numbers would not run from 12.2018 to 1.2019; years may end in .5.
    """

    def fits(matches: Matches) -> bool:
        in_years, numbers = [match["y"] for match in matches], [number_of(match[part]) for match in matches]
        cells = [int(year.ljust(4, "0")) * of_year + number for year, number in zip(in_years, numbers, strict=True)]
        n, places = len(cells), np.unique(cells)
        step = int(np.gcd.reduce(np.diff(places))) if places.size > 1 else 1
        several = len({*in_years}) >= years or (once and n >= of_year / 2)
        if not (several and least < max(numbers) <= of_year and min(numbers) >= 1):
            return False
        ordered = cells in (sorted(cells), sorted(cells, reverse=True)) or n >= of_year
        alone = ordered and places.size == n and 2 * sum(len(year) == 4 for year in in_years) > n > 2
        steps = [k for k in range(1, of_year) if of_year % k == 0] if once else [1]
        return (alone or not once) and step in steps and places.size >= FEW_GAPS * float(np.ptp(places) / step + 1)

    return fits


def _are_clear(matches: Matches) -> bool:
    """Whether years are written in full, or else several parts of them are in order: Q1-01, Q1-02 are no quarters."""
    (part,) = {"q", "half", "w", "m"}.intersection(matches[0].re.groupindex)
    several = len(matches) == 1 or len({match[part] for match in matches}) > 1
    return all(len(match["y"]) == 4 for match in matches) or (several and _are_in_order(matches))


def _are_days_of_year(matches: Matches) -> bool:
    """Whether three digits behind years are days of these, in order: no months with a digit more, and no numbers.

    Most lie at one distance, also at new year, where numbers of orders begin again with 001. Within one year they fill
    a grid, do not begin with 001 unless they are all, and one at least is no month and day (2019364).
    """
    moments, years = [moment(match) for match in matches], [int(match["y"]) for match in matches]
    if len(matches) < FEWEST_SHORT or None in moments or not _are_in_order(matches):
        return False
    steps = np.abs(np.diff(np.array([found[0] for found in moments if found], "M8[D]"))).astype(np.int64)
    turns = np.diff(years) != 0
    if turns.any():
        usual = 2 * np.count_nonzero(steps == np.median(steps)) >= steps.size
        return bool(usual and steps[turns].max() <= steps[~turns].max(initial=0))
    days = {int(match["j"]) for match in matches}
    clear = (min(days) > 1 or max(days) > 364) and any(not 1 <= day % 100 <= 31 for day in days)
    return clear and _on_grid("j", 366, 129, years=1)(matches)  # 129: December and a digit


def _are_in_order(matches: Matches) -> bool:
    dates = [found[0] for match in matches if (found := moment(match)) is not None]
    return dates in (sorted(dates), sorted(dates, reverse=True))


def _are_no_versions(matches: Matches) -> bool:
    """Whether 3.9.18 may be a date: written with all digits, or in days beyond 12."""
    if any(match["sep"] != "." or len(match["y"]) == 4 for match in matches):
        return True
    first, second = ([match[group] for match in matches] for group in "ab")
    return all(len(part) == 2 for part in (*first, *second)) or any(int(part) > 12 for part in first)


NOTE_ON_FISCAL_YEARS = message("Fiscal years such as {cell} were read as the year that they are called by.")
NOTE_ON_PARTS_OF_FISCAL_YEARS = message(
    "In which month fiscal years such as that of {cell} begin is not known: they were placed as if it were January of "
    "the (first) year that they are called by; where another month is meant, write dates such as 2024-04-01."
)
NOTES_ON_SHORT_DATES = {
    "ymd": message("Six digits such as {cell} were read as year, month and day."),
    "dmy": message("Six digits such as {cell} were read as day, month and year."),
    "mdy": message("Six digits such as {cell} were read as month, day and year."),
}
NOTE_ON_SEASONS = message("Years such as {cell} were read as the first of the two.")
NOTE_ON_WEEKS = message("Weeks such as {cell} were read as ISO weeks, which begin on Monday.")
NOTE_ON_MONTHS = message("Cells such as {cell} were read as month and year.")
NOTE_ON_DAYS = message("Cells such as {cell} were read as year and day of the year.")
NOTE_ON_QUARTERS = message("Cells such as {cell} were read as quarter and year.")


def _beside_year(name: str, parts: Sequence[str], fits: Callable[[Matches], bool], note: str = "") -> list[DateForm]:
    """The forms of a part of the year before or behind it."""
    both = (rf"^{{part}}[-/ ,_]*(?:of )?{_YEARS}$", rf"^{_YEARS}[-/ :,_]*(?:{{part}})$")
    return [_form(name, each.replace("{part}", part), fits, note) for each in both for part in parts]


def _digits(order: str) -> str:
    return "^" + "".join(rf"(?P<{part}>\d\d)" for part in order) + "$"


# Day-month and month-day orders are told apart afterwards, over all cells of a column.
FORMS = (
    _form("years", rf"^(?P<word>[^\W\d]+\.? ?)?{_SHORT}{_SECOND}$", _are_seasons, NOTE_ON_SEASONS),
    _form("ymd", r"^(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})" + _END),
    _form("quarter", rf"^{_USUAL}(?:[-/: ]|[. ](?=I)){_QUARTER}$", _on_grid("q", 4, 2), NOTE_ON_QUARTERS),
    _form("quarter", rf"^{_QUARTER}(?:[-/: ]|(?<=[IV])\.){_USUAL}$", _on_grid("q", 4, 2), NOTE_ON_QUARTERS),
    _form("week", rf"^{_USUAL}[-/: ](?P<w>\d{{1,2}})$", _on_grid("w", 53, 12, years=1), NOTE_ON_WEEKS),
    _form("week", rf"^[SV]?(?P<w>\d{{1,2}})[-/: ]{_USUAL}$", _on_grid("w", 53, 12, years=1), NOTE_ON_WEEKS),
    _form("week", rf"^{_USUAL}(?P<w>\d\d)$", _on_grid("w", 53, 12), NOTE_ON_WEEKS, strict=True),
    _form("ym", rf"^{_USUAL}[: ](?P<m>\d{{1,2}})$", _on_grid("m", 12, 4)),
    _form("ym", r"^(?P<y>\d{4})[-/](?P<m>[1-4])$", note=NOTE_ON_MONTHS),  # where all could be quarters
    _form("ym", r"^(?P<y>\d{4})[-/](?P<m>\d{1,2})$"),
    _form("dmy", r"^(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})" + _END, _are_no_versions),
    _form("my", r"^(?P<m>[1-4])[-/](?P<y>\d{4})$", note=NOTE_ON_MONTHS),
    _form("my", r"^(?P<m>\d{1,2})[-/](?P<y>\d{4})$"),
    _form("m.y", r"^(?P<m>\d{1,2})\.(?P<y>1[5-9]\d\d|2[01]\d?\d?)$", _are_months, NOTE_ON_MONTHS, strict=True),
    _form("y.m", rf"^{_USUAL}\.(?P<m>\d{{1,2}})$", _on_grid("m", 12, 0, once=True), NOTE_ON_MONTHS, strict=True),
    *_beside_year("yearmonth", (r"M(?P<m>\d{1,2})(?=[-/ ,_]|$)",), _are_clear),
    _form("year", rf"^{_CALLED}'?(?P<y>\d{{4}}|\d{{2}})$", note=NOTE_ON_FISCAL_YEARS),
    _form("year", rf"^Y{_YEAR}$"),
    *_beside_year("quarter", _QUARTERS, _are_clear),
    *_beside_year("half", (rf"(?:H(?:ALF|Y)?|S){_HALF}", rf"(?<!\d){_HALF}H"), _are_clear),
    _form("day", r"^(?P<y>\d{4})-D(?P<j>\d{3})$"),
    _form("day", rf"^{_USUAL}[-/ ]?(?P<j>\d{{3}})$", _are_days_of_year, NOTE_ON_DAYS, strict=True),
    _form("week", r"^(?P<y>\d{4})-?W(?P<w>\d{2})(?:-?(?P<wd>[1-7]))?$"),
    *_beside_year("week", (r"[CKE]?W(?:K|EEK)?[. ]?(?P<w>\d{1,2})(?=[-/ ,_]|$)",), _are_clear, NOTE_ON_WEEKS),
    _form("dname", rf"^{_WEEKDAY}{_DAY}[-/. ]?\s*{_NAME},?[-/. ]?\s*(?P<y>\d{{4}}|\d{{2}})" + _END),
    _form("named", rf"^{_WEEKDAY}{_NAME}\s+{_DAY},?\s+(?P<y>\d{{4}})" + _END),
    _form("namey", rf"^{_NAME},?[-/ ]?\s*'?(?P<y>\d{{4}}|\d{{2}})$"),
    _form("yname", rf"^(?P<y>\d{{4}})[-/. ]?{_NAME}(?:[-/. ](?P<d>\d{{1,2}}))?" + _END),
    _form("compact", _COMPACT + _COMPACT_DAY + _ZONE + "$", strict=True),
    _form("compact", _COMPACT + "$", strict=True),
    *(_form("compact", _digits(order), _are_short_dates, said, True) for order, said in NOTES_ON_SHORT_DATES.items()),
)


@dataclass(frozen=True)
class Count:
    """Times as numbers from a moment on: what is said of them, the unit, and which numbers may be such.

    Both ``unit`` and ``precision`` are in microseconds, ``origin`` is in days from 1970, and so are the ``first`` and
    the ``last`` day. The last word of the column's name must be among the ``words``; or, where ``may_tick``, the
    numbers rise by whole minutes.
    """

    note: str
    unit: float
    origin: int = 0
    first: float = 1157.5  # a second has nine digits from here on
    last: float = 48_611.0
    precision: int = 1
    words: frozenset[str] = NAMES["date"] | NAMES["clock"] | {"unix", "epoch", "at", "day", "ts"}
    may_tick: bool = True


COUNTS = (
    Count(message("Column {name} was read as seconds since 1970 (UTC)."), 1e6),
    Count(message("Column {name} was read as milliseconds since 1970 (UTC)."), 1e3),
    Count(message("Column {name} was read as microseconds since 1970 (UTC)."), 1.0),
    Count(message("Column {name} was read as nanoseconds since 1970 (UTC)."), 1e-3),
    Count(
        message("Column {name} was read as days since the end of 1899, as spreadsheets count them."),
        86_400e6, origin=-25_569, first=-5569.0, last=34_431.0,  # outside, numbers are too likely to be something else
        precision=1000, words=NAMES["date"] | NAMES["m"] | {"day", "timestamp"}, may_tick=False,
    ),
)  # fmt: skip

DAY = 86_400_000_000  # microseconds


@dataclass(frozen=True)
class DecimalYears:
    """Years with a fraction by the day of the year: year + (days since new year + ``first``) / ``days`` of a year.

    ``days`` are "true", or as many in each year: "365" also divides those of leap years, "366" also those of others.
    """

    days: str
    first: int

    @classmethod
    def of(cls, text: str) -> DecimalYears:
        """The rule that is called so, as "365:1"."""
        days, first = text.split(":")
        return cls(days, int(first))

    @property
    def text(self) -> str:
        """What it is called."""
        return f"{self.days}:{self.first}"

    def written(self, times: Times) -> Floats:
        """Decimal years (n,) of dates.

        >>> DecimalYears("365", 1).written(np.array(["1962-01-01"], dtype="M8[s]")).round(6).tolist()
        [1962.00274]
        """
        year = times.astype("M8[Y]")
        day = (times.astype("M8[us]") - year) / np.timedelta64(1, "D") + self.first
        return np.asarray(year.astype(np.int64) + 1970 + day / self._days_of(year))

    def times(self, x: Floats) -> Times:
        """Dates (n,) of decimal years, to the second: the inverse of `written`.

        Where years count 365 days also in leap years, the last day of a leap year falls on the first of the next year
        and is read as the latter.

        >>> DecimalYears("365", 1).times(np.array([1956.1671232876713])).astype("M8[D]").astype(str).tolist()
        ['1956-03-01']
        """
        whole = np.floor(x + 1e-9).astype(np.int64)
        year: Times = (whole - 1970).astype("M8[Y]")
        day = (x - whole) * self._days_of(year) - self.first
        early = day < -1e-3  # a day before the first of January: the year before was written beyond its end
        day = np.where(early, day + self._days_of(year - ONE_YEAR), day)
        seconds = np.round(day * DAY / 1e6).astype(np.int64).astype("m8[s]")
        return np.asarray((year - early.astype("m8[Y]")).astype("M8[us]") + seconds)

    def _days_of(self, year: Times) -> Floats:
        true = ((year + ONE_YEAR).astype("M8[D]") - year.astype("M8[D]")).astype(np.float64)
        return true if self.days == "true" else np.full(year.shape, float(self.days))


# Of rules that fit alike the first is meant: a year of its true length is usual where days are counted from 0, as those
# of data from new year on are, years of 365 days where they are counted from 1.
DECIMAL_YEARS = tuple(DecimalYears(days, first) for days in ("true", "365", "365.25", "366") for first in (0, 1))


def moment(
    match: re.Match[str], month: str | None = None, day: str | None = None
) -> tuple[datetime, timedelta | None] | None:
    """The time, and its distance from UTC where it is written; None where there is no such day or hour."""
    parts = match.groupdict()
    try:
        date = _date(parts, _year(parts["y"]), month or parts.get("m"), day or parts.get("d"))
        hour = _hour(int(parts.get("h") or 0), parts.get("ap"))
        extra = timedelta(days=1) if hour == 24 else timedelta()  # 24:00 is the end of the day
        micro = int((parts.get("f") or "0").ljust(6, "0")[:6])
        clock = date.replace(hour=hour % 24, minute=int(parts.get("mi") or 0), second=int(parts.get("s") or 0))
        return clock.replace(microsecond=micro) + extra, _zone(parts.get("z"))
    except (ValueError, OverflowError, KeyError):
        return None


def _date(parts: dict[str, str | None], year: int, month: str | None, day: str | None) -> datetime:
    if (second := parts.get("second")) and int(second) not in (year + 1, (year + 1) % 100):
        raise ValueError(second)
    if quarter := parts.get("q"):
        return datetime(year, 3 * number_of(quarter) - 2, 1)
    if half := parts.get("half"):
        return datetime(year, 6 * number_of(half) - 5, 1)
    if week := parts.get("w"):
        return datetime.fromisocalendar(year, int(week), int(parts.get("wd") or 1))
    if day_of_year := parts.get("j"):
        date = datetime(year, 1, 1) + timedelta(days=int(day_of_year) - 1)
        if date.year != year:
            raise ValueError(day_of_year)
        return date
    if name := parts.get("name"):
        return datetime(year, MONTH_NAMES[name.lower()], int(day or 1))
    return datetime(year, number_of(month or "1"), int(day or 1))


def number_of(text: str) -> int:
    """The number of a part of the year, also in Roman digits.

    >>> number_of("IV"), number_of("04")
    (4, 4)
    """
    return int(text) if text.isdigit() else ROMAN.index(text.upper()) + 1


def _year(text: str | None) -> int:
    digits = text or "0"
    if len(digits) == 2:
        return int(digits) + (2000 if int(digits) < FIRST_YEAR_OF_1900S else 1900)
    return int(digits.ljust(4, "0"))  # 10.202 is 10.2020 without its last zero


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
