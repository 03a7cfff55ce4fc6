"""The command ``autostatistician clusters``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autostatistician.command.options import budget_option_of, data_argument, jobs_option, machine_options
from autostatistician.command.output import print_json
from autostatistician.command.terminal import DONE, INTERRUPTED, Progress, checked_output
from autostatistician.errors import InputError
from autostatistician.files import name_of
from autostatistician.processes import interrupt_later
from autostatistician.wording.names import clean

if TYPE_CHECKING:
    from autostatistician.data.measurements import Measurements
    from autostatistician.estimators.clusters import ClusterReport

__all__ = ["clusters"]

SUFFIXES = (".html", ".htm", ".pdf", ".md", ".markdown", ".json")


@click.command()
@data_argument
@click.option("--columns", metavar="COLS", help="Columns of numbers to go by: a,b,c. [default: all that vary]")
@click.option("--chains", type=click.IntRange(1, 64), default=4, show_default=True, help="Independent chains.")
@click.option("--sweeps", type=click.IntRange(2, 1_000_000), default=1000, show_default=True, help="Of each chain.")
@click.option("--latent", type=click.IntRange(1, 20), default=2, show_default=True, help="Hidden coordinates.")
@budget_option_of("End the chains after this time, as soon as a round of sweeps is done")
@jobs_option
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .html, .pdf, .md or .json file.")
@machine_options
def clusters(
    data: str,
    columns: str | None,
    chains: int,
    sweeps: int,
    latent: int,
    budget: float | None,
    jobs: int | None,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    seed: int,
) -> int:
    """Find clusters of any shape in DATA and write the report on them.

    Interrupted by Ctrl-C or by --budget, it reports what the chains have found so far.
    """
    path = checked_output(output or Path(f"{name_of(data)}-clusters.html"), SUFFIXES, data)
    names = [one.strip() for one in columns.split(",")] if columns else None
    with Progress(quiet) as progress, interrupt_later() as pressed:
        progress.stage("reading the data")
        from autostatistician.data.measurements import read_table
        from autostatistician.report import check_path

        check_path(path)
        table = read_table(data, names)
        settings = {"n_latent": latent, "n_chains": chains, "n_sweeps": sweeps, "time_budget": budget}
        report = _found(table, {**settings, "n_jobs": jobs, "random_state": seed}, progress, pressed)
        progress.stage("writing the report")
        report.save(path)
    return _finished(report, path, as_json, quiet, bool(pressed))


def _found(table: Measurements, settings: dict[str, Any], progress: Progress, pressed: list[int]) -> ClusterReport:
    from joblib import cpu_count

    from autostatistician.estimators.clusters import ClusterReport
    from autostatistician.estimators.mixture import InfiniteWarpedMixture

    jobs = min(settings["n_jobs"] or cpu_count(), settings["n_chains"])

    def step(done: int, asked: int) -> bool:
        """Show how far the chains are; they go on while nobody has pressed Ctrl-C."""
        progress.count("sweeps", done, asked)
        return not pressed

    mixture = InfiniteWarpedMixture(**{**settings, "n_jobs": jobs})
    progress.stage("drawing partitions")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the time was spent: the report says so
        try:
            mixture.fit(table.rows, callback=step)
        except ValueError as error:
            raise InputError.of("rows that can be modelled", str(error), "clean the table") from error
    return ClusterReport(mixture, table)


def _finished(report: ClusterReport, path: Path, as_json: bool, quiet: bool, interrupted: bool) -> int:
    result = report.result()
    if as_json:
        print_json({**result, "output": str(path)})
    elif not quiet:
        for note in result["warnings"]:
            click.echo(f"note: {clean(note)}", err=True)
        click.echo("\n".join(f"- {clean(sentence)}" for sentence in report.sentences()))
        click.echo(f"Wrote {clean(path)}")
    if interrupted and not quiet:
        click.echo("note: interrupted; this is what the chains have found so far", err=True)
    return INTERRUPTED if interrupted else DONE
