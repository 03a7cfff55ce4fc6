"""Options that commands share: the names they offer are those that the library knows."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner
from tests.cli.conftest import Run

from autostatistician.cli import options
from autostatistician.cli.main import cli
from autostatistician.cli.options import is_given, search_options
from autostatistician.cli.terminal import DONE, INTERRUPTED, Printer, ProgressBar, explained, finish, print_json
from autostatistician.data.moments import MOST_STEPS
from autostatistician.data.outliers import OUTLIERS
from autostatistician.data.transform import TRANSFORMS
from autostatistician.errors import InputError
from autostatistician.gp.criteria import CRITERIA
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.report.jsonform import SCHEMAS
from autostatistician.search.racing.workers import Runner

MOST_LINES = 45  # of a screen


@click.command()
@search_options
@click.option("--sum", "sums", multiple=True)
@click.option("--wide", is_flag=True)
@click.pass_context
def asked(context: click.Context, **values: Any) -> dict[str, Any]:
    return values | {"given": {name for name in values if is_given(context, name)}}


def _asked_of_settings(text: str, tmp_path: Path, *arguments: str) -> dict[str, Any]:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    found: dict[str, Any] = asked.main(["--settings", str(path), *arguments], standalone_mode=False)
    return found


def test_a_file_says_what_the_command_line_does_not(tmp_path: Path) -> None:
    text = """
    axis = "raw"
    max-depth = 2
    time-budget = 1.5
    limits = [0, 100]
    allow-leaks = ["a", "b,c"]
    sum = "total"
    inputs = ["x", "y"]
    wide = false
    """
    found = _asked_of_settings(text, tmp_path, "--max-depth", "3", "--target", "y")
    wanted = {
        "axis": "raw", "depth": 3, "budget": 1.5, "limits": (0.0, 100.0), "allow_leaks": ("a", "b,c"),
        "sums": ("total",), "inputs": "x,y", "wide": False, "target": "y",
    }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted
    assert found["given"] == set(wanted) - {"wide"}
    assert _asked_of_settings("wide = true", tmp_path)["wide"] is True


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
        _asked_of_settings(text, tmp_path)


def test_values_are_checked_as_on_the_command_line(tmp_path: Path) -> None:
    for text in ('axis = "round"', "max-depth = 2.5", "time-budget = nan", 'limits = "1"'):
        with pytest.raises(click.BadParameter):
            _asked_of_settings(text, tmp_path)


def test_mistakes_are_one_line(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('languages = "linear"', encoding="utf-8")
    for file in (path, tmp_path / "none.toml"):
        assert run(["report", "nile", "--settings", file], 2).err.count("\n") == 1
    path.write_text('language = "linear"', encoding="utf-8")
    (tmp_path / "m.json").write_text("{}", encoding="utf-8")
    printed = run(["report", tmp_path / "m.json", "--settings", path], 2).err
    assert "found --language; leave them out" in printed


@pytest.mark.parametrize("name", ["report", "fit", "panel", "impact", "backtest"])
def test_help_fits_one_screen_and_names_what_it_passes_over(
    name: str, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = run([name, "--help"]).out
    assert len(text.splitlines()) <= MOST_LINES
    named = "".join(text.split())  # lines end within names
    options = [option for option in cli.commands[name].params if isinstance(option, click.Option)]
    assert all(option.opts[0].removeprefix("--") in named for option in options)
    assert any(option.hidden for option in options)


def test_a_command_without_hidden_options_has_no_settings() -> None:
    for command in cli.commands.values():
        names = {option.name: option for option in command.params if isinstance(option, click.Option)}
        assert ("settings" in names) is any(option.hidden for option in names.values())


@pytest.fixture
def _nothing_is_fitted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)

    def fits(*_: object) -> None:
        raise AssertionError("a plan fits nothing")

    monkeypatch.setattr(Runner, "fits", fits)


@pytest.mark.usefixtures("_nothing_is_fitted")
@pytest.mark.parametrize("command", ["report", "fit"])
def test_a_plan_is_printed_and_nothing_is_searched_or_written(command: str, run: Run, tmp_path: Path) -> None:
    lines = run([command, "nile", "--plan", "--quiet", "--n-jobs", "1", "--max-depth", "4"]).out.splitlines()
    assert lines[:3] == [
        "Target: flow",
        "The search has one stage.",
        "Stage 1: 100 rows, by evidence, up to 4 levels; ends after a level without improvement.",
    ]
    assert "    60 complete kernels on 100 rows: 1 fit of 12 steps each" in lines
    assert lines[-1] == "Times are for 1 worker, and rough."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("_nothing_is_fitted")
def test_a_plan_is_an_object_for_machines(run: Run) -> None:
    found = json.loads(run(["report", "nile", "--plan", "--json", "--criterion", "bic", "--n-jobs", "1"]).out)
    (stage,) = found["plan"]["stages"]
    assert (found["target"], stage["criterion"], stage["rows"], stage["patience"]) == ("flow", "bic", 100, 2)
    assert stage["races"][0]["rounds"][0]["candidates"] > 0


@pytest.mark.usefixtures("_nothing_is_fitted")
def test_what_cannot_be_read_cannot_be_planned(run: Run) -> None:
    assert run(["report", "nowhere.csv", "--plan"], 2).err.startswith("error: ")


def test_an_error_is_an_object_for_machines_too(run: Run) -> None:
    for words in (["report", "nowhere.csv", "--json"], ["ask", "--json"]):
        out, err = run(words, 2)
        assert json.loads(out)["code"] == 2
        assert err == f"error: {json.loads(out)['error']}\n"


FORMS = {
    "ask": "answer-1", "backtest": "backtest-1", "check": "memo-1", "clusters": "clusters-1", "describe": "search-1",
    "examples": "examples-1", "explain": "explain-1", "fit": "search-1", "forecast": "forecast-1",
    "impact": "impact-1", "panel": "panel-1", "predict": "predict-1", "report": "search-1", "schema": "schemas-1",
    "update": "update-1",
}  # fmt: skip


def test_every_command_that_prints_for_machines_has_a_schema() -> None:
    """The fixture `run` holds what is printed against it."""
    commands = {name: command for name, command in cli.commands.items() if not command.hidden}
    printing = {name for name, command in commands.items() if any("--json" in each.opts for each in command.params)}
    assert printing == set(FORMS)
    assert set(FORMS.values()) <= set(SCHEMAS)


@dataclass(frozen=True)
class Step:
    """What the search tells."""

    level: int = 1
    max_depth: int = 10
    expression: str = "SE[weird [name]] + WN"
    bic: float = 12.0
    score: float = 14.0
    criterion: str = "bic"


def test_errors_without_a_file_are_explained_too() -> None:
    assert explained(FileNotFoundError(2, "No such file or directory", "a.csv")) == (
        "expected to read or write 'a.csv'; found No such file or directory; check path and disk",
        2,
    )


def test_the_bar_shows_brackets_and_hostile_names_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with ProgressBar(quiet=False) as progress:
        progress.stage("searching")
        progress.step(Step())
        assert progress._bar is not None
        task = progress._bar.tasks[0]
        assert task.description == "level 1 of 10  BIC 12.0  SE[weird [name]] + WN"
        assert (task.completed, task.total) == (1, 10)
        progress.step(Step(criterion="evidence"))
        assert progress._bar.tasks[0].description == "level 1 of 10  log P -7.0  SE[weird [name]] + WN"


@pytest.mark.parametrize(
    ("error", "code"),
    [(InputError.of("a", "b", "c"), 2), (MemoryError(), 2), (ZeroDivisionError("x"), 1), (OSError("odd"), 2)],
)
def test_every_error_is_one_line_with_its_code(error: Exception, code: int) -> None:
    error.add_note("and what was kept")
    line, found = explained(error)
    assert found == code
    assert line.endswith("; and what was kept")
    assert "\n" not in line


RESULT = {"expression": "SE + WN", "bic": float("nan"), "warnings": ["read so", "2 rows \x1b dropped"]}


def _model(interrupted: bool = False) -> Any:
    return SimpleNamespace(
        to_dict=lambda: dict(RESULT), describe=lambda: ["read so", "A smooth function."], interrupted_=interrupted
    )


@pytest.mark.parametrize(("interrupted", "pressed", "code"), [(False, [], DONE), (True, [], 130), (False, [2], 130)])
def test_words_go_to_one_stream_and_notes_to_the_other(
    interrupted: bool, pressed: list[int], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert finish(_model(interrupted), Path("r.html"), Printer(), pressed) == code
    said = capsys.readouterr()
    assert said.out == "Model: SE + WN\n- read so\n- A smooth function.\nWrote r.html\n"
    assert said.err.startswith("note: 2 rows   dropped\n")  # what is said with the model is no note as well
    assert ("interrupted" in said.err) == (code == INTERRUPTED)


def test_quiet_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert finish(_model(True), Path("r.html"), Printer(quiet=True), []) == INTERRUPTED
    assert capsys.readouterr() == ("", "")


def test_numbers_that_json_lacks_become_null_at_any_depth(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": [1.5, float("inf"), (float("nan"), {"b": float("-inf")})]})
    assert json.loads(capsys.readouterr().out) == {"a": [1.5, None, [None, {"b": None}]]}


def test_names_written_out_are_those_of_the_library() -> None:
    assert sorted(options.LANGUAGES) == sorted(LANGUAGES)
    assert sorted(options.CRITERIA) == sorted(("auto", *CRITERIA))
    assert sorted(options.TRANSFORMS) == sorted(("auto", *TRANSFORMS))
    assert sorted(options.OUTLIERS) == sorted(OUTLIERS)
    assert options.MOST_STEPS == MOST_STEPS


@click.command()
@options.search_options
def _asked(**values: Any) -> None:
    click.echo(repr(values))


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        ([], "limits", "auto"),
        (["--limits", "none"], "limits", None),
        (["--limits", "0,"], "limits", (0.0, None)),
        (["--limits", "-1.5,2"], "limits", (-1.5, 2.0)),
        (["--where", "a=1", "--where", "b=2"], "where", ("a=1", "b=2")),
        (["--time-budget", "2.5"], "budget", 2.5),
    ],
)
def test_values_are_read(arguments: list[str], name: str, value: object) -> None:
    answer = CliRunner().invoke(_asked, arguments)
    assert answer.exit_code == 0
    assert f"{name!r}: {value!r}" in answer.output


@pytest.mark.parametrize(
    "arguments",
    [["--limits", "1"], ["--limits", "a,b"], ["--limits", "1,2,3"], ["--time-budget", "inf"], ["--time-budget", "nan"],
     ["--max-depth", "0"], ["--language", "french"], ["--n-jobs", "0"]],
)  # fmt: skip
def test_values_that_mean_nothing_are_refused(arguments: list[str]) -> None:
    assert CliRunner().invoke(_asked, arguments).exit_code == 2
