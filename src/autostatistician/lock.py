"""A folder belongs to one process at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from autostatistician.errors import InputError, WriteError

__all__ = ["held"]


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
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(folder / name, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WriteError.of(
            f"to be able to write in the folder '{folder}'", reason, f"choose another {option}"
        ) from None
    try:
        if not (_locked(file) and _is_still(file, folder / name)):
            found = f"that another {user} has it"
            raise InputError.of(f"the folder '{folder}' for this {user}", found, f"end that one, or choose {option}")
        try:
            yield
        finally:
            with suppress(OSError):  # Windows does not remove what is open
                (folder / name).unlink()
    finally:
        os.close(file)  # which ends the lock, too


def _is_still(file: int, path: Path) -> bool:
    """Whether an open file is the one of this name: the process that had it may have removed it since."""
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except OSError:
        return False


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
