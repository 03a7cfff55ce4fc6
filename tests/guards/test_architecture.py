"""The picture of the rooms is that of the code."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from tests.scripts import script

PAGES = Path(__file__).resolve().parents[2] / "docs" / "explanation"


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    return script(PAGES / "draw_architecture.py")


@pytest.mark.slow
def test_the_picture_is_of_today(drawing: ModuleType) -> None:
    known = (PAGES / "architecture.svg").read_text(encoding="utf-8")
    assert drawing.picture() == known, "run: python docs/explanation/draw_architecture.py"


@pytest.mark.slow
def test_rooms_stand_above_what_they_import(drawing: ModuleType) -> None:
    graph, files = drawing.rooms()
    floors = drawing.floors(graph)
    assert all(floors[room] < floors[one] for room, below in graph.items() for one in below)
    assert {"data", "language", "inference", "describe/facts", drawing.GROUND} <= files.keys()


def test_rooms_that_import_one_another_are_named(drawing: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"\['a', 'b'\]"):
        drawing.floors({"top": {"a"}, "a": {"b"}, "b": {"a"}})
