"""Errands of agents: what is looked at, fitted, asked and written, within bounds."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from tests.agents.tables import write_models, write_tables
from tests.saved_models.models import saved
from tests.schemas import check

from autostatistician.agents.errands import Errands
from autostatistician.errors import InputError
from autostatistician.report.reading import read_report
from autostatistician.web.jobs import model_of
from autostatistician.web.tables import Bounds


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tables and models of them."""
    root = tmp_path_factory.mktemp("tables")
    write_tables(root)
    write_models(root)
    return root


@pytest.fixture
def errands(root: Path) -> Errands:
    """A process that knows nothing of what was asked before."""
    return Errands(root, Bounds(rows=200, columns=6, seconds=60, depth=1, steps=50))


def _sent(errands: Errands, name: str, **asked: Any) -> Any:
    return json.loads(json.dumps(errands.by_name()[name](asked, lambda told: None)))


def test_a_look_fits_nothing(errands: Errands, root: Path) -> None:
    seen = _sent(errands, "look", file="houses.csv")
    assert (seen["rows"], seen["columns"], seen["target"]) == (60, ["size", "kind", "price"], "price")
    assert len(seen["head"]) == 8
    assert _sent(errands, "look")["tables"] == ["houses.csv", "levels.csv", "people.csv", "sales.csv", "visits.csv"]
    assert _sent(errands, "look", file="airline")["target"] == "passengers"
    assert not list((root / "autostatistician").rglob("houses-*"))


@pytest.mark.slow
def test_a_table_is_fitted_once_and_says_how_far_it_is(errands: Errands, root: Path) -> None:
    told: list[dict[str, Any]] = []
    first = errands.fit({"file": "levels.csv", "seconds": 60}, told.append)
    assert told[0]["level"] == 0
    written = (root / "autostatistician" / "models" / f"{first['model']}.json").stat().st_mtime_ns
    again = Errands(root, errands.bounds).fit({"file": "levels.csv", "seconds": 60}, told.append)
    assert json.dumps(again) == json.dumps(first)
    assert (root / "autostatistician" / "models" / f"{first['model']}.json").stat().st_mtime_ns == written
    assert not list(root.rglob("*.checkpoint"))
    other = _sent(errands, "fit", file="levels.csv", seconds=60, target="year", inputs=["level"])
    assert other["model"] != first["model"]


@pytest.mark.slow
def test_answers_are_those_of_the_model_and_the_same_bytes_again(errands: Errands) -> None:
    name = "levels"
    answer = _sent(errands, "ask", model=name, question="trend", start="1960", stop="1990")
    check(answer, "answer-1")
    assert answer["numbers"][0]["number"] == pytest.approx(24.0, abs=1.5)
    ahead = _sent(errands, "forecast", model=name, steps=3)
    check(ahead, "forecast-1")
    assert [row["mean"] for row in ahead["forecast"]] == pytest.approx(saved(name).forecast(3)["mean"].tolist())
    every = (
        ("explain", {"model": name, "facts": True}),
        ("forecast", {"model": name, "steps": 3}),
        ("ask", {"model": name, "question": "trend", "start": "1960", "stop": "1990"}),
        ("report", {"model": name, "pictures": 1}),
    )
    first = [_sent(errands, errand, **asked) for errand, asked in every]
    errands.folder.model(name).touch()  # it is loaded again
    assert json.dumps(first) == json.dumps([_sent(errands, errand, **asked) for errand, asked in every])


@pytest.mark.slow
def test_a_report_is_written_into_our_own_folder_and_shown(errands: Errands, root: Path) -> None:
    name = "levels"
    before = {path for path in root.rglob("*") if "autostatistician" not in path.parts}
    made = _sent(errands, "report", model=name, steps=5, pictures=2)
    assert {path for path in root.rglob("*") if "autostatistician" not in path.parts} == before
    assert [Path(path).suffix for path in made["files"]] == [".html", ".md", ".json"]
    assert made["text"] == (root / made["files"][1]).read_text(encoding="utf-8")
    assert [base64.b64decode(picture["png"])[:4] for picture in made["pictures"]] == [b"\x89PNG", b"\x89PNG"]
    read = read_report(root / made["files"][2])
    assert made["pictures"][0]["id"] in read.figures


def test_an_explanation_has_facts_only_where_they_are_asked_for(errands: Errands) -> None:
    short, long = (_sent(errands, "explain", model="levels", facts=facts) for facts in (False, True))
    assert "facts" not in short
    assert long["facts"]
    assert "seconds" not in long
    assert short["sentences"] == long["sentences"]


@pytest.mark.parametrize(
    ("errand", "asked", "expected"),
    [
        ("look", {"file": "../x.csv"}, "a table in the folder"),
        ("fit", {"file": "levels.csv", "seconds": 4000}, "5 to 60 seconds"),
        ("fit", {"file": "sales.csv", "target": "nothing"}, "nothing"),
        ("ask", {"model": "none-1", "question": "what"}, "a model among"),
    ],
)
def test_what_is_beyond_the_bounds_is_refused(
    errands: Errands, errand: str, asked: dict[str, Any], expected: str
) -> None:
    with pytest.raises(InputError, match=expected):
        _sent(errands, errand, **asked)


def test_more_rows_or_steps_than_the_bounds_are_refused(root: Path) -> None:
    few = Errands(root, Bounds(rows=20, steps=5, seconds=60, depth=2))
    with pytest.raises(InputError, match="20"):
        _sent(few, "fit", file="levels.csv")
    with pytest.raises(InputError, match="from 1 to 5"):
        _sent(few, "forecast", model="levels", steps=6)


def test_models_that_were_asked_stay_in_memory(errands: Errands) -> None:
    _sent(errands, "ask", model="people", question="what")
    path = errands.folder.model("people")
    first = model_of(path)
    _sent(errands, "ask", model="people", question="what")
    assert model_of(path) is first
