"""Files are whole or not there."""

import errno
import os
import socket
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from autostatistician import AutomaticStatistician
from autostatistician._io.files import held, kept_on_failure, write_whole, written_whole
from autostatistician.errors import InputError, WriteError


def test_a_folder_is_for_one_server_at_a_time(tmp_path: Path) -> None:
    with held(tmp_path / "runs", "server", "--folder"):
        with pytest.raises(InputError, match="another server has it"), held(tmp_path / "runs", "server", "--folder"):
            pass
        with held(tmp_path / "others", "server", "--folder"):
            pass
    with held(tmp_path / "runs", "server", "--folder"):
        pass


def test_a_place_that_is_no_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="choose another --folder"), held(tmp_path / "file", "server", "--folder"):
        pass


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    assert write_whole(path, b"first") == path
    assert write_whole(str(path), b"second") == path
    assert path.read_bytes() == b"second"
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


def test_pieces_take_the_place_together(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "a.txt", b"old")
    with written_whole(path) as file:
        file.write(b"one, ")
        assert path.read_bytes() == b"old"
        file.write(b"two")
    assert path.read_bytes() == b"one, two"
    with pytest.raises(KeyError), written_whole(path) as file:
        file.write({b"three": b"three"}[b"four"])
    assert path.read_bytes() == b"one, two"
    assert [found.name for found in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="kills itself by a signal")
def test_what_a_killed_process_left_goes_with_the_next_file(tmp_path: Path) -> None:
    program = """
        import os, signal, sys
        from autostatistician._io.files import written_whole
        with written_whole(sys.argv[1]) as file:
            file.write(b"half")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    subprocess.run([*command, str(tmp_path / "a.txt")], check=False)
    (left,) = tmp_path.iterdir()
    os.utime(left, (0, 0))
    subprocess.run([*command, str(tmp_path / "b.txt")], check=False)
    (young,) = tmp_path.iterdir()  # may still be written to
    assert young != left
    write_whole(tmp_path / "a.txt", b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([young, tmp_path / "a.txt"])


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


def test_a_link_to_a_file_stays_one_and_rights_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600 or sys.platform == "win32"


posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name and devices are those of POSIX")


@posix
def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    link = tmp_path / "report.html"
    link.symlink_to(os.devnull)
    write_whole(link, b"x")
    assert link.is_symlink()
    assert link.is_char_device()
    with pytest.raises(WriteError, match="No space left") if Path("/dev/full").exists() else nullcontext():
        write_whole("/dev/full", b"x")


@posix
def test_a_pipe_gets_what_is_written(tmp_path: Path) -> None:
    pipe, got = tmp_path / "report.html", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole(pipe, b"all of it")
    reader.join(10.0)
    assert got == [b"all of it"]
    assert pipe.is_fifo()


@posix
def test_a_socket_is_no_place_for_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # paths of sockets must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.html")
        with pytest.raises(WriteError, match="found a socket"):
            write_whole("s.html", b"x")


@posix
def test_what_is_read_and_written_must_be_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    x = np.arange(10.0)
    with pytest.raises(InputError, match="something that is no file"):
        AutomaticStatistician("se", max_depth=1, n_jobs=1).fit(x[:, None], x % 3, checkpoint=pipe)
    with pytest.raises(InputError, match="something that is no file"):
        AutomaticStatistician.load(pipe)
