"""The option ``--settings``: a file of what is seldom set in a command."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from autostatistician._io.deprecated import is_now
from autostatistician.errors import InputError
from autostatistician.i18n.names import did_you_mean

__all__ = ["Commands", "is_given", "settings_option"]

SAID = "autostatistician.settings"  # in a context: the parameters of which the file says something


# Options by the names that they had, which are taken for two minor versions.
FORMER = {
    "--budget": "--time-budget", "--depth": "--max-depth", "--jobs": "--n-jobs", "--seconds": "--time-budget",
    "--seed": "--random-state", "--steps": "--horizon",
}  # fmt: skip


class Commands(click.Group):
    """The commands, whose options may have their old names: a note on standard error says the new ones."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ends = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*map(_current, args[:ends]), *args[ends:]])


def _current(argument: str) -> str:
    """An argument with the name of today, if it is an option by an old one."""
    name, equals, value = argument.partition("=")
    if name not in FORMER:
        return argument
    click.echo(f"note: {is_now(name, FORMER[name])}", err=True)
    return f"{FORMER[name]}{equals}{value}"


def is_given(context: click.Context, name: str) -> bool:
    """Whether an option is given on the command line or in the file."""
    on_line = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    return on_line or name in context.meta.get(SAID, ())


def _options(context: click.Context) -> dict[str, click.Option]:
    """The options that a file may name, by their long names."""
    options = [option for option in context.command.params if isinstance(option, click.Option)]
    return {option.opts[0].removeprefix("--"): option for option in options if option.name != "settings"}


class _Settings(click.Option):
    """An option whose help names the options that the help passes over."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        hidden = ", ".join(sorted(name for name, option in _options(ctx).items() if option.hidden))
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
    options, values = _options(context), dict[str, Any]()
    for key, value in said.items():
        name = _current(f"--{key}").removeprefix("--")
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
