"""Series or table, which column is the time, and which one is modelled: as named, or guessed and said."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autostatistician.data.columns import DataColumn, find_column
from autostatistician.data.roles.keys import keys_of, refuse_long
from autostatistician.data.roles.profiles import Profile
from autostatistician.data.roles.targets import ranked_targets
from autostatistician.data.roles.time_column import Timing, timing
from autostatistician.data.times.dates import ORDERS
from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note
from autostatistician.i18n.names import listed, one_after_another

__all__ = ["Roles", "assign_roles", "named_inputs"]


@dataclass(frozen=True, eq=False)
class Roles:
    """The target, and the time column (None: count the rows) or the ``inputs`` of a table, and what to say.

    ``choice`` is the sentence that is said first, "" where there was nothing to choose.
    """

    time: DataColumn | None
    target: DataColumn
    notes: tuple[str, ...]
    inputs: tuple[DataColumn, ...] = ()
    choice: str = ""
    beside: tuple[DataColumn, ...] = ()  # of a series: the columns that may explain it besides time


def assign_roles(
    columns: tuple[DataColumn, ...], time: str | None, target: str | None, *, classes: bool = False
) -> Roles:
    """Choose series or table, time and target (of a table also ``classes``); names that are given are kept.

    >>> columns = [DataColumn(name, cells) for name, cells in [("a", ("2", "1", "3")), ("b", ("1", "1", "0"))]]
    >>> roles = assign_roles((*columns, DataColumn("y", ("1", "5", "2"))), None, None)
    >>> [column.name for column in roles.inputs], roles.target.name, roles.time
    (['a', 'b'], 'y', None)
    """
    chosen = None if target is None else find_column(columns, target, "target")
    profiles = tuple(Profile(column) for column in columns)
    if time is not None:
        axis = find_column(columns, time, "time axis")
        if axis is chosen:
            both = note("{column} for both", column=repr(time))
            raise InputError.of(note("different columns for time and target"), both, note("name two columns"))
        times = Timing(axis, (axis,))
    else:
        times = timing(profiles, chosen)
        if times.half_read is not None:
            parsed = times.half_read.times_of_most
            assert parsed is not None
            expected = note("dates of one form in column {column}", column=repr(times.half_read.name))
            remedy = note("write all of them as 2024-01-31, or leave the column out")
            orders = (order for order in ORDERS if replace(times.half_read, order=order).times is not None)
            if order := next(orders, ""):
                option = f"--time {shlex.quote(f'{times.half_read.name}:{order.lower()}')}"
                remedy = note(
                    "write all of them as 2024-01-31, or say the order of day and month by {option}", option=option
                )
            raise InputError.of(expected, times.half_read.told(parsed.bad), remedy)
    rest = tuple(profile for profile in profiles if all(profile.column is not other for other in times.used))
    if times.column is not None:
        return _series(times, rest, chosen, named=time is not None)
    inputs = () if times.ordered else tuple(profile for profile in rest if profile.explains)
    if len(inputs) > (1 if chosen is None or any(profile.column is chosen for profile in inputs) else 0):
        return _table(times, rest, inputs, chosen, classes=classes)
    return _counted(times, rest, chosen)


def named_inputs(columns: tuple[DataColumn, ...], inputs: Sequence[str], target: str | None) -> Roles:
    """The columns that are named as inputs (``["*"]``: all others); the target is guessed among the rest if it must be.

    >>> columns = [DataColumn(name, ("1", "3", "2")) for name in ("a", "b", "y")]
    >>> roles = named_inputs(tuple(columns), ["a"], "y")
    >>> [column.name for column in roles.inputs], roles.target.name
    (['a'], 'y')
    """
    named = [] if list(inputs) == ["*"] else [find_column(columns, name, "inputs") for name in inputs]
    rest = tuple(column for column in columns if all(column is not other for other in named))
    notes: tuple[str, ...] = ()
    if target is None:
        if not rest:
            raise InputError.of("a column to model besides the inputs", "none", "name fewer inputs")
        chosen = ranked_targets([Profile(column) for column in rest], series=False)[0].column
        notes = (note("Column {target} is modelled.", target=repr(chosen.name)),)
    else:
        chosen = find_column(columns, target, "target")
    if any(column is chosen for column in named):
        raise InputError.of("different columns for inputs and target", f"{chosen.name!r} for both", "name others")
    if not named:
        named = [column for column in columns if column is not chosen]
        if dated := [column for column in named if column.is_dated]:  # explain nothing
            names = listed([column.name for column in dated])
            notes = (*notes, note("Not used, because they hold times: {columns}.", columns=names))
        named = [column for column in named if column not in dated]
    return Roles(None, chosen, notes, tuple(named))


# --- the three kinds of data ---------------------------------------------------------------------------------------


def _series(times: Timing, rest: Sequence[Profile], chosen: DataColumn | None, *, named: bool) -> Roles:
    assert times.column is not None
    if keys := keys_of(times.column, rest, chosen):
        raise refuse_long(times.column, keys)
    axis = times.column
    notes = () if named else times.notes
    ranked = [] if chosen is not None else ranked_targets(rest, series=True)
    target = chosen or ranked[0].column
    others = [profile for profile in rest if profile.column is not target]
    said, beside = _beside_text(others, target), _beside(others)
    if chosen is not None and not said:  # of two columns the other is named
        notes = ()
    if len(ranked) < 2:
        alone = not ranked or (named and len(rest) == 1)
        modelled = "" if alone else note("Column {target} is modelled.", target=repr(target.name))
        return Roles(axis, target, tuple(filter(None, (*notes, modelled, said))), beside=beside)
    choice = note(
        "This was read as a series: column {target} is modelled over {axis}; {second} could be modelled instead.",
        target=repr(target.name), axis=repr(axis.name) if axis.size else note("its rows in their order"),
        second=repr(ranked[1].column.name),
    )  # fmt: skip
    return Roles(axis, target, notes, choice=one_after_another(filter(None, (choice, said))), beside=beside)


def _beside(others: Sequence[Profile]) -> tuple[DataColumn, ...]:
    """The columns that may explain a series besides time."""
    return tuple(profile.column for profile in others if profile.explains and profile.varies)


def _beside_text(others: Sequence[Profile], target: DataColumn) -> str:
    """Which columns a series may use and which not; "" where there are no others."""
    able = [column.name for column in _beside(others)]
    unable = [profile.column.name for profile in others if profile.column.name not in able]
    unused = note("Not used: {columns}.", columns=listed(unable)) if unable else ""
    if not able:
        return unused
    may = note(
        "Columns that may explain {target} besides time: {columns}.", target=repr(target.name), columns=listed(able)
    )
    return one_after_another(filter(None, (unused, may)))


def _table(
    times: Timing, rest: Sequence[Profile], inputs: Sequence[Profile], chosen: DataColumn | None, *, classes: bool
) -> Roles:
    ranked = [] if chosen is not None else ranked_targets(rest, series=False, classes=classes)
    target = chosen or ranked[0].column
    used = tuple(profile.column for profile in inputs if profile.column is not target)
    unused = [profile.column.name for profile in rest if profile.column is not target and profile not in inputs]
    notes: list[str] = []
    if unused:
        notes.append(note(
            "Not used, because they name or count the rows or hold neither numbers nor categories: {columns}.",
            columns=listed(unused),
        ))  # fmt: skip
    if chosen is not None:
        said = note(
            "No column of times was found; {target} is modelled from all other columns of the table.",
            target=repr(target.name),
        )
        return Roles(None, target, (said, *notes), used)
    second = ranked[1].column.name if len(ranked) > 1 else ""
    time = times.passed_over[0].name if times.passed_over else ""
    return Roles(None, target, tuple(notes), used, _read_as_table(target.name, used, second, time))


def _read_as_table(target: str, used: Sequence[DataColumn], second: str, time: str) -> str:
    """How the table was read, and what else could be modelled (``second``), or be the time of a series."""
    values = {"target": repr(target), "columns": listed([column.name for column in used])}
    curve = message(
        "This was read as a curve, as no column orders the rows in time: column {target} is modelled over {columns}"
    )
    table = message(
        "This was read as a table, as no column orders the rows in time: column {target} is modelled from {columns}"
    )
    text = note(curve if len(used) == 1 and not used[0].is_category else table, **values)
    if second:
        text = note("{text}; {column} could be modelled instead", text=text, column=repr(second))
    if time:
        text = note("{text}; it could be read as a series over {column}", text=text, column=repr(time))
    return note("{text}.", text=text)


def _counted(times: Timing, rest: Sequence[Profile], chosen: DataColumn | None) -> Roles:
    """The rows in their order, as times of a series."""
    notes = times.notes or (note("No column of times was found; the rows are counted instead."),)
    names = [profile.column.name for profile in rest if profile.holds_words and not profile.is_class]
    if times.column is None and not times.ordered and any(names):
        unordered = note(
            "Column {name} names the rows: if their order means nothing, neither does this series.", name=repr(names[0])
        )
        notes = (*notes, unordered)
    if chosen is not None:
        return Roles(None, chosen, notes)
    roles = _series(replace(times, column=DataColumn("row", ()), notes=notes), rest, None, named=False)
    return replace(roles, time=None)
