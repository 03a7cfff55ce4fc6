"""A run over a panel: in order whatever the workers, and gone on with after an end at any time."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np
import pytest
from joblib import parallel_config
from tests.panel.made import MONTH, QUICK, FakeSearch, MadeTable, data_of, fake_record, search

from autostatistician._io.files import held
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.errors import InputError, WriteError
from autostatistician.panel import run
from autostatistician.panel.fitting import PanelSeries
from autostatistician.panel.folder import ChunkFile, PanelFolder, read_records
from autostatistician.panel.records import DONE, FAILED
from autostatistician.panel.run import LOCK_NAME, run_panel
from autostatistician.panel.settings import PanelSettings

__all__ = ["search"]
ROOT = Path(__file__).resolve().parents[2]
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="workers are forked and killed")


def _names(table: MadeTable) -> list[str]:
    return [table.name(index) for index in range(len(table))]


def test_every_series_has_its_record_in_order(search: FakeSearch, tmp_path: Path) -> None:
    table = MadeTable(7, without=(3,))
    records = list(run_panel(table, QUICK, tmp_path / "run", chunk=2))
    assert [record.name for record in records] == _names(table) == search.asked
    assert [record.status for record in records] == [DONE, DONE, DONE, FAILED, DONE, DONE, DONE]
    assert records[3].reason == "expected three rows; found two; leave it out"
    assert list(read_records(tmp_path / "run")) == records


def test_without_a_folder_nothing_is_left(search: FakeSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert len(list(run_panel(MadeTable(3), QUICK))) == 3
    assert list((tmp_path / "temporary").iterdir()) == []


def test_chunks_are_yielded_as_they_are_done(search: FakeSearch) -> None:
    first = next(iter(run_panel(MadeTable(6), QUICK, chunk=2)))
    assert first.name == "store 0"
    assert search.asked == ["store 0", "store 1"]


def test_workers_change_nothing(search: FakeSearch, tmp_path: Path) -> None:
    table = MadeTable(11, without=(3,))
    alone = list(run_panel(table, QUICK, tmp_path / "alone"))
    with parallel_config("threading"):
        spread = list(run_panel(table, QUICK, tmp_path / "spread", at_once=2, chunk=2))
    assert spread == alone
    assert Counter(search.asked) == dict.fromkeys(_names(table), 2)


def test_what_is_done_is_not_done_again(search: FakeSearch, tmp_path: Path) -> None:
    table = MadeTable(7, without=(3,))
    records = list(run_panel(table, QUICK, tmp_path / "run", chunk=3))
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*.jsonl")}
    assert list(run_panel(table, QUICK, tmp_path / "run")) == records
    assert len(search.asked) == 7
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*.jsonl")} == times


class Pages:
    """Pages are files of a folder; that of store 2 cannot be made."""

    def __init__(self, folder: Path, asked: tuple[str, ...]) -> None:
        self.folder, self.asked = folder, asked
        folder.mkdir(exist_ok=True)

    def writer(self, name: str) -> Any:
        return partial(self.write, name) if name in self.asked or self.is_there(name) else None

    def write(self, name: str, model: Any) -> None:
        if name == "store 2":
            raise ValueError("no page for this")
        (self.folder / name).touch()

    def saved(self, name: str) -> None:
        return None

    def is_there(self, name: str) -> bool:
        return (self.folder / name).exists()


@pytest.mark.slow
def test_a_series_that_lacks_its_page_is_done_again(tmp_path: Path) -> None:
    table, pages = MadeTable(3), Pages(tmp_path / "pages", ("store 1", "store 2"))
    first = list(run_panel(table, QUICK, tmp_path / "run"))
    second = list(run_panel(table, QUICK, tmp_path / "run", pages=pages))
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["store 1"]
    assert [record.forecast for record in second] == [record.forecast for record in first]
    assert second[0] == first[0]
    assert second[2].notes[-1] == "Its page could not be made: ValueError: no page for this (this is a bug)"
    before = (tmp_path / "pages" / "store 1").stat().st_mtime_ns
    list(run_panel(table, QUICK, tmp_path / "run", pages=Pages(tmp_path / "pages", ())))
    assert (tmp_path / "pages" / "store 1").stat().st_mtime_ns == before
    changed = MadeTable(3, seeds=((1, 9),))
    list(run_panel(changed, QUICK, tmp_path / "run", pages=Pages(tmp_path / "pages", ())))
    assert (tmp_path / "pages" / "store 1").stat().st_mtime_ns > before


def test_series_whose_data_have_changed_are_done_again(search: FakeSearch, tmp_path: Path) -> None:
    list(run_panel(MadeTable(7), QUICK, tmp_path / "run", chunk=3))
    changed = MadeTable(9, seeds=((4, 99),))
    again = list(run_panel(changed, QUICK, tmp_path / "run"))
    assert search.asked[7:] == ["store 4", "store 7", "store 8"]
    assert again == list(run_panel(changed, QUICK))


@pytest.mark.parametrize(
    "change",
    [
        {"y": np.arange(24.0)}, {"X": data_of(0).X + 1.0}, {"offset": 1.0}, {"target": "profit"},
        {"axis": replace(MONTH, frequency="")}, {"warnings": ("A row was left out.",)},
        {"covariates": Covariates(data_of(0).x, (Covariate("price", np.ones(24)),))},
    ],
)  # fmt: skip
def test_all_of_the_data_is_in_the_fingerprint(
    search: FakeSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    list(run_panel(MadeTable(1), QUICK, tmp_path))
    monkeypatch.setattr(MadeTable, "dataset", lambda table, index: replace(data_of(index), **change))
    list(run_panel(MadeTable(1), QUICK, tmp_path))
    assert len(search.asked) == 2


def test_series_before_the_others_move_no_record(search: FakeSearch, tmp_path: Path) -> None:
    later = list(run_panel(MadeTable(5, first=2), QUICK, tmp_path / "run", chunk=2))
    both = list(run_panel(MadeTable(7), QUICK, tmp_path / "run"))
    assert search.asked[5:] == ["store 0", "store 1"]
    assert both[2:] == later


def test_what_failed_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def failing(chunk: list[PanelSeries], settings: PanelSettings) -> Any:
        for series in chunk:
            tried.append(series.name)
            done = fake_record(series)
            yield replace(done, status=FAILED, reason="no memory") if len(tried) == 2 else done

    monkeypatch.setattr(run, "records_of_chunk", failing)
    assert [one.status for one in run_panel(MadeTable(3), QUICK, tmp_path / "run")] == [DONE, FAILED, DONE]
    assert [one.status for one in run_panel(MadeTable(3), QUICK, tmp_path / "run")] == [DONE, DONE, DONE]
    assert tried == ["store 0", "store 1", "store 2", "store 1"]


def test_an_interrupt_keeps_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(chunk: list[PanelSeries], settings: PanelSettings) -> Any:
        yield fake_record(chunk[0])
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "records_of_chunk", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(run_panel(MadeTable(3), QUICK, tmp_path / "run", chunk=3))
    fake = FakeSearch(tmp_path / "log")
    monkeypatch.setattr(run, "records_of_chunk", fake)
    assert len(list(run_panel(MadeTable(3), QUICK, tmp_path / "run"))) == 3
    assert fake.asked == ["store 1", "store 2"]


def test_one_run_has_the_folder(search: FakeSearch, tmp_path: Path) -> None:
    with (
        held(tmp_path, "panel", "--output", LOCK_NAME),
        pytest.raises(InputError, match="found that another panel has it"),
    ):
        list(run_panel(MadeTable(3), QUICK, tmp_path))


def test_settings_that_cannot_be_used_make_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="levels of ranges"):
        list(run_panel(MadeTable(3), replace(QUICK, levels=()), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_ends_the_run(
    search: FakeSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    def full(file: ChunkFile, kept: object) -> None:
        if file.number == 1:
            raise WriteError.of("room", "none", "delete files")

    monkeypatch.setattr(ChunkFile, "begin", full)
    monkeypatch.setattr(PanelFolder, "_laid_out", lambda folder, *_: folder.records.mkdir())
    with parallel_config("threading"), pytest.raises(WriteError, match="expected room"):
        list(run_panel(MadeTable(9), QUICK, tmp_path / "run", at_once=workers, chunk=2))
    assert [record.name for record in read_records(tmp_path / "run")][:2] == ["store 0", "store 1"]


# --- the death of workers and runs ------------------------------------------------------------------------------


class Deadly(Dataset):
    """Data that kill the process that unpacks them."""

    def __reduce__(self) -> Any:
        return os.kill, (_Own(), signal.SIGKILL)


class _Own:
    """The number of the process that unpacks it."""

    def __reduce__(self) -> Any:
        return os.getpid, ()


@dataclass
class DeadlyTable(MadeTable):
    """A table of which one series kills its workers."""

    deadly: int = 1

    def dataset(self, index: int) -> Dataset:
        data = data_of(index)
        return Deadly(data.X, data.y, data.columns, data.target, data.axis) if index == self.deadly else data


@ON_LINUX
@pytest.mark.slow
def test_a_series_whose_workers_die_fails_alone(tmp_path: Path) -> None:
    records = list(run_panel(DeadlyTable(3), QUICK, tmp_path, at_once=2, chunk=2))
    assert [record.status for record in records] == [DONE, FAILED, DONE]
    assert records[1].reason == "its worker died (out of memory?)"
    assert records == list(read_records(tmp_path))


RUNNING = """
import sys
from pathlib import Path
from joblib import parallel_config
from autostatistician.panel import run
from tests.panel.made import MONTH, QUICK, FakeSearch, MadeTable

run.records_of_chunk = FakeSearch(Path(sys.argv[2]), 0.005)
print("begun", flush=True)
with parallel_config("multiprocessing"):
    for record in run.run_panel(MadeTable(120, without=(7,)), QUICK, Path(sys.argv[1]), int(sys.argv[3]), 10):
        pass
"""


def _killed(folder: Path, log: Path, workers: int, seconds: float) -> bool:
    """Run in a process of its own, which is killed with its workers some time later; whether it lived so long."""
    command = [sys.executable, "-c", RUNNING, str(folder), str(log), str(workers)]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(seconds)
    finished = process.poll() is not None
    if not finished:
        os.killpg(process.pid, signal.SIGKILL)
    process.stdout.close()
    process.wait()
    return not finished


def _written(folder: Path) -> set[str]:
    try:
        return {record.name for record in read_records(folder)}
    except InputError:  # killed before anything was written
        return set()


@ON_LINUX
@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_kill_at_any_time_loses_no_series_and_doubles_none(search: FakeSearch, tmp_path: Path, workers: int) -> None:
    table, chance = MadeTable(120, without=(7,)), random.Random(workers)
    folder, log = tmp_path / "run", FakeSearch(tmp_path / "log")
    kills, before = 0, 0
    for _ in range(4):
        done = _written(folder)
        kills += _killed(folder, log.log, workers, chance.uniform(0.0, 0.25))
        assert done <= _written(folder)
        assert not done.intersection(log.asked[before:])  # what was on the disk was not searched again
        before = len(log.asked)
    assert kills > 2
    uninterrupted = list(run_panel(table, QUICK))
    assert list(run_panel(table, QUICK, folder)) == uninterrupted == list(read_records(folder))
    twice = Counter(log.asked) + Counter(search.asked[120:])
    assert set(twice) == set(_names(table))
    assert sum(twice.values()) - 120 <= kills * workers  # those that were being searched


class WatchedTable(MadeTable):
    """A table that counts how many of its data sets are in memory together."""

    def dataset(self, index: int) -> Dataset:
        data = super().dataset(index)
        alive.add(data)
        most[0] = max(most[0], len(alive))
        return data


alive: WeakSet[Dataset] = WeakSet()
most = [0]


def test_memory_is_that_of_the_chunks_at_work(search: FakeSearch) -> None:
    assert len(list(run_panel(WatchedTable(300), QUICK, chunk=10))) == 300
    assert 10 <= most[0] <= 20
