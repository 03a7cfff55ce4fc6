"""Short errands in a process of their own that is kept for the next one, within limits of time and memory.

Whoever has errands runs `attend` as the main part of a module; a `Desk` starts that module and sends errands to it,
one after the other, each a line of JSON. A process that took too long, or too much, is ended, and the next errand has
a new one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from autostatistician.errors import AutostatisticianError, InputError
from autostatistician.memory import limit_memory
from autostatistician.processes import end_own_process_with_parent, python

__all__ = ["Desk", "Errand", "Tell", "attend"]

Tell = Callable[[dict[str, Any]], None]  # says how far an errand is
Errand = Callable[[dict[str, Any], Tell], Any]

LONGEST_LINE = 64 * 2**20  # bytes of an answer
OUR_FAULT = "Something went wrong on our side; the log of the server says what."
NO_MEMORY = "That took more memory than one task gets; give fewer rows, or a smaller depth."


class Desk:
    """Sends errands to a process of a module whose main part is `attend`."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.command, self.environment = python(module, *arguments)
        self.process: Process | None = None
        self.turn = asyncio.Lock()

    async def send(
        self, errand: str, arguments: Mapping[str, Any], seconds: float, tell: Callable[[Any], Any] | None = None
    ) -> Any:
        """The answer of an errand; ``tell`` is awaited with whatever it says on the way.

        Raises
        ------
        InputError
            When something of it is at fault, or it takes longer than so many seconds or too much memory.
        """
        async with self.turn:
            done = False
            try:
                async with asyncio.timeout(seconds):
                    answer = await self._answer(errand, arguments, tell)
                done = True
            except TimeoutError:
                found = f"one that takes longer than {seconds:.0f} seconds"
                raise InputError.of("a task of usual size", found, "give fewer rows or columns") from None
            finally:
                if not done:  # also when nobody waits any more: the next errand needs a process that listens
                    await self.close()
        if "error" in answer:
            raise InputError(answer["error"])
        return answer["answer"]

    async def close(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _answer(
        self, errand: str, arguments: Mapping[str, Any], tell: Callable[[Any], Any] | None
    ) -> dict[str, Any]:
        process = await self._ready()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"errand": errand, "arguments": arguments}).encode() + b"\n")
        await process.stdin.drain()
        while line := await process.stdout.readline():
            said: dict[str, Any] = json.loads(line)
            if "told" not in said:
                return said
            if tell is not None:
                await tell(said["told"])
        self.process = None
        return {"error": "The task ended before its time, perhaps for lack of memory; give fewer rows, or try again."}

    async def _ready(self) -> Process:
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                *self.command, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE, env=self.environment
            )
        return self.process


def attend(errands: Mapping[str, Errand], megabytes: int) -> None:
    """Do the errands that come on standard input, with so much memory, until it ends."""
    end_own_process_with_parent()
    limit_memory(megabytes)
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what a library prints is no answer
        for line in sys.stdin.buffer:
            asked = json.loads(line)
            _say(answers, _done(errands[asked["errand"]], asked["arguments"], answers))


def _done(errand: Errand, arguments: dict[str, Any], answers: BinaryIO) -> dict[str, Any]:
    """What became of an errand: its answer, or what is at fault."""
    try:
        return {"answer": errand(arguments, lambda told: _say(answers, {"told": told}))}
    except AutostatisticianError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": NO_MEMORY}
    except Exception:
        traceback.print_exc()
        return {"error": OUR_FAULT}


def _say(answers: BinaryIO, value: Mapping[str, Any]) -> None:
    answers.write(json.dumps(value).encode() + b"\n")
    answers.flush()
