"""Where tables come in: a few at a time, and as many as there is room for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException

from autostatistician.errors import InputError
from autostatistician.web import reception
from autostatistician.web.reception import MOST_LOOKS, Reception
from autostatistician.web.store import Store
from autostatistician.web.tables import Bounds

TABLE = ("month,sales\n" + "".join(f"2020-{k:02d}-01,{k * k}\n" for k in range(1, 13))).encode()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


async def _take(one: Reception, visitor: str = "a", address: str = "x", content: bytes = TABLE) -> int:
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
        one = Reception(store, bounds)
        return [await _take(one, visitor) for visitor in ("a", "a", "b")]

    assert asyncio.run(come()) == codes


def test_a_table_that_is_none_leaves_nothing(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        asyncio.run(_take(Reception(store, Bounds()), content=b"\x00\x01"))
    assert list((tmp_path / "runs").iterdir()) == []


def test_who_waits_too_long_for_a_look_is_asked_to_come_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reception, "PLACE_SECONDS", 0.01)

    async def crowd() -> None:
        one = Reception(store, Bounds())
        held = [one.place(f"{number}") for number in range(MOST_LOOKS)]
        for place in held:
            await place.__aenter__()
        with pytest.raises(HTTPException) as caught:
            async with one.place("x"):
                pass
        assert (caught.value.status_code, caught.value.headers) == (503, {"retry-after": "30"})
        await held[0].__aexit__(None, None, None)
        async with one.place("x"):  # one has gone
            pass

    asyncio.run(crowd())


def test_one_address_looks_at_one_table_at_a_time(store: Store) -> None:
    async def crowd() -> list[str]:
        one, order = Reception(store, Bounds()), []

        async def come(address: str) -> None:
            async with one.place(address):
                order.append(address)
                await asyncio.sleep(0.02)

        async with asyncio.TaskGroup() as group:
            for address in ("a", "a", "a", "b"):
                group.create_task(come(address))
        assert not one._turns
        return order

    assert asyncio.run(crowd()) == ["a", "b", "a", "a"]
