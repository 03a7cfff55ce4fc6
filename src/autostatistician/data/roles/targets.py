"""Which column of a table is modelled when none is named: by names, then by the place where people put it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NoReturn

from autostatistician.data.cells import is_missing
from autostatistician.data.roles.profiles import PARTS_OF_CALENDAR, Profile
from autostatistician.data.times.decimal_years import TIME_NAMES
from autostatistician.errors import InputError

__all__ = ["is_wanted", "ranked_targets", "wanted_classes"]

# What people call the column they ask about, the clearest name first. The second list are things that are measured
# because they are wanted; where two stand side by side, the earlier one is mostly explained by the later one.
TARGET_NAMES = (
    *("y", "target", "label", "class", "response", "outcome", "dependent"),
    *("value", "values", "observation", "observed", "count", "output"),
)  # fmt: skip
MEASURED_NAMES = (
    *("sales", "revenue", "turnover", "demand", "consumption", "units", "orders", "bookings", "passengers"),
    *("visitors", "visits", "close", "price", "rent"),
)  # fmt: skip
CALENDAR_NAMES = (TIME_NAMES - {"x"}) | PARTS_OF_CALENDAR  # these say when, not what
LEAST_NUMBERS = 0.5  # share of the cells that are numbers: then the others are mistakes, and are named


def is_wanted(one: Profile) -> bool:
    """Whether the name of a column says that it is what one asks about."""
    return _rank(one) < 2 * len(TARGET_NAMES + MEASURED_NAMES)


def _rank(one: Profile) -> int:
    """The place of the name in the lists; of names in several words, after all that are the name itself."""
    known = TARGET_NAMES + MEASURED_NAMES
    if one.name in known:
        return known.index(one.name)
    ranks = [len(known) + known.index(word) for word in one.words if word in MEASURED_NAMES]
    return min(ranks, default=2 * len(known))


def ranked_targets(profiles: Sequence[Profile], *, series: bool) -> list[Profile]:
    """The columns that could be modelled, the most plausible first.

    After names it is the place that counts: the first column beside the times of a series, the last one of a table.
    In a series, columns of yes and no come last: they mostly mark events.

    Raises
    ------
    InputError
        When there is none, or the one that is called the target cannot be read.
    """
    numeric = [one for one in profiles if one.numbers.share >= LEAST_NUMBERS and one.times is None]
    useful = [one for one in numeric if not one.names_rows] or numeric
    places = {id(one): place if series else -place for place, one in enumerate(useful)}

    def order(one: Profile) -> tuple[int, bool, int]:
        return _rank(one), series and one.is_two_valued, places[id(one)]

    ranked = sorted([one for one in useful if not _is_idle(one)] or useful, key=order)
    unread = [one for one in profiles if one.numbers.share < LEAST_NUMBERS and one.times is None and not one.is_class]
    best = min(unread, key=_rank, default=None)
    if best is not None and ranked and is_wanted(best) and _rank(best) < _rank(ranked[0]):
        _refuse([best])
    alone = len(ranked) == 1 and ranked[0].has_time_name and bool(unread)
    if not ranked or alone:
        _refuse(unread or list(profiles))
    if len(ranked) == 1 and ranked[0].name in CALENDAR_NAMES and ranked[0].is_monotone:
        name = ranked[0].column.name
        found = f"only {name!r}, whose name and order are those of times"
        raise InputError.of("a column of numbers to model", found, f"add one, or name it: --target {shlex.quote(name)}")
    return ranked


def _is_idle(one: Profile) -> bool:
    """Whether nobody would ask about it: one value only, or where and when."""
    return one.distinct < 2 or one.is_place or one.is_cycle or one.name in CALENDAR_NAMES


def wanted_classes(profiles: Sequence[Profile], chosen: Profile, *, series: bool) -> Profile | None:
    """The classes that a person would ask about, were classes modelled: by their name, or the last of a table.

    Not those that stand before a last column which is modelled: people put what they ask about there.
    """
    if not series and profiles and profiles[-1] is chosen:
        return None
    classes = [one for one in profiles if one.is_class and one.numbers.share < LEAST_NUMBERS]
    named = [one for one in classes if is_wanted(one) and _rank(one) < _rank(chosen)]
    if named:
        return named[0]
    last = profiles[-1] if profiles else None
    return last if not series and last in classes and not is_wanted(chosen) else None


def _refuse(profiles: Sequence[Profile]) -> NoReturn:
    if not profiles:
        raise InputError.of("a column of numbers besides the time axis", "none", "give a table with two columns")
    column = profiles[-1].column
    row = next((k for k in range(column.size) if not is_missing(column.text(k))), None)
    if row is None:
        found = f"only missing values in column {column.name!r}"
        raise InputError.of("a column of numbers to model", found, "fill it in, or name another column with target")
    found = f"{column.text(row)!r} in row {row + 1} of column {column.name!r}"
    raise InputError.of("a column of numbers to model", found, "name the column to model, or clean it")
