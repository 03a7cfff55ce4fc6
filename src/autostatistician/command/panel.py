"""The command for many series in one table: a folder with their forecasts, their records and one page for all."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from autostatistician.command.options import FitOptions, horizon_option, machine_options, search_options
from autostatistician.command.output import print_json
from autostatistician.command.terminal import DONE, INTERRUPTED, SOME_FAILED, ProgressBar
from autostatistician.errors import InputError
from autostatistician.files import name_of
from autostatistician.wording.names import clean

if TYPE_CHECKING:
    from autostatistician.panel.settings import PanelSettings, SeriesTable

__all__ = ["panel", "run_found", "table_of_many"]

PAGE, FORECASTS, SUMS = "panel.html", "forecasts", "sums"
LEVELS = (80, 95)
MOST_FAILURES = 10  # that are named at the end; the page names all


@click.command()
@click.argument("data", metavar="DATA")
@click.option("--id", "ids", metavar="COLS", help="Columns that tell the series apart: a,b. [default: guessed]")
@click.option("--wide", is_flag=True, help="The table has a column for each series, beside that of the times.")
@search_options
@horizon_option
@click.option("--levels", metavar="L,L", default="80,95", show_default=True, help="Ranges of forecasts, in per cent.")
@click.option(
    "--sum", "sums", metavar="COLS", multiple=True,
    help="Forecast sums, too, so that all add up: for each value of these ids (a,b), or total. Repeatable.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(("csv", "parquet")), default="csv", show_default=True,
    help="Of the file of forecasts.",
)  # fmt: skip
@click.option("--at-once", type=click.IntRange(min=1), help="Series at a time. [default: one per core]")
@click.option("--output", metavar="DIR", type=click.Path(path_type=Path), help="[default: <name of DATA>-panel]")
@machine_options
def panel(
    data: str, ids: str | None, wide: bool, horizon: int | None, levels: str, sums: Sequence[str], form: str,
    at_once: int | None, output: Path | None, as_json: bool, quiet: bool, **options: Unpack[FitOptions],
) -> int:  # fmt: skip
    """Forecast all series of DATA, a table with many of them, and write one page that explains them.

    The folder of the output keeps what is done: run the same command again after an interruption to go on.
    """
    names = [name.strip() for name in ids.split(",")] if ids else None
    table = table_of_many(data, options, names, wide=wide)
    folder = output or Path(f"{name_of(data)}-panel")
    return run_table(data, table, folder, options, horizon, _levels(levels), sums, form, at_once, as_json, quiet)


def table_of_many(
    data: str, options: FitOptions, ids: Sequence[str] | None = None, *, wide: bool = False
) -> SeriesTable:
    """The series of a file.

    Raises
    ------
    InputError
        When the file cannot be read, or holds one series alone.
    """
    from autostatistician.data.panels import panel_of, wide_panel_of

    inputs = [name.strip() for name in options["inputs"].split(",")] if options["inputs"] else None
    read: dict[str, Any] = {name: options[name] for name in ("time", "target", "axis", "holidays", "allow_leaks")}
    read["inputs"] = inputs
    table: SeriesTable | None = wide_panel_of(data, **read) if wide else panel_of(data, ids=ids, **read)
    if table is None:
        remedy = "name the columns that tell series apart with --id, or add --wide; for one series use 'report'"
        raise InputError.of("a table with several series", "one series, or none", remedy)
    return table


def run_table(
    data: str, table: SeriesTable, folder: Path, options: FitOptions, horizon: int | None, levels: tuple[int, ...],
    sums: Sequence[str], form: str, at_once: int | None, as_json: bool, quiet: bool, page: Path | None = None,
) -> int:  # fmt: skip
    """Model all series of a table and write what came of it; the exit code is that of `batch`."""
    from autostatistician.panel.folder import read_records
    from autostatistician.panel.forecasts import write_forecasts
    from autostatistician.panel.run import run_panel
    from autostatistician.report.panel_page.page import write_panel_page

    settings, workers = _settings(options, horizon, levels), -1 if at_once is None else at_once
    counts: Counter[str] = Counter()
    try:
        with ProgressBar(quiet) as progress:
            for record in run_panel(table, settings, folder, workers):
                counts[record.status] += 1
                progress.count("series", counts.total(), len(table))
            progress.stage("writing forecasts and page")
            written = [write_forecasts(read_records(folder), folder / f"{FORECASTS}.{form}", table.ids)]
            if sums:
                written.append(_summed(table, folder, settings, sums, form, workers))
            page = write_panel_page(
                read_records(folder),
                page or folder / PAGE,
                name_of(data),
                command=lambda name: _command(data, table, name),
            )
    except KeyboardInterrupt:
        if not quiet:
            click.echo("note: interrupted; the same command goes on from here", err=True)
        return INTERRUPTED
    return _finish(counts, [page, *written], read_records(folder) if counts["failed"] else (), as_json, quiet)


def run_found(
    data: str, folder: Path, page: Path | None, options: FitOptions, horizon: int | None, *, as_json: bool, quiet: bool
) -> int:
    """The page of all series of a file that turned out to hold several."""
    table = table_of_many(data, options)
    if not quiet:
        example = _command(data, table, table.name(0))
        text = f"{data} holds {len(table):,} series, told apart by {', '.join(table.ids)}; for one of them: {example}"
        click.echo(f"note: {clean(text)}", err=True)
    workers = options["jobs"]
    return run_table(data, table, folder, options, horizon, LEVELS, (), "csv", workers, as_json, quiet, page)


def _settings(options: FitOptions, horizon: int | None, levels: tuple[int, ...]) -> PanelSettings:
    from autostatistician.panel.settings import PanelSettings
    from autostatistician.search.run import Settings

    search = Settings(
        criterion=options["criterion"], transform=options["transform"], outliers=options["outliers"],
        likelihood=options["likelihood"], max_depth=options["depth"], time_budget=options["budget"],
        seed=options["seed"], n_jobs=1,
    )  # fmt: skip
    return PanelSettings(options["language"], search, horizon, levels).checked()


def _summed(
    table: SeriesTable, folder: Path, settings: PanelSettings, sums: Sequence[str], form: str, workers: int
) -> Path:
    from autostatistician.panel.folder import read_records
    from autostatistician.panel.forecasts import write_forecasts
    from autostatistician.panel.sums import sums_of

    levels = [[] if names.strip() == "total" else [name.strip() for name in names.split(",")] for names in sums]
    summed = sums_of(table, list(read_records(folder)), levels, settings, folder / SUMS, workers)
    return write_forecasts(summed.records, folder / f"{SUMS}.{form}")


def _command(data: str, table: SeriesTable, name: str) -> str:
    """The command that makes the page of one series."""
    index = next(index for index in range(len(table)) if table.name(index) == name)
    if table.ids == ("series",):
        return f"autostatistician report {shlex.quote(data)} --target {shlex.quote(name)} --inputs none"
    pairs = zip(table.ids, table.keys[index], strict=True)
    where = " ".join(f"--where {shlex.quote(f'{column}={value}')}" for column, value in pairs)
    return f"autostatistician report {shlex.quote(data)} {where}"


def _levels(text: str) -> tuple[int, ...]:
    """The levels of ranges.

    >>> _levels("80,95")
    (80, 95)
    """
    try:
        return tuple(int(level) for level in text.split(","))
    except ValueError:
        raise InputError.of("--levels as whole numbers with commas", repr(text), "write 80,95") from None


def _finish(counts: Counter[str], written: Sequence[Path], failed: Any, as_json: bool, quiet: bool) -> int:
    reasons = [record for record in failed if record.status == "failed"]
    if as_json:
        plain = [{"name": record.name, "reason": record.reason} for record in reasons]
        print_json({"done": counts["done"], "failed": plain, "output": [str(path) for path in written]})
    elif not quiet:
        for record in reasons[:MOST_FAILURES]:
            click.echo(f"note: {clean(record.name)}: {clean(record.reason)}", err=True)
        if len(reasons) > MOST_FAILURES:
            click.echo(f"note: and {len(reasons) - MOST_FAILURES} others; the page names all", err=True)
        click.echo(f"{counts['done']} series done, {counts['failed']} failed")
        click.echo("\n".join(f"Wrote {clean(path)}" for path in written))
    return SOME_FAILED if counts["failed"] else DONE
