"""The runs that are worked on: a few processes at a time, the rest wait in the store."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from autostatistician.errors import InputError, WriteError
from autostatistician.i18n.messages import message, say, spoken_in, told
from autostatistician.web.pool import Job, LostJobError, WorkerPool
from autostatistician.web.search_job import STOP_FILE
from autostatistician.web.store import Counts, RunState, Store, StoredRun
from autostatistician.web.tables import Bounds

__all__ = ["FULL", "RunQueue"]

Result = TypeVar("Result")

MOST_ATTEMPTS = 3  # a run whose process dies goes on from its checkpoint, so often at most
OVERRUN_SECONDS = 900.0  # seconds for a whole run beyond twice its budget
FULL = message("The disk of the server is full. What is there is kept: try again later, or tell who runs it.")
IDLE_SECONDS = 2.0  # seconds between looks at the store when nobody calls


class RunQueue:
    """Has waiting runs done by a pool, at most ``most`` at once, for as long as `work` runs."""

    def __init__(self, store: Store, bounds: Bounds, pool: WorkerPool, most: int) -> None:
        self.store, self.bounds, self.pool, self.most = store, bounds, pool, most
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
                    task.add_done_callback(self.tasks.discard)
                    task.add_done_callback(lambda _: self.called.set())
                # Not `wait_for`: before Python 3.12 it loses a cancellation that comes together with the call.
                with suppress(TimeoutError):
                    async with asyncio.timeout(IDLE_SECONDS):
                        await self.called.wait()
        finally:
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)

    async def add(self, run: StoredRun, settings: dict[str, Any]) -> bool:
        """Let a run wait for its turn; False where as many wait already as can."""
        bounds = self.bounds
        most = Counts(bounds.waiting, bounds.waiting_of_visitor, bounds.waiting_of_address)
        (self.store.place(run.id) / STOP_FILE).unlink(missing_ok=True)
        added = await asyncio.to_thread(self.store.queue, run, settings, most)
        self.called.set()
        return added

    def stop(self, run: str) -> bool:
        """End a search early, with the best model so far; False where it is not running."""
        stop = self.store.place(run) / STOP_FILE  # should the search be about to start
        job = None if stop.exists() else self.jobs.get(run)  # once: a second time would end the writing of the report
        stop.touch()
        return job is not None and job.interrupt()

    async def _done(self, run: StoredRun) -> None:
        place, seconds = self.store.place(run.id), OVERRUN_SECONDS + 2.0 * float(run.settings.get("budget") or 0.0)
        asked = {
            "place": str(place), "file": run.file, "name": run.name, "settings": run.settings, "lang": run.lang,
        }  # fmt: skip
        self.jobs[run.id] = job = Job("run", asked, seconds, reused=False)
        error = None
        try:
            await self.pool.run(job)
        except InputError as failed:
            error = failed
        finally:
            del self.jobs[run.id]
        await _patiently(self._settle, run, error)

    def _settle(self, run: StoredRun, error: InputError | None) -> None:
        with spoken_in(run.lang):
            match error:
                case None:
                    self.store.set(run.id, RunState.DONE)
                case LostJobError() if run.attempts < MOST_ATTEMPTS:
                    self.store.set(run.id, RunState.WAITING)
                case WriteError():  # the names of our files are nobody's business
                    self.store.set(run.id, RunState.FAILED, say(FULL))
                case _:
                    self.store.set(run.id, RunState.FAILED, told(error))


async def _patiently(call: Callable[..., Result], *arguments: object) -> Result:
    """The result of a call to the store, which is tried again while the disk is full."""
    while True:
        try:
            return await asyncio.to_thread(call, *arguments)
        except sqlite3.OperationalError:
            await asyncio.sleep(IDLE_SECONDS)
