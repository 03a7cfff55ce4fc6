"""Which column of a table is modelled when none is named: by names, then by the place where people put it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NoReturn

from autostatistician.data.cells import is_missing
from autostatistician.data.roles.profiles import PARTS_OF_CALENDAR, Profile
from autostatistician.data.times.decimal_years import TIME_NAMES
from autostatistician.errors import InputError
from autostatistician.wording.messages import note

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


def is_wanted(profile: Profile) -> bool:
    """Whether the name of a column says that it is what one asks about."""
    return _rank(profile) < 2 * len(TARGET_NAMES + MEASURED_NAMES)


def _rank(profile: Profile) -> int:
    """The place of the name in the lists; of names in several words, after all that are the name itself."""
    names = TARGET_NAMES + MEASURED_NAMES
    if profile.name in names:
        return names.index(profile.name)
    ranks = [len(names) + names.index(word) for word in profile.words if word in MEASURED_NAMES]
    return min(ranks, default=2 * len(names))


def ranked_targets(profiles: Sequence[Profile], *, series: bool) -> list[Profile]:
    """The columns that could be modelled, the most plausible first.

    After names it is the place that counts: the first column beside the times of a series, the last one of a table.
    In a series, columns of yes and no come last: they mostly mark events. Classes are modelled where no column holds
    numbers.
    """
    numeric = [profile for profile in profiles if profile.numbers.share >= LEAST_NUMBERS and profile.times is None]
    useful = [profile for profile in numeric if not profile.names_rows] or numeric
    places = {id(profile): place if series else -place for place, profile in enumerate(useful)}

    def order(profile: Profile) -> tuple[int, bool, int]:
        return _rank(profile), series and profile.is_two_valued, places[id(profile)]

    ranked = sorted([profile for profile in useful if not _is_idle(profile)] or useful, key=order)
    others = [profile for profile in profiles if profile.numbers.share < LEAST_NUMBERS and profile.times is None]
    unread = [profile for profile in others if not profile.is_class]
    best = min(unread, key=_rank, default=None)
    if best is not None and ranked and is_wanted(best) and _rank(best) < _rank(ranked[0]):
        _refuse([best])
    classes = [profile for profile in others if profile.is_class]
    if not ranked and classes:  # nothing else can be modelled
        return sorted(classes if series else classes[::-1], key=_rank)
    alone = len(ranked) == 1 and ranked[0].has_time_name and bool(unread)
    if not ranked or alone:
        _refuse(unread or list(profiles))
    if len(ranked) == 1 and ranked[0].name in CALENDAR_NAMES and ranked[0].is_monotone:
        name = ranked[0].column.name
        only = note("only {column}, whose name and order are those of times", column=repr(name))
        remedy = note("add one, or name it: {option}", option=f"--target {shlex.quote(name)}")
        raise InputError.of(note("a column of numbers to model"), only, remedy)
    return ranked


def _is_idle(profile: Profile) -> bool:
    """Whether nobody would ask about it: one value only, or where and when."""
    return profile.distinct < 2 or profile.is_place or profile.is_cycle or profile.name in CALENDAR_NAMES


def wanted_classes(profiles: Sequence[Profile], chosen: Profile, *, series: bool) -> Profile | None:
    """The classes that a person would ask about, were classes modelled: by their name, or the last of a table.

    Not those that stand before a last column which is modelled: people put what they ask about there.
    """
    if not series and profiles and profiles[-1] is chosen:
        return None
    classes = [profile for profile in profiles if profile.is_class and profile.numbers.share < LEAST_NUMBERS]
    named = [profile for profile in classes if is_wanted(profile) and _rank(profile) < _rank(chosen)]
    if named:
        return named[0]
    last = profiles[-1] if profiles else None
    return last if not series and last in classes and not is_wanted(chosen) else None


def _refuse(profiles: Sequence[Profile]) -> NoReturn:
    if not profiles:
        besides = note("a column of numbers besides the time axis")
        raise InputError.of(besides, note("none"), note("give a table with two columns"))
    column = profiles[-1].column
    row = next((k for k in range(column.size) if not is_missing(column.text(k))), None)
    if row is None:
        gaps, remedy = (
            note("only missing values in column {column}", column=repr(column.name)),
            note("fill it in, or name another column with target"),
        )
        raise InputError.of(note("a column of numbers to model"), gaps, remedy)
    told = {"cell": repr(column.text(row)), "row": row + 1, "column": repr(column.name)}
    cell, remedy = note("{cell} in row {row} of column {column}", **told), note("name the column to model, or clean it")
    raise InputError.of(note("a column of numbers to model"), cell, remedy)
