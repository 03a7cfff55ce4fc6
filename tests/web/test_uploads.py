"""Where tables come in: a few at a time, and as many as there is room for."""

import asyncio
import sys
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException

from autostatistician.errors import InputError
from autostatistician.web import jobs, queue
from autostatistician.web.pool import Job, WorkerPool
from autostatistician.web.queue import MOST_LOOKS, Uploads
from autostatistician.web.store import Store
from autostatistician.web.tables import Bounds

TABLE = ("month,sales\n" + "".join(f"2020-{k:02d}-01,{k * k}\n" for k in range(1, 13))).encode()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


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
