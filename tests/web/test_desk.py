"""Errands in a process of their own: limits hold, and the next errand has a process again."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from autostatistician.errors import InputError
from autostatistician.web.desk import Desk

CLERK = """
import os, time
from autostatistician.errors import InputError
from autostatistician.web.desk import attend

def add(asked, tell):
    print("what a library prints")
    tell({"first": asked["a"]})
    return asked["a"] + asked["b"]

def wrong(asked, tell):
    raise InputError("expected more")

def greedy(asked, tell):
    return len(bytearray(2 * 10**9))

def slow(asked, tell):
    time.sleep(60)

def own(asked, tell):
    return os.getpid()

def broken(asked, tell):
    return 1 // 0

def die(asked, tell):
    os._exit(5)

attend({"add": add, "wrong": wrong, "greedy": greedy, "slow": slow, "own": own, "broken": broken, "die": die}, 500)
"""


@pytest.fixture
def clerk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "a_clerk.py").write_text(CLERK, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", ":".join([str(tmp_path), *filter(None, sys.path)]))
    return "a_clerk"


def _done(clerk: str, *errands: tuple[str, dict[str, Any], float]) -> list[object]:
    """What errands of one desk give, one after the other; errors as their texts."""

    async def all_of_them() -> list[object]:
        desk, done = Desk(clerk), list[object]()
        try:
            for name, asked, seconds in errands:
                try:
                    done.append(await desk.send(name, asked, seconds))
                except InputError as error:
                    done.append(str(error))
            return done
        finally:
            await desk.close()

    return asyncio.run(all_of_them())


def test_an_errand_says_how_far_it_is_and_then_its_answer(clerk: str) -> None:
    async def one() -> tuple[object, list[object]]:
        desk, told = Desk(clerk), list[object]()

        async def tell(value: object) -> None:
            told.append(value)

        answer = await desk.send("add", {"a": 1, "b": 2}, 30.0, tell)
        await desk.close()
        return answer, told

    assert asyncio.run(one()) == (3, [{"first": 1}])


def test_one_process_does_all_and_an_error_does_not_end_it(clerk: str) -> None:
    first, wrong, second = _done(clerk, ("own", {}, 30.0), ("wrong", {}, 30.0), ("own", {}, 30.0))
    assert (first, wrong) == (second, "expected more")


def test_what_takes_too_long_is_ended_and_the_next_errand_is_done(clerk: str) -> None:
    first, slow, second = _done(clerk, ("own", {}, 30.0), ("slow", {}, 0.5), ("own", {}, 30.0))
    assert "one that takes longer than" in str(slow)
    assert first != second


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep limits of memory")
def test_what_takes_too_much_memory_is_told(clerk: str) -> None:
    greedy, after = _done(clerk, ("greedy", {}, 30.0), ("add", {"a": 1, "b": 1}, 30.0))
    assert "more memory" in str(greedy)
    assert after == 2


def test_a_process_that_dies_is_replaced(clerk: str) -> None:
    died, after = _done(clerk, ("die", {}, 30.0), ("add", {"a": 1, "b": 1}, 30.0))
    assert "ended before its time" in str(died)
    assert after == 2


def test_nobody_waits_for_an_errand_that_was_given_up(clerk: str) -> None:
    async def given_up() -> object:
        desk = Desk(clerk)
        task = asyncio.create_task(desk.send("slow", {}, 60.0))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        answer = await desk.send("add", {"a": 2, "b": 2}, 30.0)
        await desk.close()
        return answer

    assert asyncio.run(given_up()) == 4


def test_a_fault_of_ours_is_told_without_its_words(clerk: str, capfd: pytest.CaptureFixture[str]) -> None:
    broken, after = _done(clerk, ("broken", {}, 30.0), ("add", {"a": 1, "b": 1}, 30.0))
    assert (broken, after) == ("Something went wrong on our side; the log of the server says what.", 2)
    assert "ZeroDivisionError" in capfd.readouterr().err
