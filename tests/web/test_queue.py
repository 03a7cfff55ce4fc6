"""The queue of runs: what becomes of a run whose worker ends in one way or another.

Where tables come in: a few at a time, and as many as there is room for.
"""

import asyncio
import json
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from tests.there import there

from autostatistician.errors import InputError
from autostatistician.web import jobs, queue
from autostatistician.web import queue as queue_module
from autostatistician.web.pool import Job, WorkerPool
from autostatistician.web.queue import MOST_LOOKS, RunQueue, Uploads
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


TABLE = ("month,sales\n" + "".join(f"2020-{k:02d}-01,{k * k}\n" for k in range(1, 13))).encode()


def _uploads(store: Store, bounds: Bounds | None = None) -> Uploads:
    return Uploads(store, bounds or Bounds(), WorkerPool(2, "autostatistician.web.jobs"))


async def _take(one: Uploads, visitor: str = "a", address: str = "x", content: bytes = TABLE) -> int:
    try:
        await one.taken(visitor, address, "sales.csv", content)
    except HTTPException as error:
        return error.status_code
    return 200


@pytest.mark.parametrize(
    ("bounds", "codes"),
    [
        (Bounds(kept=2), [200, 200, 503]),
        (Bounds(kept_of_visitor=1), [200, 429, 200]),
        (Bounds(kept_of_address=1), [200, 429, 429]),
    ],
)
def test_there_is_room_for_so_many_tables(store: Store, bounds: Bounds, codes: list[int]) -> None:
    async def come() -> list[int]:
        one = _uploads(store, bounds)
        return [await _take(one, visitor) for visitor in ("a", "a", "b")]

    assert asyncio.run(come()) == codes


def test_a_table_that_is_none_leaves_nothing(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        asyncio.run(_take(_uploads(store), content=b"\x00\x01"))
    assert list((tmp_path / "runs").iterdir()) == []


def test_who_waits_too_long_for_a_look_is_asked_to_come_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "SLOT_SECONDS", 0.01)

    async def crowd() -> None:
        one = _uploads(store)
        held = [one.slot(f"{number}") for number in range(MOST_LOOKS)]
        for place in held:
            await place.__aenter__()
        with pytest.raises(HTTPException) as caught:
            async with one.slot("x"):
                pass
        assert (caught.value.status_code, caught.value.headers) == (503, {"retry-after": "30"})
        await held[0].__aexit__(None, None, None)
        async with one.slot("x"):  # one has gone
            pass

    asyncio.run(crowd())


def test_one_address_looks_at_one_table_at_a_time(store: Store) -> None:
    async def crowd() -> list[str]:
        one, order = _uploads(store), []

        async def come(address: str) -> None:
            async with one.slot(address):
                order.append(address)
                await asyncio.sleep(0.02)

        async with asyncio.TaskGroup() as group:
            for address in ("a", "a", "a", "b"):
                group.create_task(come(address))
        assert not one._turns
        return order

    assert asyncio.run(crowd()) == ["a", "b", "a", "a"]


def _seen(store: Store, content: bytes) -> dict[str, bytes]:
    """What is kept of a look at a table."""

    async def take() -> dict[str, bytes]:
        one = _uploads(store)
        try:
            run = await one.taken("a", "x", "sales.csv", content)
        finally:
            await one.pool.close()
        return {path.name: path.read_bytes() for path in store.place(run.id).iterdir()}

    return asyncio.run(take())


@pytest.mark.slow
def test_what_a_worker_sees_is_what_we_see(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = _seen(store, TABLE)
    monkeypatch.setattr(queue, "SMALL_BYTES", 0)
    assert ours == _seen(store, TABLE)
    assert "preview.json" in ours
    monkeypatch.setattr(queue, "previewed", None)  # not here
    with pytest.raises(InputError, match="expected"):
        _seen(store, b"\x00\x01")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep limits of memory")
def test_a_table_that_takes_too_much_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "previewed", lambda *_: bytearray(2 * 10**9))
    with pytest.raises(InputError, match="more than 1000 MB of memory"):
        jobs.look({"place": "", "file": "", "name": "", "bounds": {}}, lambda told: None)


def test_a_look_that_fails_leaves_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(pool: WorkerPool, job: Job) -> None:
        raise InputError(f"no {job.name}")

    monkeypatch.setattr(WorkerPool, "run", run)
    with pytest.raises(InputError, match="no look"):
        _seen(store, b"PAR1 whatever")  # packed: never read by us
    assert not list((store.folder / "runs").iterdir())
