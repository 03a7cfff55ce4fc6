"""The command for many series in one table: a folder with their forecasts, their records and one page for all."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from autostatistician._io.files import name_of
from autostatistician._io.processes import memory_for_reading
from autostatistician.cli.options import (
    FitOptions,
    future_of,
    future_option,
    horizon_option,
    is_given,
    machine_options,
    reading_of,
    search_options,
    seldom,
)
from autostatistician.cli.terminal import (
    DONE,
    INTERRUPTED,
    SOME_FAILED,
    Printer,
    ProgressBar,
    checked_output,
    print_json,
)
from autostatistician.errors import InputError
from autostatistician.forms import Format
from autostatistician.i18n.messages import again, language
from autostatistician.i18n.names import clean

if TYPE_CHECKING:
    from autostatistician.estimators.panel_pages import SeriesPages
    from autostatistician.panel.records import SeriesRecord
    from autostatistician.panel.settings import PanelSettings, SeriesTable

__all__ = ["PAGE_SUFFIXES", "panel", "run_found"]


OF_READING = ("time", "target", "inputs", "holidays")  # options that say what a series is

PAGE, FORECASTS, SUMS = "panel.html", "forecasts", "sums"

PAGE_SUFFIXES = (".html", ".htm")

NOT_FOLDERS = (".pdf", ".md", ".json", ".csv", ".parquet")  # endings of what other commands write

LEVELS = (80, 95)

MOST_FAILURES, MOST_KINDS = 10, 8  # series without a model, and notes on the data, that are told at the end

LONGEST_NAME = 60

NOT_FOR_A_PAGE = {"output", "pages", "models", "named", "sums", "form", "model_name", "as_json", "quiet"}  # options


@dataclass(frozen=True, slots=True)
class _PanelCommand:
    """What is asked for of all series of a file, and where it goes."""

    data: str
    table: SeriesTable
    options: FitOptions
    settings: PanelSettings
    folder: Path
    pages: SeriesPages
    sums: Sequence[str] = ()
    form: str = "csv"
    model_name: str = ""

    @property
    def workers(self) -> int:
        """Series at a time, one worker each."""
        return self.options["jobs"] or -1


@click.command()
@click.argument("data", metavar="DATA")
@click.option("--id", "ids", metavar="COLS", help="Columns that tell the series apart: a,b. [default: guessed]")
@click.option("--wide", is_flag=True, help="The table has a column for each series.")
@click.option(
    "--output", metavar="DIR", type=click.Path(path_type=Path), help="Or a page .html. [default: <name of DATA>-panel]"
)
@horizon_option
@click.option(
    "--sum", "sums", metavar="COLS", multiple=True, help="Also sums for each value of these, or total. Repeatable."
)
@search_options
@future_option
@click.option("--page", "named", metavar="NAME", multiple=True, help="Make the page of this series. Repeatable.")
@click.option("--pages", is_flag=True, help="Make a page for each series.")
@click.option("--models", is_flag=True, help="Save the model of each series.")
@seldom("--pattern")
@seldom("--levels", default="80,95")
@seldom("--format", "form", type=click.Choice(("csv", "parquet")), default="csv")
@seldom("--model-name", default="")
@seldom("--own-seasons", is_flag=True)
@machine_options
def panel(
    data: str, ids: str | None, wide: bool, pattern: str | None, horizon: int | None, future: str | None, levels: str,
    sums: Sequence[str], form: str, model_name: str, own_seasons: bool, pages: bool, models: bool, named: Sequence[str],
    output: Path | None, printer: Printer, **options: Unpack[FitOptions],
) -> int:  # fmt: skip
    """Forecast all series of DATA, a table or a folder with a file for each, and write one page that explains them.

    The folder of the output keeps what is done: run the same command again after an interruption to go on. Series are
    searched side by side, one by each of --n-jobs workers.
    """
    from autostatistician.estimators.panel_pages import SeriesPages, checked_names
    from autostatistician.panel.forecasts import check_model_name

    check_model_name(model_name)
    columns = future_of(future)
    settings = replace(_settings(options, horizon, _levels(levels), columns), shared_season=not own_seasons)
    page, folder = _places(data, output)
    with ProgressBar(printer.quiet) as progress:
        progress.stage("reading the data")
        names = [name.strip() for name in ids.split(",")] if ids else None
        table = planned(series_of(data, options, names, folder, pattern, wide=wide), columns)
        page_names = None if pages else checked_names(named, table)
        pages_of_series = SeriesPages(page, settings, page_names, models)
        run = _PanelCommand(data, table, options, settings, folder, pages_of_series, sums, form, model_name)
        return _finished(run, progress, printer)


def run_found(
    data: str, ids: Sequence[str], page: Path | None, options: FitOptions, horizon: int | None,
    future: Path | str | None, progress: ProgressBar, printer: Printer,
) -> int:  # fmt: skip
    """The page of all series of a file that turned out to hold several, told apart by some ids."""
    from autostatistician.estimators.panel_pages import SeriesPages

    settings, folder = _settings(options, horizon, LEVELS, future), _folder(data)
    table = planned(series_of(data, options, ids), future)
    run = _PanelCommand(data, table, options, settings, folder, SeriesPages(page or folder / PAGE, settings))
    if not printer.quiet:
        several = f"{len(run.table):,} series, told apart by {', '.join(ids)}"
        example = report_command(data, run.table, options, run.table.name(0))
        click.echo(f"note: {clean(f'{data} holds {several}; for one of them: {example}')}", err=True)
    return _finished(run, progress, printer)


def _folder(data: str) -> Path:
    return Path(f"{name_of(data)}-panel")


def _places(data: str, output: Path | None) -> tuple[Path, Path]:
    """The page and the folder: an output that ends in .html is the page, beside which the folder has its usual name."""
    folder = output or _folder(data)
    if folder.is_dir() or folder.suffix.lower() not in (*PAGE_SUFFIXES, *NOT_FOLDERS):
        return folder / PAGE, folder
    return checked_output(folder, PAGE_SUFFIXES, data), _folder(data)


def _finished(run: _PanelCommand, progress: ProgressBar, printer: Printer) -> int:
    """Model all series of a table and write what came of it; return the exit code."""
    from autostatistician.panel.aggregates import levels_of
    from autostatistician.panel.folder import read_records
    from autostatistician.panel.forecasts import write_forecasts
    from autostatistician.panel.run import run_panel
    from autostatistician.report.panel_page import write_panel_page

    counts: Counter[str] = Counter()
    levels_of(run.sums, run.table)  # before anything is searched
    try:
        run.pages.begin()
        names = []
        for record in run_panel(run.table, run.settings, run.folder, run.workers, pages=run.pages):
            names.append(record.name)
            counts[record.status] += 1
            progress.count("series", counts.total(), len(run.table))
        progress.stage("writing forecasts and page")
        forecasts = run.folder / f"{FORECASTS}.{run.form}"
        columns = () if run.model_name else run.table.ids
        written = [write_forecasts(read_records(run.folder), forecasts, columns, run.model_name)]
        written += [_summed(run)] if run.sums else []
        place = run.folder if run.pages.page == run.folder / PAGE else run.pages.page
        command = partial(_page_command, run.data, place)
        links, title = run.pages.links(names), name_of(run.data)
        page = write_panel_page(read_records(run.folder), run.pages.page, title, pages=links, command=command)
    except KeyboardInterrupt:
        progress.stop()
        if not printer.quiet:
            click.echo("note: interrupted; the same command goes on from here", err=True)
        return INTERRUPTED
    progress.stop()
    return _told(run.folder, counts, [page, *written], printer)


def _page_command(data: str, output: Path, name: str) -> str:
    """The command that makes the page of one series: this one, with the options that it was given."""
    context, own_options = click.get_current_context(), {option.name for option in panel.params}
    words = ["autostatistician panel", shlex.quote(data)]
    for option in context.command.params:
        if (
            isinstance(option, click.Option)
            and option.name in own_options - NOT_FOR_A_PAGE
            and is_given(context, option.name)
        ):
            value = context.params[option.name or ""] if option.expose_value else language()  # --lang acts by itself
            values = [""] if option.is_flag else value if option.multiple else [value]
            words += [f"{option.opts[0]} {shlex.quote(str(one))}" if one != "" else option.opts[0] for one in values]
    return " ".join([*words, f"--output {shlex.quote(str(output))}", f"--page {shlex.quote(name)}"])


def _settings(
    options: FitOptions, horizon: int | None, levels: tuple[int, ...], future: Path | str | None
) -> PanelSettings:
    """What all series are searched with; an `InputError` for an option that a panel does not have."""
    from autostatistician.panel.settings import PanelSettings
    from autostatistician.search.run import Settings

    for name, usual in (("task", ("auto", "number")), ("limits", ("auto",))):
        if options[name] not in usual:  # type: ignore[literal-required]
            raise InputError.of(f"--{name} {usual[0]} for many series", "another one", "model one series with 'report'")
    search = Settings(
        criterion=options["criterion"], transform=options["transform"], outliers=options["outliers"],
        likelihood=options["likelihood"], max_depth=options["depth"], time_budget=options["budget"],
        seed=options["seed"], n_jobs=1,
    )  # fmt: skip
    way: Any = None if isinstance(future, Path) else future
    return PanelSettings(options["language"], search, horizon, levels, way).checked()


def _summed(run: _PanelCommand) -> Path:
    from autostatistician.panel.folder import read_records
    from autostatistician.panel.forecasts import write_forecasts
    from autostatistician.panel.reconciliation import sums_of

    summed = sums_of(run.table, list(read_records(run.folder)), run.sums, run.settings, run.folder / SUMS, run.workers)
    return write_forecasts(summed.records, run.folder / f"{SUMS}.{run.form}", model=run.model_name)


def _levels(text: str) -> tuple[int, ...]:
    """The levels of ranges.

    >>> _levels("80,95")
    (80, 95)
    """
    try:
        return tuple(int(level) for level in text.split(","))
    except ValueError:
        raise InputError.of("--levels as whole numbers with commas", repr(text), "write 80,95") from None


def _told(folder: Path, counts: Counter[str], written: Sequence[Path], printer: Printer) -> int:
    """Print what became of the series, and return the exit code."""
    from autostatistician.panel.folder import read_records

    if printer.as_json:
        reasons = [{"name": record.name, "reason": record.reason} for record in read_records(folder) if record.reason]
        print_json({"done": counts["done"], "failed": reasons, "output": list(map(str, written))}, Format.PANEL)
    elif not printer.quiet:
        printer.notes(_notes(read_records(folder), counts["done"]))
        click.echo(f"{counts['done']} series done, {counts['failed']} failed")
        printer.wrote(*written)
    return SOME_FAILED if counts["failed"] else DONE


def _notes(records: Iterable[SeriesRecord], done: int) -> Iterator[str]:
    """What the page says under "please note": the series without a model, and what was changed or left out."""
    from autostatistician.describe.panels.facts import alike, steps_of
    from autostatistician.describe.panels.words import kind_text, shown_name, steps_text

    failed: list[tuple[str, str]] = []  # names with the reason, the step or a note
    steps: list[tuple[str, str]] = []
    notes: list[tuple[str, str]] = []
    for record in records:
        if record.reason:
            failed.append((record.name, again(record.reason)))
        else:
            steps.append((record.step, record.name))
        notes += ((note, record.name) for note in dict.fromkeys(record.notes))
    for name, reason in failed[:MOST_FAILURES]:
        yield f"{shown_name(name, LONGEST_NAME)}: {reason}"
    if len(failed) > MOST_FAILURES:
        yield f"and {len(failed) - MOST_FAILURES:,} others without a model; the page names all"
    yield from filter(None, (steps_text(steps_of(steps)),))
    kinds = alike(notes)
    yield from (kind_text(kind, done) for kind in kinds[:MOST_KINDS])
    if len(kinds) > MOST_KINDS:
        yield f"and {len(kinds) - MOST_KINDS} notes of other kinds; the page has more of them"


# --- From what a command is given to a table of many series, and back to the command for one of them ----------------


def series_of(
    data: str, options: FitOptions, ids: Sequence[str] | None = None, output: Path | None = None,
    pattern: str | None = None, *, wide: bool = False,
) -> SeriesTable:  # fmt: skip
    """The series of a file, or of a folder, one in each file, without those of the output.

    Raises
    ------
    InputError
        When it cannot be read, holds no table, or one series alone.
    """
    from autostatistician.data.files.queries import queried
    from autostatistician.estimators.panel import table_of

    reading = {name: value for name, value in reading_of(options).items() if value is not None}
    if "error" in reading:
        raise InputError.of("one series or table, for --error", "many series", "choose one with --where")
    with memory_for_reading():
        source = queried(data, reading.pop("sql")) if "sql" in reading else data
        return table_of(source, None, ids, wide=wide, output=output, pattern=pattern, **reading)


def planned(table: SeriesTable, future: Path | str | None) -> SeriesTable:
    """The series with the plan for their columns, where one was given."""
    if not isinstance(future, Path):
        return table
    from autostatistician.data.panel_plans import planned_panel

    return planned_panel(table, future)


def report_command(data: str, table: SeriesTable, options: FitOptions, name: str) -> str:
    """The command that makes the page of one series of a file or a folder."""
    from autostatistician.data.panel_plans import PlannedTable
    from autostatistician.data.panels import FolderTable, WideTable

    if isinstance(table, PlannedTable):
        table = table.table
    index = next(index for index in range(len(table)) if table.name(index) == name)
    reading = {option: options[option] for option in OF_READING if options[option]}  # type: ignore[literal-required]
    where = list(options["where"])
    match table:
        case FolderTable(files=files):
            data = str(files[index])
        case WideTable():
            reading |= {"target": name, "inputs": "none"}
        case _:
            where += [f"{column}={key}" for column, key in zip(table.ids, table.keys[index], strict=True)]
    said = [*(("where", pair) for pair in where), *reading.items()]
    return " ".join(
        ["autostatistician report", shlex.quote(data), *(f"--{key} {shlex.quote(value)}" for key, value in said)]
    )
