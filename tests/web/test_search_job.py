"""The search of a run: what it leaves in its folder, and how it ends."""

import json
from pathlib import Path
from typing import Any

import pytest

from autostatistician import AutomaticStatistician, AutomaticStatisticianClassifier
from autostatistician._io.files import write_whole
from autostatistician.errors import InputError
from autostatistician.web import search_job
from autostatistician.web.store import Counts, Store, StoredRun

TABLE = "month,sales\n" + "".join(f"{2020 + k // 12}-{k % 12 + 1:02d}-01,{k + k % 3}\n" for k in range(24))
SETTINGS: dict[str, Any] = {
    "time": None, "target": None, "where": {}, "task": "number",
    "language": "se", "depth": 1, "budget": None, "steps": 2,
}  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def _run(store: Store, table: str, **settings: Any) -> StoredRun:
    run = store.add("visitor", "sales.csv", "table.csv", table.encode())
    assert store.queue(run, SETTINGS | settings, Counts(5, 5, 5))
    return run


def _search(store: Store, run: StoredRun) -> None:
    asked = store.get(run.id)
    assert asked is not None
    search_job.search(store.place(run.id), asked.file, asked.name, asked.settings, asked.lang)


@pytest.mark.slow
def test_a_run_leaves_all_that_can_be_taken_away(store: Store, tmp_path: Path) -> None:
    run = _run(store, TABLE)
    place = store.place(run.id)
    (place / "checkpoint.json").write_text("{}")  # damaged: it is begun anew
    _search(store, run)
    there = {path.name for path in place.iterdir()}
    assert set(search_job.DOWNLOAD_TYPES) - {"report.pdf"} <= there  # a PDF needs an extra
    assert {"fit.svg", "progress.json"} <= there
    seen = json.loads((place / "progress.json").read_text())
    assert seen["writing"] is True
    assert seen["words"]
    model = AutomaticStatistician.load(place / "model.json")
    assert len((place / "forecast.csv").read_text().splitlines()) == 3
    assert str(model.kernel_) == seen["expression"]


@pytest.mark.slow
def test_what_is_done_is_told_before_there_is_a_model(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []

    def write(path: Path, content: bytes) -> None:
        if path.name == "progress.json":
            told.append(json.loads(content))
        write_whole(path, content)

    monkeypatch.setattr(search_job, "write_whole", write)
    monkeypatch.setattr(search_job, "_report", lambda *_: None)
    beside = "".join(f"{2020 + k // 12}-{k % 12 + 1:02d}-01,{k + k % 3},{k * k % 7}\n" for k in range(40))
    run = _run(store, "month,sales,price\n" + beside, time="month", target="sales")
    _search(store, run)
    assert [seen.get("preparing") for seen in told[:3]] == ["columns", "outliers", None]
    assert "level" not in told[1]
    assert told[2]["level"] == 0


RAIN = "day,rain\n" + "".join(f"2020-01-{k + 1:02d},{'yes' if k % 10 > 5 else 'no'}\n" for k in range(30))


@pytest.mark.slow
def test_classes_are_modelled_as_classes(store: Store, tmp_path: Path) -> None:
    run = _run(store, RAIN, task="auto")
    place = store.place(run.id)
    _search(store, run)
    model = AutomaticStatisticianClassifier.load(place / "model.json")
    assert model.classes_.tolist() == ["no", "yes"]
    assert (place / "forecast.csv").read_text().splitlines()[0] == "time,probability,lower,upper,class"
    assert "chance of 'rain' = 'yes'" in (place / "report.md").read_text()


def test_classes_that_shall_be_numbers_are_refused_in_words(store: Store, tmp_path: Path) -> None:
    run = _run(store, RAIN.replace("yes", "wet"), task="number", target="rain")
    with pytest.raises(InputError, match="'rain'"):
        _search(store, run)


def test_a_table_that_cannot_be_used_is_said_in_its_folder(store: Store, tmp_path: Path) -> None:
    run = _run(store, TABLE, target="profit")
    with pytest.raises(InputError, match="profit"):
        _search(store, run)
    assert not (store.place(run.id) / "model.json").exists()


@pytest.mark.slow
def test_a_run_that_was_asked_to_stop_writes_what_is_there(store: Store, tmp_path: Path) -> None:
    run = _run(store, TABLE, depth=9, language="linear")
    (store.place(run.id) / search_job.STOP_FILE).touch()
    _search(store, run)
    model = AutomaticStatistician.load(store.place(run.id) / "model.json")
    assert not model.complete_
    assert model.search_.trace["level"].max() == 1


@pytest.mark.slow
def test_a_run_that_is_stopped_in_its_first_level_says_that_nothing_is_known(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(watcher: object, step: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search_job._Watcher, "__call__", stop)
    run = _run(store, TABLE)
    with pytest.raises(KeyboardInterrupt, match="nothing is known yet"):
        _search(store, run)
    assert not (store.place(run.id) / "model.json").exists()
