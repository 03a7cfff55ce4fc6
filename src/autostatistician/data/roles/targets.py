"""Which column of a table is modelled when none is named: by one score of name and cells, then by the place."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from autostatistician.data.missing import is_missing
from autostatistician.data.roles.profiles import PARTS_OF_CALENDAR, Profile
from autostatistician.data.times.forms import TIME_NAMES
from autostatistician.data.words import words
from autostatistician.errors import InputError
from autostatistician.i18n.messages import note

__all__ = ["is_added_up", "is_wanted", "ranked_targets"]

# What people call the column they ask about, and how clear that is.
NAMES = ((4.0, words("asked", "most")), (3.0, words("asked", "more")), (1.0, words("asked", "little")))
WANTED, LIKELY, PRICES, HELPERS = 2.0, 1.0, 1.5, -3.0
CLEAR = {"wanted": WANTED, "likely": LIKELY, "helpers": HELPERS}
WORDS, STEMS = ([(clear, words(table, name)) for name, clear in CLEAR.items()] for table in ("words", "stems"))
VERBS = words("words", "verbs")  # of statements: "Prices are fair"
ADDED_UP = words("words", "added")
PRICE_WORDS, PRICE_STEM = words("words", "prices"), "preis"
KEY, FLAG, RUNNING, LIST = -4.0, -3.0, -2.0, -1.0  # what cells say against a column
WHO_AND_WHERE = words("words", "places")
CALENDAR_NAMES = (TIME_NAMES - {"x"}) | PARTS_OF_CALENDAR  # these say when, not what
MOST_CHANGES = 0.2  # share of the rows at which a list of prices or a plan changes
STRAIGHT, SQUARED = 0.9999, 1.0 - 1e-6  # correlations of columns, one of which is the square of the other
LEAST_NUMBERS = 0.5  # share of the cells that are numbers: then the others are mistakes, and are named


def is_wanted(profile: Profile) -> bool:
    """Whether the name of a column says that it is what one asks about."""
    return _name_score(profile) >= PRICES


def is_added_up(profile: Profile) -> bool:
    """Whether a column holds amounts that are added up, as those of sales and payments are, by its name."""
    return profile.is_number and (not ADDED_UP.isdisjoint(profile.words) or profile.words[-1:] == ("total",))


def _name_score(profile: Profile, *, series: bool = False) -> float:
    """How clearly a name says that it is what one asks about: 0 where it says nothing, below where it says no.

    A price is asked about among things that have one; beside what is sold over time, it explains that.
    """
    for clear, names in NAMES:
        if profile.name in names:
            return clear
    words = {profile.name, *profile.words}
    if words & VERBS:
        return 0.0
    said = [score for score, known in WORDS if words & known]
    said += [score for score, stems in STEMS if any(stem in word for stem in stems for word in words)]
    if not series and (words & PRICE_WORDS or any(PRICE_STEM in word for word in words)):
        said.append(PRICES)
    return max(said, default=0.0) + (HELPERS if HELPERS in said and max(said) > HELPERS else 0.0)


def _score(profile: Profile, *, series: bool) -> float:
    """How likely a person is to ask about a column: what its name says, less what its cells say against it.

    A key names things or groups of rows, a flag tells two kinds of times apart, a running total only rises, a code is
    one of 1, 2, ..., and a list of prices changes seldom.
    """
    steps = np.diff(profile.finite)
    is_key = profile.is_key or (profile.is_code and bool(np.all(steps >= 0.0)))  # or of groups: 1, 1, ..., 2, 2, ...
    score = _name_score(profile, series=series) + KEY * is_key + LIST * profile.counts_rows
    if series:
        score += FLAG * (profile.distinct == 2) + RUNNING * bool(profile.distinct > 1 and np.all(steps >= 0.0))
        score += LIST * bool(profile.is_code or (steps.size and np.mean(steps != 0) < MOST_CHANGES))
    return score


def ranked_targets(profiles: Sequence[Profile], *, series: bool, classes: bool = False) -> list[Profile]:
    """The columns that could be modelled, the most plausible first.

    Of columns that are alike likely it is the first one beside the times of a series, the last one of a table.
    Categories are modelled where ``classes`` may be, and where no column holds numbers.
    """
    undated = [profile for profile in profiles if profile.times is None]
    numeric = [profile for profile in undated if profile.column.numbers.share >= LEAST_NUMBERS]
    useful = [profile for profile in numeric if not profile.names_rows] or numeric
    places = {id(profile): place if series else -place for place, profile in enumerate(useful)}

    def order(profile: Profile) -> tuple[float, int]:
        return -_score(profile, series=series), places[id(profile)]

    # nobody asks about one value alone, about what is mostly empty, or who, where and when
    idle = [
        each for each in useful
        if each.distinct < 2 or each.is_cycle or each.is_part_of_date or each.name in WHO_AND_WHERE | CALENDAR_NAMES
        or each.finite.size < each.column.size / 2
    ]  # fmt: skip
    ranked = sorted([profile for profile in useful if profile not in idle] or useful, key=order)
    while len(ranked) > 1 and not series and not is_wanted(ranked[0]) and _is_squared(ranked[0], useful):
        ranked.pop(0)
    others = [profile for profile in undated if profile not in numeric]
    unread = [profile for profile in others if not profile.is_class]
    best = max(unread, key=_name_score, default=None)
    if best is not None and ranked and is_wanted(best) and _name_score(best) > _name_score(ranked[0]):
        _refuse([best])
    categories = [profile for profile in others if profile.is_class]
    if not ranked and categories:  # nothing else can be modelled
        return sorted(categories if series else categories[::-1], key=_name_score, reverse=True)
    if not ranked or (len(ranked) == 1 and ranked[0].has_time_name and unread):
        _refuse(unread or list(profiles))
    if len(ranked) == 1 and ranked[0].name in CALENDAR_NAMES and ranked[0].is_monotone:
        name = ranked[0].column.name
        only = note("only {column}, whose name and order are those of times", column=repr(name))
        remedy = note("add one, or name it: {option}", option=f"--target {shlex.quote(name)}")
        raise InputError.of(note("a column of numbers to model"), only, remedy)
    asked = _asked_about(categories, profiles, ranked[0]) if categories and classes and not series else None
    return ranked if asked is None else [asked, *ranked]


def _is_squared(profile: Profile, others: Sequence[Profile]) -> bool:
    """Whether a column is the square of another one, or another one is its square: both explain something else.

    >>> from autostatistician.data.columns import DataColumn
    >>> ages = np.array([31.0, 25.0, 44.0, 58.0])
    >>> age, squared = (Profile(DataColumn("age", values)) for values in (ages, ages**2 / 100.0))
    >>> _is_squared(squared, [age]), _is_squared(age, [squared]), _is_squared(age, [age])
    (True, True, False)
    """
    values = profile.column.numbers.values
    for other in (each.column.numbers.values for each in others):
        with np.errstate(all="ignore"):
            pair = np.array([values, other])[:, np.isfinite(values + other)]
            alike = np.abs(np.corrcoef([*pair, *pair**2])) if pair.shape[1] > 1 else np.eye(4)
        if max(alike[0, 3], alike[1, 2]) > SQUARED > STRAIGHT > alike[0, 1]:
            return True
    return False


def _asked_about(classes: Sequence[Profile], profiles: Sequence[Profile], best: Profile) -> Profile | None:
    """The classes of a table that a person would ask about rather than its ``best`` numbers.

    By their name, or since they stand last: there people put what they ask about, if no name speaks against it.
    """
    named = max(classes, key=_name_score)
    if is_wanted(named):
        return named if _name_score(named) > _name_score(best) else None
    last = profiles[-1]
    place = last.name in WHO_AND_WHERE | CALENDAR_NAMES or last.levels < 2 or _name_score(last) < 0.0
    if last in classes and not place and not is_wanted(best):
        return last
    return named if best.names_rows else None


def _refuse(profiles: Sequence[Profile]) -> NoReturn:
    if not profiles:
        besides = note("a column of numbers besides the time axis")
        raise InputError.of(besides, note("none"), note("give a table with two columns"))
    column = profiles[-1].column
    row = next((k for k in range(column.size) if not is_missing(column.text(k))), None)
    if row is None:
        gaps = note("only missing values in column {column}", column=repr(column.name))
        remedy = note("fill it in, or name another column with target")
        raise InputError.of(note("a column of numbers to model"), gaps, remedy)
    told = {"cell": repr(column.text(row)), "row": row + 1, "column": repr(column.name)}
    cell, remedy = note("{cell} in row {row} of column {column}", **told), note("name the column to model, or clean it")
    raise InputError.of(note("a column of numbers to model"), cell, remedy)
