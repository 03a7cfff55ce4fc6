"""Many searches side by side in one process: what they ask of the numbers is answered together.

Each search is ordinary code in a thread of its own. One of them runs at a time, until it asks (see
`inference.together`) or ends; when all have asked, those questions that are alike are answered by stacks. Nothing of a
search depends on which others are beside it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from autostatistician.inference.together import Request, grouped_answers, through
from autostatistician.threads import one_thread

__all__ = ["side_by_side"]

T = TypeVar("T")


class _Ended(BaseException):
    """Ends a search from outside; nothing in it may take it for an interrupt of its own."""


class _Lane(threading.Thread, Generic[T]):
    """One search."""

    def __init__(self, job: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._job = job
        self._go, self._given_back = threading.Semaphore(0), threading.Semaphore(0)
        self.requests: Sequence[Request] = ()
        self.answers: list[Any] = []
        self.is_over, self.ends = False, False
        self.result: T | Exception | None = None

    def run(self) -> None:
        """The search, from its start to its end."""
        try:
            self._go.acquire()
            with suppress(_Ended), through(self):
                if not self.ends:
                    self.result = self._job()
        except Exception as error:
            self.result = error
        except BaseException as error:  # also an exit must let the others go on
            self.result = RuntimeError(f"a search ended by {type(error).__name__}")
        finally:
            self.is_over = True
            self._given_back.release()

    def answered(self, requests: Sequence[Request]) -> list[Any]:
        """Hand in requests, and wait for their answers."""
        self.requests = requests
        self._given_back.release()
        self._go.acquire()
        if self.ends:
            raise _Ended
        for answer in self.answers:
            if isinstance(answer, Exception):
                raise answer
        return self.answers

    def go_on(self) -> None:
        """Let the search run until it asks or ends."""
        self._go.release()
        self._given_back.acquire()


def side_by_side(jobs: Sequence[Callable[[], T]]) -> list[T | Exception]:
    """The results of some searches in their order; of one that failed its error, which does not touch the others.

    An interrupt ends all of them.

    >>> side_by_side([lambda: 1, lambda: 1 // 0])
    [1, ZeroDivisionError('integer division or modulo by zero')]
    """
    lanes = [_Lane(job) for job in jobs]
    with one_thread():
        try:
            for lane in lanes:
                lane.start()
                lane.go_on()
            while live := [lane for lane in lanes if not lane.is_over]:
                answers = iter(grouped_answers([request for lane in live for request in lane.requests]))
                for lane in live:
                    lane.answers = [next(answers) for _ in lane.requests]
                for lane in live:
                    lane.go_on()
        except BaseException:
            _end(lanes)
            raise
    return [lane.result for lane in lanes]  # type: ignore[misc]


def _end(lanes: Sequence[_Lane[Any]]) -> None:
    for lane in lanes:
        lane.ends = True
    for lane in lanes:
        if lane.is_alive():
            lane._go.release()
            lane.join()
