"""The command on clusters: what it writes and prints, its exit codes, and interruptions."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.conftest import Run

from autostatistician.cli.main import main
from autostatistician.estimators.mixture import InfiniteWarpedMixture

QUICK = ["--sweeps", "20", "--chains", "2", "--n-jobs", "1"]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = np.concatenate([rng.normal(-3.0, 0.3, 10), rng.normal(3.0, 0.3, 12)])
    path = tmp_path / "stars.csv"
    path.write_text("name,mass\n" + "\n".join(f"s{k},{value:.3f}" for k, value in enumerate(rows)))
    return path


@pytest.mark.slow
def test_it_writes_the_page_and_says_what_was_found(table: Path, run: Run) -> None:
    out, err = run(["clusters", table, *QUICK])
    assert out.startswith("- ")
    assert "chains of 20 sweeps" in out
    assert out.endswith("Wrote stars-clusters.html\n")
    assert err == "note: Column 'name' is left out: it holds text.\n"
    assert "<svg" in (table.parent / "stars-clusters.html").read_text()


@pytest.mark.slow
def test_json_and_markdown(table: Path, run: Run) -> None:
    record = json.loads(run(["clusters", table, *QUICK, "--json", "--output", "found.md", "--columns", "mass"]).out)
    assert record["columns"] == ["mass"]
    assert record["output"] == "found.md"
    assert len(record["labels"]) == 22
    assert (table.parent / "found.md").read_text().startswith("# Clusters in stars")


def test_faults_of_the_input_are_one_line(table: Path, run: Run) -> None:
    printed = run(["clusters", table, "--columns", "name"], 2).err
    assert printed == (
        "error: expected numbers in column 'name'; found that it holds text; leave it out of --columns\n"
    )
    assert main(["clusters", str(table), "--output", "found.txt"]) == 2


def test_interrupted_it_writes_what_was_found_so_far(table: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fit = InfiniteWarpedMixture.fit

    def pressed(self: InfiniteWarpedMixture, X: Any, **during: Any) -> InfiniteWarpedMixture:
        os.kill(os.getpid(), signal.SIGINT)
        return fit(self, X, **during)

    monkeypatch.setattr(InfiniteWarpedMixture, "fit", pressed)
    printed = run(["clusters", table, "--sweeps", "5000", "--chains", "1", "--output", "found.json"], 130).err
    assert "interrupted; this is what the chains have found so far" in printed
    record = json.loads((table.parent / "found.json").read_text())["record"]
    assert record["sweeps"] < 5000
    assert not record["complete"]


def test_a_budget_ends_the_chains(table: Path, run: Run) -> None:
    printed = run(["clusters", table, "--sweeps", "100000", "--chains", "1", "--time-budget", "0.01", "--json"]).out
    assert not json.loads(printed)["complete"]


@pytest.mark.slow
def test_chains_that_were_ended_go_on_from_their_checkpoint(table: Path, run: Run) -> None:
    command = ["clusters", str(table), *QUICK, "--json", "--checkpoint", "chains.npz"]
    assert not json.loads(run([*command, "--time-budget", "0.001"]).out)["complete"]
    assert (table.parent / "chains.npz").exists()
    assert json.loads(run(command).out)["complete"]
    assert not (table.parent / "chains.npz").exists()
    Path("chains.npz").write_bytes(b"something else")
    assert "expected " in run(command, 2).err
