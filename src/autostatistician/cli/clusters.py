"""The command ``autostatistician clusters``."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autostatistician._io.files import name_of
from autostatistician._io.processes import interrupt_later, memory_for_reading
from autostatistician.cli.options import (
    REPORT_SUFFIXES,
    budget_option_of,
    chains_option,
    data_argument,
    jobs_option,
    machine_options,
    report_option,
)
from autostatistician.cli.terminal import (
    Printer,
    ProgressBar,
    check_checkpoint,
    check_tools,
    checked_output,
    clear,
    finish,
)
from autostatistician.errors import AutostatisticianError, InputError

if TYPE_CHECKING:
    from autostatistician.data.measurements import Measurements
    from autostatistician.estimators.mixture import InfiniteWarpedMixture

__all__ = ["clusters"]


@click.command()
@data_argument
@click.option("--columns", metavar="COLS", help="Columns of numbers to go by: a,b,c. [default: all that vary]")
@click.option("--chains", type=click.IntRange(1, 64), default=4, show_default=True, help="Independent chains.")
@click.option("--sweeps", type=click.IntRange(2, 1_000_000), default=1000, show_default=True, help="Of each chain.")
@click.option("--latent", type=click.IntRange(1, 20), default=2, show_default=True, help="Hidden coordinates.")
@budget_option_of("End the chains after this time, as soon as a round of sweeps is done")
@jobs_option
@chains_option
@report_option
@machine_options
def clusters(
    data: str, columns: str | None, checkpoint: Path | None, output: Path | None, printer: Printer,
    **options: Any,
) -> int:  # fmt: skip
    """Find clusters of any shape in DATA and write the report on them.

    Interrupted by Ctrl-C or by --time-budget, it reports what the chains have found so far.
    """
    path = checked_output(output or Path(f"{name_of(data)}-clusters.html"), REPORT_SUFFIXES, data)
    check_tools(path)
    check_checkpoint(checkpoint, (".npz",), path, data)
    names = [name.strip() for name in columns.split(",")] if columns else None
    with ProgressBar(printer.quiet) as progress, interrupt_later() as pressed:
        progress.stage("reading the data")
        from autostatistician.data.measurements import read_table
        from autostatistician.estimators.clusters import ClusterReport

        with memory_for_reading():
            table = read_table(data, names)
        mixture = _fitted(table, checkpoint, progress, pressed, **options)
        progress.stage("writing the report")
        report = ClusterReport(mixture, table)
        report.save(path)
        clear(checkpoint, mixture)
    return finish(report, path, printer, pressed)


def _fitted(
    table: Measurements, checkpoint: Path | None, progress: ProgressBar, pressed: list[int], *, chains: int,
    sweeps: int, latent: int, budget: float | None, jobs: int | None, seed: int,
) -> InfiniteWarpedMixture:  # fmt: skip
    from joblib import cpu_count

    from autostatistician.estimators.mixture import InfiniteWarpedMixture

    def step(done: int, total: int) -> bool:
        """Show how far the chains are; they go on while nobody has pressed Ctrl-C."""
        progress.count("sweeps", done, total)
        return not pressed

    mixture = InfiniteWarpedMixture(
        n_latent=latent, n_chains=chains, n_sweeps=sweeps, n_jobs=min(jobs or cpu_count(), chains),
        random_state=seed, time_budget=budget,
    )  # fmt: skip
    progress.stage("drawing partitions")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the time was spent: the report says so
        try:
            return mixture.fit(table.rows, callback=step, checkpoint=checkpoint)
        except AutostatisticianError:
            raise
        except ValueError as error:
            raise InputError.of("rows that can be modelled", str(error), "clean the table") from error
