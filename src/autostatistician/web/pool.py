"""Worker processes that do jobs, each a line of JSON, within limits of time and memory.

Whoever has jobs runs `attend` as the main part of a module; a `WorkerPool` starts that module and sends jobs to it. A
worker that took too long, or that nobody waits for any more, is ended, and the next job has a new one.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import traceback
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from autostatistician._io.processes import end_own_process_with_parent, limit_memory, python, too_much_memory
from autostatistician.errors import AutostatisticianError, InputError, WriteError
from autostatistician.i18n.messages import Number, message_from_json, message_to_json, note, noted

__all__ = ["Handler", "Job", "LostJobError", "Tell", "WorkerPool", "attend"]

Tell = Callable[[dict[str, Any]], None]  # says how far a job is
Handler = Callable[[dict[str, Any], Tell], Any]  # does jobs of a name, in the worker

WORKER_MEGABYTES = 6000  # megabytes of address space; a search over 3000 rows takes half of it
LONGEST_LINE = 64 * 2**20  # bytes of an answer
MOST_IDLE = 3  # workers that wait for the next job


class LostJobError(InputError):
    """What was asked for is not known to be at fault: the worker died, or the fault is ours. It may be tried again."""


ERRORS = {error.__name__: error for error in (InputError, WriteError, LostJobError)}  # that a job may end with


@dataclass(eq=False)
class Job:
    """Something to do for at most so many ``seconds``; ``tell`` is awaited with whatever it says on the way.

    A worker that is not ``reused`` is there for this job alone.
    """

    name: str
    arguments: Mapping[str, Any]
    seconds: float
    tell: Callable[[Any], Awaitable[None]] | None = None
    reused: bool = True
    process: Process | None = field(default=None, init=False)  # that does it now

    def interrupt(self) -> bool:
        """Ask it to end early with what is there; False where it is not being done."""
        if self.process is None or self.process.returncode is not None:
            return False
        self.process.send_signal(signal.SIGINT)
        return True


class WorkerPool:
    """Sends jobs to processes of a module whose main part is `attend`, at most ``most`` at a time."""

    def __init__(self, most: int, module: str, *arguments: str) -> None:
        self.module, self.arguments = module, arguments
        self.free = asyncio.Semaphore(most)
        self.workers: set[Process] = set()
        self.idle: list[Process] = []

    async def run(self, job: Job) -> Any:
        """The answer of a job.

        Raises
        ------
        InputError
            When something of it is at fault, or it takes too long or too much memory.
        WriteError
            When the disk is full.
        LostJobError
            When it is not known what came of it.
        """
        async with self.free:
            reused = False
            try:
                async with asyncio.timeout(job.seconds):
                    job.process = await self._worker(reused=job.reused)
                    said = await _answer(job, job.process)
                reused = job.reused and len(self.idle) < MOST_IDLE
            except TimeoutError:
                delay = note("one that takes longer than {n} seconds", n=Number(job.seconds))
                remedy = note("give it as CSV, with fewer rows or columns")
                raise InputError.of(note("a table of usual size"), delay, remedy) from None
            finally:
                process, job.process = job.process, None
                if process is not None and reused and process.returncode is None:
                    self.idle.append(process)
                elif process is not None:  # also when nobody waits any more
                    await self._end(process)
        if "error" in said:
            raise ERRORS[said["kind"]](message_from_json(said["error"]))
        return said["answer"]

    async def close(self) -> None:
        """End all workers."""
        await asyncio.gather(*map(self._end, list(self.workers)))

    async def _worker(self, *, reused: bool) -> Process:
        while reused and self.idle:  # the last one has its models in memory
            if (worker := self.idle.pop()).returncode is None:
                return worker
            self.workers.discard(worker)
        command, environment = python(self.module, *self.arguments)
        worker = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE, env=environment
        )
        self.workers.add(worker)
        return worker

    async def _end(self, worker: Process) -> None:
        self.workers.discard(worker)
        with suppress(ProcessLookupError):
            worker.kill()
        await worker.wait()


async def _answer(job: Job, worker: Process) -> dict[str, Any]:
    """What became of a job, as the worker says it."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    with suppress(ConnectionError):  # it has just died, as its silence will tell
        worker.stdin.write(json.dumps({"job": job.name, "arguments": job.arguments}).encode() + b"\n")
        await worker.stdin.drain()
    while line := await worker.stdout.readline():
        said: dict[str, Any] = json.loads(line)
        if "told" not in said:
            return said
        if job.tell is not None:
            await job.tell(said["told"])
    raise LostJobError(
        note("The task ended before its time, perhaps for lack of memory; give fewer rows, or try again.")
    )


def attend(handlers: Mapping[str, Handler], megabytes: int = WORKER_MEGABYTES) -> None:
    """Do the jobs that come on standard input, with so much memory, until it ends."""
    end_own_process_with_parent()
    limit_memory(megabytes)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what a shell starts in the background
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what a library prints is no answer

        def tell(progress: Mapping[str, Any]) -> None:
            _say(answers, {"told": progress})

        for line in sys.stdin.buffer:
            request = json.loads(line)
            try:
                said = {"answer": handlers[request["job"]](request["arguments"], tell)}
            except (Exception, KeyboardInterrupt) as fault:
                error = _told(fault, megabytes)
                said = {"error": message_to_json(noted(error)), "kind": type(error).__name__}
            _say(answers, said)


def _told(fault: BaseException, megabytes: int) -> AutostatisticianError:
    """What the asker is told of what ended a job."""
    match fault:
        case WriteError():
            return fault
        case AutostatisticianError():
            return InputError(noted(fault))
        case MemoryError():
            return too_much_memory(megabytes)
        case KeyboardInterrupt(args=(said,)):  # before there is anything to give
            return InputError(said)
        case KeyboardInterrupt():
            raise fault
    traceback.print_exception(fault)
    return LostJobError(note("Something went wrong on our side; the log of the server says what."))


def _say(answers: BinaryIO, value: Mapping[str, Any]) -> None:
    answers.write(json.dumps(value).encode() + b"\n")
    answers.flush()
