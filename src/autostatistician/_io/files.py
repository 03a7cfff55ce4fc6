"""Files are written whole or not at all; pipes and devices get what is written to them."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO

from filelock import FileLock, Timeout

from autostatistician.errors import InputError, WriteError

__all__ = [
    "held", "is_channel", "is_file", "kept_on_failure", "name_of", "stops_all_writing", "write_whole",
    "written_whole",
]  # fmt: skip


DISK_FULL_ERRORS = (errno.ENOSPC, errno.EROFS, getattr(errno, "EDQUOT", errno.ENOSPC))
LEFT_SECONDS = 86_400  # seconds in which a file that is still being written changes


def is_file(path: str | Path) -> bool:
    r"""Whether a path is that of a file; not what can be no path at all, as ``Path.is_file`` raises for.

    >>> is_file("a" * 6000), is_file("a\0b")
    (False, False)
    """
    return os.path.isfile(path)


def write_whole(path: str | Path, content: bytes) -> Path:
    """Write a file by way of a temporary one beside it: the old content stays until the new one is on the disk.

    A link to a file stays one. What takes bytes without being a file (a pipe, a terminal, ``/dev/null``) gets them.

    Raises
    ------
    WriteError
        When the folder does not exist, the disk is full, the system does not allow it, or the place takes no files;
        nothing is left behind.
    """
    path = Path(path)
    with written_whole(path) as file:
        file.write(content)
    return path


@contextmanager
def written_whole(path: str | Path) -> Iterator[BinaryIO]:
    """The same for content that comes piece by piece: the file to write to, which takes the place when the block ends.

    Nothing is left of it when the block raises.

    Raises
    ------
    WriteError
        As `write_whole`.
    """
    path = Path(path)
    try:
        if is_channel(path):
            with path.open("wb") as channel:
                yield channel
            return
        with _replacing(path.resolve()) as file:
            yield file
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WriteError.of(f"to be able to write {str(path)!r}", reason, "choose another place") from error


def stops_all_writing(error: Exception) -> bool:
    """Whether an error, such as that of a full disk, would meet whatever is written next as well.

    >>> stops_all_writing(OSError(errno.ENOSPC, "full")), stops_all_writing(OSError(errno.ENOENT, "absent"))
    (True, False)
    """
    return isinstance(error, WriteError) or (isinstance(error, OSError) and error.errno in DISK_FULL_ERRORS)


def is_channel(path: Path) -> bool:
    """Whether bytes that are written to a place go elsewhere: it is a pipe or a device, and must not be replaced.

    Raises
    ------
    WriteError
        When it is a disk or a socket, which are no places for a file.
    """
    try:
        kind = path.stat().st_mode
    except OSError:  # there is nothing, or no way to it: writing tells
        return False
    if stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        found = "a disk" if stat.S_ISBLK(kind) else "a socket"
        raise WriteError.of(f"a file at {str(path)!r}", found, "choose another place")
    return stat.S_ISFIFO(kind) or stat.S_ISCHR(kind)


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of an old one, with the rights that it had."""
    _remove_left_behind(path.parent)
    beside = path.with_name(f".autostatistician-{secrets.token_hex(8)}.tmp")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # some disks tell only now that they are full
        if path.exists():
            beside.chmod(stat.S_IMODE(path.stat().st_mode))
        os.replace(beside, path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


@cache
def _remove_left_behind(folder: Path) -> None:
    """Remove what processes have left that were killed while they wrote."""
    with suppress(OSError):
        for file in folder.glob(".autostatistician-*.tmp"):
            if file.stat().st_mtime < time.time() - LEFT_SECONDS:
                file.unlink()


@contextmanager
def kept_on_failure(save: Callable[[Path], object], name: str) -> Iterator[None]:
    """Where the block cannot write what long work has found, keep it in a new folder of the temporary files.

    The error of the block goes on, with a note of where the file is; without it where there is no room either.

    Parameters
    ----------
    save : callable
        Writes what was found to the path that it gets.
    name : str
        Of the file in that folder.
    """
    try:
        yield
    except Exception as error:
        if (place := _elsewhere(save, name)) is not None:
            error.add_note(f"what was found is kept in '{place}'")
        raise


def _elsewhere(save: Callable[[Path], object], name: str) -> Path | None:
    place = None
    with suppress(Exception):
        place = Path(tempfile.mkdtemp(prefix="autostatistician-")) / name
        save(place)
        return place
    if place is not None:
        shutil.rmtree(place.parent, ignore_errors=True)
    return None


def name_of(data: str) -> str:
    """The first part of the default name of the output.

    >>> name_of("tables/My sales.csv"), name_of("-")
    ('My-sales', 'data')
    """
    return re.sub(r"[^\w.-]+", "-", Path(data).stem).strip("-.") or "data"


# --- A folder belongs to one process at a time ----------------------------------------------------------------------


@contextmanager
def held(folder: Path, user: str, option: str, name: str = "lock") -> Iterator[None]:
    """Keep a folder, which is made where it is missing, to this process until the block ends or the process dies.

    ``user`` is what processes of this kind are called, ``option`` how another folder is chosen, ``name`` the file that
    is locked.

    Raises
    ------
    InputError
        When another process has it.
    WriteError
        When it cannot be made or written.
    """
    lock = FileLock(folder / name, mode=0o600, blocking=False)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        expected, remedy = f"the folder '{folder}' for this {user}", f"end that one, or choose {option}"
        raise InputError.of(expected, f"that another {user} has it", remedy) from None
    except OSError as error:
        expected, reason = f"to be able to write in the folder '{folder}'", error.strerror or type(error).__name__
        raise WriteError.of(expected, reason, f"choose another {option}") from None
    try:
        yield
    finally:
        with suppress(OSError):  # Windows does not remove what is open
            (folder / name).unlink()
        lock.release()
