"""The folder of a run over a panel: a file of records for every chunk of series, in the order of the table.

``panel.json`` says with what settings the run was begun and how the series are cut into chunks. The records of chunk
7 are the lines of ``records/000007.jsonl``. While it is worked on they are added one by one, each as its search ends,
to ``000007.part``; a kill may tear the last line, which then counts for nothing. A record counts as long as its
fingerprint, of the data of its series and the settings, is that of today.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from autostatistician._io.files import write_whole
from autostatistician.errors import InputError, WriteError
from autostatistician.panel.records import SeriesRecord
from autostatistician.panel.settings import PanelSettings, SeriesTable

__all__ = ["ChunkFile", "RecordLine", "PanelFolder", "fingerprint_of", "read_records", "read_run", "write_error"]

PANEL_NAME = "panel.json"
VERSION = 1


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record as it stands in a file, with what is asked of it before it is read in full."""

    name: str
    status: str
    fingerprint: str
    content: bytes  # with the end of the line

    @classmethod
    def of(cls, content: bytes) -> RecordLine | None:
        """The line; None of what a kill or a full disk has left of one."""
        try:
            values = json.loads(content)
            line = cls(values["name"], values["status"], values["fingerprint"], content.rstrip(b"\n") + b"\n")
        except (ValueError, TypeError, KeyError):
            return None
        return line if all(isinstance(text, str) for text in (line.name, line.status, line.fingerprint)) else None


@dataclass(frozen=True, slots=True)
class ChunkFile:
    """Where the records of a chunk go: what is sent to the worker that searches its series."""

    folder: Path
    number: int

    @property
    def whole(self) -> Path:
        """The file of a chunk that is done."""
        return self.folder / f"{self.number:06d}.jsonl"

    @property
    def part(self) -> Path:
        """The file of a chunk that is worked on."""
        return self.whole.with_suffix(".part")

    def lines(self) -> dict[str, RecordLine]:
        """All records of the chunk by name; of several of one series the last."""
        lines = [RecordLine.of(content) for path in (self.whole, self.part) for content in _contents(path)]
        return {line.name: line for line in lines if line is not None}

    def begin(self, lines: Sequence[RecordLine]) -> None:
        """Make a new file for records to be added to some that are kept.

        What a worker of an earlier run may still write goes to the old file, which nobody reads any more.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise write_error(self.folder, error) from error
        write_whole(self.part, b"".join(line.content for line in lines))
        self.whole.unlink(missing_ok=True)

    def add(self, records: Iterator[SeriesRecord]) -> dict[str, RecordLine]:
        """Write records as they come, each whole before the next one is asked for; their lines by name."""
        lines = {}
        try:
            with self.part.open("ab", buffering=0) as file:
                if file.tell():
                    file.write(b"\n")  # a worker that died may have left half a line
                for record in records:
                    line = RecordLine(record.name, record.status, record.fingerprint, record.line().encode() + b"\n")
                    file.write(line.content)
                    lines[record.name] = line
        except OSError as error:
            raise write_error(self.part, error) from error
        return lines

    def finish(self, fingerprints: Mapping[str, str], lines: Mapping[str, RecordLine]) -> bool:
        """Put the records of the chunk into one file in order, if all are there and the file is; whether they are."""
        several = [lines.get(name) for name in fingerprints]
        current = [line for line in several if line is not None and line.fingerprint == fingerprints[line.name]]
        if len(current) < len(several) or not self.part.exists():
            return False
        write_whole(self.whole, b"".join(line.content for line in current))
        self.part.unlink(missing_ok=True)
        return True

    def records(self) -> Iterator[SeriesRecord]:
        """The records of the chunk, read one after the other."""
        if self.part.exists() or not self.whole.exists():
            contents = [line.content for line in self.lines().values()]
        else:
            contents = list(filter(None, _contents(self.whole)))
        return (SeriesRecord.from_line(content.decode()) for content in contents)


def _contents(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []


def write_error(path: Path, error: OSError) -> WriteError:
    """The error that stops a run: its folder cannot be written."""
    reason = error.strerror or type(error).__name__
    return WriteError.of(f"to be able to write '{path}'", reason, "check path and disk, and run it again")


def fingerprint_of(*plain: object) -> str:
    """Of values that are the same in JSON.

    >>> fingerprint_of("a", 1.0) == fingerprint_of("a", 2.0)
    False
    """
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]


class PanelFolder:
    """The folder of a run, which belongs to this process alone.

    Parameters
    ----------
    folder : Path
        Made where it is missing; what an earlier run has left in it is gone on with.
    table, settings
        What the run is of.
    chunk : int or None
        Series of a chunk; None for those of the earlier run, else for ``usual_chunk``.

    Raises
    ------
    InputError
        When the folder holds a run with other settings or something else, or cannot be written.
    """

    def __init__(
        self, folder: Path, table: SeriesTable, settings: PanelSettings, chunk: int | None, usual_chunk: int
    ) -> None:
        self.folder, self.count = folder, len(table)
        earlier = _read(folder)
        if earlier is not None:
            _check_same(folder, earlier["settings"], settings.to_json())
        names = fingerprint_of([table.name(index) for index in range(len(table))])
        self.chunk = chunk or (earlier["chunk"] if earlier else usual_chunk)
        layout = {"count": self.count, "chunk": self.chunk, "names": names}
        self.records = folder / f"records-{fingerprint_of(layout)[:8]}"
        if earlier is None or any(earlier.get(name) != value for name, value in layout.items()):
            self._laid_out(earlier, table)
            content = {"version": VERSION, "settings": settings.to_json(), "ids": list(table.ids)}
            content |= {**layout, "records": self.records.name}
            write_whole(folder / PANEL_NAME, json.dumps(content, indent=1).encode())
        for place in folder.glob(f"records-{8 * '[0-9a-f]'}"):
            if place != self.records:
                shutil.rmtree(place, ignore_errors=True)

    def file(self, number: int) -> ChunkFile:
        """The file of a chunk."""
        return ChunkFile(self.records, number)

    @property
    def chunks(self) -> list[range]:
        """The series of each chunk."""
        starts = range(0, self.count, self.chunk)
        return [range(start, min(start + self.chunk, self.count)) for start in starts]

    def _laid_out(self, earlier: Mapping[str, Any] | None, table: SeriesTable) -> None:
        """Put the records of an earlier run, with other chunks or of other series, where they belong now."""
        try:
            shutil.rmtree(self.records, ignore_errors=True)
            self.records.mkdir(parents=True)
            if earlier is None:
                return
            places = {table.name(index): index // self.chunk for index in range(len(table))}
            for old in _files(self.folder / earlier["records"]):
                moved: dict[int, list[bytes]] = {}
                for line in old.lines().values():
                    if line.name in places:
                        moved.setdefault(places[line.name], []).append(line.content)
                for number, contents in moved.items():
                    with self.file(number).part.open("ab") as file:
                        file.write(b"".join(contents))
        except OSError as error:
            raise write_error(self.records, error) from error


def read_run(folder: Path) -> tuple[PanelSettings, tuple[str, ...]]:
    """The settings of a run, and the names of the columns of ids.

    Raises
    ------
    InputError
        When there is no run in the folder, or one of another version.
    """
    content = _begun(folder)
    try:
        return PanelSettings.of(content["settings"]), tuple(map(str, content["ids"]))
    except (KeyError, TypeError) as error:
        raise InputError.of(f"the run of a panel in '{folder}'", "that of another version", "fit it again") from error


def read_records(folder: Path) -> Iterator[SeriesRecord]:
    """The records of a run in the order of its table, one chunk in memory at a time; of one that was ended those made.

    Raises
    ------
    InputError
        When there is no run in the folder.
    """
    for chunk in _files(folder / _begun(folder)["records"]):
        yield from chunk.records()


def _begun(folder: Path) -> dict[str, Any]:
    """What ``panel.json`` says."""
    content = _read(folder)
    if content is None:
        raise InputError.of(f"the records of a panel in '{folder}'", "none", "fit the panel first")
    return content


def _files(records: Path) -> list[ChunkFile]:
    numbers = {int(path.stem) for path in records.glob("*") if path.stem.isdigit()}
    return [ChunkFile(records, number) for number in sorted(numbers)]


def _read(folder: Path) -> dict[str, Any] | None:
    """What ``panel.json`` says; None where there is none."""
    path = folder / PANEL_NAME
    try:
        values = json.loads(path.read_bytes())
        if values["version"] != VERSION or not isinstance(values["settings"], dict):
            raise ValueError("another version")
        chunk, records = int(values["chunk"]), str(values["records"])
        if chunk < 1 or Path(records).name != records:
            raise ValueError("no chunks")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise write_error(path, error) from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError.of(f"the run of a panel in '{folder}'", "something else", "choose another folder") from error
    return {**values, "chunk": chunk, "records": records}


def _check_same(folder: Path, earlier: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    before, after = _flat(earlier), _flat(now)
    different = [name for name in after if before.get(name) != after[name]]
    if different:
        name = different[0]
        expected = f"the settings of the run in '{folder}' ({name} {before.get(name)})"
        raise InputError.of(expected, f"{name} {after[name]}", "choose another folder, or go on with those settings")


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    search = settings.get("search")
    return {**{name: value for name, value in settings.items() if name != "search"}, **(dict(search or {}))}
