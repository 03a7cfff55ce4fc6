"""A first look at a table; but for the smallest in a process of its own, which may take long, or much memory, alone."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from autostatistician.errors import InputError, WriteError
from autostatistician.memory import limit_memory, too_much_memory
from autostatistician.processes import python
from autostatistician.web.tables import Bounds, previewed
from autostatistician.web.work import AT_FAULT, NO_MEMORY, NO_ROOM, exit_code
from autostatistician.wording.messages import Number, message, message_from_json, note

__all__ = ["look"]

LOOK_SECONDS = 40.0  # seconds
SMALL_BYTES = 20_000  # bytes that are read at once, whatever they hold
LOOK_MEGABYTES = 1000  # megabytes
FEWER = message("give it as CSV, with fewer rows or columns")
PACKED_STARTS = (b"PK", b"PAR1", b"\x1f\x8b")  # may be much larger than they seem


def look(place: Path, file: str, name: str, content: bytes, bounds: Bounds) -> None:
    """Look at the table of a run and keep what was seen beside it.

    Raises
    ------
    InputError
        When there is no table in the file, it is larger than the bounds allow, or reading it takes too long.
    WriteError
        When the disk is full.
    """
    if len(content) <= SMALL_BYTES and not content.startswith(PACKED_STARTS):
        previewed(place, file, name, bounds)
        return
    asked = json.dumps([str(place), file, name, asdict(bounds)])
    command, environment = python("autostatistician.web.look")
    try:
        done = subprocess.run(
            command, input=asked.encode(), capture_output=True, timeout=LOOK_SECONDS, check=False, env=environment
        )
    except subprocess.TimeoutExpired:
        delay = note("one that takes longer than {n} seconds", n=Number(LOOK_SECONDS))
        raise InputError.of(note("a table that is read at once"), delay, note(FEWER)) from None
    if done.returncode == AT_FAULT:
        raise InputError(message_from_json(json.loads(done.stdout)))
    if done.returncode == NO_ROOM:
        raise WriteError.of(note("room for the table"), note("a full disk"), note("try again later"))
    if done.returncode == NO_MEMORY:
        raise too_much_memory(LOOK_MEGABYTES)
    if done.returncode != 0:
        raise InputError.of(note("a table"), note("one that cannot be read"), note(FEWER))


def main() -> int:
    """Look at the table that standard input names; the exit code of the process, as those of `work`.

    What is at fault stands in standard output.
    """
    place, file, name, bounds = json.loads(sys.stdin.buffer.read())
    _import_readers()
    limit_memory(LOOK_MEGABYTES)
    return exit_code(lambda: previewed(Path(place), file, name, Bounds(**bounds)), sys.stdout.buffer.write)


def _import_readers() -> None:
    """What reserves much address space without using it, before that is limited."""
    with suppress(ImportError):
        import pandas  # noqa: F401
        import pyarrow.parquet  # noqa: F401


if __name__ == "__main__":
    sys.exit(main())
