"""The runs that are worked on: a few processes at a time, the rest wait in the store."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from autostatistician.web.pool import Job, JobError, Reason, WorkerPool
from autostatistician.web.store import RunState, Store, StoredRun
from autostatistician.web.work import STOP_FILE
from autostatistician.wording.faults import told
from autostatistician.wording.messages import message, say, spoken_in

__all__ = ["RunQueue"]

Result = TypeVar("Result")

MOST_ATTEMPTS = 3  # a run whose process dies goes on from its checkpoint, so often at most
OVERRUN_SECONDS = 900.0  # seconds for a whole run beyond twice its budget
FAILURES = {
    Reason.NO_ROOM: message(
        "The disk of the server is full. The search is kept: start it again later, and it goes on."
    ),
    Reason.NO_MEMORY: message(
        "The search took more memory than this server gives to one; give fewer rows, or a smaller depth."
    ),
    Reason.TOO_LONG: message(
        "The search and its report took far longer than asked for; give fewer rows, or a smaller depth."
    ),
}
IDLE_SECONDS = 2.0  # seconds between looks at the store when nobody calls


class RunQueue:
    """Has waiting runs done by a pool, at most ``most`` at once, for as long as `work` runs."""

    def __init__(self, store: Store, pool: WorkerPool, most: int) -> None:
        self.store, self.pool, self.most = store, pool, most
        self.jobs: dict[str, Job] = {}
        self.called = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()

    async def work(self) -> None:
        """Start waiting runs until cancelled; then workers are killed, and their runs wait for the next server."""
        await _patiently(self.store.resume)
        try:
            while True:
                self.called.clear()
                while len(self.tasks) < self.most and (run := await _patiently(self.store.claim)):
                    task = asyncio.create_task(self._done(run))
                    self.tasks.add(task)
                    task.add_done_callback(self._free)
                # Not `wait_for`: before Python 3.12 it loses a cancellation that comes together with the call.
                with suppress(TimeoutError):
                    async with asyncio.timeout(IDLE_SECONDS):
                        await self.called.wait()
        finally:
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    def call(self) -> None:
        """Say that there may be something to do."""
        self.called.set()

    def stop(self, run: str) -> bool:
        """End a search early, with the best model so far; False where it is not running."""
        asked = self.store.place(run) / STOP_FILE  # should the search be about to start
        job = None if asked.exists() else self.jobs.get(run)  # once: a second time would end the writing of the report
        asked.touch()
        return job is not None and job.interrupt()

    def forget_stop(self, run: str) -> None:
        """Let a run that starts anew go its whole way."""
        (self.store.place(run) / STOP_FILE).unlink(missing_ok=True)

    def _free(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self.call()

    async def _done(self, run: StoredRun) -> None:
        place, seconds = self.store.place(run.id), OVERRUN_SECONDS + 2.0 * float(run.settings.get("budget") or 0.0)
        asked = {
            "place": str(place), "file": run.file, "name": run.name, "settings": run.settings, "lang": run.lang,
        }  # fmt: skip
        self.jobs[run.id] = job = Job("run", asked, seconds, reused=False)
        error = None
        try:
            await self.pool.run(job)
        except JobError as failed:
            error = failed
        finally:
            del self.jobs[run.id]
        await _patiently(self._settle, run, error)

    def _settle(self, run: StoredRun, error: JobError | None) -> None:
        if error is None:
            self.store.set(run.id, RunState.DONE)
        elif error.reason in (Reason.AT_FAULT, *FAILURES) or run.attempts >= MOST_ATTEMPTS:
            with spoken_in(run.lang):
                self.store.set(run.id, RunState.FAILED, _failure(run, error))
        else:
            self.store.set(run.id, RunState.WAITING)


def _failure(run: StoredRun, error: JobError) -> str:
    """Why a run failed, in its language."""
    if error.reason is Reason.AT_FAULT:
        return told(error)
    if error.reason in FAILURES:
        return say(FAILURES[error.reason])
    if error.reason is Reason.KILLED:
        return say(
            "The search was ended {n} times from outside, perhaps for lack of memory; start it again.", n=run.attempts
        )
    return say("Something went wrong on our side; the log of the server says what. The table is kept.")


async def _patiently(call: Callable[..., Result], *arguments: object) -> Result:
    """The result of a call to the store, which is tried again while the disk is full."""
    while True:
        try:
            return await asyncio.to_thread(call, *arguments)
        except sqlite3.OperationalError:
            await asyncio.sleep(IDLE_SECONDS)
