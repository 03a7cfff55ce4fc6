"""Many series with a ledger: what is done stays done, what fails is said, and a run goes on where one ended."""

from __future__ import annotations

import errno
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from autostatistician.command.batch import LEDGER_NAME, LOCK_NAME, Batch, Ledger, Record, run_batch
from autostatistician.command.main import main
from autostatistician.data.dataset import Kind
from autostatistician.data.folders import tables
from autostatistician.errors import CheckpointError, InputError, WriteError
from autostatistician.lock import held
from autostatistician.search.state import StepInfo

ROWS = [f"2020-{1 + i % 12:02d}-01,{10.0 + i + i % 3}" for i in range(12)]
QUICK = ["--language", "se", "--depth", "1", "--jobs", "1"]
RECORD = Record("a.csv", "f", "done", "", "SE", 1.5, 0.1, ("a-model.json",))
NO_SIGNALS = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM that a process can answer")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUTOSTATISTICIAN_DEBUG", raising=False)
    yield
    logging.captureWarnings(False)
    logging.getLogger("matplotlib").setLevel(logging.NOTSET)


def _table(path: str, last: str = "") -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n".join(["month,sales", *ROWS, last]), encoding="utf-8")


class Fake:
    """The face of a fitted estimator, without its work."""

    interrupted_ = False
    search_ = SimpleNamespace(best=("SE + WN", 12.5, 0.25))
    model_ = SimpleNamespace(search=SimpleNamespace(seconds=0.25))
    dataset_ = SimpleNamespace(kind=Kind.SERIES)

    def forecast(self, steps: int | None) -> pd.DataFrame:
        return pd.DataFrame({"time": ["2021-01-01"], "mean": [1.0]})

    def report(self, path: Path, horizon: int | None = None) -> None:
        Path(path).write_text("whole", encoding="utf-8")

    def save(self, path: Path) -> None:
        Path(path).write_text("{}", encoding="utf-8")


class Fitting:
    """A stand-in for the search that notes what it was asked for, and does what a test says for a file."""

    def __init__(self, **does: Any) -> None:
        self.asked: list[str] = []
        self.does = does

    def __call__(self, file: Path, checkpoint: Path) -> Any:
        self.asked.append(file.name)
        answer = self.does.get(file.name.split(".")[0], Fake())
        if isinstance(answer, BaseException):
            raise answer
        return answer() if callable(answer) else answer


def _run(fit: Any, **options: Any) -> list[tuple[Record, bool]]:
    folder, output = Path("in"), Path("out")
    return list(run_batch(Batch(folder, output, fit, options), tables(folder, output)))


def _lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("out", LEDGER_NAME).read_text(encoding="utf-8").splitlines()]


# --- the real thing ---------------------------------------------------------------------------------------------


def test_from_a_folder_to_reports_and_again(capsys: pytest.CaptureFixture[str]) -> None:
    _table("in/a.csv")
    Path("in/bad.csv").write_text("nothing here", encoding="utf-8")
    assert main(["batch", "in", *QUICK]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("bad.csv: failed: expected ")
    assert lines[2] == f"1 done, 1 failed, 0 skipped, 0 left; see {Path('in-reports', LEDGER_NAME)}"
    outputs = ["a-forecast.csv", "a-model.json", "a-report.html"]
    assert sorted(os.listdir("in-reports")) == [*outputs, LEDGER_NAME]
    before = [Path("in-reports", name).read_bytes() for name in outputs]
    Path("in/bad.csv").unlink()
    assert main(["batch", "in", *QUICK[:-1], "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["done"], found["failed"], found["skipped"]) == (0, 0, 1)
    assert found["series"][0]["expression"] == lines[0].removeprefix("a.csv: ")
    assert [Path("in-reports", name).read_bytes() for name in outputs] == before
    assert main(["forecast", "in-reports/a-model.json", "--steps", "3"]) == 0
    assert capsys.readouterr().out.encode() == before[0]


@pytest.mark.slow
@NO_SIGNALS
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_sigterm_writes_the_best_so_far_and_the_rest_follows(jobs: str) -> None:
    _table("a.csv")
    stop = "lambda self, info: info.level == 1 and os.killpg(0, signal.SIGTERM)"
    code = (
        "import os, signal, sys; import autostatistician.command.main as c; "
        f"c.ProgressBar.step = {stop}; sys.exit(c.main(sys.argv[1:]))"
    )
    command = ["--language", "mkl", "--depth", "2", "--jobs", jobs, "--quiet", "--checkpoint", "c.json"]
    done = subprocess.run(
        [sys.executable, "-c", code, "fit", "a.csv", *command, "--output", "a.json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        start_new_session=True,  # a service manager sends SIGTERM to all processes of a group
    )
    assert (done.returncode, done.stderr) == (143, "")
    assert json.loads(Path("a.json").read_text())["search"]["interrupted"]
    assert main(["fit", "a.csv", *command, "--output", "b.json"]) == 0
    assert not Path("c.json").exists()
    assert main(["fit", "a.csv", *command[:-2], "--output", "c.json"]) == 0
    rest, whole = (json.loads(Path(name).read_text())["search"] for name in ("b.json", "c.json"))
    assert rest["frontier"] == whole["frontier"]
    assert len(rest["trace"]) == len(whole["trace"])


@pytest.mark.slow
def test_a_checkpoint_stays_while_there_is_more_to_find(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def press(progress: object, step: StepInfo) -> None:
        if step.level == 1:
            raise KeyboardInterrupt

    _table("a.csv")
    options = [*QUICK, "--quiet", "--checkpoint", "c.json", "--output", "m.json"]
    with monkeypatch.context() as patched:
        patched.setattr("autostatistician.command.main.ProgressBar.step", press)
        assert main(["fit", "a.csv", *options]) == 130
    begun = Path("c.json").read_bytes()
    assert main(["fit", "a.csv", *options, "--budget", "1e-9"]) == 0
    assert Path("c.json").read_bytes() == begun  # the time was up before the next level was whole
    assert main(["fit", "a.csv", *options, "--budget", "100"]) == 0
    assert not Path("c.json").exists()
    assert main(["fit", "a.csv", *QUICK, "--checkpoint", "m.json", "--output", "m.json"]) == 2
    assert main(["fit", "a.csv", *QUICK, "--checkpoint", "m.json"]) == 2
    assert "found something else" in capsys.readouterr().err


@NO_SIGNALS
def test_sigterm_is_ctrl_c_with_another_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("autostatistician.command.saved._loaded", lambda path: signal.raise_signal(signal.SIGTERM))
    assert main(["describe", "m.json"]) == 143
    assert capsys.readouterr().err == "error: interrupted before the work was done\n"
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    assert main(["describe", "m.json"]) == 143
    monkeypatch.undo()
    assert signal.getsignal(signal.SIGTERM) is before


# --- the ledger -------------------------------------------------------------------------------------------------


def test_what_is_done_and_unchanged_is_skipped() -> None:
    for name in "abc":
        _table(f"in/{name}.csv")
    assert [record.status for record, _ in _run(Fitting())] == ["done"] * 3
    again = Fitting()
    assert [before for _, before in _run(again)] == [True] * 3
    assert again.asked == []
    _table("in/a.csv", last="2021-01-01,25.0")
    Path("out/b-forecast.csv").unlink()
    changed = Fitting()
    _run(changed)
    assert changed.asked == ["a.csv", "b.csv"]
    other = Fitting()
    _run(other, seed=1)
    assert len(other.asked) == 3
    assert [line["file"] for line in _lines()] == ["a.csv", "b.csv", "c.csv"] * 2  # one line each after the next start
    Ledger(Path("out"))
    assert [line["file"] for line in _lines()] == ["a.csv", "b.csv", "c.csv"]


def test_a_record_says_what_was_found() -> None:
    _table("in/a.csv")
    _run(Fitting())
    (line,) = _lines()
    assert len(line.pop("fingerprint")) == 64
    outputs = ["a-report.html", "a-model.json", "a-forecast.csv"]
    wanted = {"file": "a.csv", "status": "done", "reason": "", "expression": "SE + WN", "bic": 12.5, "seconds": 0.25}
    assert line == wanted | {"outputs": outputs}
    assert Path("out/a-forecast.csv").read_bytes() == b"time,mean\n2021-01-01,1.0\n"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (InputError.of("numbers", "words\x1b", "clean"), "expected numbers; found words ; clean"),
        (ZeroDivisionError("oh"), "ZeroDivisionError: oh (this is a bug; AUTOSTATISTICIAN_DEBUG=1 shows where)"),
        (MemoryError(), "expected room for the work; found no more memory; give fewer rows or columns"),
        (PermissionError(errno.EACCES, "no"), "expected to read or write; found no; check path and disk"),
    ],
)
def test_a_series_that_fails_is_said_and_tried_again(error: Exception, reason: str) -> None:
    for name in "abc":
        _table(f"in/{name}.csv")
    found = _run(Fitting(b=error))
    assert [(record.status, record.reason) for record, _ in found] == [("done", ""), ("failed", reason), ("done", "")]
    again = Fitting()
    assert [record.status for record, _ in _run(again)] == ["done"] * 3
    assert again.asked == ["b.csv"]


def test_a_model_without_a_forecast_is_a_failure() -> None:
    _table("in/a.csv")
    broken = type("Broken", (Fake,), {"forecast": lambda self, steps: 1 / 0})()
    ((record, _),) = _run(Fitting(a=broken))
    assert (record.status, record.reason.split(":")[0]) == ("failed", "ZeroDivisionError")


@pytest.mark.parametrize("how", ["raised", "best so far"])
def test_ctrl_c_leaves_a_ledger_that_goes_on(how: str) -> None:
    for name in "abc":
        _table(f"in/{name}.csv")
    stopped = KeyboardInterrupt() if how == "raised" else type("Stopped", (Fake,), {"interrupted_": True})()
    with pytest.raises(KeyboardInterrupt):
        _run(Fitting(b=stopped))
    assert [line["file"] for line in _lines()] == ["a.csv"]
    again = Fitting()
    assert [before for _, before in _run(again)] == [True, False, False]
    assert again.asked == ["b.csv", "c.csv"]


def test_ctrl_c_while_writing_waits_for_the_series() -> None:
    for name in "ab":
        _table(f"in/{name}.csv")

    class Pressed(Fake):
        def save(self, path: Path) -> None:
            signal.raise_signal(signal.SIGINT)
            super().save(path)

    with pytest.raises(KeyboardInterrupt):
        _run(Fitting(a=Pressed()))
    assert [line["status"] for line in _lines()] == ["done"]
    assert Path("out/a-forecast.csv").exists()


def test_the_command_tells_of_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        _table(f"in/{name}.csv")
    fit = Fitting(b=KeyboardInterrupt())
    monkeypatch.setattr(
        "autostatistician.command.main._fitted", lambda data, progress, options, path: fit(Path(data), path)
    )
    assert main(["batch", "in", "--output", "out"]) == 130
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "a.csv: SE + WN",
        f"1 done, 0 failed, 0 skipped, 1 left; see {Path('out', LEDGER_NAME)}",
    ]
    assert err == "note: interrupted; the same command goes on from here\n"


def test_a_checkpoint_of_another_state_of_the_file_is_given_up() -> None:
    _table("in/a.csv")
    Path("out").mkdir()
    Path("out/a-checkpoint.json").write_text("{}", encoding="utf-8")

    def fit(file: Path, checkpoint: Path) -> Any:
        if checkpoint.exists():
            raise CheckpointError("of another search")
        checkpoint.write_text("new", encoding="utf-8")
        return Fake()

    assert _run(fit)[0][0].status == "done"
    assert not Path("out/a-checkpoint.json").exists()


@pytest.mark.parametrize("error", [WriteError("full"), OSError(errno.ENOSPC, "full")])
def test_a_full_disk_ends_the_run(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "ab":
        _table(f"in/{name}.csv")
    fit = Fitting(b=error)
    monkeypatch.setattr(
        "autostatistician.command.main._fitted", lambda data, progress, options, path: fit(Path(data), path)
    )
    assert main(["batch", "in", "--output", "out", "--quiet"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "full" in err
    assert [line["file"] for line in _lines()] == ["a.csv"]


def test_a_disk_that_is_full_at_the_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(Path("out"))

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="No space left"):
        ledger.add(RECORD)


def test_the_rest_of_a_line_is_forgotten_and_nothing_else() -> None:
    Ledger(Path("out")).add(RECORD)
    path = Path("out", LEDGER_NAME)
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:30])
    assert Ledger(Path("out")).records == {"a.csv": RECORD}
    assert path.read_bytes() == whole
    path.write_bytes(b"words\n" + whole)
    with pytest.raises(InputError, match="something else in line 1"):
        Ledger(Path("out"))
    assert path.read_bytes() == b"words\n" + whole


# --- which files, and what their outputs are called -------------------------------------------------------------


def test_outputs_never_share_a_name() -> None:
    for name in ("a.csv", "a.tsv", "B.csv", "b.csv.gz", "x y.csv", "x-y.csv", "a-csv.csv"):
        _table(f"in/{name}")
    found = [record.outputs[1] for record, _ in _run(Fitting())]
    assert len({name.lower() for name in found}) == 7
    assert all(Path("out", name).is_file() for name in found)


def test_a_place_that_cannot_be_made_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    _table("in/a.csv")
    Path("file").write_text("", encoding="utf-8")
    assert main(["batch", "in", "--output", "file/out"]) == 2
    assert main(["batch", "in", "--output", "file"]) == 2
    err = capsys.readouterr().err
    assert err.count("error: expected to be able to write") == 2
    assert err.count("\n") == 2


# --- several at a time ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_several_series_at_a_time_give_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b", "c"):
        _table(f"in/{name}.csv", last=f"2021-06,{ord(name)}")
    Path("in/bad.csv").write_text("nothing here", encoding="utf-8")
    assert main(["batch", "in", "--output", "one", *QUICK]) == 3
    assert main(["batch", "in", "--output", "two", "--at-once", "2", *QUICK]) == 3
    assert {path.name for path in Path("one").iterdir()} == {path.name for path in Path("two").iterdir()}
    one, two = (
        {
            line["file"]: line | {"seconds": 0}
            for line in map(json.loads, Path(folder, LEDGER_NAME).read_text().splitlines())
        }
        for folder in ("one", "two")
    )
    assert one == two
    assert one["bad.csv"]["status"] == "failed"
    for path in Path("one").glob("*-report.html"):
        assert path.read_bytes() == Path("two", path.name).read_bytes()
    capsys.readouterr()
    assert main(["batch", "in", "--output", "two", "--at-once", "2", *QUICK, "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["skipped"] == 3


@pytest.mark.slow
@NO_SIGNALS
def test_a_series_whose_worker_dies_is_done_again(tmp_path: Path) -> None:
    for name in ("a", "b", "doomed"):
        _table(f"in/{name}.csv")

    def fit(file: Path, checkpoint: Path) -> Any:
        import os
        import signal

        from autostatistician import AutomaticStatistician
        from autostatistician.data.load import load

        killed = checkpoint.parent / f"killed-{file.stem}"
        if file.stem == "doomed" or (file.stem == "a" and not killed.exists()):
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return AutomaticStatistician("se", max_depth=1, n_jobs=1).fit(load(file), checkpoint=checkpoint)

    found = run_batch(Batch(Path("in"), Path("out"), fit, {}, at_once=2), tables(Path("in"), Path("out")))
    status = {record.file: record.status for record, _ in found}
    assert status == {"a.csv": "done", "b.csv": "done", "doomed.csv": "failed"}
    assert "its worker died" in {line["file"]: line["reason"] for line in _lines()}["doomed.csv"]


@pytest.mark.slow
def test_a_folder_is_for_one_batch_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    _table("tables/a.csv")
    with held(Path("out"), "batch", "--output", LOCK_NAME):
        assert main(["batch", "tables", "--output", "out", *QUICK]) == 2
    assert "another batch has it" in capsys.readouterr().err
    assert not Path("out", LEDGER_NAME).exists()
    assert main(["batch", "tables", "--output", "out", *QUICK]) == 0
