"""Signals that wait until work is whole, and workers that end with the process that started them."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from multiprocessing import current_process
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["end_own_process_with_parent", "end_with_parent", "interrupt_later", "termination_as_interrupt"]

SECONDS_BETWEEN_LOOKS = 0.5  # at whether the parent is still there


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
