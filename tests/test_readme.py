"""The README keeps its word: its example runs, its commands exist, and the pages name every option."""

import re
from pathlib import Path

import click
import pytest

from autostatistician.cli.main import CRITERIA, LANGUAGES, cli

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def _options(command: click.Command) -> set[str]:
    return {name for option in command.params if isinstance(option, click.Option) for name in option.opts}


@pytest.mark.slow
def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (example,) = _blocks("python")
    assert len(example.splitlines()) <= 6
    short = example.replace("max_depth=4, n_restarts=3", "max_depth=1, n_restarts=1, n_jobs=1")
    assert short != example  # the search of this series as it is: test_a_search_does_what_it_did, the first command
    exec(compile(short, "README.md", "exec"), {"__name__": "__main__"})
    shown = capsys.readouterr().out
    assert "WN" in shown.splitlines()[0]
    assert "1961-12" in shown
    assert "</html>" in (tmp_path / "airline.html").read_text(encoding="utf-8")


def test_the_first_screen_holds_two_commands_that_do_all() -> None:
    report, tests, *_ = _blocks("sh")
    assert re.fullmatch(
        r"python3 -m venv (\S+) && \1/bin/pip install \. && \1/bin/autostatistician report airline\n", report
    )
    assert re.fullmatch(
        r"python3 -m venv (\S+) && \1/bin/pip install -e '\.\[test\]' && \1/bin/python -m pytest.*\n", tests
    )


def test_the_commands_shown_exist_with_their_options() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    shown = [line for block in (*_blocks("sh"), page) for line in re.findall(r"autostatistician ([a-z]+ .*)", block)]
    calls = [line.split("#")[0].split() for line in shown if line.split()[0] in cli.commands]
    assert {call[0] for call in calls} == {name for name, known in cli.commands.items() if not known.hidden}
    unknown = [
        word for call in calls for word in call if word.startswith("--") and word not in _options(cli.commands[call[0]])
    ]
    assert unknown == []


def test_the_page_of_the_command_line_names_every_option() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    named = {option for command in cli.commands.values() for option in _options(command)}
    assert {option for option in named if f"`{option}" not in page} == set()


def test_the_criteria_of_the_command_line_are_all_there_are() -> None:
    from autostatistician.gp.criteria import CRITERIA as KNOWN

    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert ("auto", *KNOWN) == CRITERIA
    assert [name for name in KNOWN if f"| `{name}` |" not in page] == []


def test_the_page_of_the_language_names_every_language_and_leaf() -> None:
    from autostatistician.kernels.grammar import LANGUAGES as GRAMMARS
    from autostatistician.kernels.leaves import LEAVES

    page = (ROOT / "docs" / "reference" / "kernel-language.md").read_text(encoding="utf-8")
    assert tuple(GRAMMARS) == LANGUAGES
    assert [name for name in (*GRAMMARS, *LEAVES) if f"`{name}`" not in page] == []


def test_the_map_names_every_room() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "autostatistician"
    rooms = [f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()]
    faces = [path.name for path in package.glob("*.py") if not path.name.startswith("__")]
    assert [name for name in (*rooms, *faces) if f"`{name}`" not in page] == []
