"""Where tables come in: a few looks at a time, and as many tables as there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from weakref import WeakValueDictionary

from starlette.exceptions import HTTPException

from autostatistician.i18n.messages import message, note
from autostatistician.web.pool import Job, WorkerPool
from autostatistician.web.store import Counts, Store, StoredRun
from autostatistician.web.tables import Bounds, file_name, previewed, shown_name

__all__ = ["Slots", "Uploads"]

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
