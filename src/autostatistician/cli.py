"""The command line: a thin face of the estimator, with no mathematics of its own.

Heavy libraries are imported inside the commands, so that ``--help`` answers at once. Results go to standard
output; progress, notes and errors to standard error.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, Unpack

import click

from autostatistician.errors import InputError
from autostatistician.files import kept_on_failure, write_whole
from autostatistician.terminal import (
    DEBUG,
    DONE,
    INTERRUPTED,
    SOME_FAILED,
    TERMINATED,
    Progress,
    checked_output,
    clean,
    explained,
    interrupt_later,
    open_streams,
    termination_as_interrupt,
)
from autostatistician.web.command import serve

if TYPE_CHECKING:
    from autostatistician.batch import Record
    from autostatistician.estimators import AutomaticStatistician

__all__ = ["CRITERIA", "LANGUAGES", "TRANSFORMS", "cli", "main"]

# The names of grammars and criteria, written out so that `--help` need not import them (a test compares them).
LANGUAGES = ("extended", "full", "interpretable", "linear", "se", "mkl", "changepoint", "spectral", "tci", "cks2013")
CRITERIA = ("bic", "aic", "laplace", "loo")
TRANSFORMS = ("auto", "none", "log")

REPORT_SUFFIXES = (".html", ".htm", ".pdf", ".md", ".markdown", ".json")

Command = TypeVar("Command", bound=Callable[..., object])


class FitOptions(TypedDict):
    """The options that ``report`` and ``fit`` share."""

    time: str | None
    target: str | None
    inputs: str | None
    axis: Literal["calendar", "raw"]
    language: str
    criterion: str
    transform: str
    depth: int
    budget: float | None
    jobs: int | None
    seed: int


# --- the commands -----------------------------------------------------------------------------------------------


def _options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number of seconds.", context, parameter)
    return value


_data = click.argument("data", metavar="DATA")
_model = click.argument("model", metavar="MODEL.json", type=click.Path(path_type=Path))
_machine = _options(
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text."),
    click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Of all randomness."),
    click.option("--quiet", is_flag=True, help="No progress and no notes."),
)
_search = _options(
    click.option("--time", metavar="COL", help="Column of the times. [default: guessed, and said]"),
    click.option("--target", metavar="COL", help="Column to model. [default: guessed, and said]"),
    click.option("--inputs", metavar="COLS", help="Columns that explain the target instead of a time: a,b,c or '*'."),
    click.option(
        "--axis",
        type=click.Choice(["calendar", "raw"]),
        default="calendar",
        show_default=True,
        help="Count in calendar steps, or leave the numbers as they are.",
    ),
    click.option("--language", type=click.Choice(LANGUAGES), default="extended", show_default=True, help="Grammar."),
    click.option(
        "--criterion", type=click.Choice(CRITERIA), default="bic", show_default=True, help="What is minimised."
    ),
    click.option(
        "--transform",
        type=click.Choice(TRANSFORMS),
        default="auto",
        show_default=True,
        help="Model the target as it is, or its logarithm.",
    ),
    click.option("--depth", type=click.IntRange(min=1), default=10, show_default=True, help="Levels of the search."),
    click.option(
        "--budget",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        callback=_finite,
        help="Stop the search after this time with the best model so far. [default: none]",
    ),
    click.option("--jobs", type=click.IntRange(min=1), help="Worker processes. [default: one per core]"),
)
_horizon = click.option(
    "--horizon", metavar="STEPS", type=click.IntRange(min=1), help="Steps to forecast. [default: by length]"
)
_checkpoint = click.option(
    "--checkpoint",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Keep the search in this .json file level by level, and go on from it. Removed when finished.",
)


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
@_data
@_search
@_horizon
@_checkpoint
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .html, .pdf, .md or .json file.")
@_machine
def report(
    data: str,
    horizon: int | None,
    checkpoint: Path | None,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Unpack[FitOptions],
) -> int:
    """Search a model of DATA and write the report that explains it.

    Interrupted by Ctrl-C or by --budget, it reports the best model found so far.
    """
    path = checked_output(output or Path(f"{_name_of(data)}-report.html"), REPORT_SUFFIXES, data)
    _check_tools(path)
    _check_checkpoint(checkpoint, path, data)
    with Progress(quiet) as progress:
        model = _fitted(data, progress, options, checkpoint)
        progress.stage("writing the report")
        with interrupt_later() as pressed, kept_on_failure(model.save, "model.json"):
            model.report(path, horizon=horizon)
            _clear(checkpoint, model)
    with interrupt_later(pressed):
        return _finish(model, path, as_json, quiet, pressed)


@cli.command()
@_data
@_search
@_checkpoint
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .json file for the model.")
@_machine
def fit(
    data: str,
    checkpoint: Path | None,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Unpack[FitOptions],
) -> int:
    """Search a model of DATA and save it."""
    path = checked_output(output or Path(f"{_name_of(data)}-model.json"), (".json",), data)
    _check_checkpoint(checkpoint, path, data)
    with Progress(quiet) as progress:
        model = _fitted(data, progress, options, checkpoint)
        with interrupt_later() as pressed, kept_on_failure(model.save, "model.json"):
            model.save(path)
            _clear(checkpoint, model)
    with interrupt_later(pressed):
        return _finish(model, path, as_json, quiet, pressed)


@cli.command()
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@_search
@_horizon
@click.option(
    "--at-once", type=click.IntRange(min=1), default=1, show_default=True, help="Series at a time, one worker each."
)
@click.option("--pattern", metavar="GLOB", help="Of the files to read. [default: endings of tables]")
@click.option("--output", metavar="DIR", type=click.Path(path_type=Path), help="[default: <name of FOLDER>-reports]")
@_machine
def batch(
    folder: Path,
    horizon: int | None,
    at_once: int,
    pattern: str | None,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Unpack[FitOptions],
) -> int:
    """Write report, model and forecast for every table in FOLDER.

    A ledger in the output folder says what became of each. Run the same command again after an interruption, or when
    tables were added or changed: what is done and unchanged is skipped.
    """
    from autostatistician.batch import LEDGER, Batch, run_batch, tables

    output = output or Path(f"{folder.resolve().name or 'data'}-reports")

    if at_once > 1:
        options["jobs"] = 1

    def fitted(file: Path, checkpoint: Path) -> AutomaticStatistician:
        with Progress(quiet or at_once > 1) as progress:
            return _fitted(str(file), progress, options, checkpoint)

    governing = {name: value for name, value in options.items() if name != "jobs"}
    files, interrupted = tables(folder, output, pattern), False
    found: list[tuple[Record, bool]] = []
    try:
        for record, before in run_batch(Batch(folder, output, fitted, governing, horizon, at_once), files):
            found.append((record, before))
            if not (as_json or quiet or before):
                click.echo(_line_on(record))
    except KeyboardInterrupt:
        interrupted = True
    return _finish_batch(found, len(files), output / LEDGER, as_json, quiet, interrupted)


@cli.command()
@_model
@click.option("--steps", type=click.IntRange(min=1), default=12, show_default=True, help="Steps beyond the data.")
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .csv file.")
@_machine
def forecast(model: Path, steps: int, output: Path | None, as_json: bool, quiet: bool, seed: int) -> int:
    """Forecast with a saved model: time, mean, std and the limits of 95 %."""
    path = output and checked_output(output, (".csv",), model)
    frame = _loaded(model).forecast(steps)
    text = frame.to_csv(index=False, lineterminator="\n")
    if path:
        write_whole(path.resolve(), text.encode())
    if as_json:
        rows = json.loads(frame.assign(time=_plain_times(frame["time"])).to_json(orient="records", double_precision=15))
        _print_json({"forecast": rows, "output": str(path) if path else None})
    elif path is None:
        click.echo(text, nl=False)
    elif not quiet:
        click.echo(f"Wrote {clean(path)}")
    return DONE


@cli.command()
@_model
@_machine
def describe(model: Path, as_json: bool, quiet: bool, seed: int) -> int:
    """Say in sentences what a saved model found."""
    fitted = _loaded(model)
    if as_json:
        _print_json({**fitted.result(), "sentences": list(fitted.describe())})
    else:
        click.echo("\n".join(clean(sentence) for sentence in fitted.describe()))
    return DONE


@cli.command()
@_machine
def examples(as_json: bool, quiet: bool, seed: int) -> int:
    """List the bundled examples, which every command takes by name."""
    from autostatistician.data.examples import example, example_names

    known = [example(name) for name in example_names()]
    if as_json:
        _print_json({"examples": [{"name": one.name, "title": one.title, "source": one.source} for one in known]})
    else:
        width = max(len(one.name) for one in known)
        click.echo("\n".join(f"{one.name:{width}}  {one.title}" for one in known))
    return DONE


# --- what the commands are made of ------------------------------------------------------------------------------


def _fitted(
    data: str, progress: Progress, options: FitOptions, checkpoint: Path | None = None
) -> AutomaticStatistician:
    progress.stage("reading the data")
    from autostatistician.data.load import load
    from autostatistician.estimators import AutomaticStatistician

    inputs = [name.strip() for name in options["inputs"].split(",")] if options["inputs"] else None
    dataset = load(data, time=options["time"], target=options["target"], inputs=inputs, axis=options["axis"])
    model = AutomaticStatistician(
        language=options["language"],
        criterion=options["criterion"],
        target_transform=options["transform"],
        max_depth=options["depth"],
        time_budget=options["budget"],
        n_jobs=options["jobs"],
        random_state=options["seed"],
    )
    progress.stage("searching for a model")
    return model.fit(dataset, callback=progress.step, checkpoint=checkpoint)


def _check_tools(path: Path) -> None:
    """Find out before the work that a PDF can be made."""
    if path.suffix.lower() == ".pdf":
        from autostatistician.report import check_path

        check_path(path)


def _check_checkpoint(checkpoint: Path | None, output: Path, data: str) -> None:
    if checkpoint is None:
        return
    checked_output(checkpoint, (".json",), data)
    if checkpoint.resolve() == output.resolve():
        raise InputError.of("a checkpoint apart from the output", f"'{checkpoint}' for both", "choose another place")


def _clear(checkpoint: Path | None, model: AutomaticStatistician) -> None:
    """Remove the checkpoint of a search from which nothing more can come."""
    if checkpoint is not None and model.complete_:
        checkpoint.unlink(missing_ok=True)


def _loaded(path: Path) -> AutomaticStatistician:
    if not path.is_file():
        found = "a folder" if path.is_dir() else "no file"
        raise InputError.of(f"a saved model at '{path}'", found, "write one with 'autostatistician fit DATA'")
    from autostatistician.estimators import AutomaticStatistician

    return AutomaticStatistician.load(path)


def _finish(model: AutomaticStatistician, path: Path, as_json: bool, quiet: bool, pressed: Sequence[int]) -> int:
    result, sentences = model.result(), [] if as_json or quiet else model.describe()
    stopped = bool(pressed or getattr(model, "interrupted_", False))
    if not (quiet or as_json):
        for warning in result["warnings"]:
            click.echo(f"note: {clean(warning)}", err=True)
    if stopped and not quiet:
        click.echo("note: interrupted; this is the best model found so far", err=True)
    if as_json:
        _print_json({**result, "output": str(path)})
    elif not quiet:
        click.echo(f"Model: {clean(result['expression'])}")
        click.echo("\n".join(f"- {clean(sentence)}" for sentence in sentences))
        click.echo(f"Wrote {clean(path)}")
    return INTERRUPTED if stopped else DONE


def _line_on(record: Record) -> str:
    if record.status == "failed":
        return clean(f"{record.file}: failed: {record.reason}")
    return clean(f"{record.file}: {record.expression}")


def _finish_batch(
    found: Sequence[tuple[Record, bool]], count: int, ledger: Path, as_json: bool, quiet: bool, interrupted: bool
) -> int:
    failed = sum(record.status == "failed" for record, _ in found)
    skipped = sum(before for _, before in found)
    counts = {"done": len(found) - failed - skipped, "failed": failed, "skipped": skipped, "left": count - len(found)}
    if as_json:
        _print_json({**counts, "series": [asdict(record) for record, _ in found], "ledger": str(ledger)})
    elif not quiet:
        click.echo(", ".join(f"{number} {word}" for word, number in counts.items()) + f"; see {clean(ledger)}")
    if interrupted and not quiet:
        click.echo("note: interrupted; the same command goes on from here", err=True)
    return INTERRUPTED if interrupted else SOME_FAILED if failed else DONE


def _print_json(record: Mapping[str, object]) -> None:
    click.echo(json.dumps(_finite_only(record), indent=2))


def _finite_only(value: Any) -> Any:
    """The same value with NaN and infinities, which JSON lacks, as None."""
    match value:
        case dict():
            return {str(key): _finite_only(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite_only(item) for item in value]
        case float() if not math.isfinite(value):
            return None
    return value


def _plain_times(times: Any) -> Any:
    """Dates as ISO 8601 texts; numbers as they are."""
    return times if times.dtype.kind in "fiu" else times.astype(str)


def _name_of(data: str) -> str:
    """The first part of the default name of the output.

    >>> _name_of("tables/My sales.csv"), _name_of("-")
    ('My-sales', 'data')
    """
    return re.sub(r"[^\w.-]+", "-", Path(data).stem).strip("-.") or "data"


cli.add_command(serve)


# --- the way in and out -----------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    0: done; 1: a bug of ours; 2: the input or the arguments are at fault; 3: some series of a batch failed;
    130: interrupted; 143: ended by SIGTERM. Errors are one line on standard error; the environment variable
    ``AUTOSTATISTICIAN_DEBUG=1`` adds the traceback.
    """
    with termination_as_interrupt() as told:
        code = _run(arguments)
    return TERMINATED if told and code == INTERRUPTED else code


def _run(arguments: Sequence[str] | None) -> int:
    if not os.environ.get(DEBUG):
        # Warnings of the libraries below are for developers; what a user must know is in the notes of the result.
        logging.captureWarnings(True)
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        # The process that cleans up behind workers tells of what an interruption left to it; it inherits this.
        os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
    open_streams()
    try:
        with cli.make_context("autostatistician", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = int(cli.invoke(context) or DONE)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        # The reader of our output has left (as `head` does): what is written is written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return _failed("interrupted before the work was done", INTERRUPTED)
    except Exception as error:
        return _failed(*explained(error))
    return code


def _failed(message: str, code: int) -> int:
    if os.environ.get(DEBUG):
        traceback.print_exc()
    with suppress(OSError):  # of a standard error that goes to a full disk
        click.echo(f"error: {clean(message)}", err=True)
    return code
