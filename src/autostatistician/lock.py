"""A folder belongs to one process at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

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
