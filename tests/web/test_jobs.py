"""The jobs of the page: models of runs are asked, and the last few stay in memory."""

import os
from pathlib import Path

import pytest
from tests.saved_models.models import place, saved

from autostatistician.errors import InputError
from autostatistician.web.jobs import MOST_KEPT, ask, model_of


@pytest.mark.slow
def test_a_model_answers_as_it_does(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_bytes(place("promotions").read_bytes())
    asked = {"place": str(tmp_path), "lang": "en", "steps": 1000, "question": "columns", "given": {}}
    assert ask(asked, lambda told: None) == saved("promotions").ask("columns").to_json()
    with pytest.raises(InputError, match="'at' with"):
        ask(asked | {"question": "what", "given": {"at": "2024"}}, lambda told: None)


def test_a_model_is_loaded_once_until_it_changes_or_others_have_taken_its_place(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.json" for number in range(MOST_KEPT + 1)]
    for path in paths:
        path.write_bytes(place("counts").read_bytes())
    first = model_of(paths[0])
    assert model_of(paths[0]) is first
    os.utime(paths[0], (1, 1))
    changed = model_of(paths[0])
    assert changed is not first
    for path in paths[1:]:
        model_of(path)
    assert model_of(paths[0]) is not changed
