"""Which column of a table holds the times of its rows, if any does, and which hold the parts of them.

By names, order, and what a row is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from autostatistician._io.serial_correlation import lag_one_autocorrelation
from autostatistician.data.arrays import Floats
from autostatistician.data.columns import DataColumn
from autostatistician.data.missing import is_missing
from autostatistician.data.roles.keys import keys_of, time_codes
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.targets import is_added_up, is_wanted
from autostatistician.data.times.dates import in_order, look_like_times, regularity
from autostatistician.data.times.forms import NAMES, ROMAN, TIME_NAMES, beside_part, is_called, number_of
from autostatistician.i18n.messages import note
from autostatistician.i18n.names import listed

__all__ = ["PARTS_OF_DAY", "Timing", "combined", "happened", "is_called_clock", "joined", "timing", "with_clock"]

LEAST_FILLED = 0.9  # of the grid of the times that columns without names make
FEWEST_TIMES = 8  # of each thing in a long table whose times are plain numbers: fewer are settings of an experiment
LEAST_DIFFERENT_TIMES = 0.5  # share of the rows: with fewer different times, a row is no time
FEWEST_EVENTS = 20  # rows
LEVEL_OF_ORDER = 0.02  # of the test that neighbouring rows are alike, over all columns asked
LEAST_REGULAR = 0.7  # share of a grid: of that of all days, working days fill so much

# Columns that are one time together, by the letters of their names, and how their cells are written as one.
JOINED = {"ymd": "{}-{:0>2}-{:0>2}", "ym": "{}-{:0>2}", "yq": "{}Q{}", "yw": "{}-W{:0>2}", "yj": "{}-D{:0>3}"}
LABELS = {"m": re.compile(r"[MP] ?(\d{1,2})"), "q": re.compile(r"Q ?0?([1-4])"), "w": re.compile(r"W[EK]? ?(\d{1,2})")}
NAMELESS = re.compile(r"index|column\d+")
PARTS_OF_DAY, PARTS_OF_HOUR = (24, 48, 96, 288), 60
_HALF = r"\s*[AaPp]\.? ?[Mm]\.?"
_CLOCK = rf"(?:\d{{1,2}}[:.h]\d{{2}}(?::\d{{2}}(?:\.\d+)?)?(?:{_HALF}| ?[ap])?|\d{{1,2}}{_HALF})"
CLOCK_TIME = re.compile(rf"^({_CLOCK})(?:\s*(?:-|\u2013|to|bis|/)\s*{_CLOCK})?(?:\s*(?:Uhr|h))?$")
NUMBER_OF_PART = re.compile(rf"\d+|\b(?:{'|'.join(ROMAN)})\b", re.IGNORECASE)
ROMAN_NUMBER = re.compile(rf"(?:{'|'.join(ROMAN)})$", re.IGNORECASE)
Made = tuple[DataColumn, tuple[DataColumn, ...]]


@dataclass(frozen=True, eq=False)
class Timing:
    """The column of times (None: there is none), the columns it was made of, and what to say.

    ``ordered``: without such a column, the rows stand in order of time all the same. ``passed_over``: columns that
    hold times but do not order the rows. ``half_read``: the column that would do so, had all of its cells been dates.
    """

    column: DataColumn | None
    used: tuple[DataColumn, ...] = ()
    notes: tuple[str, ...] = ()
    ordered: bool = False
    passed_over: tuple[DataColumn, ...] = ()
    half_read: DataColumn | None = None


def timing(profiles: Sequence[Profile], target: DataColumn | None = None) -> Timing:
    """The column of times of a table, as a person would see it; ``target`` is known not to be it."""
    others = [profile for profile in profiles if profile.column is not target]
    dated = [profile for profile in others if profile.times is not None]
    for profile in sorted(dated, key=lambda profile: (profile.column.are_years, not profile.has_time_name)):
        if _orders(profile, others, target):
            return _dated(profile, dated, alone=len(profiles) == 1)
    counted = _numbered(others, target)
    if counted is not None:
        named = counted.name in TIME_NAMES
        why = "" if named else note(", because its numbers only rise or only fall")
        return Timing(counted.column, (counted.column,), (_taken(counted, why),))
    return _rows(others, target, tuple(profile.column for profile in dated))


def _dated(axis: Profile, dated: Sequence[Profile], *, alone: bool) -> Timing:
    rest = [profile.column.name for profile in dated if profile is not axis]
    left = note("; other columns of dates are left out: {columns}", columns=listed(rest)) if rest else ""
    used = tuple(profile.column for profile in dated)
    return Timing(axis.column, (axis.column, *used), () if alone else (_taken(axis, left),))


def _taken(axis: Profile, more: str) -> str:
    return note("Column {name} is taken as the time axis{more}.", name=repr(axis.column.name), more=more)


def _orders(axis: Profile, others: Sequence[Profile], target: DataColumn | None) -> bool:
    """Whether dates are the times of the rows: one row each (or for each key), and in order or on a grid."""
    assert axis.times is not None
    beside = _columns_to_explain(others, target, but=axis)
    if beside < 1 or keys_of(axis.column, others, target):
        return True
    times = axis.times.times[~np.isnat(axis.times.times)]
    different = np.unique(times)
    repeats, at_random = different.size < LEAST_DIFFERENT_TIMES * times.size, happened(axis, others, target)
    asked = others if target is None else [Profile(target)]
    are_sales = any(map(is_added_up, asked)) and (at_random or in_order(times))  # or payments, which are added up
    if (repeats or at_random) and (beside > 1 or are_sales):
        return are_sales
    return repeats or in_order(times) or regularity(different) >= LEAST_REGULAR


def happened(axis: Profile, others: Sequence[Profile], target: DataColumn | None) -> bool:
    """Whether times are those of things that happen, as payments or answers to a survey: moments on the clock of which
    neighbours are not alike, with gaps as uneven as those of chance, or beside answers of a few kinds each.
    """
    times = np.unique(axis.times.times[~np.isnat(axis.times.times)]) if axis.times else np.zeros(0, "M8[us]")
    if times.size < FEWEST_EVENTS or np.all(times == times.astype("M8[D]")) or regularity(times) >= LEAST_REGULAR:
        return False
    able = [each for each in others if each.explains and each.varies]
    kinds = [each.levels if each.column.is_category else each.distinct for each in able]
    answers = sum(number <= axis.column.size / FEWEST_TIMES for number in kinds) > len(kinds) / 2
    at_random = answers or not Profile(DataColumn("", times.astype(np.float64))).is_paced
    return at_random and not _has_order(axis, others, target)


def _columns_to_explain(others: Sequence[Profile], target: DataColumn | None, but: Profile) -> int:
    """How many columns could explain the target beside one of times; the target itself is one of them if unknown."""
    count = sum(profile.explains for profile in others if profile is not but and profile.times is None)
    return count if target is not None else count - 1


# --- times that are plain numbers ------------------------------------------------------------------------------------


def _numbered(others: Sequence[Profile], target: DataColumn | None) -> Profile | None:
    """The column of numbers that orders the rows: a name of times first, else steps that are alike, or a curve.

    Rows that are only sorted by one of several columns, or that are things with names or dates of their own, have none.
    """
    numeric = [profile for profile in others if profile.is_number and profile.finite.size > profile.column.size / 2]
    if len(numeric) < (2 if target is None else 1):
        return None
    for profile in numeric:
        if profile.has_time_name and _is_long(profile, others, target):
            return profile
    pair = sum(profile.explains for profile in others) == (2 if target is None else 1)
    for profile in numeric:
        # in order, or years that stand once each
        once = profile.is_monotone or (profile.name in NAMES["y"] and profile.distinct == profile.finite.size)
        named = profile.has_time_name and not profile.is_cycle and (pair or once)
        if named and (profile.name in TIME_NAMES or profile.is_monotone):
            return profile
    if any(each.times is not None or (each.holds_words and each.levels == each.column.size) for each in others):
        return None
    plain = (each for each in numeric if each.is_monotone and not each.names_rows and not is_wanted(each))
    return next((each for each in plain if pair or (each.is_paced and _is_axis(each, others, target))), None)


def _is_axis(axis: Profile, others: Sequence[Profile], target: DataColumn | None) -> bool:
    """Whether numbers of even steps are times: whole ones without a word of time in their name may only name rows."""
    may_name = axis.is_whole and (axis.counts_rows or axis.finite.size >= FEWEST_EVENTS)
    return not may_name or not TIME_NAMES.isdisjoint(axis.words) or _has_order(axis, others, target)


def _has_order(axis: Profile, others: Sequence[Profile], target: DataColumn | None) -> bool:
    """Whether rows along an axis have an order: neighbouring ones are alike, in the target or else in any column."""
    able = [Profile(target)] if target is not None else [each for each in others if each is not axis and each.explains]
    order = np.argsort(time_codes(axis.column), kind="stable")
    values = [each.column.numbers.values[order] for each in able if each.is_number and each.distinct > 1]
    ranks = [np.unique(each[np.isfinite(each)], return_inverse=True)[1] for each in values]  # few large ones hide much
    alike = [lag_one_autocorrelation(each - each.mean()) * np.sqrt(each.size) for each in ranks]
    return not alike or max(alike) > NormalDist().inv_cdf(1.0 - LEVEL_OF_ORDER / len(alike))


def _is_long(profile: Profile, others: Sequence[Profile], target: DataColumn | None) -> bool:
    """Whether numbers that are called times stand once for each of several things."""
    keys = keys_of(profile.column, others, target)
    many = profile.distinct >= FEWEST_TIMES and all(isinstance(key.values, tuple) for key in keys)
    return bool(keys) and (many or profile.name in NAMES["y"])


# --- without times ---------------------------------------------------------------------------------------------------


def _rows(others: Sequence[Profile], target: DataColumn | None, passed_over: tuple[DataColumn, ...]) -> Timing:
    """No column of times; where one looks like it, or a part of the calendar runs in cycles, the rows are in order."""
    for profile in others if not passed_over else ():  # rows with dates, which do not order them, are things
        if profile.holds_words:
            alone = _columns_to_explain(others, target, but=profile) < 1
            if profile.column.times_of_most is not None and (alone or profile.has_time_name):
                return Timing(None, ordered=True, half_read=profile.column)
            if unread := _unread(profile, alone=alone):
                return Timing(None, notes=(unread,), ordered=True)
    cycle = next((profile for profile in others if profile.is_cycle), None)
    if cycle is not None:
        said = note(
            "Column {name} starts again and again, so the rows are counted in their order.",
            name=repr(cycle.column.name),
        )
        return Timing(None, (cycle.column,), (said,), ordered=True)
    named = tuple(profile.column for profile in others if profile.is_number and profile.name in TIME_NAMES)
    return Timing(None, passed_over=(*passed_over, *named))


def _unread(profile: Profile, *, alone: bool) -> str:
    """That a column looks like times but cannot be read as such, "" where it does not.

    ``alone``: nothing but it and the target, so that cells that name a year are no titles of films.
    """
    column = profile.column
    named = profile.has_time_name and (not profile.is_class or any(map(str.isdigit, "".join(map(str, column.values)))))
    if not named and not (alone and look_like_times([column.text(row) for row in range(column.size)])):
        return ""
    row = next((row for row in range(column.size) if not is_missing(column.text(row))), 0)
    return note(
        "No column of times was found, because column {name} cannot be read as times (such as {cell} in row {row}); "
        "the rows are counted instead.", name=repr(column.name), cell=repr(column.text(row)), row=row + 1,
    )  # fmt: skip


# --- times that stand in several columns -----------------------------------------------------------------------------


def joined(columns: Sequence[DataColumn], *, known: bool = False) -> Made | None:
    """A column of the times that stand in several others, of dates and of clock times beside them, and these.

    Beside dates that stand once each clock times must be called so, but where it is ``known`` that they are such: else
    they may be durations.
    """
    made = combined(columns)
    rest = [column for column in columns if made is None or column not in made[1]]
    days = [made[0]] if made is not None else [column for column in columns if Profile(column).times is not None]
    once = days[0].times if days and not known else None
    if once is not None and np.unique(once.times).size == once.times.size:
        rest = [column for column in rest if is_called_clock(column)]
    clocked = with_clock(rest, days)
    if clocked is None or clocked[0].times is None:
        return made
    if once is not None and regularity(once.times) > max(regularity(clocked[0].times.times), LEAST_FILLED):
        return made  # days of a grid that the times of day would undo
    return clocked[0], clocked[1] if made is None else (*made[1], *clocked[1][1:])


def combined(columns: Sequence[DataColumn]) -> Made | None:
    """A date made of separate columns for year and month (and day), quarter or week, and those columns.

    They are called so, or have cells such as M01; columns without names are such parts where all rows are in order.

    >>> made, used = combined([DataColumn("year", ("2020", "2020")), DataColumn("quarter", ("1", "2"))])
    >>> made.values, len(used)
    (('2020Q1', '2020Q2'), 2)
    """
    for parts, form in JOINED.items():
        called = _called(columns, parts)
        first = list(columns[: len(parts)])
        nameless = first if all(NAMELESS.fullmatch(each.name) for each in first) else called
        for named in (called, nameless):
            if len(named) < len(parts):
                continue
            rows = zip(*(_parts(column, part) for column, part in zip(named, parts, strict=True)), strict=True)
            texts = tuple(None if None in row else form.format(*row) for row in rows)
            made = DataColumn("-".join(column.name for column in named), texts)
            if made.times is not None and (named is called or regularity(made.times.times) >= LEAST_FILLED):
                return made, tuple(named)
    return None


def _called(columns: Sequence[DataColumn], parts: str) -> list[DataColumn]:
    """The columns that hold parts of dates, by their names, which say the same beside these, or by their cells."""
    for beside in dict.fromkeys(beside_part(each.name, parts[-1]) for each in columns):
        named = [[each for each in columns if _is_part(each, part, beside)][:1] for part in parts]
        if all(named):
            return [column for (column,) in named]
    return []


def _is_part(column: DataColumn, part: str, beside: frozenset[str] | None) -> bool:
    """Whether a column holds a part of dates, by its name or by the letter before all of its numbers."""
    label, named = LABELS.get(part), beside_part(column.name, part)
    if part == "j" and is_called(column.name, "d"):  # no days of months, and not counted from the first of each year
        days = column.numbers.values
        return bool(np.nanmax(days, initial=0) > 31 and (np.nanmin(days) > 1 or np.nanmax(days) >= 365))
    if named is not None or label is None or not isinstance(column.values, tuple):
        return named is not None and named == (beside or frozenset())
    return all(label.fullmatch(text or "") for text in column.values) and len(set(column.values)) > 1


def _parts(column: DataColumn, part: str) -> list[str | None]:
    """The cells of a column of years, months, ... as parts of dates; of quarters and weeks only their numbers."""
    if column.is_numeric:
        return [None if np.isnan(number) else f"{number:g}" for number in column.numbers.values]
    if part in LABELS and all(LABELS[part].fullmatch(cell or "") for cell in column.texts):
        return [LABELS[part].sub(r"\1", cell or "") for cell in column.texts]
    number = NUMBER_OF_PART.search if part in "qw" else ROMAN_NUMBER.match
    found = [cell and number(cell) for cell in column.texts]
    return [str(number_of(match[0])) if match else cell for match, cell in zip(found, column.texts, strict=True)]


def with_clock(columns: Sequence[DataColumn], dated: Sequence[DataColumn]) -> Made | None:
    """A column of dates and one of clock times (14:30), hours or other parts of the day as one, and both columns.
    >>> day, period = DataColumn("day", ("2020-01-01",) * 48), DataColumn("period", np.arange(1.0, 49.0))
    >>> made, used = with_clock([day, period], [day])
    >>> made.values[-1], made.notes[0][:48]
    ('2020-01-01 23:30', "The numbers 1 to 48 in column 'period' were read")
    """
    parsed = dated[0].times if dated and not dated[0].are_years else None
    if parsed is None or np.any(parsed.times != parsed.times.astype("M8[D]")):
        return None
    for clock in columns:
        cells, said = (None, ()) if any(clock is other for other in dated) else _clock_cells(clock)
        if cells is not None:
            days, notes = list(parsed.times.astype("M8[D]").astype(object)), (*parsed.notes, *said)
            if parsed.either and isinstance(dated[0].values, tuple):  # the clock may tell day and month apart
                days, notes = list(dated[0].values), said
            values = [f"{day} {cell}" if day and cell else None for day, cell in zip(days, cells, strict=True)]
            values, finer = _to_the_minute(values, columns)
            used = (dated[0], clock, *finer)
            name = " ".join(column.name for column in used)
            return replace(dated[0], name=name, values=tuple(values), notes=notes), used
    return None


def _to_the_minute(times: list[str | None], columns: Sequence[DataColumn]) -> tuple[list[str | None], list[DataColumn]]:
    """Hours that repeat with the minutes and seconds of columns that are called so, and these columns.

    >>> _to_the_minute(["2020-01-01 00:00"] * 2, [DataColumn("Minute", ("0", "30"))])[0]
    ['2020-01-01 00:00', '2020-01-01 00:30']
    """
    finer: list[DataColumn] = []
    for part in ("mi", "s"):
        column = next((each for each in columns if is_called(each.name, part)), None)
        numbers = np.zeros(0) if column is None else column.numbers.values
        whole = numbers.size and np.all((numbers >= 0) & (numbers < PARTS_OF_HOUR) & (numbers % 1 == 0))
        if column is None or not whole or len({*times}) == len(times):
            break
        hours = [time and (time if finer else time.removesuffix(":00")) for time in times]
        times = [hour and f"{hour}:{number:02.0f}" for hour, number in zip(hours, numbers, strict=True)]
        finer.append(column)
    return times, finer


def is_called_clock(column: DataColumn) -> bool:
    """Whether the name of a column speaks of a clock, or of the parts of a day.

    >>> [is_called_clock(DataColumn(name, ())) for name in ("SettlementPeriod", "start_time", "duration")]
    [True, True, False]
    """
    return not (NAMES["h"] | NAMES["clock"]).isdisjoint((column.name.strip().lower(), *Profile(column).words))


def _clock_cells(clock: DataColumn) -> tuple[list[str | None] | None, tuple[str, ...]]:
    """Clock times as text, of clock times (or periods between two) or of numbers that count parts of the day."""
    named = is_called_clock(clock)
    if named and isinstance(clock.values, tuple):  # H01
        clock = replace(clock, values=tuple(cell and re.sub(r"^[HPhp] ?(?=\d)", "", cell) for cell in clock.values))
    numbers, said = _parts_of_day(clock) if named else (None, ())
    if numbers is not None:
        return [None if np.isnan(m) else f"{int(m) // 60:02d}:{int(m) % 60:02d}" for m in numbers], said
    if not isinstance(clock.values, tuple) or (clock.is_numeric and not named):  # 5.12 may be a price
        return None, ()
    matches = [CLOCK_TIME.match(cell or "") for cell in clock.texts]
    if any(match is None and cell for match, cell in zip(matches, clock.texts, strict=True)) or not any(matches):
        return None, ()
    return [match and match[1] for match in matches], ()


def _parts_of_day(column: DataColumn) -> tuple[Floats | None, tuple[str, ...]]:
    """Minutes at which the parts of a day begin that whole numbers count: hours, or 1 to 24, 1 to 48, 0 to 95.

    Days on which the clock is put back have an hour more.
    """
    numbers = column.numbers.values
    filled = numbers[np.isfinite(numbers)]
    whole = np.all((filled >= 0) & (filled % 100 < 60) & (filled % 1 == 0))
    if filled.size and 300 < filled.max() <= 2400 and whole and filled.min() < 1900:  # else they are years
        told = {"number": int(filled.max()), "name": repr(column.name)}
        said = note("Numbers such as {number} in column {name} were read as hours and minutes.", **told)
        return numbers // 100 * 60 + numbers % 100, (said,)
    if not filled.size or not np.all((filled == np.round(filled)) & (filled >= 0) & (filled <= 300)):
        return None, ()
    low, high = int(filled.min()), int(filled.max())
    parts = next((n for n in PARTS_OF_DAY if n <= high - low + 1 <= n + n // 24 and low <= 1), None)
    if parts is None:
        return (numbers * 60 if high < 24 else None), ()
    said = note(
        "The numbers {first} to {last} in column {name} were read as parts of the day, the first from 0:00 on.",
        first=low, last=high, name=repr(column.name),
    )  # fmt: skip
    return (numbers - low) * (1440 / parts), (said,) if (low, high) != (0, 23) else ()
