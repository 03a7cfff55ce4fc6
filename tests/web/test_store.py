"""The folder of the server: for its user alone, for one server at a time, and without a word by which to act."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from autostatistician.web.store import Store, secret_of

posix = pytest.mark.skipif(sys.platform == "win32", reason="rights are those of POSIX")


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_nobody_else_on_the_machine_can_look_into_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    Store(folder).add("visitor", "a", "table.csv", b"")
    secret_of(folder)
    assert rights(folder) == rights(folder / "runs") == 0o700
    assert all(rights(path) == 0o600 for path in folder.iterdir() if path.is_file())


@posix
def test_the_folder_of_an_earlier_version_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    Store(folder)
    for path in (folder, folder / "runs"):
        path.chmod(0o755)
    (folder / "runs.sqlite").chmod(0o644)
    Store(folder)
    assert [rights(path) for path in (folder, folder / "runs", folder / "runs.sqlite")] == [0o700, 0o700, 0o600]


@posix
def test_a_folder_that_was_there_keeps_its_own_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Store(tmp_path)
    assert [rights(path) for path in (tmp_path, tmp_path / "runs", tmp_path / "runs.sqlite")] == [0o755, 0o700, 0o600]


def test_the_store_does_not_hold_what_a_visitor_shows(tmp_path: Path) -> None:
    store, cookie = Store(tmp_path), "c00kie-of-a-visitor-22"
    run = store.add(cookie, "a", "table.csv", b"")
    assert [one.id for one in store.of_visitor(cookie)] == [run.id]
    assert store.owns(cookie, run)
    assert not store.owns(run.visitor, run)
    assert not any(cookie.encode() in path.read_bytes() for path in tmp_path.glob("runs.sqlite*"))
