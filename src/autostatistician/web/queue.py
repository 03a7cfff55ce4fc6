"""The runs that are worked on, a few processes at a time while the rest wait in the store; and where tables come in."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from starlette.exceptions import HTTPException

from autostatistician.errors import InputError, WriteError
from autostatistician.i18n.messages import message, note, say, spoken_in, told
from autostatistician.web.pool import Job, LostJobError, WorkerPool
from autostatistician.web.search_job import STOP_FILE
from autostatistician.web.store import Counts, RunState, Store, StoredRun
from autostatistician.web.tables import Bounds, file_name, previewed, shown_name

__all__ = ["FULL_DISK", "RunQueue", "Slots", "Uploads"]


Result = TypeVar("Result")

MOST_ATTEMPTS = 3  # a run whose process dies goes on from its checkpoint, so often at most
OVERRUN_SECONDS = 900.0  # seconds for a whole run beyond twice its budget
FULL_DISK = message("The disk of the server is full. What is there is kept: try again later, or tell who runs it.")
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
                    self.store.set(run.id, RunState.FAILED, say(FULL_DISK))
                case _:
                    self.store.set(run.id, RunState.FAILED, told(error))


async def _patiently(call: Callable[..., Result], *arguments: object) -> Result:
    """The result of a call to the store, which is tried again while the disk is full."""
    while True:
        try:
            return await asyncio.to_thread(call, *arguments)
        except sqlite3.OperationalError:
            await asyncio.sleep(IDLE_SECONDS)


MOST_LOOKS = 2  # at tables, at a time
LOOK_SECONDS = 40.0  # seconds
SMALL_BYTES = 20_000  # bytes that are read at once, whatever they hold
PACKED_STARTS = (b"PK", b"PAR1", b"\x1f\x8b")  # may be much larger than they seem
SLOT_SECONDS = 5.0  # seconds to wait for a slot
FULL = message("This server keeps {n} tables already. Delete some of yours, or ask who runs it.")
FULL_OF_VISITOR = message("You have {n} tables here, as many as one visitor can have. Delete some of them.")
FULL_OF_ADDRESS = message("From your address came {n} tables, as many as can. Delete some of yours.")
BUSY = message("Other tables are being read just now. Try again in a minute.")


class Slots:
    """A few slots for what takes long, one at a time for an address.

    Who does not get one soon is asked to come back: they are ``busy``.
    """

    def __init__(self, count: int, busy: str) -> None:
        self.busy = busy
        self._free = asyncio.Semaphore(count)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of those who wait or have one

    @asynccontextmanager
    async def slot(self, address: str) -> AsyncIterator[None]:
        """One of the slots, for as long as it is needed."""
        turn = self._turns.setdefault(address, asyncio.Lock())
        async with self._soon(turn), self._soon(self._free):
            yield

    @asynccontextmanager
    async def _soon(self, lock: asyncio.Lock | asyncio.Semaphore) -> AsyncIterator[None]:
        """Hold a lock that is free soon."""
        try:
            async with asyncio.timeout(SLOT_SECONDS):
                await lock.acquire()
        except TimeoutError:
            raise HTTPException(503, note(self.busy), {"retry-after": "30"}) from None
        try:
            yield
        finally:
            lock.release()


class Uploads(Slots):
    """Takes tables in; all but the smallest are looked at by the ``pool``."""

    def __init__(self, store: Store, bounds: Bounds, pool: WorkerPool) -> None:
        super().__init__(MOST_LOOKS, BUSY)
        self.store, self.bounds, self.pool = store, bounds, pool

    async def taken(self, visitor: str, address: str, name: str, content: bytes) -> StoredRun:
        """A new run with its table, which was looked at.

        Raises
        ------
        InputError
            When it is no table that can be used, is larger than the bounds allow, or reading it takes too long.
        WriteError
            When the disk is full.
        HTTPException
            When there is no room for it.
        """
        file, shown = file_name(name), shown_name(name)
        run = await asyncio.to_thread(self._added, visitor, address, file, shown, content)
        try:
            await self._look(self.store.place(run.id), file, shown, content)
        except BaseException:
            await asyncio.to_thread(self.store.remove, run.id)
            raise
        return run

    def forget_old(self) -> None:
        """Forget tables with which nobody has begun anything."""
        self.store.expire(self.bounds.expiry)

    def _added(self, visitor: str, address: str, file: str, shown: str, content: bytes) -> StoredRun:
        self.forget_old()
        self._check_room(self.store.count(visitor, address))
        return self.store.add(visitor, shown, file, content, address)

    async def _look(self, place: Path, file: str, name: str, content: bytes) -> None:
        if len(content) <= SMALL_BYTES and not content.startswith(PACKED_STARTS):
            await asyncio.to_thread(previewed, place, file, name, self.bounds)
        else:
            asked = {"place": str(place), "file": file, "name": name, "bounds": asdict(self.bounds)}
            await self.pool.run(Job("look", asked, LOOK_SECONDS))

    def _check_room(self, there: Counts) -> None:
        bounds = self.bounds
        if there.all >= bounds.kept:
            raise HTTPException(503, note(FULL, n=bounds.kept))
        if there.visitor >= bounds.kept_of_visitor:
            raise HTTPException(429, note(FULL_OF_VISITOR, n=there.visitor))
        if there.address >= bounds.kept_of_address:
            raise HTTPException(429, note(FULL_OF_ADDRESS, n=there.address))
