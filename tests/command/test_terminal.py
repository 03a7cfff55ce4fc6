"""What the command line needs around the work: the bar, places to write, one-line errors."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from autostatistician.command.terminal import ProgressBar, checked_output, explained
from autostatistician.errors import InputError


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


def test_an_output_is_checked_before_the_work(tmp_path: Path) -> None:
    known = (".html", ".md")
    assert checked_output(tmp_path / "r.html", known) == tmp_path / "r.html"
    assert list(tmp_path.iterdir()) == []  # nothing is left of the trial
    (tmp_path / "data.md").touch()
    for place, words in (
        (tmp_path, "a file as output"),
        (tmp_path / "r.txt", "ending in .html, .md"),
        (tmp_path / "none" / "r.md", "an existing folder"),
        (tmp_path / "data.md", "another file as output than the one that is read"),
    ):
        with pytest.raises(InputError, match=words):
            checked_output(place, known, tmp_path / "data.md")


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
