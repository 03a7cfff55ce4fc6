"""Arguments and options that commands share, and ``--settings``: a file of what is seldom set in a command."""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar

import click
from click.core import ParameterSource

from autostatistician._io.files import is_file
from autostatistician.cli.terminal import Printer
from autostatistician.errors import InputError
from autostatistician.i18n.messages import ENGLISH, LANGUAGE_NAMES, spoken_in
from autostatistician.i18n.names import did_you_mean

__all__ = [
    "CRITERIA", "LANGUAGES", "LIKELIHOODS", "MOST_STEPS", "REPORT_SUFFIXES", "TRANSFORMS", "FitOptions",
    "budget_option", "budget_option_of", "chains_option", "checkpoint_option", "data_argument", "future_of",
    "future_option", "horizon_option", "interactive_option", "is_given", "jobs_option", "machine_options",
    "model_argument", "plan_option", "reading_of", "report_option", "search_options", "seldom", "settings_option",
    "sum_options",
]  # fmt: skip


SAID = "autostatistician.settings"  # in a context: the parameters of which the file says something


def is_given(context: click.Context, name: str) -> bool:
    """Whether an option is given on the command line or in the file."""
    on_line = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    return on_line or name in context.meta.get(SAID, ())


def _options_by_name(context: click.Context) -> dict[str, click.Option]:
    """The options that a file may name, by their long names."""
    options = [option for option in context.command.params if isinstance(option, click.Option)]
    return {option.opts[0].removeprefix("--"): option for option in options if option.name != "settings"}


class _Settings(click.Option):
    """An option whose help names the options that the help passes over."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        hidden = ", ".join(sorted(name for name, option in _options_by_name(ctx).items() if option.hidden))
        return "--settings FILE", f"A TOML file of options, also of those seldom set: {hidden}."


def _read(context: click.Context, parameter: click.Parameter, path: Path | None) -> None:
    """Take what the file says as the defaults of the command."""
    if path is None:
        return
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        found = f"something else ({error})"
        raise InputError.of(f"a TOML file at '{path}'", found, 'write lines such as axis = "raw"') from error
    options, values = _options_by_name(context), dict[str, Any]()
    for name, value in said.items():
        if name not in options:
            remedy = did_you_mean(name, options, f"see '{context.command_path} --help'")
            raise InputError.of(f"an option of '{context.command_path}' in '{path}'", repr(name), remedy)
        values[options[name].name or ""] = _value(name, value, options[name])
    context.meta[SAID] = {name for name, value in values.items() if value is not False}
    context.default_map = {**(context.default_map or {}), **values}


def _value(name: str, value: Any, option: click.Option) -> bool | str | list[str]:
    """A value as the command line would have it; a list stands for commas, or for an option given repeatedly."""
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, dict | list) or isinstance(item, bool) is not option.is_flag for item in items):
        expected = "true or false" if option.is_flag else "a text, a number or a list of these"
        raise InputError.of(f"{expected} for '{name}' in the settings", repr(value), "correct it")
    texts = [str(item) for item in items]
    return value if option.is_flag else texts if option.multiple else ",".join(texts)


settings_option = click.option(
    "--settings", cls=_Settings, type=click.Path(path_type=Path, exists=True, dir_okay=False), is_eager=True,
    expose_value=False, callback=_read,
)  # fmt: skip


# The names of grammars and criteria, written out so that `--help` need not import them (a test compares them).
LANGUAGES = (
    "extended", "deep", "full", "interpretable", "equations", "linear", "se", "mkl", "changepoint", "spectral",
    "tci", "cks2013",
)  # fmt: skip
CRITERIA = ("auto", "bic", "aic", "laplace", "evidence", "loo")
TRANSFORMS = ("auto", "none", "log", "logit", "box-cox")
LIKELIHOODS = ("auto", "gaussian", "poisson", "negative-binomial", "hurdle")
OUTLIERS = ("auto", "keep")
PERIODS = ("year", "quarter", "month", "week")
Task = Literal["auto", "class", "number"]
TASKS: tuple[Task, ...] = ("auto", "class", "number")
AXES = ("calendar", "raw")
EVERY, WAYS = ("hour", "day", "week", "month", "quarter", "year"), ("sum", "mean", "count")

REPORT_SUFFIXES = (".html", ".htm", ".pdf", ".md", ".markdown", ".json")
MOST_STEPS = 10_000  # of a forecast, as in `data.moments`

Command = TypeVar("Command", bound=Callable[..., object])


class FitOptions(TypedDict):
    """The values of ``search_options``, and the seed."""

    time: str | None
    target: str | None
    inputs: str | None
    where: tuple[str, ...]
    axis: Literal["calendar", "raw"]
    task: Task
    holidays: str | None
    allow_leaks: tuple[str, ...]
    exposure: str | None
    error: str | None
    totals: str | None
    every: str | None
    by: str | None
    sql: str | None
    language: str
    criterion: str
    transform: str
    likelihood: str
    outliers: str
    limits: str | tuple[float | None, float | None] | None
    depth: int
    budget: float | None
    jobs: int | None
    seed: int


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


def _limits(
    context: click.Context, parameter: click.Parameter, value: str
) -> str | tuple[float | None, float | None] | None:
    """The limits of observations: "auto", "none", or a pair of numbers."""
    if value in ("auto", "none"):
        return value if value == "auto" else None
    sides = value.split(",")
    try:
        low, high = (float(side) if side.strip() else None for side in sides)
    except ValueError:
        text = f"{value!r} is not two numbers with a comma between them, of which one may be left out."
        raise click.BadParameter(text, context, parameter) from None
    return low, high


data_argument = click.argument("data", metavar="DATA")
model_argument = click.argument("model", metavar="MODEL.json", type=click.Path(path_type=Path))


def _speak(context: click.Context, parameter: click.Parameter, value: str) -> None:
    """Says everything until the command ends in a language."""
    context.find_root().with_resource(spoken_in(value))  # errors are told after the command itself has ended


_machine_options = _options(
    click.option(
        "--lang",
        type=click.Choice(tuple(LANGUAGE_NAMES)),
        default=ENGLISH,
        show_default=True,
        envvar="AUTOSTATISTICIAN_LANG",
        expose_value=False,
        callback=_speak,
        help="Language of sentences and pages.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text."),
    click.option(
        "--random-state",
        "seed",
        metavar="N",
        type=click.IntRange(0, 2**32 - 1),
        default=0,
        show_default=True,
        help="Of all randomness.",
    ),
    click.option("--quiet", is_flag=True, help="No progress and no notes."),
)  # fmt: skip


def machine_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options that all commands have; the command gets a `Printer` for those that say how it answers."""

    @functools.wraps(command)
    def printing(*words: Any, as_json: bool, quiet: bool, **named: Any) -> int:
        return command(*words, printer=Printer(as_json, quiet), **named)

    return _machine_options(printing)


def budget_option_of(what: str) -> Callable[[Command], Command]:
    """The option ``--time-budget``; ``what`` says what ends with it."""
    return click.option(
        "--time-budget",
        "budget",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        callback=_finite,
        help=f"{what}. [default: none]",
    )


budget_option = budget_option_of("Stop the search after this time of a processor; its first level always ends")
jobs_option = click.option(
    "--n-jobs", "jobs", metavar="N", type=click.IntRange(min=1), help="Worker processes. [default: one per core]"
)


def seldom(*names: str, **how: Any) -> Callable[[Command], Command]:
    """An option that the help passes over, and whose place is a file of settings; the reference tells of it."""
    return click.option(*names, hidden=True, **how)


def _choice(option: str, names: Sequence[str], usual: str = "auto") -> Callable[[Command], Command]:
    return seldom(option, type=click.Choice(names), default=usual)


def _path(option: str, metavar: str, what: str) -> Callable[[Command], Command]:
    return click.option(option, metavar=metavar, type=click.Path(path_type=Path), help=what)


search_options = _options(
    click.option("--target", metavar="COL", help="Column to model. [default: guessed, and said]"),
    click.option("--time", metavar="COL", help="Column of the times. [default: guessed, and said]"),
    click.option("--inputs", metavar="COLS", help="Columns that explain the target: a,b,c, or none. [default: all]"),
    click.option("--where", metavar="COL=VALUE", multiple=True, help="Use only such rows. Repeatable."),
    click.option("--holidays", metavar="DE|FILE", help="Days of a country, or events of a file, that may matter."),
    click.option("--exposure", metavar="COL", help="Column by which counts are rates: inhabitants, hours."),
    budget_option,
    jobs_option,
    click.option(
        "--max-depth",
        "depth",
        metavar="N",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        help="Levels of the search.",
    ),
    _choice("--task", TASKS),
    seldom("--allow-leaks", multiple=True),
    seldom("--totals"),
    seldom("--error"),
    seldom("--every", type=click.Choice(EVERY)),
    seldom("--by", type=click.Choice(WAYS)),
    seldom("--sql"),
    _choice("--axis", AXES, "calendar"),
    _choice("--language", LANGUAGES, "extended"),
    _choice("--criterion", CRITERIA),
    _choice("--transform", TRANSFORMS),
    _choice("--likelihood", LIKELIHOODS),
    _choice("--outliers", OUTLIERS),
    seldom("--limits", default="auto", callback=_limits),
    settings_option,
)
horizon_option = click.option(
    "--horizon", metavar="N", type=click.IntRange(1, MOST_STEPS), help="Steps to forecast. [default: by length]"
)
future_option = click.option(
    "--future", metavar="PLAN", help="What columns will be: a table, auto, or last-year (usual)."
)


sum_options = _options(
    click.option(
        "--sum", "sum_by", type=click.Choice(PERIODS), help="Sums over whole periods of the calendar, not each value."
    ),
    click.option("--above", metavar="NUMBER", type=float, help="Also the chance of more than this."),
    click.option("--below", metavar="NUMBER", type=float, help="Also the chance of less than this."),
)


def future_of(text: str | None) -> Path | str | None:
    """What ``--future`` says: a way, or the path of a plan.

    >>> future_of("auto"), future_of(None)
    ('auto', None)
    """
    if text is None or text in ("auto", "last-year"):
        return text
    if not is_file(text):
        raise InputError.of("--future with a table, auto or last-year", f"no file {text!r}", "give the path of a table")
    return Path(text)


def reading_of(options: FitOptions) -> dict[str, Any]:
    """How a table is read, in the terms of `data.load.load`, but for the task."""
    inputs = [name.strip() for name in options["inputs"].split(",")] if options["inputs"] else None
    names = ("time", "target", "axis", "holidays", "allow_leaks", "exposure", "totals", "every", "by", "sql", "error")
    return {name: options[name] for name in names} | {"inputs": inputs, "where": _where(options["where"])}  # type: ignore[literal-required]


def _where(pairs: Sequence[str]) -> dict[str, str]:
    """The columns and values of ``--where``.

    >>> _where(["store=A", "item=p=1"])
    {'store': 'A', 'item': 'p=1'}
    """
    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or name in values:
            twice = f"{name!r} twice" if equals else repr(pair)
            raise InputError.of("--where COLUMN=VALUE, once for each column", twice, "correct it")
        values[name] = value
    return values


plan_option = click.option("--plan", is_flag=True, help="Only print what the search would do, and how long.")
checkpoint_option = _path("--checkpoint", "PATH", "Keep the search in this .json file, and go on from it.")
chains_option = _path(
    "--checkpoint", "PATH", "Keep the chains in this .npz file, and go on from it. Removed when finished."
)
interactive_option = click.option("--interactive", is_flag=True, help="Pictures that can be zoomed, in a .html file.")
report_option = _path("--output", "PATH", "A .html, .pdf, .md or .json file.")
