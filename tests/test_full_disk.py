"""What happens when the disk is full: old files stay whole, nothing is left lying about, and one line says it."""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician.cli.main import main
from autostatistician.errors import WriteError
from autostatistician.estimators.statistician import AutomaticStatistician

QUICK = ["--language", "se", "--max-depth", "1", "--n-jobs", "1", "--transform", "none", "--outliers", "keep"]
ROWS = [f"2020-{1 + i % 12:02d}-01,{10.0 + i + i % 3}" for i in range(12)]


def _table(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["month,sales", *ROWS]), encoding="utf-8")
    return path


def _full(number: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no file reaches the disk."""
    monkeypatch.setattr(os, "fsync", _full)


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    x = np.arange(20.0)
    return AutomaticStatistician("se", max_depth=1, n_restarts=1, n_jobs=1).fit(x[:, None], np.sin(x))


# --- one write at a time ----------------------------------------------------------------------------------------

WRITES: dict[str, Callable[[AutomaticStatistician, Path], Any]] = {
    **{suffix: lambda model, path: model.report(path) for suffix in (".html", ".pdf", ".md", ".json")},
    "a report that was made": lambda model, path: model.report().save(path.with_suffix(".html")),
    "model": lambda model, path: model.save(path),
}


@pytest.mark.parametrize("what", sorted(WRITES))
def test_the_old_file_stays_whole(
    what: str, model: AutomaticStatistician, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"old{what if what.startswith('.') else '.html'}"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(WriteError, match="No space left on device") as caught:
        WRITES[what](model, path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("full_disk")
def test_a_forecast_that_finds_no_room(
    model: AutomaticStatistician, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("autostatistician.cli.saved._loaded", lambda path: model)
    (tmp_path / "f.csv").write_bytes(b"old")
    assert main(["forecast", "m.json", "--output", str(tmp_path / "f.csv")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "No space left on device" in err
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


@pytest.mark.parametrize(("command", "name"), [("report", "a.md"), ("fit", "a.json")])
def test_what_a_search_found_is_kept_elsewhere(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AUTOSTATISTICIAN_DEBUG", raising=False)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "elsewhere"))
    replace = os.replace

    def full_here(source: Path, target: Path) -> None:
        if "elsewhere" not in str(target):
            _full(0)
        replace(source, target)

    monkeypatch.setattr(os, "replace", full_here)
    assert main([command, str(_table(tmp_path / "a.csv")), *QUICK, "--output", name, "--quiet"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    (kept,) = (tmp_path / "elsewhere").rglob("model.json")
    assert err.endswith(f"choose another place; what was found is kept in '{kept}'\n")
    assert sorted(os.listdir()) == ["a.csv", "elsewhere"]
    assert main(["forecast", str(kept), "--horizon", "2"]) == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("streams", [{"stdout"}, {"stdout", "stderr"}], ids=["stdout", "both"])
def test_standard_output_on_a_full_disk(streams: set[str], unbuffered: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full, a file that is always full")
    with open("/dev/full", "w", encoding="utf-8") as full:
        given: dict[str, Any] = {"stdout": full, "stderr": full if "stderr" in streams else subprocess.PIPE}
        done = subprocess.run(
            [sys.executable, "-m", "autostatistician", "examples"],
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered}, **given, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr in (
        None,
        "error: expected to read or write; found No space left on device; check path and disk\n",
    )


# --- the page ---------------------------------------------------------------------------------------------------


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Any]:
    """A visitor of a server that accepts runs and starts none."""
    from starlette.testclient import TestClient

    from autostatistician.web.app import make_app

    with TestClient(make_app(tmp_path / "runs", 0), "http://localhost", raise_server_exceptions=False) as client:
        yield client


def _upload(visitor: Any) -> Any:
    token = visitor.get("/").text.split('name="token" value="')[1].split('"')[0]
    files = {"table": ("a.csv", "\n".join(["month,sales", *ROWS]), "text/csv")}
    return visitor.post("/tables", data={"token": token}, files=files)


def test_a_server_without_room_says_so_and_keeps_no_rest(
    visitor: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from autostatistician.web.store import Store

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", _full)
        answer = _upload(visitor)
    assert answer.status_code == 507
    assert "disk of the server is full" in answer.text
    assert str(tmp_path) not in answer.text
    assert list((tmp_path / "runs" / "runs").iterdir()) == []

    def full(store: Store) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "_open", full)
        assert visitor.get("/").status_code == 507
    assert _upload(visitor).status_code == 200


def test_a_secret_that_found_no_room_is_made_anew(tmp_path: Path) -> None:
    from autostatistician.web.store import secret_of

    (tmp_path / "secret").touch(mode=0o600)
    assert len(secret_of(tmp_path)) == 32
    assert secret_of(tmp_path) == secret_of(tmp_path)


@pytest.mark.slow
def test_a_search_of_the_server_goes_on_without_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from autostatistician.web import search_job
    from autostatistician.web.store import Counts, Store

    store, rows = Store(tmp_path), "\n".join(["month,sales", *ROWS]).encode()
    run = store.add("visitor", "a.csv", "table.csv", rows)
    place = store.place(run.id)
    roles = {"time": None, "target": None, "where": {}, "task": "number"}
    settings = {**roles, "language": "se", "depth": 1, "budget": None, "steps": 2}
    assert store.queue(run, settings, Counts(5, 5, 5))
    write = search_job.write_whole

    def full(path: Path, content: bytes) -> Path:
        if path.name in ("fit.svg", "progress.json"):
            raise WriteError.of("room", "none", "make some")
        return write(path, content)

    monkeypatch.setattr(search_job, "write_whole", full)
    search_job.search(place, run.file, run.name, settings, "en")
    assert (place / "model.json").exists()
    monkeypatch.setattr(os, "fsync", _full)
    with pytest.raises(WriteError):
        search_job.search(place, run.file, run.name, settings, "en")
    assert not list(place.glob("*.tmp"))


# --- a disk that is really full ---------------------------------------------------------------------------------

# Everything is run on a small disk of its own, whose content is copied away in the end; MORE gives it room.
SMALL = """
mount -t tmpfs -o "size=$1" none "$2" || exit 99
MORE() { mount -o "remount,size=50m" none "$disk"; }
disk="$2"; eval "$3"; code=$?
cp -a "$2/." "$4"; exit $code
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Callable[[str, str], Any]:
    """Run a line of shell on a disk of the given size: exit code, what was said, what is on the disk in the end."""
    for name in ("disk", "kept", "tmp"):
        (tmp_path / name).mkdir()

    def run(size: str, line: str) -> Any:
        shell = ["sh", "-c", SMALL, "sh", size, str(tmp_path / "disk"), line, str(tmp_path / "kept")]
        program = f"{sys.executable} -m autostatistician"
        return subprocess.run(
            ["unshare", "--map-root-user", "--mount", *shell], capture_output=True, text=True, check=False, timeout=120,
            cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path / "tmp"), "auto": program},
        )  # fmt: skip

    if shutil.which("unshare") is None or run("8k", "true").returncode != 0:
        pytest.skip("needs a Linux on which we may mount a small disk")
    return run


@pytest.mark.slow
def test_a_checkpoint_without_room_is_one_note(small_disk: Callable[[str, str], Any], tmp_path: Path) -> None:
    _table(tmp_path / "a.csv")
    done = small_disk(
        "4k", "$auto fit a.csv --language mkl --max-depth 2 --n-jobs 1 --checkpoint disk/c.json --output m.json"
    )
    assert done.returncode == 0, done.stderr
    notes = [line for line in done.stderr.splitlines() if "checkpoint" in line]
    assert len(notes) == 1
    assert notes[0].startswith("note: the search goes on, but its checkpoint stays at an earlier level: ")
    assert "No space left on device" in notes[0]
    record = json.loads((tmp_path / "m.json").read_text())
    assert record["search"]["trace"][-1]["level"] == 2


@pytest.mark.long
def test_a_panel_that_fills_the_disk_goes_on_when_there_is_room(
    small_disk: Callable[[str, str], Any], tmp_path: Path
) -> None:
    for name in "ab":
        _table(tmp_path / "in" / f"{name}.csv")
    panel = f"$auto panel in --output disk/out --pages --models {' '.join(QUICK)}"
    done = small_disk("120k", f"{panel}; echo code $?; ls -AR disk/out; MORE; {panel}")
    assert done.returncode == 0, done.stderr
    assert "code 2\n" in done.stdout
    assert done.stderr.count("error: ") == 1
    assert done.stderr.startswith("error: expected to be able to write")
    assert ".tmp" not in done.stdout
    assert "2 series done, 0 failed" in done.stdout
    kept = tmp_path / "kept" / "out"
    assert sorted(path.suffix for path in (kept / "panel-pages").iterdir()) == [".html", ".html", ".json", ".json"]
    assert {"forecasts.csv", "panel.html"} <= {path.name for path in kept.iterdir()}
