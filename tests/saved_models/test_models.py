"""The saved models are those that a search finds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.saved_models.models import MODELS, place


def _leaves(record: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All values of a record by their places, without the seconds and the versions of libraries."""
    if isinstance(record, dict | list):
        for key, value in record.items() if isinstance(record, dict) else enumerate(record):
            if key not in ("seconds", "versions"):
                yield from _leaves(value, f"{path}/{key}")
    else:
        yield path, record


@pytest.mark.slow
@pytest.mark.parametrize("name", ["promotions", "people"])
def test_a_model_made_anew_is_the_saved_one(name: str, tmp_path: Path) -> None:
    MODELS[name]().save(tmp_path / "anew.json")
    anew, kept = (dict(_leaves(json.loads(path.read_text()))) for path in (tmp_path / "anew.json", place(name)))
    assert anew.keys() == kept.keys()
    numbers = {key for key, value in kept.items() if isinstance(value, float)}
    assert {key: anew[key] for key in anew.keys() - numbers} == {key: kept[key] for key in kept.keys() - numbers}
    np.testing.assert_allclose([anew[key] for key in numbers], [kept[key] for key in numbers], rtol=1e-6, atol=1e-8)
