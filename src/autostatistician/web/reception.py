"""Where tables come in: a few looks at a time, in threads of their own, and as many tables as there is room for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from starlette.exceptions import HTTPException

from autostatistician.web.look import look
from autostatistician.web.store import Counts, Store, StoredRun
from autostatistician.web.tables import Bounds, file_name, shown_name
from autostatistician.wording.messages import message, note

__all__ = ["Places", "Reception"]

MOST_LOOKS = 2  # at tables, at a time
PLACE_SECONDS = 5.0  # seconds to wait for a place
FULL = message("This server keeps {n} tables already. Delete some of yours, or ask who runs it.")
FULL_OF_VISITOR = message("You have {n} tables here, as many as one visitor can have. Delete some of them.")
FULL_OF_ADDRESS = message("From your address came {n} tables, as many as can. Delete some of yours.")
BUSY = message("Other tables are being read just now. Try again in a minute.")


class Places:
    """A few places for what takes long, one at a time for an address.

    Who does not get one soon is asked to come back: they are ``busy``.
    """

    def __init__(self, count: int, busy: str) -> None:
        self.busy = busy
        self._free = asyncio.Semaphore(count)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of those who wait or have one

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """One of the places, for as long as it is needed."""
        turn = self._turns.setdefault(address, asyncio.Lock())
        async with self._soon(turn), self._soon(self._free):
            yield

    @asynccontextmanager
    async def _soon(self, lock: asyncio.Lock | asyncio.Semaphore) -> AsyncIterator[None]:
        """Hold a lock that is free soon."""
        try:
            async with asyncio.timeout(PLACE_SECONDS):
                await lock.acquire()
        except TimeoutError:
            raise HTTPException(503, note(self.busy), {"retry-after": "30"}) from None
        try:
            yield
        finally:
            lock.release()


class Reception(Places):
    """Takes tables in. Pages and the store have other threads, so that looks never hold them up."""

    def __init__(self, store: Store, bounds: Bounds) -> None:
        super().__init__(MOST_LOOKS, BUSY)
        self.store, self.bounds = store, bounds
        self._threads = ThreadPoolExecutor(MOST_LOOKS, "look")

    async def taken(self, visitor: str, address: str, name: str, content: bytes) -> StoredRun:
        """A new run with its table, which was looked at.

        Raises
        ------
        InputError
            When it is no table that can be used.
        HTTPException
            When there is no room for it.
        """
        given = (visitor, address, name, content)
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._take, *given)

    def forget_old(self) -> None:
        """Forget tables with which nobody has begun anything."""
        self.store.expire(self.bounds.expiry)

    def _take(self, visitor: str, address: str, name: str, content: bytes) -> StoredRun:
        self.forget_old()
        self._check_room(self.store.count(visitor, address))
        file, shown = file_name(name), shown_name(name)
        run = self.store.add(visitor, shown, file, content, address)
        try:
            look(self.store.place(run.id), file, shown, content, self.bounds)
        except BaseException:
            self.store.remove(run.id)
            raise
        return run

    def _check_room(self, there: Counts) -> None:
        bounds = self.bounds
        if there.all >= bounds.kept:
            raise HTTPException(503, note(FULL, n=bounds.kept))
        if there.visitor >= bounds.kept_of_visitor:
            raise HTTPException(429, note(FULL_OF_VISITOR, n=there.visitor))
        if there.address >= bounds.kept_of_address:
            raise HTTPException(429, note(FULL_OF_ADDRESS, n=there.address))
