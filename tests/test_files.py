"""Files are whole or not there."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest

from autostatistician.errors import InputError
from autostatistician.files import kept_on_failure, write_whole


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert write_whole(path, b"first") == path
    assert write_whole(str(path), b"second") == path
    assert path.read_bytes() == b"second"
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, b"old")

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_whole(path, b"new content")
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("where", ["missing/a.txt", "folder", "file/a.txt"])
def test_places_that_do_not_work_are_said_in_one_line(tmp_path: Path, where: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="choose another place") as caught:
        write_whole(tmp_path / where, b"x")
    assert "\n" not in str(caught.value)
    assert sorted(found.name for found in tmp_path.iterdir()) == ["file", "folder"]


def test_what_long_work_found_is_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(ZeroDivisionError) as caught, kept_on_failure(lambda path: path.write_text("model"), "m.json"):
        raise ZeroDivisionError
    (kept,) = tmp_path.glob("autostatistician-*/m.json")
    assert caught.value.__notes__ == [f"what was found is kept in '{kept}'"]
    assert kept.read_text() == "model"


@pytest.mark.parametrize("room", ["for a folder", "for nothing"])
def test_where_there_is_no_room_at_all_the_error_stays_as_it_is(
    room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path if room == "for a folder" else tmp_path / "missing"))
    with pytest.raises(ZeroDivisionError) as caught, kept_on_failure(lambda path: 1 / 0, "m.json"):
        raise ZeroDivisionError("the first")
    assert str(caught.value) == "the first"
    assert not hasattr(caught.value, "__notes__")
    assert list(tmp_path.iterdir()) == []


def test_without_an_error_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with kept_on_failure(lambda path: path.write_text("model"), "m.json"):
        pass
    assert list(tmp_path.iterdir()) == []
