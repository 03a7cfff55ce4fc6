"""Jobs in worker processes: limits hold, and the next job has a worker again.

The jobs of the page: models of runs are asked, and the last few stay in memory.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.saved_models.models import place, saved

from autostatistician.errors import InputError, WriteError
from autostatistician.web.jobs import MOST_KEPT, ask, model_of
from autostatistician.web.pool import Job, LostJobError, WorkerPool

WORKER = """
import os, signal, time
from autostatistician.errors import InputError, WriteError
from autostatistician.web.pool import attend

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

def full(asked, tell):
    raise WriteError("no room")

def stopped(asked, tell):
    try:
        tell({})
        time.sleep(60)
    except KeyboardInterrupt:
        return "what is there"

def nothing(asked, tell):
    raise KeyboardInterrupt("nothing is known yet")

def die(asked, tell):
    os._exit(5)

def killed(asked, tell):
    os.kill(os.getpid(), signal.SIGKILL)

every = (add, wrong, greedy, slow, own, broken, full, stopped, nothing, die, killed)
attend({one.__name__: one for one in every}, 500)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "a_worker.py").write_text(WORKER, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", ":".join([str(tmp_path), *filter(None, sys.path)]))
    return "a_worker"


def _done(module: str, *jobs: Job) -> list[Any]:
    """What jobs of one pool give, one after the other; also errors."""

    async def all_of_them() -> list[Any]:
        pool, done = WorkerPool(1, module), list[Any]()
        try:
            for job in jobs:
                try:
                    done.append(await pool.run(job))
                except InputError as error:
                    done.append(error)
            return done
        finally:
            await pool.close()

    return asyncio.run(all_of_them())


def _job(name: str, seconds: float = 30.0, *, reused: bool = True, **arguments: Any) -> Job:
    return Job(name, arguments, seconds, reused=reused)


def test_a_job_says_how_far_it_is_and_then_its_answer(module: str) -> None:
    async def one() -> tuple[object, list[object]]:
        pool, told = WorkerPool(1, module), list[object]()

        async def tell(value: object) -> None:
            told.append(value)

        answer = await pool.run(Job("add", {"a": 1, "b": 2}, 30.0, tell))
        await pool.close()
        return answer, told

    assert asyncio.run(one()) == (3, [{"first": 1}])


def test_one_worker_does_all_and_an_error_does_not_end_it(module: str) -> None:
    first, wrong, second = _done(module, _job("own"), _job("wrong"), _job("own"))
    assert first == second
    assert (type(wrong), str(wrong)) == (InputError, "expected more")


def test_what_takes_too_long_is_ended_and_the_next_job_is_done(module: str) -> None:
    first, slow, second = _done(module, _job("own"), _job("slow", 0.5), _job("own"))
    assert type(slow) is InputError
    assert "one that takes longer than 0.5 seconds" in str(slow)
    assert first != second


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep limits of memory")
def test_what_takes_too_much_memory_is_told(module: str) -> None:
    greedy, after = _done(module, _job("greedy"), _job("add", a=1, b=1))
    assert type(greedy) is InputError
    assert "more than 500 MB of memory" in str(greedy)
    assert after == 2


@pytest.mark.parametrize("way", ["die", "killed"])
def test_a_worker_that_dies_is_replaced(module: str, way: str) -> None:
    died, after = _done(module, _job(way), _job("add", a=1, b=1))
    assert isinstance(died, LostJobError)
    assert "ended before its time" in str(died)
    assert after == 2


def test_nobody_waits_for_a_job_that_was_given_up(module: str) -> None:
    async def given_up() -> object:
        pool = WorkerPool(1, module)
        task = asyncio.create_task(pool.run(_job("slow")))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        answer = await pool.run(_job("add", a=2, b=2))
        await pool.close()
        return answer

    assert asyncio.run(given_up()) == 4


def test_a_fault_of_ours_is_told_without_its_words(module: str, capfd: pytest.CaptureFixture[str]) -> None:
    broken, after = _done(module, _job("broken"), _job("add", a=1, b=1))
    assert isinstance(broken, LostJobError)
    assert "wrong on our side; the log of the server says what" in str(broken)
    assert after == 2
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_full_disk_and_a_stop_before_there_is_anything_are_told(module: str) -> None:
    full, nothing = _done(module, _job("full"), _job("nothing"))
    assert (type(full), str(full)) == (WriteError, "no room")
    assert (type(nothing), str(nothing)) == (InputError, "nothing is known yet")


def test_a_worker_for_one_job_alone_is_a_new_one_and_ends_with_it(module: str) -> None:
    first, alone, last = _done(module, _job("own"), _job("own", reused=False), _job("own"))
    assert first == last != alone
    assert not Path(f"/proc/{alone}").exists()


@pytest.mark.parametrize("answer", [signal.default_int_handler, signal.SIG_IGN], ids=["answered", "ignored"])
def test_a_job_that_is_interrupted_gives_what_is_there(module: str, answer: Any) -> None:
    async def interrupted() -> tuple[bool, object, bool]:
        begun, pool = asyncio.Event(), WorkerPool(1, module)

        async def tell(value: object) -> None:
            begun.set()

        job = Job("stopped", {}, 30.0, tell)
        early, task = job.interrupt(), asyncio.create_task(pool.run(job))
        await begun.wait()
        done = job.interrupt(), await task, early
        assert not job.interrupt()
        await pool.close()
        return done

    before = signal.signal(signal.SIGINT, answer)  # ignored in what a shell starts in the background
    try:
        assert asyncio.run(interrupted()) == (True, "what is there", False)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")
def test_a_closed_pool_leaves_no_worker(module: str) -> None:
    async def closed() -> list[int]:
        pool = WorkerPool(2, module)
        tasks = [asyncio.create_task(pool.run(_job("slow"))) for _ in range(3)]  # one of them waits for its turn
        await asyncio.sleep(0.3)
        workers = [worker.pid for worker in pool.workers]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await pool.close()
        return workers

    workers = asyncio.run(closed())
    assert len(workers) == 2
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)


@pytest.mark.slow
def test_a_model_answers_as_it_does(tmp_path: Path) -> None:
    (tmp_path / "model.json").write_bytes(place("promotions").read_bytes())
    asked = {"place": str(tmp_path), "lang": "en", "steps": 1000, "question": "columns", "given": {}}
    assert ask(asked, lambda told: None) == saved("promotions").ask("columns").to_json()
    with pytest.raises(InputError, match="'at' with"):
        ask(asked | {"question": "what", "given": {"at": "2024"}}, lambda told: None)


def test_a_model_is_loaded_once_until_it_changes_or_others_have_taken_its_place(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.json" for number in range(MOST_KEPT + 1)]
    for path in paths:
        path.write_bytes(place("counts").read_bytes())
    first = model_of(paths[0])
    assert model_of(paths[0]) is first
    os.utime(paths[0], (1, 1))
    changed = model_of(paths[0])
    assert changed is not first
    for path in paths[1:]:
        model_of(path)
    assert model_of(paths[0]) is not changed
