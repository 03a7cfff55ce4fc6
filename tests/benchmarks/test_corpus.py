from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def corpus(folder: Path) -> Any:
    return import_module("corpus")


@pytest.fixture
def made(folder: Path) -> Any:
    """A quarterly series of six years whose fourth quarters are high."""
    y = 10.0 + 5.0 * (np.arange(32) % 4 == 3) + np.random.default_rng(0).normal(scale=0.2, size=32)
    return import_module("corpus_series").Series("M3", "quarterly", "made", y[:24], y[24:], 4)


@pytest.mark.slow
def test_ours_finds_the_season_from_the_dates_alone(corpus: Any, made: Any) -> None:
    case = {"task": "m3-quarterly", "series": "made", "method": "ours", "settings": "", "code": "1"}
    row = corpus.run(case, made, {"max_depth": 2, "n_restarts": 2})
    assert "Per" in row["expression"]
    assert (row["n"], row["parameters"] > 2, row["mase"] < 3.0, row["coverage"] > 0.5) == (24, True, True, True)
    assert set(row) == {*corpus.CASE, *corpus.COLUMNS}


@pytest.mark.slow
def test_ours_is_told_the_positions_of_the_forecast_but_no_values(corpus: Any, made: Any) -> None:
    other = type(made)("M3", "quarterly", "made", made.values, np.full(8, 1e9), 4)
    one, two = (corpus.ours(series, {"max_depth": 1, "n_restarts": 1})[0] for series in (made, other))
    assert one.shape == (8, 11)
    assert np.array_equal(one, two)


@pytest.mark.slow
def test_rows_are_written_once_and_only_what_is_missing_is_done(
    corpus: Any, made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corpus, "of_part", lambda part, *task: (made,) if task == ("M3", "quarterly") else ())
    table = tmp_path / "corpus.csv"
    monkeypatch.setattr(sys, "argv", ["", "--method", "seasonal-naive", "--jobs", "1", "--csv", str(table)])
    corpus.main()
    first = table.read_text()
    assert first.splitlines()[1].startswith("m3-quarterly,made,seasonal-naive,,own,24,")
    monkeypatch.setattr(corpus, "run", None)
    corpus.main()
    assert table.read_text() == first
    assert "m3-quarterly  1       1.000" in capsys.readouterr().out


def test_settings_that_are_the_defaults_are_not_named(corpus: Any) -> None:
    class Given:
        language, criterion, option = "extended", "aic", ("n_restarts=3", "max_depth=10")

    assert corpus.asked(Given()) == {"criterion": "aic", "n_restarts": 3}


@pytest.mark.parametrize(
    ("part", "tasks"),
    [("choose", {"M3"}), ("report", {"M3"}), ("learn", {"M1", "Tourism"}), ("all", {"M1", "M3", "Tourism"})],
)
def test_a_part_has_the_data_sets_that_it_is_made_of(
    corpus: Any, part: str, tasks: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("series", "choosing", "reporting", "learning", "tabled"):
        monkeypatch.setattr(corpus, name, lambda *_: ("one",))
    datasets = import_module("corpus_series").DATASETS
    assert {name for name in datasets if corpus.of_part(part, name, "yearly")} == tasks


def test_the_table_has_eight_tasks(corpus: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "tabled", lambda *_: ("one",))
    source = import_module("corpus_series")
    found = {(name, kind) for name in source.DATASETS for kind in source.KINDS if corpus.of_part("table", name, kind)}
    assert found == set(source.TASKS)
    assert len(found) == 8


def test_who_is_first_is_told_of_the_series_that_all_have(corpus: Any) -> None:
    def row(series: str, method: str, loss: float) -> dict[str, str]:
        scores = dict.fromkeys(("mase", "wql", "msis", "coverage", "size", "seconds"), "1") | {"sql": str(loss)}
        return {"task": "m1-yearly", "series": series, "method": method, "settings": "", "n": "40", **scores}

    losses = {"seasonal-naive": (2.0, 1.0), "AutoETS": (1.0, 9.0), "ours": (1.5,)}
    rows = [row(place, method, loss) for method, own in losses.items() for place, loss in zip("ab", own, strict=False)]
    told = {line["task"]: line for line in corpus.first(rows, ["m1-yearly"])}
    assert told["m1-yearly"] == {
        **{"task": "m1-yearly", "series": 1, "seasonal-naive": "1.000", "AutoETS": "0.500", "ours": "0.750"},
        "first": "AutoETS",
    }
    assert told["all"]["first"] == "AutoETS"


def test_a_forecast_of_a_peer_is_made_once(corpus: Any, made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(corpus, "MADE", {})
    monkeypatch.setattr(corpus, "forecast", lambda method, one: (calls.append(method) or np.ones((8, 11)), ""))
    case = {"task": "m3-quarterly", "series": "made", "settings": "", "code": "1"}
    for method in (*corpus.FOUR, corpus.MEDIAN):
        assert corpus.run({**case, "method": method}, made, {})["n"] == 24
    assert calls == list(corpus.FOUR)
