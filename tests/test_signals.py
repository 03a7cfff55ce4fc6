"""Ctrl-C, SIGTERM and SIGKILL from outside, to commands with workers: nothing is lost, and nobody stays behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc, as Linux has it"),
]

PATIENCE = 120.0  # seconds, on a machine that has much else to do
SEASONS = [100.0 + i + 7 * (i % 12) + i * i % 5 for i in range(60)]
LONG = ["--language", "full", "--max-depth", "9"]  # far longer than the tests wait


def _table(path: Path, values: list[float]) -> None:
    path.parent.mkdir(exist_ok=True)
    lines = [f"{2000 + i // 12}-{1 + i % 12:02d}-01,{value}" for i, value in enumerate(values)]
    path.write_text("\n".join(["month,sales", *lines]), encoding="utf-8")


def _wait(until: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < end, f"waited too long for {what}"
        time.sleep(0.05)


def _of_session(leader: int) -> list[str]:
    """The command lines of all living processes that a session leader has started, or they in turn."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, session = (place / "stat").read_text().rpartition(")")[2].split()[:4]
            if int(session) == leader and state != "Z":
                found.append((place / "cmdline").read_text().replace("\0", " "))
        except (OSError, ValueError):  # it has ended meanwhile
            continue
    return found


def _signalled(folder: Path, arguments: list[str], when: Callable[[], object], how: str) -> tuple[int, str, str]:
    """Start a command as a shell does, send a signal when it is time; exit code and what was said."""
    number, whom = how.split(" to ")
    process = subprocess.Popen(
        [sys.executable, "-m", "autostatistician", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # in jobs of a shell it is ignored
    )
    try:
        _wait(lambda: process.poll() is not None or when(), "the moment of the signal")
        assert process.poll() is None, process.communicate()
        assert sum("LokyProcess" in line for line in _of_session(process.pid)) == 2
        (os.killpg if whom == "all" else os.kill)(process.pid, signal.Signals[number])
        _wait(lambda: process.poll() is not None and not _of_session(process.pid), "the end of all processes")
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        for _ in _of_session(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, out, err


def _has_found_something(checkpoint: Path) -> bool:
    return checkpoint.exists() and json.loads(checkpoint.read_text())["progress"]["level"] > 0


def test_a_report_is_that_of_the_best_model_so_far(tmp_path: Path) -> None:
    _table(tmp_path / "a.csv", SEASONS)
    command = ["report", "a.csv", *LONG, "--n-jobs", "2", "--checkpoint", "c.json", "--output", "a.md"]
    code, out, err = _signalled(tmp_path, command, lambda: _has_found_something(tmp_path / "c.json"), "SIGINT to all")
    assert code == 130
    assert err.endswith("note: interrupted; this is the best model found so far\n")
    assert out.endswith("Wrote a.md\n")
    assert out.splitlines()[0] != "Model: WN"
    assert (tmp_path / "a.md").stat().st_size > 1000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.md", "c.json"]


def test_a_panel_knows_what_is_done(tmp_path: Path) -> None:
    for name in "abcd":
        _table(tmp_path / "in" / f"{name}.csv", [5.0] * 6 if name == "a" else SEASONS)  # the first is soon done

    def is_at_two() -> bool:
        return any('"a"' in path.read_text() for path in tmp_path.glob("out/records*/*"))

    command = ["panel", "in", "--output", "out", "--models", "--n-jobs", "2", *LONG]
    code, out, err = _signalled(tmp_path, command, is_at_two, "SIGTERM to one")
    assert code == 143
    assert (out, err) == ("", "note: interrupted; the same command goes on from here\n")
    (model,) = (tmp_path / "out" / "panel-pages").iterdir()
    assert (model.name[0], model.suffix) == ("a", ".json")


def test_workers_do_not_outlive_a_command_that_is_killed(tmp_path: Path) -> None:
    _table(tmp_path / "a.csv", SEASONS)
    command = ["fit", "a.csv", *LONG, "--n-jobs", "2", "--checkpoint", "c.json"]
    code, _, _ = _signalled(tmp_path, command, lambda: _has_found_something(tmp_path / "c.json"), "SIGKILL to one")
    assert code == -signal.SIGKILL
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "c.json"]
