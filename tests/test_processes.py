"""Signals that wait or are translated inside of one process; those from outside are in `test_signals`."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from autostatistician._io import processes
from autostatistician._io.processes import end_with_parent, interrupt_later, python, termination_as_interrupt

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM that a process can answer")
WAYS: dict[str, tuple[signal.Signals, Callable[[], AbstractContextManager[list[int]]]]] = {
    "interrupt later": (signal.SIGINT, interrupt_later),
    "termination": (signal.SIGTERM, termination_as_interrupt),
}


def test_the_first_interrupt_waits_and_the_second_acts() -> None:
    with interrupt_later() as pressed:
        signal.raise_signal(signal.SIGINT)
        assert pressed == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_block_that_goes_on_with_the_work_of_another_does_not_wait_again() -> None:
    with interrupt_later() as pressed:
        signal.raise_signal(signal.SIGINT)
    with interrupt_later(pressed) as again:
        assert again is pressed
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_termination_is_what_ctrl_c_would_be() -> None:
    with pytest.raises(KeyboardInterrupt), termination_as_interrupt():
        signal.raise_signal(signal.SIGTERM)
    with termination_as_interrupt() as told, interrupt_later() as pressed:
        signal.raise_signal(signal.SIGTERM)
        assert (told, pressed) == ([signal.SIGTERM], [signal.SIGINT])


def test_a_termination_interrupts_where_ctrl_c_is_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt), termination_as_interrupt():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("way", sorted(WAYS))
@pytest.mark.parametrize("error", [None, ZeroDivisionError], ids=["whole", "broken off"])
def test_after_the_block_a_signal_does_what_it_did_before(way: str, error: type[Exception] | None) -> None:
    number, block = WAYS[way]
    answered: list[int] = []

    def mine(number: int, frame: object) -> None:
        answered.append(number)

    before = signal.signal(number, mine)
    try:
        try:
            with block():
                assert signal.getsignal(number) is not mine
                if error is not None:
                    raise error
        except ZeroDivisionError:
            assert error is ZeroDivisionError
        assert signal.getsignal(number) is mine
        signal.raise_signal(number)
        assert answered == [number]
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_another_thread_changes_nothing(way: str) -> None:
    number, block = WAYS[way]
    answers: list[object] = []

    def work() -> None:
        with block() as told:
            answers.extend([signal.getsignal(number), list(told)])

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [signal.getsignal(number), []]


HOSTILE = "open({mark!r}, 'a').write(repr(__import__('sys').argv)); raise ImportError"
USE_OF_WORKERS = """
import os, sys
sys.path[:] = [place for place in sys.path if place]
from autostatistician.search.racing.workers import each
assert each(os.path.basename, ["a/b", "c/d"], 2) == ["b", "d"]
"""
STARTS = {
    "the command": [*python("autostatistician")[0][:1], "-m", "autostatistician", "examples"],
    "jobs of the page": python("autostatistician.web.jobs")[0],
    "agents": python("autostatistician.mcp.jobs", ".", "{}")[0],
    "workers of joblib": [sys.executable, "-c", USE_OF_WORKERS],
}


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_a_file_of_the_working_folder_is_never_imported(start: str, tmp_path: Path) -> None:
    mark = tmp_path / "imported"
    for name in ("numpy", "pandas"):
        (tmp_path / f"{name}.py").write_text(HOSTILE.format(mark=str(mark)))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    environment |= {"LOKY_MAX_CPU_COUNT": "2"}
    done = subprocess.run(STARTS[start], cwd=tmp_path, env=environment, input=b"", capture_output=True, timeout=60)
    assert not mark.exists(), mark.read_text()
    assert start not in {"the command", "workers of joblib"} or done.returncode == 0, done.stderr.decode()


def test_every_process_of_the_page_and_of_agents_is_started_by_one_function() -> None:
    source = Path(processes.__file__).parent
    starts = [path.name for path in source.rglob("*.py") if "sys.executable" in path.read_text(encoding="utf-8")]
    assert starts == ["processes.py"]


def test_a_process_of_ours_has_one_thread_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in processes.OWN_ENVIRONMENT:
        monkeypatch.setenv(name, "7")
    assert processes.OWN_ENVIRONMENT.items() <= python("autostatistician")[1].items()
    with processes.started_as_own():
        assert os.environ["OPENBLAS_NUM_THREADS"] == os.environ["PYTHONSAFEPATH"] == "1"
    assert os.environ["OPENBLAS_NUM_THREADS"] == "7"


def test_a_process_that_is_no_worker_does_not_watch_its_parent() -> None:
    before = threading.active_count()
    end_with_parent()
    assert threading.active_count() == before


CHILD = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", '''
import time
from autostatistician._io.processes import end_own_process_with_parent
end_own_process_with_parent(); end_own_process_with_parent()
print("watching", flush=True)
time.sleep(60)
'''], stdout=subprocess.PIPE, text=True)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks for a process in /proc, as Linux has it")
def test_a_process_ends_when_the_one_that_started_it_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent:
        child = int(parent.stdout.readline())
        parent.kill()
    end = time.monotonic() + 30.0
    while _is_alive(child):
        assert time.monotonic() < end, "the child works on for nobody"
        time.sleep(0.05)


def _is_alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
