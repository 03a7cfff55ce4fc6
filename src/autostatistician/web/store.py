"""The runs of the server: one row each in an embedded SQLite file, one folder each on the disk.

A run is known by an address that cannot be guessed (128 random bits). Everything that a person may see of it lies in
its folder, so a server that starts anew finds all runs where they were.
"""

from __future__ import annotations

import json
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from autostatistician.files import write_whole

__all__ = ["Run", "State", "Store", "secret_of"]

_TABLE = """
create table if not exists runs (
    id text primary key, visitor text not null, name text not null, file text not null, state text not null,
    settings text not null, message text not null, attempts integer not null,
    created real not null, changed real not null
) strict
"""
_COLUMNS = "id, visitor, name, file, state, settings, message, attempts, created, changed"


class State(StrEnum):
    """Where a run stands."""

    CHOOSING = "choosing"  # the table is there, its columns are to be chosen
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class Run:
    """One run as the store knows it."""

    id: str
    visitor: str
    name: str  # of the table, as the visitor named it
    file: str  # of the table in the folder of the run
    state: State
    settings: dict[str, Any]
    message: str  # why it failed
    attempts: int
    created: float  # seconds since 1970
    changed: float


class Store:
    """All runs under one folder. Every call opens its own connection, so threads and processes may share a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        with self._open() as known:
            known.execute("pragma journal_mode = wal")
            known.execute(_TABLE)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.folder / "runs.sqlite", timeout=30.0)
        try:
            with connection:
                yield connection
        finally:
            connection.close()

    def place(self, run: str) -> Path:
        """The folder of a run. Only ids that the store gave out make one."""
        return self.folder / "runs" / run

    def add(self, visitor: str, name: str, file: str, content: bytes) -> Run:
        """A new run with its table, whose columns are still to be chosen."""
        now = time.time()
        run = Run(secrets.token_urlsafe(16), visitor, name, file, State.CHOOSING, {}, "", 0, now, now)
        values = (run.id, visitor, name, file, run.state, "{}", "", 0, now, now)
        place = self.place(run.id)
        try:
            place.mkdir(parents=True)
            write_whole(place / file, content)
            with self._open() as known:
                known.execute(f"insert into runs ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        except Exception:  # such as a full disk
            shutil.rmtree(place, ignore_errors=True)
            raise
        return run

    def get(self, run: str) -> Run | None:
        """The run of an address, if there is one."""
        found = self._select("where id = ?", run)
        return found[0] if found else None

    def of_visitor(self, visitor: str) -> list[Run]:
        """The runs of a visitor, newest first."""
        return self._select("where visitor = ? order by created desc limit 100", visitor)

    def in_state(self, state: State) -> list[Run]:
        """The runs in a state, the one that has waited longest first."""
        return self._select("where state = ? order by changed", state)

    def count(self, state: State) -> int:
        """How many runs are in a state."""
        with self._open() as known:
            return int(known.execute("select count(*) from runs where state = ?", (state,)).fetchone()[0])

    def total(self) -> int:
        """How many runs there are."""
        with self._open() as known:
            return int(known.execute("select count(*) from runs").fetchone()[0])

    def queue(self, run: str, settings: dict[str, Any], most: int) -> bool:
        """Let a run wait for its turn, unless ``most`` do so already; False where it did not get a place."""
        with self._open() as known:
            known.execute("begin immediate")
            waiting = known.execute("select count(*) from runs where state = ?", (State.WAITING,)).fetchone()[0]
            if waiting >= most:
                return False
            change = (
                "update runs set state = ?, settings = ?, message = '', changed = ? where id = ? and state in (?, ?)"
            )
            of_these = (State.CHOOSING, State.FAILED)
            asked = (State.WAITING, json.dumps(settings), time.time(), run, *of_these)
            return known.execute(change, asked).rowcount == 1

    def claim(self) -> Run | None:
        """Take the run that has waited longest and call it running."""
        with self._open() as known:
            known.execute("begin immediate")
            first = "select id from runs where state = ? order by changed limit 1"
            found = known.execute(first, (State.WAITING,)).fetchone()
            if found is None:
                return None
            change = "update runs set state = ?, attempts = attempts + 1, changed = ? where id = ?"
            known.execute(change, (State.RUNNING, time.time(), found[0]))
        return self.get(str(found[0]))

    def set(self, run: str, state: State, message: str = "") -> None:
        """Move a run to another state."""
        with self._open() as known:
            change = "update runs set state = ?, message = ?, changed = ? where id = ?"
            known.execute(change, (state, message, time.time(), run))

    def resume(self) -> int:
        """Let runs that a server left while they were running wait again; they go on from their checkpoints."""
        with self._open() as known:
            return known.execute("update runs set state = ? where state = ?", (State.WAITING, State.RUNNING)).rowcount

    def remove(self, run: str) -> None:
        """Forget a run and all its files."""
        with self._open() as known:
            known.execute("delete from runs where id = ?", (run,))
        shutil.rmtree(self.place(run), ignore_errors=True)

    def _select(self, condition: str, value: str) -> list[Run]:
        with self._open() as known:
            rows = known.execute(f"select {_COLUMNS} from runs {condition}", (value,)).fetchall()
        return [_run(dict(zip(_COLUMNS.split(", "), row, strict=True))) for row in rows]


def _run(row: dict[str, Any]) -> Run:
    return Run(**row | {"state": State(row["state"]), "settings": json.loads(row["settings"])})


def secret_of(folder: Path) -> bytes:
    """The secret of a server, made at its first start and readable by its user alone."""
    path = folder / "secret"
    if not path.exists() or not path.stat().st_size:  # a full disk took the name and not the secret
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    return path.read_bytes()
