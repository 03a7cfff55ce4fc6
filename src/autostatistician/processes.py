"""Processes of our own: what they may import, how many threads they have, when they wait and when they end."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import current_process
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = [
    "OWN_ENVIRONMENT",
    "end_own_process_with_parent",
    "end_with_parent",
    "interrupt_later",
    "python",
    "started_as_own",
    "termination_as_interrupt",
]

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
    before = {name: os.environ.get(name) for name in OWN_ENVIRONMENT}
    os.environ.update(OWN_ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


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
