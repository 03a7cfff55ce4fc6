"""What commands print at their end, and the exit code that goes with it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autostatistician.command.output import finish, print_json
from autostatistician.command.terminal import DONE, INTERRUPTED

RESULT = {"expression": "SE + WN", "bic": float("nan"), "warnings": ["read so", "2 rows \x1b dropped"]}


def _model(interrupted: bool = False) -> Any:
    return SimpleNamespace(
        result=lambda: dict(RESULT), describe=lambda: ["read so", "A smooth function."], interrupted_=interrupted
    )


@pytest.mark.parametrize(("interrupted", "pressed", "code"), [(False, [], DONE), (True, [], 130), (False, [2], 130)])
def test_words_go_to_one_stream_and_notes_to_the_other(
    interrupted: bool, pressed: list[int], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert finish(_model(interrupted), Path("r.html"), as_json=False, quiet=False, pressed=pressed) == code
    said = capsys.readouterr()
    assert said.out == "Model: SE + WN\n- read so\n- A smooth function.\nWrote r.html\n"
    assert said.err.startswith("note: 2 rows   dropped\n")  # what is said with the model is no note as well
    assert ("interrupted" in said.err) == (code == INTERRUPTED)


def test_json_is_one_object_without_a_word_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert finish(_model(), Path("r.html"), as_json=True, quiet=False, pressed=[]) == DONE
    said = capsys.readouterr()
    assert json.loads(said.out) == {**RESULT, "bic": None, "output": "r.html"}
    assert said.err == ""


def test_quiet_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert finish(_model(True), Path("r.html"), as_json=False, quiet=True, pressed=[]) == INTERRUPTED
    assert capsys.readouterr() == ("", "")


def test_numbers_that_json_lacks_become_null_at_any_depth(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": [1.5, float("inf"), (float("nan"), {"b": float("-inf")})]})
    assert json.loads(capsys.readouterr().out) == {"a": [1.5, None, [None, {"b": None}]]}
