"""The runs of the server: one row each in an embedded SQLite file, one folder each on the disk.

A run is known by an address that cannot be guessed (128 random bits). Everything that a person may see of it lies in
its folder, so a server that starts anew finds all runs where they were. Who may do what with a run is known by the
hash of a cookie: whoever reads the store cannot act as a visitor.
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
from hashlib import sha256
from pathlib import Path
from typing import Any

from autostatistician._io.files import write_whole
from autostatistician.i18n.messages import ENGLISH

__all__ = ["Counts", "RunState", "Store", "StoredRun", "secret_of"]

RUNS_TABLE = """
create table if not exists runs (
    id text primary key, visitor text not null, name text not null, file text not null, state text not null,
    settings text not null, message text not null, attempts integer not null,
    created real not null, changed real not null, address text not null default ''
) strict
"""
RUN_COLUMNS = "id, visitor, name, file, state, settings, message, attempts, created, changed, address"


DATABASE_NAME = "runs.sqlite"


class RunState(StrEnum):
    """Where a run stands."""

    CHOOSING = "choosing"  # the table is there, its columns are to be chosen
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class StoredRun:
    """One run as the store knows it."""

    id: str
    visitor: str  # the hash of a cookie
    name: str  # of the table, as the visitor named it
    file: str  # of the table in the folder of the run
    state: RunState
    settings: dict[str, Any]
    message: str  # why it failed
    attempts: int
    created: float  # seconds since 1970
    changed: float
    address: str  # from which it came

    @property
    def lang(self) -> str:
        """The language of its words; English of a run begun before there was a choice."""
        return str(self.settings.get("lang", ENGLISH))


@dataclass(frozen=True)
class Counts:
    """Numbers of runs: of all visitors, of one, and from one address."""

    all: int
    visitor: int
    address: int

    def below(self, most: Counts) -> bool:
        """Whether there is room for another one."""
        return self.all < most.all and self.visitor < most.visitor and self.address < most.address


class Store:
    """All runs under one folder. Every call opens its own connection, so threads and processes may share a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        _make_private(folder)
        with self._open() as connection:
            connection.execute("pragma journal_mode = wal")
            connection.execute(RUNS_TABLE)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.folder / DATABASE_NAME, timeout=30.0)
        try:
            with connection:
                yield connection
        finally:
            connection.close()

    def place(self, run: str) -> Path:
        """The folder of a run. Only ids that the store gave out make one."""
        return self.folder / "runs" / run

    def add(self, visitor: str, name: str, file: str, content: bytes, address: str = "") -> StoredRun:
        """A new run with its table, whose columns are still to be chosen."""
        now = time.time()
        owner = _hashed(visitor)
        run = StoredRun(secrets.token_urlsafe(16), owner, name, file, RunState.CHOOSING, {}, "", 0, now, now, address)
        values = (run.id, owner, name, file, run.state, "{}", "", 0, now, now, address)
        place = self.place(run.id)
        try:
            place.mkdir(parents=True)
            write_whole(place / file, content)
            with self._open() as connection:
                connection.execute(f"insert into runs ({RUN_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        except Exception:  # such as a full disk
            shutil.rmtree(place, ignore_errors=True)
            raise
        return run

    def get(self, run: str) -> StoredRun | None:
        """The run of an address, if there is one."""
        runs = self._select("where id = ?", run)
        return runs[0] if runs else None

    def of_visitor(self, visitor: str) -> list[StoredRun]:
        """The runs of a visitor, newest first."""
        return self._select("where visitor = ? order by created desc limit 100", _hashed(visitor))

    def owns(self, visitor: str, run: StoredRun) -> bool:
        """Whether a visitor has brought the table of a run."""
        return secrets.compare_digest(run.visitor, _hashed(visitor))

    def in_state(self, state: RunState) -> list[StoredRun]:
        """The runs in a state, the one that has waited longest first."""
        return self._select("where state = ? order by changed", state)

    def count(self, visitor: str, address: str, state: RunState | None = None) -> Counts:
        """How many runs there are, of these the visitor's, and those from an address; all, or those in a state."""
        with self._open() as connection:
            return _counts(connection, _hashed(visitor), address, state)

    def queue(self, run: StoredRun, settings: dict[str, Any], most: Counts) -> bool:
        """Let a run wait for its turn, unless as many as ``most`` says do so; False where it did not get a place."""
        with self._open() as connection:
            connection.execute("begin immediate")
            if not _counts(connection, run.visitor, run.address, RunState.WAITING).below(most):
                return False
            change = (
                "update runs set state = ?, settings = ?, message = '', changed = ? where id = ? and state in (?, ?)"
            )
            of_these = (RunState.CHOOSING, RunState.FAILED)
            parameters = (RunState.WAITING, json.dumps(settings), time.time(), run.id, *of_these)
            return connection.execute(change, parameters).rowcount == 1

    def claim(self) -> StoredRun | None:
        """Take the run that has waited longest and call it running."""
        with self._open() as connection:
            connection.execute("begin immediate")
            first = "select id from runs where state = ? order by changed limit 1"
            row = connection.execute(first, (RunState.WAITING,)).fetchone()
            if row is None:
                return None
            change = "update runs set state = ?, attempts = attempts + 1, changed = ? where id = ?"
            connection.execute(change, (RunState.RUNNING, time.time(), row[0]))
        return self.get(str(row[0]))

    def set(self, run: str, state: RunState, message: str = "") -> None:
        """Move a run to another state."""
        with self._open() as connection:
            change = "update runs set state = ?, message = ?, changed = ? where id = ?"
            connection.execute(change, (state, message, time.time(), run))

    def resume(self) -> int:
        """Let runs that a server left while they were running wait again; they go on from their checkpoints."""
        with self._open() as connection:
            return connection.execute(
                "update runs set state = ? where state = ?", (RunState.WAITING, RunState.RUNNING)
            ).rowcount

    def expire(self, seconds: float) -> int:
        """Forget the runs that nobody has started since their tables came so long ago; how many these were."""
        before = time.time() - seconds
        old = [run for run in self.in_state(RunState.CHOOSING) if run.changed < before]
        for run in old:
            self.remove(run.id)
        return len(old)

    def remove(self, run: str) -> None:
        """Forget a run and all its files."""
        with self._open() as connection:
            connection.execute("delete from runs where id = ?", (run,))
        shutil.rmtree(self.place(run), ignore_errors=True)

    def _select(self, condition: str, value: str) -> list[StoredRun]:
        with self._open() as connection:
            rows = connection.execute(f"select {RUN_COLUMNS} from runs {condition}", (value,)).fetchall()
        return [_run(dict(zip(RUN_COLUMNS.split(", "), row, strict=True))) for row in rows]


def _counts(connection: sqlite3.Connection, owner: str, address: str, state: RunState | None) -> Counts:
    query = "select count(*), sum(visitor = ?), sum(address = ?) from runs where ? is null or state = ?"
    return Counts(*(int(count or 0) for count in connection.execute(query, (owner, address, state, state)).fetchone()))


def _hashed(visitor: str) -> str:
    return sha256(visitor.encode()).hexdigest()


def _make_private(folder: Path) -> None:
    """Let nobody else on the machine look into the folder and what is in it, be it new or of an earlier version."""
    ours = not folder.exists() or (folder / DATABASE_NAME).exists()
    (folder / "runs").mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / DATABASE_NAME).touch(mode=0o600)
    for path, rights in (
        (folder / DATABASE_NAME, 0o600),
        (folder / "runs", 0o700),
        *([(folder, 0o700)] if ours else []),
    ):
        path.chmod(rights)


def _run(row: dict[str, Any]) -> StoredRun:
    return StoredRun(**row | {"state": RunState(row["state"]), "settings": json.loads(row["settings"])})


def secret_of(folder: Path) -> bytes:
    """The secret of a server, made at its first start and readable by its user alone."""
    path = folder / "secret"
    if not path.exists() or not path.stat().st_size:  # a full disk took the name and not the secret
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    return path.read_bytes()
