"""The queue of runs: what becomes of a run whose worker ends in one way or another."""

import asyncio
import json
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.there import there

from autostatistician.web import queue as queue_module
from autostatistician.web.pool import WorkerPool
from autostatistician.web.queue import RunQueue
from autostatistician.web.store import Counts, RunState, Store, StoredRun
from autostatistician.web.tables import Bounds


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def waiting(store: Store) -> str:
    run = store.add("visitor", "a", "table.csv", b"")
    assert store.queue(run, {"budget": 0}, Counts(5, 5, 5))
    return run.id


def after_work(store: Store, run: str, program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> StoredRun:
    """The run after a worker has done it with a program in the place of ours."""
    fake = tmp_path / "python"
    fake.write_text(f'#!/bin/sh\nread job\nfolder="{store.place(run)}"\n{program}\n')
    fake.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(fake))

    async def work() -> None:
        task = asyncio.create_task(RunQueue(store, Bounds(), WorkerPool(1, "a_worker"), 1).work())
        for _ in range(6000):  # two minutes, on a machine that has much else to do
            found = there(store.get(run))
            if found.state in (RunState.DONE, RunState.FAILED):
                break
            await asyncio.sleep(0.02)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    asyncio.run(work())
    found = there(store.get(run))
    return found


def _failing(kind: str, said: str) -> str:
    return f"echo {shlex.quote(json.dumps({'error': said, 'kind': kind}))}"


@pytest.mark.parametrize(
    ("program", "state", "words", "attempts"),
    [
        ("""echo '{"answer": null}'""", RunState.DONE, "", 1),
        (_failing("InputError", "no numbers"), RunState.FAILED, "no numbers", 1),
        (_failing("WriteError", "/a/name/of/ours"), RunState.FAILED, "The disk of the server is full.", 1),
        (_failing("LostJobError", "our fault"), RunState.FAILED, "our fault", 3),
        ("kill -9 $$", RunState.FAILED, "ended before its time", 3),
        ("exit 1", RunState.FAILED, "ended before its time", 3),
        ('test -e "$folder/met" || { touch "$folder/met"; exit 1; }; echo "{\\"answer\\": 0}"', RunState.DONE, "", 2),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
def test_the_end_of_a_process_settles_its_run(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    program: str,
    state: RunState,
    words: str,
    attempts: int,
) -> None:
    found = after_work(store, waiting(store), program, monkeypatch, tmp_path)
    assert (found.state, found.attempts) == (state, attempts)
    assert words in found.message
    assert "/" not in found.message


@pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")
def test_a_process_without_end_is_ended(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(queue_module, "OVERRUN_SECONDS", 0.3)
    found = after_work(store, waiting(store), "exec sleep 60", monkeypatch, tmp_path)
    assert found.state is RunState.FAILED
    assert "takes longer than 0.3 seconds" in found.message


@pytest.mark.parametrize("turns", range(5))
def test_a_call_in_the_moment_of_its_end_does_not_keep_a_queue_alive(store: Store, turns: int) -> None:
    """`asyncio.wait_for` of Python 3.11 loses a cancellation that comes together with what was waited for."""

    async def end() -> bool:
        queue = RunQueue(store, Bounds(), WorkerPool(1, "a_worker"), 1)
        task = asyncio.create_task(queue.work())
        await asyncio.sleep(0.1)
        queue.called.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        ended, _ = await asyncio.wait({task}, timeout=5.0)
        task.cancel()  # should the first have been lost
        return bool(ended)

    assert asyncio.run(end())
