"""What the command line needs around the work: progress, places to write, interruption, one-line errors.

What commands print: sentences or JSON with the exit code that goes with them, and the plan of a search.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autostatistician._io.files import is_channel, write_whole
from autostatistician._io.rows import csv_text, finite_only, plain_rows
from autostatistician.errors import AutostatisticianError, CheckpointWarning, InputError
from autostatistician.forms import Format, json_format
from autostatistician.i18n.messages import again, told
from autostatistician.i18n.names import clean

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as Bar

    from autostatistician.data.dataset import Dataset
    from autostatistician.estimators.backtest import BacktestScores
    from autostatistician.estimators.changes import EventEffect
    from autostatistician.estimators.clusters import ClusterReport
    from autostatistician.estimators.loading import Fitted
    from autostatistician.estimators.mixture import InfiniteWarpedMixture
    from autostatistician.search.state import Watched

__all__ = [
    "AT_FAULT", "BUG", "DEBUG_VARIABLE", "DONE", "INTERRUPTED", "SEARCH_AGAIN", "SOME_FAILED", "SURPRISING",
    "TERMINATED", "Printer", "ProgressBar", "check_checkpoint", "check_tools", "checked_output", "clear", "explained",
    "finish", "finish_answer", "finish_backtest", "open_streams", "print_json", "print_plan",
]  # fmt: skip


DEBUG_VARIABLE = "AUTOSTATISTICIAN_DEBUG"
DONE, BUG, AT_FAULT, SOME_FAILED, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 130, 143
SURPRISING, SEARCH_AGAIN = 3, 4  # of new rows that are watched


def open_streams() -> None:
    """Send to nowhere what would go to a stream that the caller has closed (``>&-`` in a shell, or a service).

    It also keeps files that are opened later from taking the number of the closed stream.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for the life of the process)


# --- progress ---------------------------------------------------------------------------------------------------


class ProgressBar:
    """A bar on standard error while the work runs, where someone watches a terminal, and notes of what goes wrong."""

    def __init__(self, quiet: bool) -> None:
        self._bar: Bar | None = None
        self._quiet = quiet
        self._shown = not quiet and sys.stderr.isatty()
        self._warnings = warnings.catch_warnings()

    def __enter__(self) -> ProgressBar:
        self._warnings.__enter__()
        warnings.showwarning = self._note
        if self._shown:
            self._bar = _bar()
            self._bar.add_task("starting", total=None)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._warnings.__exit__(kind, error, trace)
        self.stop()

    def stop(self) -> None:
        """Take the bar away, before results are printed."""
        if self._bar:
            self._bar.stop()

    def _note(self, message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        """Show a warning that is meant for users; those of libraries are for developers."""
        if issubclass(category, CheckpointWarning) and not self._quiet:
            click.echo(f"note: {clean(message)}", err=True)

    def stage(self, words: str) -> None:
        """Name what begins now."""
        if self._bar:
            self._bar.update(self._bar.task_ids[0], description=words, total=None)

    def count(self, words: str, done: int, total: int) -> None:
        """Show how much of some work is done."""
        if self._bar:
            self._bar.update(
                self._bar.task_ids[0], description=f"{done:,} of {total:,} {words}", total=total, completed=done
            )

    def step(self, info: Watched) -> None:
        """Show the best model of a level of the search."""
        if self._bar:
            words = f"level {info.level} of {info.max_depth}  {_score(info)}  {clean(info.expression)}"
            task = self._bar.task_ids[0]
            self._bar.update(task, description=words, total=max(info.max_depth, 1), completed=info.level)


def _score(info: Watched) -> str:
    """How good the best expression is: by its evidence where the search goes by that, else by the BIC."""
    if info.criterion == "evidence":
        return f"log P {-0.5 * info.score:.1f}"
    return f"BIC {info.bic:.1f}"


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar
    from rich.table import Column

    # No markup: an expression may hold brackets, and a column any text.
    space = Column(ratio=1, no_wrap=True, overflow="ellipsis")
    words = TextColumn("{task.description}", markup=False, table_column=space)
    columns = (SpinnerColumn(), BarColumn(bar_width=16), TimeElapsedColumn(), words)
    return Bar(*columns, console=Console(stderr=True), transient=True, expand=True)


# --- files ------------------------------------------------------------------------------------------------------


def checked_output(path: Path, suffixes: Sequence[str], source: str | Path = "-") -> Path:
    """Find out before the work, not after it, that the result can be written.

    Raises
    ------
    InputError
        When the ending is unknown, the folder is missing, the place cannot be written, or ``source`` is there.

    Examples
    --------
    >>> checked_output(Path("report.txt"), (".html", ".md"))
    Traceback (most recent call last):
    autostatistician.errors.InputError: expected an output ending in .html, .md; found 'report.txt'; change the ending
    """
    endings = ", ".join(suffixes)
    if path.is_dir():
        raise InputError.of("a file as output", f"the folder '{path}'", "name a file in it with --output")
    if path.suffix.lower() not in suffixes:
        raise InputError.of(f"an output ending in {endings}", f"'{path.name}'", "change the ending")
    folder = path.resolve().parent  # of what is written, should the path be a link
    if not folder.is_dir():
        missing = f"no folder '{folder if path.is_symlink() else path.parent}'"
        raise InputError.of(f"an existing folder for '{path.name}'", missing, "make it or choose another --output")
    if path.exists() and os.path.exists(source) and path.samefile(source):
        raise InputError.of("another file as output than the one that is read", f"'{path}'", "choose another --output")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError.of(f"a writable place for '{path}'", "no permission", "choose another --output")
    if is_channel(path):
        return path
    try:
        with tempfile.TemporaryFile(dir=folder):  # rights alone do not tell: a disk may be full or read-only
            return path
    except OSError as error:
        reason = error.strerror or "no permission"
        raise InputError.of(f"a writable place for '{path}'", reason, "choose another --output") from None


def check_tools(path: Path, *, interactive: bool = False) -> None:
    """Find out before the work that a PDF, or ``interactive`` pictures, can be made."""
    if interactive or path.suffix.lower() == ".pdf":
        from autostatistician.report import check_path

        check_path(path, interactive=interactive)


def check_checkpoint(checkpoint: Path | None, suffixes: Sequence[str], output: Path, data: str) -> None:
    """Find out before the work that it can be kept.

    Raises
    ------
    InputError
        When the place cannot be written, keeps nothing, or is that of the output or of the data.
    """
    if checkpoint is None:
        return
    checked_output(checkpoint, suffixes, data)
    if is_channel(checkpoint):
        raise InputError.of("a file as checkpoint", f"a pipe or a device at '{checkpoint}'", "choose another place")
    if checkpoint.resolve() == output.resolve():
        raise InputError.of("a checkpoint apart from the output", f"'{checkpoint}' for both", "choose another place")


# --- errors -----------------------------------------------------------------------------------------------------


def explained(error: Exception) -> tuple[str, int]:
    """The one line that a user reads about an error, with what was noted on it, and the exit code.

    >>> explained(InputError.of("numbers", "words", "clean the column"))
    ('expected numbers; found words; clean the column', 2)
    """
    message, code = _explained(error)
    return "; ".join([message, *getattr(error, "__notes__", ())]), code


def _explained(error: Exception) -> tuple[str, int]:
    match error:
        case click.UsageError():
            return _usage(error), AT_FAULT
        case AutostatisticianError():
            return told(error), AT_FAULT
        case OSError(filename=name, strerror=reason):
            place = f" '{name}'" if name else ""
            return str(InputError.of(f"to read or write{place}", reason or str(error), "check path and disk")), AT_FAULT
        case MemoryError():
            return str(InputError.of("room for the work", "no more memory", "give fewer rows or columns")), AT_FAULT
    return f"{type(error).__name__}: {error} (this is a bug; {DEBUG_VARIABLE}=1 shows where)", BUG


def _usage(error: click.UsageError) -> str:
    """The message of the parser in our three parts."""
    command = error.ctx.command_path if error.ctx else "autostatistician"
    remedy = f"see '{command} --help'"
    match error:
        case click.NoSuchOption(option_name=name, possibilities=near):
            expected, given = f"an option of '{command}'", f" '{name}'"
            remedy = f"perhaps {near[0]} was meant, {remedy}" if near else remedy
        case click.MissingParameter(param=click.Parameter() as param):
            expected, given = param.human_readable_name, " nothing"
        case click.BadParameter(param=click.Parameter() as param):
            expected, given = f"a fitting value for {param.get_error_hint(error.ctx)}", f": {error.message.rstrip('.')}"
        case _:
            message = error.format_message().rstrip(".")
            expected, given = f"a command that '{command}' understands", f": {message[:1].lower()}{message[1:]}"
    return f"expected {expected}; found{given}; {remedy}"


@dataclass(frozen=True, slots=True)
class Printer:
    """How a command answers: in text or by one JSON object; ``quiet`` is without notes and what may be left out."""

    as_json: bool = False
    quiet: bool = False

    @property
    def in_words(self) -> bool:
        """Whether notes are printed, and the text that may be left out."""
        return not (self.as_json or self.quiet)

    def notes(self, texts: Iterable[str]) -> None:
        """Print notes to standard error, in the language of the moment."""
        for text in texts if self.in_words else ():
            click.echo(f"note: {clean(again(text))}", err=True)

    def answer(self, record: Mapping[str, object], sentences: Iterable[str], form: Format | None = None) -> int:
        """Print the record or, a line each, the sentences that say the same; return the exit code."""
        if self.as_json:
            print_json(record, form)
        else:
            click.echo("\n".join(map(clean, sentences)))
        return DONE

    def wrote(self, *paths: Path) -> None:
        """Say which files were written."""
        if self.in_words:
            click.echo("\n".join(f"Wrote {clean(path)}" for path in paths))


def finish(model: Fitted | ClusterReport, path: Path, printer: Printer, pressed: Sequence[int]) -> int:
    """Print what was found, and return the exit code; ``pressed`` is not empty when Ctrl-C came meanwhile."""
    result, sentences = model.to_dict(), model.describe() if printer.in_words else []
    stopped = bool(pressed or getattr(model, "interrupted_", False))
    # how the table was read is said with what was found
    printer.notes(warning for warning in result["warnings"] if warning not in sentences)
    if stopped and not printer.quiet:
        result_kind = "the best model" if "expression" in result else "what the chains have"
        click.echo(f"note: interrupted; this is {result_kind} found so far", err=True)
    found = [f"Model: {result['expression']}"] if "expression" in result else []
    if not printer.quiet or printer.as_json:
        printer.answer({**result, "output": str(path)}, [*found, *(f"- {sentence}" for sentence in sentences)])
    printer.wrote(path)
    return INTERRUPTED if stopped else DONE


def finish_answer(effect: EventEffect, warnings: Sequence[str], printer: Printer) -> int:
    """Print the effect of an event, as sentences or as one JSON object."""
    names = ("share", "p_value", "placebo_dates", "placebo_p", "is_event", "expression")
    sizes = {name: _named_range(getattr(effect, name)) for name in ("average", "total")}
    plain = {name: getattr(effect, name) for name in names} | {"share": _named_range(effect.share)}
    said = {"warnings": list(warnings), "sentences": list(effect.sentences)}
    printer.notes(warnings)
    return printer.answer({"rows": plain_rows(effect.rows), **sizes, **plain, **said}, effect.sentences, Format.IMPACT)


def finish_backtest(scores: BacktestScores, warnings: Sequence[str], path: Path | None, printer: Printer) -> int:
    """Print the scores of forecasts from earlier origins, and write these forecasts."""
    if path:
        write_whole(path, csv_text(scores.forecasts).encode())
    names = ("scores", "by_step", "forecasts")
    rows = {name: plain_rows(getattr(scores, name).reset_index()) for name in names}
    said = {"searched": scores.searched, "warnings": list(warnings), "output": path and str(path)}
    printer.notes(warnings)
    printer.answer({**rows, **said}, str(scores).splitlines(), Format.BACKTEST)
    if path:
        printer.wrote(path)
    return DONE


def _named_range(values: tuple[float, float, float] | None) -> dict[str, float] | None:
    return None if values is None else dict(zip(("mean", "lower", "upper"), values, strict=True))


def clear(checkpoint: Path | None, model: Fitted | InfiniteWarpedMixture) -> None:
    """Remove the checkpoint of a model from which nothing more can come."""
    from autostatistician.estimators.loading import forget

    if checkpoint is not None and model.complete_:
        forget(checkpoint, len(getattr(model, "models_", "1")))


def print_json(record: Mapping[str, object], form: Format | None = None) -> None:
    """Print a record, first the ``form`` that it has; NaN and infinities, which JSON lacks, become null."""
    click.echo(json.dumps(finite_only({"format": json_format(form), **record} if form else record), indent=2))


def print_plan(dataset: Dataset, options: Mapping[str, Any], printer: Printer) -> int:
    """Print the plan of the search for the model of a data set."""
    from autostatistician.data.classes import against_rest
    from autostatistician.search.settings import Settings
    from autostatistician.search.stages.planned import planned

    settings = Settings(options["depth"], criterion=options["criterion"], n_jobs=options["jobs"], seed=options["seed"])
    several = len(dataset.classes) > 2
    plan = planned(against_rest(dataset, 0) if several else dataset, options["language"], settings)
    each = [f"Each of {len(dataset.classes)} classes has a search against all others; that of the first:"] * several
    lines = [f"Target: {dataset.target}", *each, *plan.lines]
    return printer.answer({"target": dataset.target, "plan": plan.to_json()}, lines, Format.PLAN)
