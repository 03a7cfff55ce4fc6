"""Processes of our own: what they may import, how many threads they have, when they wait and when they end."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import current_process
from pathlib import Path
from typing import TYPE_CHECKING

from autostatistician.errors import InputError
from autostatistician.i18n.messages import note

if TYPE_CHECKING:
    from types import FrameType

__all__ = [
    "OWN_ENVIRONMENT", "end_own_process_with_parent", "end_with_parent", "interrupt_later", "limit_memory",
    "memory_for_reading", "python", "started_as_own", "termination_as_interrupt", "too_much_memory",
]  # fmt: skip


READ_MEGABYTES = 6000  # megabytes; the largest table of text that is read takes two thirds of it

# Of every process that is ours alone, before it imports anything: files of the working folder are no modules (as by
# `python -P`, whose flag joblib does not hand on to its workers), and threads of matrix algebra do not fight for cores.
OWN_ENVIRONMENT = {
    "PYTHONSAFEPATH": "1",
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"),
}

SECONDS_BETWEEN_LOOKS = 0.5  # at whether the parent is still there


def python(module: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """The command that runs a module in a process of our own, and the environment of that process.

    >>> command, environment = python("autostatistician", "--help")
    >>> command[1:], environment["PYTHONSAFEPATH"]
    (['-P', '-m', 'autostatistician', '--help'], '1')
    """
    return [sys.executable, "-P", "-m", module, *arguments], os.environ | OWN_ENVIRONMENT


@contextmanager
def started_as_own() -> Iterator[None]:
    """What is started inside, by whatever library, is a process of our own."""
    before = {name: os.environ[name] for name in OWN_ENVIRONMENT if name in os.environ}
    os.environ.update(OWN_ENVIRONMENT)
    try:
        yield
    finally:
        for name in OWN_ENVIRONMENT:
            os.environ.pop(name, None)
        os.environ.update(before)


@contextmanager
def interrupt_later(pressed: list[int] | None = None) -> Iterator[list[int]]:
    """Let the first Ctrl-C wait until the block is through; the second one acts at once.

    Parameters
    ----------
    pressed : list of int, optional
        What an earlier block yielded, when this one goes on with its work.

    Yields
    ------
    list of int
        Not empty when Ctrl-C was pressed meanwhile.
    """
    pressed = [] if pressed is None else pressed

    def note(number: int, frame: FrameType | None) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    with _answered(signal.SIGINT, note):
        yield pressed


@contextmanager
def termination_as_interrupt() -> Iterator[list[int]]:
    """Treat SIGTERM, by which services and schedulers end a process, as Ctrl-C: what is found is written first.

    Yields
    ------
    list of int
        Not empty when SIGTERM came.
    """
    signals: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        answer = signal.getsignal(signal.SIGINT)
        if not callable(answer):  # Ctrl-C is ignored, as in jobs that a shell starts in the background
            raise KeyboardInterrupt
        answer(signal.SIGINT, frame)

    with _answered(signal.SIGTERM, note):
        yield signals


@contextmanager
def _answered(number: signal.Signals, answer: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Answer a signal by a function within the block, as before after it.

    In other threads than the main one nothing changes: only that one gets signals, and may say what they do.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, answer)
    try:
        yield
    finally:
        signal.signal(number, before or signal.SIG_DFL)


@cache
def end_own_process_with_parent() -> None:
    """End when the process that started this one is killed, instead of working for nobody (or twice on one thing)."""
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def end_with_parent() -> None:
    """In a process of joblib's own: end when the one that started it is killed; in any other, nothing."""
    if current_process().name.startswith("LokyProcess"):
        end_own_process_with_parent()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)


# --- How much memory a process of ours may take, held by the system -------------------------------------------------


def limit_memory(megabytes: int) -> None:
    """Let this process take so much more memory than it has; a request beyond fails with a `MemoryError`.

    A lower limit stays. Where the system has no such limit (Windows; macOS has one that it does not keep) nothing is
    limited.
    """
    with suppress(ImportError, ValueError, OSError):
        import resource

        limits = resource.getrlimit(resource.RLIMIT_AS)
        lower = [limit for limit in limits if limit != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_AS, (min([_size() + megabytes * 10**6, *lower]), limits[1]))


@contextmanager
def memory_for_reading(megabytes: int = READ_MEGABYTES) -> Iterator[None]:
    """Limit the memory of the block, in which a table is read, to so much or what the machine has.

    Afterwards the limit is the one from before.

    Raises
    ------
    InputError
        When the table takes more.
    """
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    megabytes = min(megabytes, os.sysconf("SC_PHYS_PAGES") * resource.getpagesize() // 10**6)
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit_memory(megabytes)
    try:
        yield
    except MemoryError:
        raise too_much_memory(megabytes) from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def too_much_memory(megabytes: int) -> InputError:
    """The error for a table that takes more memory than its reading may.

    >>> str(too_much_memory(1000))[:75]
    'expected a table of usual size; found one that takes more than 1000 MB of m'
    """
    found = note("one that takes more than {size} MB of memory", size=megabytes)
    return InputError.of(note("a table of usual size"), found, note("give it as CSV, with fewer rows or columns"))


def _size() -> int:
    """The bytes of address space that this process has; zero where the system does not say."""
    import resource

    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0
