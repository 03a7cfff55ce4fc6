"""What a model says is kept in its file, and read there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.promoted import fitted

from autostatistician.command import saved as commands
from autostatistician.command.main import main
from autostatistician.command.told import keep_told, read_told
from autostatistician.forms import QUESTIONS
from autostatistician.wording.messages import spoken_in


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of sales with what it says."""
    path = tmp_path_factory.mktemp("told") / "model.json"
    model = fitted()
    model.save(path)
    keep_told(path, model)
    return path


def _printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


@pytest.mark.slow
def test_answers_from_the_file_are_those_of_the_model(
    told: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare.json"
    fitted().save(bare)
    asked = [["ask", "MODEL", question, "--json"] for question in QUESTIONS] + [["describe", "MODEL", "--json"]]
    computed = [_printed([str(bare) if word == "MODEL" else word for word in words], capsys) for words in asked]
    monkeypatch.setattr(commands, "_loaded", lambda path: pytest.fail("the model was read"))
    assert [_printed([str(told) if word == "MODEL" else word for word in words], capsys) for words in asked] == computed


@pytest.mark.slow
def test_what_another_model_or_language_said_is_not_repeated(told: Path, tmp_path: Path) -> None:
    assert read_told(told)
    with spoken_in("de"):
        assert read_told(told) is None
    altered = json.loads(told.read_bytes())
    altered["dataset"]["y"][0] += 1.0
    for number, record in enumerate(([], {"told": altered["told"]}, altered, altered | {"told": None})):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        assert read_told(path) is None
    assert read_told(tmp_path / "none.json") is None
