"""Files are whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from autostatistician.errors import InputError
from autostatistician.files import write_whole


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert write_whole(path, b"first") == path
    assert write_whole(str(path), b"second") == path
    assert path.read_bytes() == b"second"
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, b"old")

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_whole(path, b"new content")
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("where", ["missing/a.txt", "folder"])
def test_places_that_do_not_work_are_said_in_one_line(tmp_path: Path, where: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="choose another place") as caught:
        write_whole(tmp_path / where, b"x")
    assert "\n" not in str(caught.value)
    assert [found.name for found in tmp_path.iterdir()] == ["folder"]
