"""A folder belongs to one server at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autostatistician.errors import InputError, WriteError

__all__ = ["held"]


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep a folder, which is made where it is missing, to this process until the block ends or the process dies.

    Raises
    ------
    InputError
        When another process has it.
    WriteError
        When it cannot be made or written.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WriteError.of(f"a folder for runs at '{folder}'", reason, "choose another --folder") from None
    try:
        if not _locked(file):
            found = "that another server has it"
            raise InputError.of(f"the folder '{folder}' for this server", found, "end that one, or choose --folder")
        yield
    finally:
        os.close(file)  # which ends the lock, too


def _locked(file: int) -> bool:
    """Whether we got the lock on an open file; the system takes it back when this process ends, however it does."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
