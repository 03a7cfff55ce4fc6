"""The file of settings, and the help that it keeps short."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from autostatistician.command.main import cli, main
from autostatistician.command.options import search_options
from autostatistician.command.settings import is_given
from autostatistician.errors import InputError

MOST_LINES = 45  # of a screen


@click.command()
@search_options
@click.option("--sum", "sums", multiple=True)
@click.option("--wide", is_flag=True)
@click.pass_context
def asked(context: click.Context, **values: Any) -> dict[str, Any]:
    return values | {"given": {name for name in values if is_given(context, name)}}


def _asked(text: str, tmp_path: Path, *arguments: str) -> dict[str, Any]:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    found: dict[str, Any] = asked.main(["--settings", str(path), *arguments], standalone_mode=False)
    return found


def test_a_file_says_what_the_command_line_does_not(tmp_path: Path) -> None:
    text = """
    axis = "raw"
    depth = 2
    budget = 1.5
    limits = [0, 100]
    allow-leaks = ["a", "b,c"]
    sum = "total"
    inputs = ["x", "y"]
    wide = false
    """
    found = _asked(text, tmp_path, "--depth", "3", "--target", "y")
    wanted = {
        "axis": "raw", "depth": 3, "budget": 1.5, "limits": (0.0, 100.0), "allow_leaks": ("a", "b,c"),
        "sums": ("total",), "inputs": "x,y", "wide": False, "target": "y",
    }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted
    assert found["given"] == set(wanted) - {"wide"}
    assert _asked("wide = true", tmp_path)["wide"] is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('axes = "raw"', r"found 'axes'; did you mean 'axis'\?"),
        ('allow_leaks = "a"', r"found 'allow_leaks'; did you mean 'allow-leaks'\?"),
        ("zzz = 1", "found 'zzz'; see '.* --help'"),
        ('settings = "other.toml"', "found 'settings'"),
        ("axis = raw", "expected a TOML file at '.*'; found something else"),
        ('wide = "yes"', "expected true or false for 'wide'"),
        ("time = true", "expected a text, a number or a list of these for 'time'"),
        ("time = {a = 1}", "expected a text, a number or a list of these for 'time'"),
    ],
)
def test_a_file_that_means_nothing_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        _asked(text, tmp_path)


def test_values_are_checked_as_on_the_command_line(tmp_path: Path) -> None:
    for text in ('axis = "round"', "depth = 2.5", "budget = nan", 'limits = "1"'):
        with pytest.raises(click.BadParameter):
            _asked(text, tmp_path)


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('languages = "linear"', encoding="utf-8")
    for file in (path, tmp_path / "none.toml"):
        assert main(["report", "nile", "--settings", str(file)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    path.write_text('language = "linear"', encoding="utf-8")
    (tmp_path / "m.json").write_text("{}", encoding="utf-8")
    assert main(["report", str(tmp_path / "m.json"), "--settings", str(path)]) == 2
    assert "found --language; leave them out" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["report", "fit", "panel", "impact"])
def test_help_fits_one_screen_and_names_what_it_passes_over(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert len(text.splitlines()) <= MOST_LINES
    named = "".join(text.split())  # lines end within names
    options = [option for option in cli.commands[name].params if isinstance(option, click.Option)]
    assert all(option.opts[0].removeprefix("--") in named for option in options)
    assert any(option.hidden for option in options)


def test_a_command_without_hidden_options_has_no_settings() -> None:
    for command in cli.commands.values():
        names = {option.name: option for option in command.params if isinstance(option, click.Option)}
        assert ("settings" in names) is any(option.hidden for option in names.values())
