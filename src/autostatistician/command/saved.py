"""Commands that ask a saved model: what comes next, what is new, what it found, and why something changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autostatistician.command.options import MOST_STEPS, machine_options, model_argument
from autostatistician.command.output import print_json
from autostatistician.command.terminal import DONE, checked_output
from autostatistician.errors import InputError
from autostatistician.files import write_whole
from autostatistician.memory import memory_for_reading
from autostatistician.wording.names import clean

if TYPE_CHECKING:
    from autostatistician.estimators.loading import Fitted
    from autostatistician.estimators.statistician import AutomaticStatistician

__all__ = ["SAVED_COMMANDS"]


@click.command()
@model_argument
@click.option(
    "--steps", type=click.IntRange(1, MOST_STEPS), default=12, show_default=True, help="Steps beyond the data."
)
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .csv file.")
@machine_options
def forecast(model: Path, steps: int, output: Path | None, as_json: bool, quiet: bool, seed: int) -> int:
    """Forecast with a saved model: time, mean, std and the limits of 95 %."""
    path = output and checked_output(output, (".csv",), model)
    frame = _loaded(model).forecast(steps)
    text = frame.to_csv(index=False, lineterminator="\n")
    if path:
        write_whole(path, text.encode())
    if as_json:
        rows = json.loads(frame.assign(time=_plain_times(frame["time"])).to_json(orient="records", double_precision=15))
        print_json({"forecast": rows, "output": str(path) if path else None})
    elif path is None:
        click.echo(text, nl=False)
    elif not quiet:
        click.echo(f"Wrote {clean(path)}")
    return DONE


@click.command()
@model_argument
@click.argument("new", metavar="NEW")
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .json file for the model with them.")
@machine_options
def update(model: Path, new: str, output: Path | None, as_json: bool, quiet: bool, seed: int) -> int:
    """Give a saved model the new rows of the table NEW, without a search.

    It says whether they came as the model expected, and whether to search again. The model with the rows is written
    beside the old one.
    """
    path = checked_output(output or model.with_name(f"{model.stem}-updated.json"), (".json",), model)
    fitted = _of_numbers(model)
    with memory_for_reading():
        news = fitted.update(Path(new))
    fitted.save(path)
    if as_json:
        names = ("rows", "known", "inside", "p_value", "surprising", "search_again")
        summary = {name: getattr(news, name) for name in names}
        print_json({**summary, "sentences": list(news.sentences), "output": str(path)})
    elif not quiet:
        _say(news.sentences)
        click.echo(f"Wrote {clean(path)}")
    return DONE


@click.command()
@model_argument
@machine_options
def describe(model: Path, as_json: bool, quiet: bool, seed: int) -> int:
    """Say in sentences what a saved model found."""
    fitted = _loaded(model)
    if as_json:
        print_json({**fitted.result(), "sentences": list(fitted.describe())})
    else:
        _say(fitted.describe())
    return DONE


@click.command()
@model_argument
@click.option("--at", metavar="TIME", required=True, help="A date as in the data, or a month or year (2025-07, 2025).")
@click.option("--against", metavar="TIME", required=True, help="The time that it is compared with.")
@machine_options
def explain(model: Path, at: str, against: str, as_json: bool, quiet: bool, seed: int) -> int:
    """Say why a series is higher or lower at one time than at another, part by part."""
    change = _of_numbers(model).explain(at, against)
    if as_json:
        print_json(asdict(change))
    else:
        _say(change.sentences)
    return DONE


SAVED_COMMANDS = (forecast, update, describe, explain)


def _say(sentences: Sequence[str]) -> None:
    click.echo("\n".join(clean(sentence) for sentence in sentences))


def _loaded(path: Path) -> Fitted:
    if not path.is_file():
        found = "a folder" if path.is_dir() else "no file"
        raise InputError.of(f"a saved model at '{path}'", found, "write one with 'autostatistician fit DATA'")
    from autostatistician.estimators.loading import load_estimator

    return load_estimator(path)


def _of_numbers(path: Path) -> AutomaticStatistician:
    from autostatistician.estimators.statistician import AutomaticStatistician

    fitted = _loaded(path)
    if not isinstance(fitted, AutomaticStatistician):
        raise InputError.of("a model of numbers", "one of classes", "fit a model to all rows anew")
    return fitted


def _plain_times(times: Any) -> Any:
    """Dates as ISO 8601 texts; numbers as they are."""
    return times if times.dtype.kind in "fiu" else times.astype(str)
