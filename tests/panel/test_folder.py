"""The folder of a run: records in chunks, whole or in part, and what an end at any time leaves of them."""

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.panel.made import QUICK, MadeTable

from autostatistician.errors import InputError, WriteError
from autostatistician.panel.folder import PANEL_NAME, ChunkFile, PanelFolder, RecordLine, read_records
from autostatistician.panel.records import DONE, SeriesRecord
from autostatistician.panel.settings import PanelSettings


def _record(name: str, fingerprint: str = "f", level: float = 1.0) -> SeriesRecord:
    return SeriesRecord(name, (name,), DONE, level=level, fingerprint=fingerprint)


def _opened(folder: Path, table: MadeTable, chunk: int | None = None) -> PanelFolder:
    return PanelFolder(folder, table, QUICK, chunk, 2)


def _filled(folder: PanelFolder, table: MadeTable) -> None:
    for number, chunk in enumerate(folder.chunks):
        names = [table.name(index) for index in chunk]
        folder.file(number).begin([])
        lines = folder.file(number).add(_record(name) for name in names)
        assert folder.file(number).finish(dict.fromkeys(names, "f"), lines)


def _names(folder: Path) -> list[str]:
    return [record.name for record in read_records(folder)]


# --- the file of a chunk ----------------------------------------------------------------------------------------


def test_a_chunk_is_whole_when_all_its_records_are_there_and_then_in_order(tmp_path: Path) -> None:
    file, wanted = ChunkFile(tmp_path, 3), {"a": "f", "b": "f", "c": "f"}
    file.begin([])
    file.add(map(_record, "cb"))
    assert not file.finish(wanted, file.lines())
    assert not file.whole.exists()
    file.add(map(_record, "a"))
    assert file.finish(wanted, file.lines())
    assert list(file.lines()) == ["a", "b", "c"]
    assert [path.name for path in tmp_path.iterdir()] == ["000003.jsonl"]


def test_a_record_of_other_data_does_not_count(tmp_path: Path) -> None:
    file = ChunkFile(tmp_path, 0)
    file.begin([])
    file.add(iter([_record("a", "old")]))
    assert not file.finish({"a": "new"}, file.lines())
    file.add(iter([_record("a", "new")]))
    assert file.finish({"a": "new"}, file.lines())


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_half_a_line_counts_for_nothing_and_spoils_no_other(tmp_path: Path, cut: int) -> None:
    file = ChunkFile(tmp_path, 0)
    file.begin([])
    file.add(map(_record, "ab"))
    file.part.write_bytes(file.part.read_bytes()[:-cut])
    assert list(file.lines()) == (["a", "b"] if cut == 1 else ["a"])
    file.add(map(_record, "c"))
    assert list(file.lines()) == (["a", "b", "c"] if cut == 1 else ["a", "c"])


@pytest.mark.parametrize("content", [b"", b"[]", b"3", b"{}", b'{"name": 1, "status": "done", "fingerprint": ""}'])
def test_what_is_no_record_is_no_line(content: bytes) -> None:
    assert RecordLine.of(content) is None


def test_what_an_earlier_worker_still_writes_is_not_read(tmp_path: Path) -> None:
    file = ChunkFile(tmp_path, 0)
    file.begin([])

    def late() -> Iterator[SeriesRecord]:
        yield _record("a")
        file.begin([])  # another run
        yield _record("b")

    lines = file.add(late())
    assert list(lines) == ["a", "b"]
    assert file.lines() == {}


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = ChunkFile(tmp_path, 0)

    def full(*arguments: Any, **options: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(WriteError, match="No space left on device"):
        file.add(map(_record, "a"))


# --- the folder of a run ----------------------------------------------------------------------------------------


def test_records_are_read_in_the_order_of_the_table(tmp_path: Path) -> None:
    table = MadeTable(5)
    folder = _opened(tmp_path, table)
    assert folder.chunks == [range(2), range(2, 4), range(4, 5)]
    _filled(folder, table)
    assert _names(tmp_path) == [table.name(index) for index in range(5)]
    assert _opened(tmp_path, table).records == folder.records


def test_a_run_that_was_ended_has_the_records_made(tmp_path: Path) -> None:
    folder = _opened(tmp_path, MadeTable(5))
    folder.file(1).begin([])
    folder.file(1).add(iter([_record("store 3")]))
    assert _names(tmp_path) == ["store 3"]


@pytest.mark.parametrize(
    ("table", "chunk"), [(MadeTable(7), None), (MadeTable(5), 3), (MadeTable(4, first=1), None), (MadeTable(3), 1)]
)
def test_records_of_other_chunks_are_put_where_they_belong(tmp_path: Path, table: MadeTable, chunk: int | None) -> None:
    _filled(_opened(tmp_path, MadeTable(5)), MadeTable(5))
    folder = _opened(tmp_path, table, chunk)
    both = {table.name(index) for index in range(len(table))} & {f"store {number}" for number in range(5)}
    assert set(_names(tmp_path)) == both
    for number, indices in enumerate(folder.chunks):
        assert set(folder.file(number).lines()) == {table.name(index) for index in indices} & both
    assert [path.name for path in tmp_path.glob("records-*")] == [folder.records.name]


def test_an_end_while_records_are_moved_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _filled(_opened(tmp_path, MadeTable(5)), MadeTable(5))
    original = ChunkFile.lines

    def ending(file: ChunkFile) -> dict[str, RecordLine]:
        if file.number == 1:
            raise KeyboardInterrupt
        return original(file)

    with monkeypatch.context() as patch:
        patch.setattr(ChunkFile, "lines", ending)
        with pytest.raises(KeyboardInterrupt):
            _opened(tmp_path, MadeTable(6))
    assert len(_names(tmp_path)) == 5
    _opened(tmp_path, MadeTable(6))
    assert len(_names(tmp_path)) == 5


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    _opened(tmp_path, MadeTable(2))
    other = PanelSettings(QUICK.language, QUICK.search, horizon=4)
    with pytest.raises(InputError, match=r"\(horizon 3\); found horizon 4; choose another folder"):
        PanelFolder(tmp_path, MadeTable(2), other, None, 2)


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "{}", '{"version": 2}', '{"version": 1, "settings": {}, "chunk": 0, "records": "r"}',
        '{"version": 1, "settings": {}, "chunk": 1, "records": "../r"}',
    ],
)  # fmt: skip
def test_something_else_is_not_written_over(tmp_path: Path, content: str) -> None:
    (tmp_path / PANEL_NAME).write_text(content)
    with pytest.raises(InputError, match="something else"):
        _opened(tmp_path, MadeTable(2))
    with pytest.raises(InputError, match="something else"):
        list(read_records(tmp_path))
    assert (tmp_path / PANEL_NAME).read_text() == content


def test_a_folder_without_a_run_has_no_records(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found none; fit the panel first"):
        list(read_records(tmp_path / "none"))


def test_folders_of_others_stay(tmp_path: Path) -> None:
    (tmp_path / "records-of-mine").mkdir()
    _opened(tmp_path, MadeTable(2))
    assert (tmp_path / "records-of-mine").is_dir()
    assert json.loads((tmp_path / PANEL_NAME).read_text())["ids"] == ["store"]
