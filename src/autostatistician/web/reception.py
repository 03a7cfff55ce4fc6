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

__all__ = ["Reception", "soon"]

MOST_LOOKS = 2  # at tables, at a time
PLACE_SECONDS = 5.0  # seconds to wait for a place
FULL = message("This server keeps {n} tables already. Delete some of yours, or ask who runs it.")
FULL_OF_VISITOR = message("You have {n} tables here, as many as one visitor can have. Delete some of them.")
FULL_OF_ADDRESS = message("From your address came {n} tables, as many as can. Delete some of yours.")
BUSY = message("Other tables are being read just now. Try again in a minute.")


class Reception:
    """Takes tables in. Pages and the store have other threads, so that looks never hold them up."""

    def __init__(self, store: Store, bounds: Bounds) -> None:
        self.store, self.bounds = store, bounds
        self._places = asyncio.Semaphore(MOST_LOOKS)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # of those who wait or look
        self._threads = ThreadPoolExecutor(MOST_LOOKS, "look")

    @asynccontextmanager
    async def place(self, address: str) -> AsyncIterator[None]:
        """One of the few places for a look at a table, one at a time for an address.

        Who does not get one soon is asked to come back.
        """
        turn = self._turns.setdefault(address, asyncio.Lock())
        async with soon(turn), soon(self._places):
            yield

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


@asynccontextmanager
async def soon(
    lock: asyncio.Lock | asyncio.Semaphore,
    busy: str = BUSY,
) -> AsyncIterator[None]:
    """Hold a lock that is free soon; else it is said what is ``busy``."""
    try:
        async with asyncio.timeout(PLACE_SECONDS):
            await lock.acquire()
    except TimeoutError:
        raise HTTPException(503, note(busy), {"retry-after": "30"}) from None
    try:
        yield
    finally:
        lock.release()
