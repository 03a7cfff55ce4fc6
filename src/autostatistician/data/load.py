"""Load data of any kind as a `Dataset`: files, examples, frames, series and arrays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from autostatistician.data.aggregation import MOST_LOST, in_periods, large_in_periods, refuse_events
from autostatistician.data.arrays import Flags
from autostatistician.data.classes import (
    MOST_CLASSES,
    TASKS,
    Task,
    class_codes,
    is_class,
    of_those_there,
    read_as_classes,
)
from autostatistician.data.columns import DataColumn, DataTable, checked_numbers, find_column
from autostatistician.data.covariates import Covariates, covariate_of, covariates_of
from autostatistician.data.dataset import Dataset, Kind, are_shuffled, in_order, table_of, without_constants
from autostatistician.data.events import calendar_from, own_holidays
from autostatistician.data.examples import example, example_bytes, example_names
from autostatistician.data.exposures import SizesOfRows, check_counts, read_sizes
from autostatistician.data.formulas import formula_of, formulas_of, sums_among
from autostatistician.data.known_errors import (
    measured_on,
    told_as_limits,
    with_errors,
    with_limits,
)
from autostatistician.data.leakage import dependent, leaks
from autostatistician.data.missing import said_of_rows
from autostatistician.data.roles.assignment import Roles, assign_roles, named_inputs
from autostatistician.data.roles.keys import table_where
from autostatistician.data.row_limits import checked_rows
from autostatistician.data.sources import read_source
from autostatistician.data.table_layouts import as_read, refuse_either_order, with_lengths, with_order
from autostatistician.data.times.periods import unfinished_text
from autostatistician.data.times.placing import AxisMode, absent, ordered, place_times
from autostatistician.data.value_checks import (
    LARGEST_VALUE,
    check_size,
    far_from_zero,
    left_out_as_too_large,
    remarks,
)
from autostatistician.data.wide import of_named_row
from autostatistician.errors import InputError, TooLargeError, check_choice
from autostatistician.i18n.messages import message, note
from autostatistician.i18n.names import all_of, listed, one_after_another

__all__ = ["load", "load_example"]


FEWEST_ROWS = 3


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
    every: str | None = None,
    by: str | None = None,
    sql: str | None = None,
    error: Any = None,
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
        others of numbers or categories beside the target, those are the inputs. Behind the name of the times may stand
        the order of day and month in them, as in "date:dmy" or "date:mdy".
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
    every, by : str, optional
        One row for each "hour", "day", "week", "month", "quarter" or "year": the "sum" or "mean" of the target over the
        rows of the table in it, or their "count". This needs no reading of the whole file: it may have any size.
    sql : str, optional
        A query whose rows are the table: of a database (a file of SQLite or DuckDB, or an address such as
        postgresql://), or of a file of CSV or Parquet, which it calls ``data``.
    error : str, number or array of shape (n,), optional
        Standard deviations of the errors with which the target was measured, in its units: the name of a column, or
        numbers. Cells of the target such as "<0.5" or ">100" are limits of detection, with or without it.

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
    if sql is not None:
        from autostatistician.data.files.queries import queried

        data = queried(data, sql)
    if exposure is not None or totals is not None:
        if task == "class":
            raise InputError.of("no exposure or totals for classes", "one", "leave it out, or model a number")
        if every is not None or by is not None:
            raise InputError.of("an exposure or totals, or every and by", "both", "add the rows up first, by sql")
        reading = {"inputs": inputs, "holidays": holidays, "allow_leaks": allow_leaks, "time": time, "axis": axis}
        return _sized(data, y, (exposure, totals), target=target, name=name, where=where, error=error, **reading)
    if isinstance(data, str | Path) and str(data) in example_names() and not Path(data).exists():
        return with_holidays(load_example(str(data)), holidays)
    table, time, target, inputs = _table(data, y, time, target, inputs, where, every, by, error)
    table = replace(table, name=name or table.name)
    if inputs is not None and time is None and list(inputs) != ["none"]:
        roles, names = _with_classes(named_inputs(table.columns, inputs, target), task)
        return with_holidays(_named(_of_inputs(table, roles), names, task, where), holidays)
    if not table.size:
        raise InputError.of(note("a table with rows"), note("a table without rows"), note("give a table with data"))
    assigned = assign_roles(table.columns, time, target, classes=task != "number")
    roles, names = _with_classes(_beside_only(assigned, table, inputs), task)
    refuse_either_order(roles.time)
    if time is None:
        refuse_events(roles.time, roles.target, table)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers beyond float64 are infinite, and left out below
        dataset = _of_inputs(table, _independent(roles)) if roles.inputs else series_of(table, roles, axis)
    if dataset.n < FEWEST_ROWS:
        fewest = note("at least {n} whole rows of a table", n=FEWEST_ROWS)
        raise InputError.of(fewest, f"{dataset.n}", note("give more data"))
    running = "" if dataset.kind is Kind.TABLE else unfinished_text(dataset.axis, float(dataset.x.max()), table.written)
    choice = dataset.choice or roles.choice
    said = tuple(dict.fromkeys(filter(None, (choice, running, *dataset.warnings))))
    dataset = _named(replace(dataset, choice=choice, warnings=said), names, task, where)
    beside = () if dataset.covariates is None else dataset.covariates.table
    named = {column.name for column in beside}.intersection(inputs or ())
    dataset = without_constants(without_leaks(dataset, {*named, *allow_leaks}))
    return with_holidays(dataset, holidays)


def _table(
    data: Any, y: Any, time: str | None, target: str | None, inputs: Sequence[str] | None,
    where: Mapping[str, object] | None, every: str | None, by: str | None, error: Any,
) -> tuple[DataTable, str | None, str | None, Sequence[str] | None]:  # fmt: skip
    """The table of some data, added up where that is wanted, and the names of times, target and inputs if known."""
    if isinstance(inputs, str):
        raise InputError.of("inputs as a list of names", repr(inputs), f"write [{inputs!r}]")
    try:
        source = read_source(data, y, target)
    except TooLargeError:
        if every is None or not isinstance(data, str | Path) or not Path(data).is_file():
            raise
        return *large_in_periods(data, every, by, time, target, where), inputs
    target = target if target is not None else y if isinstance(y, str) else source.target
    table, time = with_order(source.table, time)
    inputs = ["*"] if source.inputs and inputs is None else inputs
    named = {time, target, *(inputs or ()), error if isinstance(error, str) else None}
    table = table if source.inputs else of_named_row(as_read(table, named), target)
    table = with_lengths(with_limits(table_where(table, where), target), target)
    if error is not None:
        if every is not None or by is not None:
            raise InputError.of("an error, or every and by", "both", "add the rows up first, by sql")
        table = with_errors(table, target, error)
    if every is not None or by is not None:
        table, time, target = in_periods(table, every, by, time, target)
    return table, time, target, inputs


def _sized(
    data: Any, y: Any, sizes: tuple[str | None, str | None], *, target: str | None, name: str | None, error: Any,
    **reading: Any,
) -> Dataset:  # fmt: skip
    """A series of the rates or shares of counts."""
    if error is not None:
        raise InputError.of("an exposure or totals, or an error", "both", "leave one of them out")
    if None not in sizes:
        raise InputError.of("an exposure or totals", "both", "leave one of them out")
    named, is_total = (sizes[1], True) if sizes[0] is None else (sizes[0], False)
    source = read_source(data, y, target)
    if source.inputs:
        raise InputError.of("a table with times for an exposure or totals", "numbers alone", "name a column of times")
    where = reading.pop("where")
    table = table_where(source.table if not name else replace(source.table, name=name), where)
    column = find_column(table.columns, str(named), "totals" if is_total else "exposure")
    rest = replace(table, columns=tuple(other for other in table.columns if other is not column))
    target = target if target is not None else y if isinstance(y, str) else source.target
    made = load(rest, target=target, **reading)
    if made.kind is Kind.TABLE or made.axis is None:
        remedy = "name its --time, or add a column with the rate and model that"
        raise InputError.of("a series for an exposure or totals", "a table without times", remedy)
    by_name = {other.name: other for other in rest.columns}
    counts = by_name[made.target]
    found = read_sizes(column, counts, by_name.get(made.axis.column), made.axis, is_total=is_total)
    made = replace(made, sizes=found, target=found.target, y=made.y + made.offset, offset=0.0)
    made = without_rest(made, found) if is_total else made
    check_counts(made.y, counts.name, "leave the exposure or totals out where the values are no counts")
    return replace(_chosen(made, where), y=made.y / found.at(made.x))


def _beside_only(roles: Roles, table: DataTable, inputs: Sequence[str] | None) -> Roles:
    """The roles with those columns beside a series that are named; with none where "none" is."""
    if inputs is None or list(inputs) == ["*"]:
        return roles
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


def _of_inputs(table: DataTable, roles: Roles) -> Dataset:
    """A curve in the order of its positions, like every series that is read; a table as it came."""
    said = tuple(said for column in roles.inputs for said in told_as_limits(column))
    made = table_of(roles.inputs, roles.target, name=table.name, notes=(*table.notes, *roles.notes, *said))
    made = measured_on(made, roles.target.measured)
    numbers = {column.name: column.numbers.values for column in roles.inputs if not column.is_category}
    formula = formula_of(roles.target.name, roles.target.numbers.values, numbers) if len(roles.inputs) > 1 else ""
    used = message("Only {n} of {all} rows are used: the others have no value of {target}, or repeat other rows.")
    few = made.rows and made.n < (1.0 - MOST_LOST) * table.size
    rows = note(used, n=made.n, all=table.size, target=repr(roles.target.name)) if few else ""
    choice = one_after_another(filter(None, (roles.choice, rows, formula, sums_among(numbers))))
    made = replace(made, choice=choice, warnings=tuple(filter(None, (choice, *made.warnings))))
    return replace(in_order(made), shuffled=made.kind is Kind.SERIES and are_shuffled(made.x))


def _independent(roles: Roles) -> Roles:
    """The roles without inputs that nobody named: the target on another scale, curves and categories of other ones."""
    columns = [covariate_of(column, np.arange(column.size)) for column in roles.inputs]
    kinds = ([column for column in columns if bool(column.levels) is coded] for coded in (False, True))
    reasons = {name: reason for kind in kinds for name, reason in dependent(kind, ordered=False).items()}
    left = message("{reason} It is left out unless it is named as an input.")
    notes = (*roles.notes, *(note(left, reason=reason) for reason in reasons.values()))
    numbers = {column.name: column.numbers.values for column in roles.inputs if not column.is_category}
    several = len(roles.inputs) > 1
    told = list(formulas_of(roles.target.numbers.values, numbers, rescaled=True)) if several else []
    if told:
        reasons |= {name: text for text, (name,) in told}
        said = message("Column {name} is {text}, so {columns} is left out unless it is named as an input.")
        names = all_of(repr(name) for _, (name,) in told)
        text = all_of(text for text, _ in told)
        made = note(said, name=repr(roles.target.name), text=text, columns=names)
        roles = replace(roles, choice=one_after_another(filter(None, (roles.choice, made))))
    kept = tuple(column for column in roles.inputs if column.name not in reasons)
    return replace(roles, inputs=kept, notes=notes) if reasons else roles


def _with_classes(roles: Roles, task: Task) -> tuple[Roles, tuple[str, ...]]:
    """The roles with codes in the place of classes, and the names of the classes."""
    if not is_class(roles.target, task):
        target = roles.target
        if target.is_category and target.numbers.share == 0.0 and 2 <= len(target.categories) <= MOST_CLASSES:
            checked_numbers(target, note("model classes with --task class (task='class'), or name another target"))
        return roles, ()
    target, names = class_codes(roles.target)
    return replace(roles, target=target), names


def _named(data: Dataset, names: tuple[str, ...], task: Task, where: Mapping[str, object] | None = None) -> Dataset:
    """The data set with its choice of rows and the names of its classes; a sentence on these if nobody asked for them.

    New rows are chosen in the same way.
    """
    data = _chosen(data, where)
    if not names:
        return data
    if data.covariates is not None:
        alone = note("Classes over time are modelled over time alone.")
        data = replace(data, covariates=None, warnings=(*data.warnings, alone))
    data, _ = of_those_there(data, np.array(names, dtype=object))
    reading = (read_as_classes(data.target, data.classes),) if task == "auto" else ()
    return replace(data, warnings=(*reading, *data.warnings))


def _chosen(data: Dataset, where: Mapping[str, object] | None) -> Dataset:
    """The data set that knows which rows of a table it is."""
    return replace(data, where={str(name): str(value) for name, value in (where or {}).items()})


# --- Which columns beside a series are admitted ---------------------------------------------------------------------


def without_leaks(dataset: Dataset, allowed: Collection[str] = ()) -> Dataset:
    """The series without columns that follow from its target or from other columns, but for those ``allowed``.

    Each has a sentence in the warnings. Names that are no columns are refused.

    >>> from autostatistician.data.load import load
    >>> sales = np.random.default_rng(0).gamma(9.0, size=30).round(2)
    >>> data = load({"day": np.arange(30.0), "sales": sales, "euros": 0.5 * sales}, time="day", target="sales")
    >>> data.covariates is None, [warning for warning in data.warnings if "euros" in warning][-1][:56]
    (True, "Column 'euros' is the target in other units: 0.5 times t")
    """
    columns = dataset.covariates
    names = [] if columns is None else [column.name for column in columns.table]
    if unknown := [name for name in allowed if name not in names]:
        expected = f"columns beside the series among {listed(names)}" if names else "columns beside the series"
        raise InputError.of(expected, listed(unknown), "name one that was left out")
    if columns is None or dataset.classes or not dataset.is_ordered:
        return dataset
    at_rows = replace(columns, calendar=()).at(dataset.x)
    free = [column for column in at_rows if column.name not in allowed]
    reasons = leaks(dataset.y + dataset.offset, free)
    reasons |= dependent([column for column in at_rows if column.name not in reasons])
    reasons = {name: reason for name, reason in reasons.items() if name not in allowed}
    notes = [note("{reason} It is left out unless it is allowed.", reason=reason) for reason in reasons.values()]
    return _without(dataset, reasons, notes)


def without_rest(dataset: Dataset, totals: SizesOfRows) -> Dataset:
    """Counts without the column that holds what is left of their totals, which would tell them; with a sentence."""
    columns = dataset.covariates
    if columns is None:
        return dataset
    left = totals.at(dataset.x) - dataset.y
    rest = [column.name for column in columns.at(dataset.x) if not column.levels and (column.values == left).all()]
    notes = [
        note("Column {name} is what is left of {totals}, so it is left out.", name=repr(name), totals=repr(totals.name))
        for name in rest
    ]
    return _without(dataset, rest, notes)


def _without(dataset: Dataset, names: Collection[str], notes: Sequence[str]) -> Dataset:
    """The series without some of the columns beside it, if any."""
    assert dataset.covariates is not None
    kept = dataset.covariates.only([each.name for each in dataset.covariates.table if each.name not in names])
    beside = kept if kept.table or kept.calendar else None
    return replace(dataset, covariates=beside, warnings=(*dataset.warnings, *notes))


def with_holidays(dataset: Dataset, holidays: Any) -> Dataset:
    """The series with the columns of calendars: those that a text names, or own events as a frame or mapping, if any.

    Raises
    ------
    InputError
        When the data have no dates, or the calendar is not known.
    """
    axis = dataset.axis
    if holidays is None:
        return dataset
    if axis is None or not dataset.is_ordered or dataset.classes:
        kind = "classes" if dataset.classes else "rows without an order in time"
        raise InputError.of("a series of numbers with dates, for holidays", kind, "leave the holidays out")
    if isinstance(holidays, str):
        calendars = calendar_from(holidays, axis, dataset.x)
    else:
        calendars = (own_holidays(holidays, axis, dataset.x),)
    columns = dataset.covariates or Covariates(np.unique(dataset.x), ())
    notes = tuple(filter(None, (getattr(calendar, "note", "") for calendar in calendars)))
    return replace(
        dataset, covariates=replace(columns, calendar=(*columns.calendar, *calendars)),
        warnings=(*dataset.warnings, *notes),
    )  # fmt: skip


# --- A series from a table ------------------------------------------------------------------------------------------


def series_of(table: DataTable, roles: Roles, mode: AxisMode) -> Dataset:
    """The target of a table along its times, or along its rows where it has none.

    >>> month = DataColumn("month", ("1949-03", "1949-01", "1949-02"))
    >>> sales = DataColumn("sales", ("3", "1", "2"))
    >>> series_of(DataTable((month, sales)), Roles(month, sales, ()), "calendar").y.tolist()
    [1.0, 2.0, 3.0]
    """
    target = roles.target
    numbers = checked_numbers(target, note("clean the column, or name another target"))
    usable, dropped = _usable_values(target)
    placed, kept = place_times(roles.time, usable, mode)
    if kept.sum() < FEWEST_ROWS:
        why = [told for told in (*placed.notes, *dropped) if "left out" in told]
        usable_rows = note("{n} of {all}", n=int(kept.sum()), all=kept.size)
        remedy = note("give more data. {why}", why=one_after_another(why)) if why else note("give more data")
        raise InputError.of(note("at least {n} rows with a time and a value", n=FEWEST_ROWS), usable_rows, remedy)
    x, y = placed.x, numbers.values[kept]
    order, ordering = ordered(x, y, placed.axis)
    x, y, rows = x[order], y[order], np.flatnonzero(kept)[order]
    if x[0] == x[-1]:
        remedy = note("check column {column}", column=repr(placed.axis.column))
        raise InputError.of(note("at least two different times"), note("only one"), remedy)
    offset, said = far_from_zero(y)
    missing = absent(placed.axis, x, int((~kept).sum()))
    notes = (*table.notes, *roles.notes, *placed.notes, *numbers.notes, *dropped, *ordering, *missing, *said)
    notes += tuple(said for column in roles.beside for said in told_as_limits(column))
    covariates, beside = covariates_of(roles.beside, roles.time, placed.axis, x)
    check_size(np.column_stack([x, y - offset]), (placed.axis.column, target.name))
    notes = (*notes, *beside, *remarks(y, target.name), *checked_rows(y.size))
    made = Dataset(
        x[:, None], y - offset, (placed.axis.column,), target.name, placed.axis, table.name, offset,
        tuple(dict.fromkeys(notes)), covariates=covariates,
    )  # fmt: skip
    return measured_on(made, target.measured, rows)


def _usable_values(column: DataColumn) -> tuple[Flags, tuple[str, ...]]:
    """Which rows have a finite value, and a sentence on the others."""
    numbers = column.numbers
    empty, first = message("{rows} without a value in column {column} left out."), numbers.bad and column.first_bad
    unread = message("{rows} without a number in column {column} left out (the first is {first}).")
    notes = said_of_rows(numbers.missing, empty, column=repr(column.name))
    notes += said_of_rows(len(numbers.bad), unread, column=repr(column.name), first=first)
    return np.abs(numbers.values) <= LARGEST_VALUE, notes + left_out_as_too_large(numbers.values, column.name)
