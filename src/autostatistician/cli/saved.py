"""Commands that ask a saved model: what comes next, what is new, what it found, why, and what a text says of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autostatistician._io.files import is_file, name_of, write_whole
from autostatistician._io.processes import memory_for_reading
from autostatistician._io.rows import csv_text, finite_only, forecast_json, plain_rows
from autostatistician.cli.options import (
    MOST_STEPS,
    REPORT_SUFFIXES,
    FitOptions,
    future_of,
    future_option,
    is_given,
    machine_options,
    model_argument,
    sum_options,
)
from autostatistician.cli.terminal import (
    DONE,
    SEARCH_AGAIN,
    SURPRISING,
    Printer,
    ProgressBar,
    check_tools,
    checked_output,
    finish,
)
from autostatistician.errors import InputError
from autostatistician.forms import COMPUTED, QUESTIONS, UNSEEN, Format, json_format
from autostatistician.i18n.messages import language

if TYPE_CHECKING:
    import pandas as pd

    from autostatistician.estimators.loading import Fitted
    from autostatistician.estimators.statistician import AutomaticStatistician

__all__ = ["SAVED_COMMANDS", "check", "keep_told", "of_numbers", "report_saved", "saved_model"]


_KEY = "told"  # of the record of a model
_MOST_DECIMALS = 12


@click.command()
@model_argument
@click.option(
    "--horizon",
    "steps",
    metavar="N",
    type=click.IntRange(1, MOST_STEPS),
    help="Steps beyond the data. [default: as the plan goes, else 12]",
)
@future_option
@click.option(
    "--what-if",
    "changes",
    metavar="COL=VALUE|PLAN",
    multiple=True,
    help="Also the forecast with a column at another value, or by another plan, and the difference. Repeatable.",
)
@sum_options
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .csv file.")
@machine_options
def forecast(
    model: Path, steps: int | None, future: str | None, changes: tuple[str, ...], output: Path | None,
    printer: Printer, seed: int, **named: Any,
) -> int:  # fmt: skip
    """Forecast with a saved model: time, mean, std, the limits of 95 %, and chances of being above or below a number.

    With --sum they are those of sums over periods of the calendar; of the first one, some rows may be known.
    """
    path = output and checked_output(output, (".csv",), model)
    plan = future_of(future)
    chosen = {name: value for name, value in named.items() if value is not None}  # of sums and thresholds
    steps = 12 if steps is None and not isinstance(plan, Path) and "sum_by" not in chosen else steps
    if changes and chosen:
        raise InputError.of("--what-if alone", "it beside --sum, --above or --below", "ask one by one")
    if changes:
        return _what_if(of_numbers(_loaded(model)), changes, steps, plan, path, printer)
    fitted = of_numbers(_loaded(model)) if chosen else _loaded(model)
    frame = fitted.forecast(steps, **chosen) if plan is None else fitted.forecast(steps, future=plan, **chosen)
    printer.notes(frame.attrs.get("notes", ()))
    return _told(_rounded(frame), (), forecast_json(frame, path), path, printer)


@click.command()
@model_argument
@click.argument("rows", metavar="ROWS")
@click.option("--unseen", type=click.Choice(UNSEEN), help="Refuse new categories (error), or predict them (new).")
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .csv file.")
@machine_options
def predict(model: Path, rows: str, unseen: str | None, output: Path | None, printer: Printer, seed: int) -> int:
    """Predict each row of the table ROWS: its columns, then mean, std and the limits of 95 %, or chances of classes.

    The rows need the columns of the data but for the target.
    """
    from autostatistician.estimators.loading import predicted_rows

    path = output and checked_output(output, (".csv",), rows)
    fitted = _loaded(model)
    if unseen is not None:
        fitted.set_params(unseen=unseen)
    with memory_for_reading():
        given, made = predicted_rows(fitted, rows)
    notes = made.attrs["notes"]
    printer.notes(notes)
    given = given.rename(columns={name: f"{name} (given)" for name in given.columns.intersection(made.columns)})
    told = {"target": fitted.dataset_.target, "rows": plain_rows(given.join(made)), "notes": notes}
    record = {"format": json_format(Format.PREDICT), **told, "output": path and str(path)}
    return _told(given.join(_rounded(made)), (), record, path, printer)


def _told(
    table: pd.DataFrame, sentences: Sequence[str], record: Mapping[str, object], path: Path | None, printer: Printer
) -> int:  # fmt: skip
    """Write a table, or print it with what is said of it, or the record of both."""
    text = csv_text(_rounded(table))
    if path:
        write_whole(path, text.encode())
    if printer.as_json:
        return printer.answer(record, ())
    if path is None:
        click.echo(text, nl=False)
    if sentences and not printer.quiet:
        printer.answer(record, sentences)
    if path:
        printer.wrote(path)
    return DONE


def _rounded(table: pd.DataFrame) -> pd.DataFrame:
    """Numbers of the target to less than a thousandth of the narrowest range, chances to as much of one.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"mean": [1234.56789], "lower": [1200.4321], "upper": [1290.9], "above": [0.123456]})
    >>> _rounded(frame).to_numpy().tolist()
    [[1234.57, 1200.43, 1290.9, 0.1235]]
    """
    import numpy as np

    widths = table.filter(regex="^upper").to_numpy(dtype=float) - table.filter(regex="^lower").to_numpy(dtype=float)
    widths = widths[np.isfinite(widths) & (widths > 0.0)]
    decimals = max(0, 3 - int(np.floor(np.log10(widths.min())))) if widths.size else _MOST_DECIMALS
    numbers = table.select_dtypes("float").columns
    shares = {"above", "below"}
    return table.round({name: 4 if name in shares else min(decimals, _MOST_DECIMALS) for name in numbers})


def _what_if(
    model: AutomaticStatistician, changes: Sequence[str], steps: int | None, plan: Path | str | None,
    path: Path | None, printer: Printer,
) -> int:  # fmt: skip
    """Print both forecasts and their difference, or write them as one table."""
    answer = model.what_if(_change(changes), steps, future=plan)
    names = ["mean", "lower", "upper"]
    table = answer.first.drop(columns=["std", "median"])
    for name, frame in (("what_if", answer.second), ("difference", answer.difference)):
        table = table.assign(**{f"{name}_{column}": frame[column] for column in names})
    record = {
        "format": json_format(Format.FORECAST), "forecast": plain_rows(answer.first),
        "what_if": plain_rows(answer.second), "difference": plain_rows(answer.difference),
        **{name: dict(zip(names, getattr(answer, name), strict=True)) for name in ("average", "total")},
        "sentences": list(answer.sentences), "output": str(path) if path else None,
    }  # fmt: skip
    return _told(_rounded(table), answer.sentences, record, path, printer)


def _change(texts: Sequence[str], option: str = "--what-if") -> str:
    """What is asked for: changes with commas between, or one plan.

    >>> _change(["promo=0", "price=+10%"])
    'promo=0,price=+10%'
    """
    plans = [text for text in texts if "=" not in text or is_file(text)]
    if plans and len(texts) > 1:
        raise InputError.of(f"{option} COLUMN=VALUE, or one plan", f"{plans[0]!r} beside others", "ask one by one")
    return ",".join(texts)


@click.command()
@model_argument
@click.argument("new", metavar="NEW")
@click.option("--dry-run", is_flag=True, help="Write nothing; tell what was missed and what moved, with an exit code.")
@click.option("--output", metavar="PATH", type=click.Path(path_type=Path), help="A .json file for the model with them.")
@machine_options
def update(model: Path, new: str, dry_run: bool, output: Path | None, printer: Printer, seed: int) -> int:
    """Give a saved model the new rows of the table NEW, without a search.

    It says whether they came as the model expected, and whether to search again. The model with the rows is written
    beside the old one.

    With --dry-run the exit code is 0 where they are as expected, 3 where they are a surprise, and 4 where a new search
    is advised without one; --quiet says nothing where they are as expected, and all in one line where not.
    """
    if dry_run:
        return _dry_run(model, new, output, printer)
    path = checked_output(output or model.with_name(f"{model.stem}-updated.json"), (".json",), model)
    fitted = of_numbers(_loaded(model))
    with memory_for_reading():
        news = fitted.update(Path(new))
    fitted.save(path)
    if printer.as_json or not printer.quiet:
        printer.answer({"rows": news.rows, **_news_json(news), "output": str(path)}, news.sentences, Format.UPDATE)
    printer.wrote(path)
    return DONE


def _dry_run(model: Path, new: str, output: Path | None, printer: Printer) -> int:
    """Tell what new rows say of a model, which stays as it is."""
    if output:
        raise InputError.of("--dry-run, which writes nothing", "--output", "leave one of both out")
    fitted = of_numbers(_loaded(model))
    with memory_for_reading():
        news = fitted.compare(Path(new))
    in_one_line = [str(news)] if printer.quiet else news.sentences
    if printer.as_json or news.search_again or not printer.quiet:
        record = {"rows": plain_rows(news.rows), **_news_json(news), "moved": list(map(asdict, news.moved))}
        printer.answer({**record, "output": None}, in_one_line, Format.UPDATE)
    return SURPRISING if news.surprising else SEARCH_AGAIN if news.search_again else DONE


def _news_json(news: object) -> dict[str, object]:
    """The numbers and sentences that new rows have, written or not."""
    names = ("known", "inside", "p_value", "surprising", "search_again", "sentences")
    return {name: getattr(news, name) for name in names}


@click.command()
@model_argument
@machine_options
def describe(model: Path, printer: Printer, seed: int) -> int:
    """Say in sentences what a saved model found."""
    source = read_told(model) or _loaded(model)
    sentences = source.describe()
    return printer.answer({**source.to_dict(), "sentences": sentences}, sentences)


@click.command()
@model_argument
@click.argument("question", type=click.Choice((*QUESTIONS, *COMPUTED)))
@click.option("--at", metavar="TIME", help="A date, or a month or year (2025-07, 2025): of forecast, why and events.")
@click.option("--against", metavar="TIME", help="Of why: the time that it is compared with.")
@click.option("--from", "start", metavar="TIME", help="Of trend, events, forecast and what-if: from when on.")
@click.option("--to", "stop", metavar="TIME", help="Until when, the row or all of the month or year included.")
@click.option(
    "--set",
    "changes",
    metavar="COL=VALUE|PLAN",
    multiple=True,
    help="Of what-if: a column at another value, or another plan. Repeatable.",
)
@future_option
@sum_options
@machine_options
def ask(
    model: Path, question: str, changes: tuple[str, ...], future: str | None, printer: Printer, seed: int, **named: Any
) -> int:  # fmt: skip
    """Answer a question about a saved model: in sentences, or with --json with the numbers behind them.

    QUESTION is one of: what (was found), trend [--from --to], seasons, events [--from --to, or --at], columns, sure
    (how far), forecast --at TIME (or --from --to) [--sum --above --below], why --at TIME --against TIME, and what-if
    --set COL=VALUE [--to].
    """
    saved = None if changes or future or any(value is not None for value in named.values()) else read_told(model)
    answer: dict[str, Any] | None = None if saved is None else saved.answer(question)
    if answer is None:
        change = _change(changes, "--set") if changes else None
        answer = dict(_loaded(model).ask(question, **named, change=change, future=future_of(future)).to_json())
    return printer.answer(answer, answer["sentences"])


@click.command()
@model_argument
@click.option("--at", metavar="TIME", required=True, help="A date as in the data, or a month or year (2025-07, 2025).")
@click.option("--against", metavar="TIME", required=True, help="The time that it is compared with.")
@machine_options
def explain(model: Path, at: str, against: str, printer: Printer, seed: int) -> int:
    """Say why a series is higher or lower at one time than at another, part by part."""
    change = of_numbers(_loaded(model)).explain(at=at, against=against)
    return printer.answer(asdict(change), change.sentences, Format.EXPLAIN)


def report_saved(
    model: Path, output: Path | None, horizon: int | None, future: Path | str | None, printer: Printer, *,
    interactive: bool,
) -> int:  # fmt: skip
    """Write the report of a saved model, and return the exit code."""
    path = checked_output(output or Path(f"{name_of(str(model))}-report.html"), REPORT_SUFFIXES, model)
    check_tools(path, interactive=interactive)
    with ProgressBar(printer.quiet) as progress:
        progress.stage("writing the report")
        fitted = saved_model(model)
        fitted.report(path, horizon=horizon, future=future, interactive=interactive)
    return finish(fitted, path, printer, ())


def saved_model(path: Path) -> Fitted:
    """A saved model in the place of a table.

    Raises
    ------
    InputError
        When an option of a search is given, which it has behind it.
    """
    context = click.get_current_context()
    names = {*FitOptions.__annotations__, "checkpoint", "plan"} - {"seed"}
    options = [each.opts[0] for each in context.command.params if each.name in names and is_given(context, each.name)]
    if options:
        expected = "a saved model without options of a search"
        raise InputError.of(expected, ", ".join(options), "leave them out, or give the table to search anew")
    return _loaded(path)


SAVED_COMMANDS = (forecast, predict, update, describe, explain, ask)


def _loaded(path: Path) -> Fitted:
    if not path.is_file():
        found = "a folder" if path.is_dir() else "no file"
        raise InputError.of(f"a saved model at '{path}'", found, "write one with 'autostatistician fit DATA'")
    from autostatistician.estimators.loading import load_estimator

    return load_estimator(path)


def of_numbers(fitted: Fitted) -> AutomaticStatistician:
    """The same model, which is one of numbers."""
    from autostatistician.estimators.statistician import AutomaticStatistician

    if not isinstance(fitted, AutomaticStatistician):
        raise InputError.of("a model of numbers", "one of classes", "fit a model to all rows anew")
    return fitted


# --- What a model says, kept in its file: asked again, it is read there and not computed anew -----------------------


@dataclass(frozen=True)
class SavedWords:
    """What a file keeps, by the names of the estimator that would compute it."""

    kept: Mapping[str, Any]

    def describe(self) -> list[str]:
        """The sentences on the model."""
        return list(self.kept["sentences"])

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the command line."""
        return dict(self.kept["result"])

    def answer(self, question: str) -> dict[str, Any] | None:
        """The answer to a question that names no time and no change, as plain values."""
        answer: dict[str, Any] | None = self.kept["answers"].get(question)
        return answer


def keep_told(path: Path, model: Fitted) -> None:
    """Write what a model says into the file that it was saved to."""
    from autostatistician.estimators.loading import answers_of

    record = json.loads(path.read_bytes())
    words = {"sentences": model.describe(), "result": model.to_dict(), "answers": answers_of(model)}
    words = finite_only(words) | {"origin": _origin(record)}
    write_whole(path, json.dumps(record | {_KEY: words}, allow_nan=False).encode())


def read_told(path: Path) -> SavedWords | None:
    """What the file of a model keeps, unless it is of another version, language or model than that beside it."""
    if not path.is_file():  # to read a pipe would take for ever
        return None
    try:
        record = json.loads(path.read_bytes())
        words = record.pop(_KEY)
        return SavedWords(words) if words["origin"] == _origin(record) else None
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None  # whoever reads the model says what is wrong with the file


def _origin(record: Mapping[str, Any]) -> list[str]:
    digest = sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    return [version("autostatistician"), language(), digest]


MOST_BYTES = 2_000_000  # of a text


@click.command()
@model_argument
@click.argument("memo", metavar="MEMO")
@machine_options
def check(model: Path, memo: str, printer: Printer, seed: int) -> int:
    """Check a text against a saved model: which of its sentences are borne out, contradicted or unknown.

    MEMO is a file of text in English, or "-" for standard input. Every sentence with a number, a direction or a date is
    held against the claims of the model, without a language model; --quiet prints those that are contradicted alone.
    The exit code is 0 where none is contradicted, 3 where one is.
    """
    from autostatistician.estimators.loading import memo_of, memo_record

    text = _text(memo)
    record = memo_record(memo_of(saved_model(model)), text)
    wrong = record["counts"]["contradicted"]
    lines: list[str] = []
    for each in record["sentences"]:
        is_wrong = each["verdict"] == "contradicted"
        lines += [f"{each['verdict']:12}  {each['sentence']}"] * (is_wrong or not printer.quiet)
        lines += [f"{'':12}  The model: {told}" for told in each["model"] if is_wrong]
    lines += [", ".join(f"{count} {name}" for name, count in record["counts"].items())] * (not printer.quiet)
    if printer.as_json or lines:
        printer.answer(record, lines)
    return SURPRISING if wrong else DONE


def _text(memo: str) -> str:
    """The text of a file or of standard input."""
    path = Path(memo)
    if memo != "-" and not path.is_file():
        raise InputError.of(f"a text at '{memo}'", "a folder" if path.is_dir() else "no file", "give its path, or -")
    content = sys.stdin.buffer.read(MOST_BYTES + 1) if memo == "-" else path.read_bytes()[: MOST_BYTES + 1]
    if len(content) > MOST_BYTES:
        raise InputError.of(f"a text of at most {MOST_BYTES // 1_000_000} MB", "a longer one", "check it in parts")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError.of("a text in UTF-8", "other bytes", "save it as plain text (.txt or .md)") from None
