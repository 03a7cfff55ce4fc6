"""Load data of any kind as a `Dataset`: files, examples, frames, series and arrays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from autostatistician.data.admitted import with_holidays, without_leaks, without_rest
from autostatistician.data.classes import TASKS, Task, class_codes, is_class, of_those_there, read_as_classes
from autostatistician.data.columns import DataTable, find_column
from autostatistician.data.dataset import Dataset, Kind, in_order
from autostatistician.data.examples import example, example_bytes, example_names
from autostatistician.data.roles.assignment import Roles, assign_roles, named_inputs
from autostatistician.data.roles.keys import table_where
from autostatistician.data.row_limits import check_class_rows
from autostatistician.data.series import FEWEST_ROWS, series_of
from autostatistician.data.sizes import read_sizes
from autostatistician.data.sources import read_source
from autostatistician.data.tables import table_of
from autostatistician.data.times.placing import AxisMode
from autostatistician.data.times.unfinished import unfinished_text
from autostatistician.data.value_checks import remarks
from autostatistician.errors import InputError, check_choice
from autostatistician.wording.lists import listed
from autostatistician.wording.messages import note
from autostatistician.wording.numbers import as_written

__all__ = ["load", "load_example"]


def load(
    data: Any,
    y: Any = None,
    *,
    time: str | None = None,
    target: str | None = None,
    inputs: Sequence[str] | None = None,
    name: str | None = None,
    axis: AxisMode = "calendar",
    where: Mapping[str, object] | None = None,
    task: Task = "number",
    holidays: Any = None,
    allow_leaks: Collection[str] = (),
    exposure: str | None = None,
    totals: str | None = None,
) -> Dataset:
    """Load data of any kind for modelling.

    Parameters
    ----------
    data : path, "-", name of an example, data frame, series, array, or DataTable
        A file (CSV, TSV, Parquet, Excel), standard input, a bundled example, a frame or series of pandas, Polars or
        another library (dates as a column or as the index), or an array: of times when ``y`` is given, else of values.
        A `DataTable` that `data.files.read.read_cells` has read is not read again.
    y : array or series of shape (n,), optional
        The values, when ``data`` holds only the inputs. With several columns of numbers or categories in ``data``
        and no dates, all of them are inputs.
    time, target : str, optional
        Names of the columns; guessed and said when left out. Where no column orders the rows in time, and there are
        others of numbers or categories beside the target, those are the inputs.
    inputs : sequence of str, optional
        Names of the columns that explain the target, of numbers or categories: beside ``time`` where that is named,
        else instead of a time; ``["*"]`` for all others. Left out, a series may be explained by all its columns
        (`Dataset.covariates`); ``["none"]`` models it over time alone.
    name : str, optional
        Name of the data set.
    axis : {"calendar", "raw"}
        Whether numbers that are decimal years become a calendar axis, or stay exactly as they are.
    where : mapping of column to value, optional
        Use only the rows in which these columns hold these values: one series of a table with several of them under
        each other.
    task : {"number", "class", "auto"}
        Whether the target is a number or one of some classes; "auto": a class where it is text or has two values only.
    holidays : str, frame or mapping, optional
        Days of the calendar that may explain a series: a country or a part of it ("DE", "DE-BY"), a file of own events,
        "workdays", or several with commas between; own events also as a frame or mapping (`data.events.own_events`).
    allow_leaks : sequence of str, optional
        Columns that explain the target though they seem to follow from it; those named in ``inputs`` do, too.
    exposure, totals : str, optional
        The column that counts are rates by, or parts of (`data.sizes.Sizes`): the target becomes a rate or a share.

    Returns
    -------
    Dataset
        Sorted by time (of several inputs: as they came), float64; ``warnings`` lists in plain sentences all that was
        guessed, dropped or changed (``choice``, the first, what was chosen where more was possible), ``levels`` the
        categories behind the codes of such columns.

    Raises
    ------
    InputError
        When the data cannot be used: one line with what was expected, what was found and what to do.

    Notes
    -----
    Equal times with different values are kept. Rows equal in time and value are kept on number axes and left out,
    all but one, where times are dates: there they are copies, not measurements.

    Examples
    --------
    >>> data = load({"month": ["1949-01", "1949-02", "1949-03"], "sales": [1.0, 2.0, 4.0]})
    >>> data
    Dataset 'data': 3 rows of 'sales' over 'month' (month, 1949-01-01 to 1949-03-01)
    """
    check_choice("axis", axis, ("calendar", "raw"))
    check_choice("task", task, TASKS)
    if isinstance(data, Dataset):
        return data
    if exposure is not None or totals is not None:
        if task == "class":
            raise InputError.of("no exposure or totals for classes", "one", "leave it out, or model a number")
        reading = {"inputs": inputs, "holidays": holidays, "allow_leaks": allow_leaks, "time": time, "axis": axis}
        return _sized(data, y, (exposure, totals), target=target, name=name, where=where, **reading)
    if isinstance(data, str | Path) and _is_example(data):
        return _with_calendar(load_example(str(data)), holidays)
    source = read_source(data, y, target)
    if isinstance(source, Dataset):
        return _with_calendar(source, holidays)
    if target is None:
        target = y if isinstance(y, str) else source.target
    table = table_where(source.table if not name else replace(source.table, name=name), where)
    if inputs is not None and time is None and list(inputs) != ["none"]:
        roles, names = _with_classes(named_inputs(table.columns, inputs, target), task)
        return _with_calendar(_named(_in_order(_of_inputs(table, roles)), names, task, where), holidays)
    if not table.size:
        raise InputError.of(note("a table with rows"), note("a table without rows"), note("give a table with data"))
    roles, names = _with_classes(_beside_only(assign_roles(table.columns, time, target), table, inputs), task)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers beyond float64 are infinite, and left out below
        dataset = _in_order(_of_inputs(table, roles)) if roles.inputs else series_of(table, roles, axis)
    if dataset.n < FEWEST_ROWS:
        fewest = note("at least {n} whole rows of a table", n=FEWEST_ROWS)
        raise InputError.of(fewest, f"{dataset.n}", note("give more data"))
    running = "" if dataset.kind is Kind.TABLE else unfinished_text(dataset.axis, float(dataset.x.max()), table.written)
    said = tuple(dict.fromkeys(filter(None, (roles.choice, running, *dataset.warnings))))
    dataset = _named(replace(dataset, choice=roles.choice, warnings=said), names, task, where)
    named = [] if inputs is None or list(inputs) in (["*"], ["none"]) else list(inputs)
    return _with_calendar(without_leaks(dataset, {*_beside(dataset, named), *allow_leaks}), holidays)


def _sized(
    data: Any, y: Any, sizes: tuple[str | None, str | None], *, target: str | None, name: str | None, **reading: Any
) -> Dataset:
    """A series of the rates or shares of counts."""
    if None not in sizes:
        raise InputError.of("an exposure or totals", "both", "leave one of them out")
    named, is_total = (sizes[1], True) if sizes[0] is None else (sizes[0], False)
    source = read_source(data, y, target)
    if isinstance(source, Dataset):
        raise InputError.of("a table with times for an exposure or totals", "numbers alone", "name a column of times")
    where = reading.pop("where")
    table = table_where(source.table if not name else replace(source.table, name=name), where)
    column = find_column(table.columns, str(named), "totals" if is_total else "exposure")
    rest = replace(table, columns=tuple(other for other in table.columns if other is not column))
    target = target if target is not None else y if isinstance(y, str) else source.target
    made = load(rest, target=target, **reading)
    if made.kind is Kind.TABLE or made.axis is None:
        raise InputError.of("a series for an exposure or totals", "a table without times", "name its --time")
    by_name = {other.name: other for other in rest.columns}
    counts = by_name[made.target]
    found = read_sizes(column, counts, by_name.get(made.axis.column), made.axis, is_total=is_total)
    made = replace(made, sizes=found, target=found.target, y=made.y + made.offset, offset=0.0)
    made = without_rest(made, found) if is_total else made
    odd = made.y[(made.y < 0.0) | (made.y != np.round(made.y))]
    if odd.size:
        remedy = "leave the exposure or totals out where the values are no counts"
        raise InputError.of(f"counts in column {counts.name!r}: whole numbers from zero", as_written(odd[0]), remedy)
    return replace(
        made, y=made.y / found.at(made.x), where={str(key): str(value) for key, value in (where or {}).items()}
    )


def _beside(dataset: Dataset, names: Sequence[str]) -> list[str]:
    """Those names that are columns beside a series."""
    table = () if dataset.covariates is None else dataset.covariates.table
    return [column.name for column in table if column.name in names]


def _with_calendar(dataset: Dataset, holidays: Any) -> Dataset:
    return dataset if holidays is None else with_holidays(dataset, holidays)


def _beside_only(roles: Roles, table: DataTable, inputs: Sequence[str] | None) -> Roles:
    """The roles with those columns beside a series that are named; with none where "none" is."""
    if inputs is None or list(inputs) == ["*"]:
        return roles
    if isinstance(inputs, str):
        raise InputError.of("inputs as a list of names", repr(inputs), f"write [{inputs!r}]")
    named = [] if list(inputs) == ["none"] else [find_column(table.columns, name, "inputs") for name in inputs]
    if any(column is roles.target or column is roles.time for column in named):
        raise InputError.of("other columns than time and target as inputs", listed(list(inputs)), "name others")
    notes = tuple(note for note in roles.notes if "may explain" not in note)
    return replace(roles, beside=tuple(named), notes=notes)


def load_example(name: str) -> Dataset:
    """A bundled series, ready for modelling.

    Raises
    ------
    InputError
        When there is no example of that name.

    Examples
    --------
    >>> load_example("airline")
    Dataset 'airline': 144 rows of 'passengers' over 'month' (month, 1949-01-01 to 1960-12-01)
    """
    chosen = example(name)
    data = load(BytesIO(example_bytes(name)), time=chosen.time, target=chosen.target, name=name)
    return replace(data, warnings=tuple(note for note in data.warnings if "holds years" not in note))


def _is_example(data: str | Path) -> bool:
    return str(data) in example_names() and not Path(data).exists()


def _of_inputs(table: DataTable, roles: Roles) -> Dataset:
    return table_of(roles.inputs, roles.target, name=table.name, notes=(*table.notes, *roles.notes))


def _with_classes(roles: Roles, task: Task) -> tuple[Roles, tuple[str, ...]]:
    """The roles with codes in the place of classes, and the names of the classes."""
    if not is_class(roles.target, task):
        return roles, ()
    target, names = class_codes(roles.target)
    return replace(roles, target=target), names


def _named(data: Dataset, names: tuple[str, ...], task: Task, where: Mapping[str, object] | None = None) -> Dataset:
    """The data set with its choice of rows and the names of its classes; a sentence on these if nobody asked for them.

    New rows are chosen in the same way.
    """
    data = replace(data, where={str(name): str(value) for name, value in (where or {}).items()})
    if not names:
        return data
    if data.covariates is not None:
        alone = note("Classes over time are modelled over time alone.")
        data = replace(data, covariates=None, warnings=(*data.warnings, alone))
    data, left = of_those_there(data, np.array(names, dtype=object))
    names = tuple(left.tolist())
    check_class_rows(data.n)
    of_codes = remarks(data.y, data.target)
    kept = tuple(warning for warning in data.warnings if warning not in of_codes)
    reading = (read_as_classes(data.target, names),) if task == "auto" else ()
    return replace(data, warnings=(*reading, *kept), classes=names)


def _in_order(data: Dataset) -> Dataset:
    """A curve in the order of its positions, like every series that is read; a table as it came."""
    ordered = in_order(data)
    return data if ordered is data else replace(ordered, shuffled=True)
