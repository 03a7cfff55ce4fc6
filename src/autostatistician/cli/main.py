"""The command line: a thin face of the estimator, with no mathematics of its own.

Heavy libraries are imported inside the commands, so that ``--help`` answers at once. Results go to standard
output; progress, notes and errors to standard error.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from autostatistician._io.files import kept_on_failure, name_of
from autostatistician._io.processes import interrupt_later, memory_for_reading, termination_as_interrupt
from autostatistician.cli.clusters import clusters
from autostatistician.cli.options import (
    CRITERIA,
    LANGUAGES,
    REPORT_SUFFIXES,
    TRANSFORMS,
    FitOptions,
    checkpoint_option,
    data_argument,
    future_of,
    future_option,
    horizon_option,
    interactive_option,
    machine_options,
    plan_option,
    reading_of,
    report_option,
    search_options,
)
from autostatistician.cli.panel import PAGE_SUFFIXES, panel, run_found
from autostatistician.cli.saved import SAVED_COMMANDS, check, keep_told, of_numbers, report_saved, saved_model
from autostatistician.cli.terminal import (
    DEBUG_VARIABLE,
    DONE,
    INTERRUPTED,
    TERMINATED,
    Printer,
    ProgressBar,
    check_checkpoint,
    check_tools,
    checked_output,
    clear,
    explained,
    finish,
    finish_answer,
    finish_backtest,
    open_streams,
    print_json,
)
from autostatistician.errors import AutostatisticianError, InputError
from autostatistician.forms import Format
from autostatistician.i18n.messages import again
from autostatistician.i18n.names import clean
from autostatistician.mcp.command import mcp
from autostatistician.web.command import serve

if TYPE_CHECKING:
    from autostatistician.data.dataset import Dataset
    from autostatistician.estimators.loading import Fitted

__all__ = ["CRITERIA", "LANGUAGES", "TRANSFORMS", "cli", "main"]

STOPPED = "interrupted before the work was done"

# --- the commands -----------------------------------------------------------------------------------------------


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@click.version_option(package_name="autostatistician", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> int:
    """Give it a table; it returns a model, a forecast and the page that explains them.

    DATA is a CSV, TSV, Parquet or Excel file, "-" for standard input, or the name of a bundled example.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
    return DONE


@cli.command()
@data_argument
@report_option
@horizon_option
@search_options
@future_option
@checkpoint_option
@plan_option
@interactive_option
@machine_options
def report(
    data: str,
    horizon: int | None,
    future: str | None,
    checkpoint: Path | None,
    plan: bool,
    interactive: bool,
    output: Path | None,
    printer: Printer,
    **options: Unpack[FitOptions],
) -> int:
    """Search a model of DATA and write the report that explains it.

    Interrupted by Ctrl-C or by --time-budget, it reports the best model found so far; before the end of the first level
    Ctrl-C leaves nothing to report. Of a model that `fit` saved (MODEL.json in the place of DATA) it writes the report
    without a search.
    """
    if Path(data).suffix.lower() == ".json":
        return report_saved(Path(data), output, horizon, future_of(future), printer, interactive=interactive)
    if plan:
        return _planned(data, options, printer)
    columns = future_of(future)
    path = checked_output(output or Path(f"{name_of(data)}-report.html"), REPORT_SUFFIXES, data)
    check_tools(path, interactive=interactive)
    check_checkpoint(checkpoint, (".json",), path, data)
    with ProgressBar(printer.quiet) as progress:
        try:
            model = _fitted(data, progress, options, checkpoint, columns, horizon)
        except InputError as error:
            several = list(getattr(error, "choices", ()))  # of a `LongTableError`, whose module is heavy
            single_only = (checkpoint, interactive, output and output.suffix.lower() not in PAGE_SUFFIXES)
            if not several or data == "-" or any(single_only):
                raise
            return run_found(data, several, output, options, horizon, columns, progress, printer)
        progress.stage("writing the report")
        with interrupt_later() as pressed, kept_on_failure(model.save, "model.json"):
            model.report(path, horizon=horizon, future=columns, interactive=interactive)
            clear(checkpoint, model)
    with interrupt_later(pressed):
        return finish(model, path, printer, pressed)


@cli.command()
@data_argument
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .json file for the model.")
@search_options
@checkpoint_option
@plan_option
@machine_options
def fit(
    data: str, checkpoint: Path | None, plan: bool, output: Path | None, printer: Printer, **options: Unpack[FitOptions]
) -> int:
    """Search a model of DATA and save it."""
    if plan:
        return _planned(data, options, printer)
    path = checked_output(output or Path(f"{name_of(data)}-model.json"), (".json",), data)
    check_checkpoint(checkpoint, (".json",), path, data)
    with ProgressBar(printer.quiet) as progress:
        model = _fitted(data, progress, options, checkpoint)
        with interrupt_later() as pressed, kept_on_failure(model.save, "model.json"):
            model.save(path)
            clear(checkpoint, model)
            keep_told(path, model)
    with interrupt_later(pressed):
        return finish(model, path, printer, pressed)


@cli.command()
@data_argument
@click.option("--since", metavar="TIME", required=True, help="The first date at which the event may act.")
@search_options
@machine_options
def impact(data: str, since: str, printer: Printer, **options: Unpack[FitOptions]) -> int:
    """Say what an event did to a series: what would have been without it, by the rows before and the columns.

    The same is tried at earlier dates, as a test. The effect is that of the event only if nothing else changed then.
    """
    from autostatistician.estimators.statistician import AutomaticStatistician

    with ProgressBar(printer.quiet) as progress:
        dataset = _dataset(data, progress, options)
        model = _estimator(dataset, options)
        if not isinstance(model, AutomaticStatistician):
            raise InputError.of("a series of numbers", "classes", "name another target, or add --task number")
        progress.stage("searching for a model of the rows before")
        effect = model.impact(dataset, since=since, callback=progress.step)
    return finish_answer(effect, dataset.warnings, printer)


@cli.command()
@data_argument
@horizon_option
@click.option("--step", metavar="N", type=click.IntRange(min=1), help="Rows between origins. [default: the horizon]")
@click.option(
    "--n-splits", metavar="N", type=click.IntRange(min=1), help="How many origins, the last one latest. [default: 5]"
)
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .csv file for all forecasts.")
@search_options
@machine_options
def backtest(
    data: str,
    horizon: int | None,
    step: int | None,
    n_splits: int | None,
    output: Path | None,
    printer: Printer,
    **options: Unpack[FitOptions],
) -> int:
    """Say how good forecasts of DATA, or of a model that `fit` saved, would have been from earlier ends of the data.

    Scores are beside those of a seasonal naive forecast and a random walk with drift: in total, then by steps ahead.
    """
    path = output and checked_output(output, (".csv",), data)
    with ProgressBar(printer.quiet) as progress:
        is_saved = Path(data).suffix.lower() == ".json"
        model = saved_model(Path(data)) if is_saved else _fitted(data, progress, options)
        progress.stage("forecasting from earlier origins")
        scores = of_numbers(model).backtest(horizon, step=step, n_splits=n_splits)
    return finish_backtest(scores, [] if is_saved else model.dataset_.warnings, path, printer)


@cli.command()
@machine_options
def examples(printer: Printer, seed: int) -> int:
    """List the bundled examples, which every command takes by name."""
    from autostatistician.data.examples import example, example_names

    bundled = [example(name) for name in example_names()]
    rows = [{name: getattr(entry, name) for name in ("name", "title", "source")} for entry in bundled]
    width = max(len(entry.name) for entry in bundled)
    lines = (f"{each.name:{width}}  {each.title}" for each in bundled)
    return printer.answer({"examples": rows}, lines, Format.EXAMPLES)


@cli.command()
@click.argument("name", required=False)
@machine_options
def schema(name: str | None, printer: Printer, seed: int) -> int:
    """Print the JSON schema NAME of what --json prints and .json reports hold, or the names of all."""
    from autostatistician.report.jsonform import SCHEMAS
    from autostatistician.report.jsonform import schema as schema_of

    if name is not None:
        print_json(schema_of(name))
        return DONE
    return printer.answer({"schemas": list(SCHEMAS)}, SCHEMAS, Format.SCHEMAS)


# --- what the commands are made of ------------------------------------------------------------------------------


def _planned(data: str, options: FitOptions, printer: Printer) -> int:
    """Print the plan of a search."""
    from autostatistician.cli.terminal import print_plan

    with ProgressBar(printer.quiet) as progress:
        dataset = _dataset(data, progress, options)
    return print_plan(dataset, options, printer)


def _dataset(data: str, progress: ProgressBar, options: FitOptions) -> Dataset:
    progress.stage("reading the data")
    from autostatistician.data.load import load

    with memory_for_reading():
        return load(data, task=options["task"], **reading_of(options))


def _fitted(
    data: str, progress: ProgressBar, options: FitOptions, checkpoint: Path | None = None,
    future: Path | str | None = None, horizon: int | None = None,
) -> Fitted:  # fmt: skip
    dataset = _dataset(data, progress, options)
    if dataset.classes:
        _check_ahead(dataset, future, horizon)
    model = _estimator(dataset, options)
    progress.stage("searching for a model")
    return model.fit(dataset, callback=progress.step, checkpoint=checkpoint)


def _estimator(dataset: Dataset, options: FitOptions) -> Fitted:
    """The estimator for numbers or classes, with the settings of a command."""
    from autostatistician.estimators.options import TargetOptions
    from autostatistician.estimators.statistician import AutomaticStatistician
    from autostatistician.estimators.statistician_classifier import AutomaticStatisticianClassifier

    settings: dict[str, Any] = {
        "language": options["language"],
        "criterion": options["criterion"],
        "max_depth": options["depth"],
        "time_budget": options["budget"],
        "n_jobs": options["jobs"] or -1,
        "random_state": options["seed"],
    }
    of_numbers: dict[str, Any] = {name: options[name] for name in ("transform", "likelihood", "outliers", "limits")}
    if dataset.classes:
        _check_of_numbers(of_numbers, dataset.target)
        return AutomaticStatisticianClassifier(**settings)
    return AutomaticStatistician(**settings, target_options=TargetOptions(**of_numbers))


def _check_ahead(dataset: Dataset, future: Path | str | None, horizon: int | None) -> None:
    """Raise an `InputError`, before the search, where classes have no such future."""
    from autostatistician.estimators.loading import refuse_plan

    refuse_plan(future)
    if horizon is not None and not dataset.is_ordered:
        remedy = "leave it out: a table has no order to go on in"
        raise InputError.of("--horizon for classes over time alone", "a table", remedy)


def _check_of_numbers(options: Mapping[str, Any], target: str) -> None:
    """Raise an `InputError` where something is asked for that classes do not have."""
    options_given = [f"--{name}" for name, value in options.items() if value != "auto"]
    if options_given:
        names = ", ".join(options_given)
        remedy = "leave it out, or model a number with --task number"
        raise InputError.of(f"no {names} for the classes of column '{target}'", "one that is not 'auto'", remedy)


for _command in (clusters, panel, *SAVED_COMMANDS, check):
    cli.add_command(_command)
for _served in (mcp, serve):
    cli.add_command(_served)


# --- the way in and out -----------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0: done; 1: a bug of ours; 2: the input or the arguments are at fault; 3: some series of a panel failed, the rows of
    a dry run are a surprise, or a sentence of a text is contradicted; 4: the rows are none, but a new search is
    advised; 130: interrupted; 143: ended by SIGTERM.
    Errors are one line on standard error; the environment variable ``AUTOSTATISTICIAN_DEBUG=1`` adds the traceback.
    """
    with termination_as_interrupt() as signals:
        code = _run(arguments)
    return TERMINATED if signals and code == INTERRUPTED else code


def _run(arguments: Sequence[str] | None) -> int:
    if not os.environ.get(DEBUG_VARIABLE):
        # Warnings of the libraries below are for developers; what a user must know is in the notes of the result.
        logging.captureWarnings(True)
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        # The process that cleans up behind workers tells of what an interruption left to it; it inherits this.
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
    open_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    failed = partial(_failed, as_json="--json" in words)
    try:
        with cli.make_context("autostatistician", words) as context:
            try:
                code = int(cli.invoke(context) or DONE)
            except AutostatisticianError as error:  # in the language of the command, which ends with it
                return failed(*explained(error))
            except KeyboardInterrupt as stop:
                return failed(again(*stop.args) if stop.args else STOPPED, INTERRUPTED)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:  # the reader of our output has left (as `head` does): what is written is written
        return DONE
    except KeyboardInterrupt:
        return failed(STOPPED, INTERRUPTED)
    except Exception as error:
        return failed(*explained(error))
    finally:
        _let_go()
    return code


def _let_go() -> None:
    """Drop what the standard streams cannot take: Python would try once more at its end, and answer with code 120."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _failed(message: str, code: int, *, as_json: bool) -> int:
    if os.environ.get(DEBUG_VARIABLE):
        traceback.print_exc()
    with suppress(OSError):  # of a standard error that goes to a full disk
        click.echo(f"error: {clean(message)}", err=True)
        if as_json:
            print_json({"error": message, "code": code}, Format.ERROR)
    return code
