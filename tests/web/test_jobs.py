"""The jobs of the page: models of runs are asked, and the last few stay in memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.promoted import fitted

from autostatistician.errors import InputError
from autostatistician.web.jobs import asking


def test_a_model_is_loaded_once_and_answers_as_it_does(tmp_path: Path) -> None:
    fitted().save(tmp_path / "model.json")
    places = list[str]()

    def place(run: str) -> Path:
        places.append(run)
        return tmp_path

    ask = asking(place, 1000)
    for question in ("columns", "trend"):
        asked = {"run": "a", "lang": "en", "question": question, "given": {}}
        assert ask(asked, lambda told: None) == fitted().ask(question).to_json()
    assert places == ["a"]
    with pytest.raises(InputError, match="'at' with"):
        ask({"run": "a", "lang": "en", "question": "what", "given": {"at": "2024"}}, lambda told: None)
