from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

TASKS = ("m3-yearly", "m3-quarterly")


@pytest.fixture
def empty(folder: Path, tmp_path: Path) -> Any:
    return import_module("goals").Tables.read(tmp_path / "none")


@pytest.fixture
def section(empty: Any) -> Any:
    """The section from rows of the corpus."""
    return lambda rows: "\n".join(import_module("page_corpus").competitions(replace(empty, corpus=rows)))


@pytest.fixture
def said(empty: Any) -> Any:
    """What is said of a goal of the default language, from rows of the corpus."""

    def find(name: str, rows: list[dict[str, str]]) -> str:
        (goal,) = [goal for goal in import_module("goals_corpus").corpus_goals() if goal.name.startswith(name)]
        variant = import_module("measures").Variant(import_module("common").DEFAULT_LANGUAGE)
        return str(goal.find(replace(empty, corpus=rows), variant))

    return find


def rows(method: str, loss: float, series: str = "abcd", **more: Any) -> list[dict[str, str]]:
    """One row for every series of two tasks."""
    measured = dict.fromkeys(("mase", "wql", "sql", "msis"), loss) | {"coverage": 0.95, "size": 1.0, "seconds": 1.0}
    given = {"method": method, "settings": "", "code": "1", "n": 20, "parameters": 3} | measured | more
    text = {name: str(value) for name, value in given.items()}
    return [text | {"task": task, "series": name} for task in TASKS for name in series]


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])


def test_ours_stands_beside_the_peers_and_what_is_published(section: Any) -> None:
    text = section(rows("seasonal-naive", 1.0) + rows("AutoETS", 0.5) + rows("ours", 0.4))
    assert "| ours | 8 | 0.400 | 0.400 | 0.400 | 0.400 | 0.950 | 1.0 / 1.0 / 1.0 | 0.000 | 1.0 |" in text
    assert "| AutoETS | 8 | 0.500 | 0.500 | 0.500 | 0.500 | 0.950 | 2.0 / 2.0 / 2.0 | 0.000 | 1.0 |" in text
    assert "| TiRex | published, all series | 0.821 | 0.652 |" in text
    assert "| ours | **0.400** | **0.400** |" in text
    assert "| m3-yearly | ours | AutoETS | 0.800 |" in text


@pytest.mark.parametrize(("loss", "verdict"), [(0.6, "0.600 (reached)"), (0.9, "0.900 (not reached)")])
def test_goals_are_judged_over_the_tasks(said: Any, loss: float, verdict: str) -> None:
    whole = rows("seasonal-naive", 1.0) + rows("ours", loss)
    assert said("competitions: MASE", whole) == verdict
    assert said("competitions: quantile", whole) == verdict


def test_goals_need_every_series(said: Any) -> None:
    part = rows("seasonal-naive", 1.0) + rows("ours", 0.5, "abc")
    assert said("competitions: MASE", part) == "0.500 (6 of 8 series)"
    assert said("competitions: coverage", rows("seasonal-naive", 1.0)) == "None"


@pytest.mark.parametrize(
    ("peer", "verdict"), [(0.6, "3 of 3 (reached)"), (0.5, "3 of 3 (reached)"), (0.4, "0 of 3 (not reached)")]
)
def test_ranks_are_first_or_not(said: Any, peer: float, verdict: str) -> None:
    whole = rows("seasonal-naive", 1.0) + rows("AutoETS", peer) + rows("ours", 0.5)
    assert said("competitions: measures with the first", whole) == verdict


def test_coverage_large_models_and_the_best_peer_are_judged(said: Any) -> None:
    naive = rows("seasonal-naive", 1.0)
    assert said("competitions: coverage", naive + rows("ours", 0.5, coverage=0.92)) == "0.920 - 0.920 (not reached)"
    assert said("competitions: share", naive + rows("ours", 0.5, parameters=6)) == "1.000 (not reached)"
    peers = rows("AutoETS", 0.6) + rows("AutoCES", 0.5)
    assert said("m3-yearly", naive + peers + rows("ours", 0.48)) == "0.960 (reached; AutoCES)"
    assert said("m3-monthly", naive + peers + rows("ours", 0.48)) == "None"
