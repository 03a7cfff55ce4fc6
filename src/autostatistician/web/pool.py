"""The runs that are worked on: a few processes at a time, the rest wait in the store."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from autostatistician.errors import shortened
from autostatistician.processes import python
from autostatistician.web.store import RunState, Store, StoredRun
from autostatistician.web.work import AT_FAULT, NO_MEMORY, NO_ROOM, STOP_FILE
from autostatistician.wording.messages import again, message, message_from_json, say, spoken_in

__all__ = ["Pool"]

Result = TypeVar("Result")

MOST_ATTEMPTS = 3  # a run whose process dies goes on from its checkpoint, so often at most
OVERRUN_SECONDS = 900.0  # seconds for a whole run beyond twice its budget
TOO_LONG = 1000  # no code that a process can have
FAILURES = {
    NO_ROOM: message("The disk of the server is full. The search is kept: start it again later, and it goes on."),
    NO_MEMORY: message(
        "The search took more memory than this server gives to one; give fewer rows, or a smaller depth."
    ),
    TOO_LONG: message("The search and its report took far longer than asked for; give fewer rows, or a smaller depth."),
}
IDLE_SECONDS = 2.0  # seconds between looks at the store when nobody calls


class Pool:
    """Starts waiting runs, at most ``workers`` at once, for as long as `work` runs."""

    def __init__(self, store: Store, workers: int) -> None:
        self.store, self.workers = store, workers
        self.processes: dict[str, Process] = {}
        self.called = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()

    async def work(self) -> None:
        """Start waiting runs until cancelled; then processes are killed, and their runs wait for the next server."""
        await _patiently(self.store.resume)
        try:
            while True:
                self.called.clear()
                while len(self.tasks) < self.workers and (run := await _patiently(self.store.claim)):
                    task = asyncio.create_task(self._done(run))
                    self.tasks.add(task)
                    task.add_done_callback(self._free)
                # Not `wait_for`: before Python 3.12 it loses a cancellation that comes together with the call.
                with suppress(TimeoutError):
                    async with asyncio.timeout(IDLE_SECONDS):
                        await self.called.wait()
        finally:
            for process in self.processes.values():
                process.kill()
            for task in self.tasks:
                task.cancel()

    def call(self) -> None:
        """Say that there may be something to do."""
        self.called.set()

    def stop(self, run: str) -> bool:
        """End a search early, with the best model so far; False where it is not running."""
        asked = self.store.place(run) / STOP_FILE  # should the process be about to start
        process = self.processes.get(run)
        if asked.exists() or process is None or process.returncode is not None:
            asked.touch()
            return False
        asked.touch()
        process.send_signal(signal.SIGINT)  # once: a second one would end the writing of the report
        return True

    def forget_stop(self, run: str) -> None:
        """Let a run that starts anew go its whole way."""
        (self.store.place(run) / STOP_FILE).unlink(missing_ok=True)

    def _free(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        self.call()

    async def _done(self, run: StoredRun) -> None:
        command, environment = python("autostatistician.web.work", str(self.store.folder), run.id)
        # What goes wrong in it stands in the log of the server.
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, env=environment)
        self.processes[run.id] = process
        try:
            async with asyncio.timeout(OVERRUN_SECONDS + 2.0 * float(run.settings.get("budget") or 0.0)):
                code = await process.wait()
        except TimeoutError:
            process.kill()
            code = TOO_LONG
        finally:
            self.processes.pop(run.id, None)
        await _patiently(self._settle, run, code)

    def _settle(self, run: StoredRun, code: int) -> None:
        if code == 0:
            self.store.set(run.id, RunState.DONE)
        elif code in (AT_FAULT, *FAILURES) or run.attempts >= MOST_ATTEMPTS:
            with spoken_in(run.lang):
                self.store.set(run.id, RunState.FAILED, self._failure(run, code))
        else:
            self.store.set(run.id, RunState.WAITING)

    def _failure(self, run: StoredRun, code: int) -> str:
        """Why a run failed, in its language."""
        if code == AT_FAULT:
            said = json.loads((self.store.place(run.id) / "error.json").read_text(encoding="utf-8"))
            return shortened(again(message_from_json(said)))
        if code in FAILURES:
            return say(FAILURES[code])
        if code < 0:
            return say(
                "The search was ended {n} times from outside, perhaps for lack of memory; start it again.",
                n=run.attempts,
            )
        return say("Something went wrong on our side; the log of the server says what. The table is kept.")


async def _patiently(call: Callable[..., Result], *arguments: object) -> Result:
    """The result of a call to the store, which is tried again while the disk is full."""
    while True:
        try:
            return await asyncio.to_thread(call, *arguments)
        except sqlite3.OperationalError:
            await asyncio.sleep(IDLE_SECONDS)
