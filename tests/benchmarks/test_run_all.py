from __future__ import annotations

import csv
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = """import argparse, csv, sys, time
parser = argparse.ArgumentParser()
for name in ("--csv", "--data", "--jobs", "--case"):
    parser.add_argument(name)
given = parser.parse_args()
if given.case == "bad":
    raise ValueError("a bad case")
time.sleep(60.0 if given.case == "slow" else 0.0)
with open(given.csv, "a") as file:
    file.write(f"{given.case},{given.jobs}\\n")
"""


@pytest.fixture
def run_all(folder: Path) -> ModuleType:
    return import_module("run_all")


@pytest.fixture
def given(
    run_all: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Any:
    """The arguments of a run of small scripts in the place of the benchmarks."""
    (tmp_path / "script.py").write_text(SCRIPT)
    monkeypatch.setattr(run_all, "HERE", tmp_path)
    monkeypatch.setattr(sys, "argv", ["run_all", "--results", str(tmp_path), "--data", str(tmp_path), "--at-once", "2"])
    return run_all._arguments()


def _jobs(run_all: ModuleType, *names: str, alone: bool = False) -> list[Any]:
    return [run_all.Job("script.py", ("--case", name), "t.csv", ("case",), {"case": name}, 1, alone) for name in names]


def _failures(folder: Path) -> list[dict[str, str]]:
    with (folder / "failures.csv").open() as file:
        return list(csv.DictReader(file))


def test_a_failure_is_kept_and_stops_no_other(run_all: ModuleType, given: Any, tmp_path: Path) -> None:
    assert run_all.run(_jobs(run_all, "bad", "a", "b"), given)
    assert sorted((tmp_path / "t.csv").read_text().split()) == ["a,1", "b,1"]
    (row,) = _failures(tmp_path)
    assert (row["command"], row["error"]) == ("script.py --case bad", "ValueError: a bad case")


def test_a_case_that_takes_too_long_has_failed(run_all: ModuleType, given: Any, tmp_path: Path) -> None:
    given.case_minutes = 0.01
    assert run_all.run(_jobs(run_all, "slow"), given)
    assert [row["error"] for row in _failures(tmp_path)] == ["stopped after 0.01 minutes"]


def test_out_of_time_is_no_failure(run_all: ModuleType, given: Any, tmp_path: Path) -> None:
    given.budget_minutes = 0.01
    jobs = _jobs(run_all, "slow")
    assert not run_all.run(jobs, given)
    assert not (tmp_path / "failures.csv").exists()


def test_a_success_takes_an_earlier_failure_back(run_all: ModuleType, given: Any, tmp_path: Path) -> None:
    run_all.run(_jobs(run_all, "bad"), given)
    (tmp_path / "script.py").write_text(SCRIPT.replace('"bad"', '"worse"'))
    run_all.run(_jobs(run_all, "bad"), given)
    assert _failures(tmp_path) == []


def test_a_case_that_is_to_be_alone_has_all_workers(run_all: ModuleType, given: Any, tmp_path: Path) -> None:
    assert run_all.run(_jobs(run_all, "a", alone=True), given)
    assert (tmp_path / "t.csv").read_text() == "a,None\n"
    waiting, running = _jobs(run_all, "a", alone=True), [run_all.Running(_jobs(run_all, "b")[0], None, 0.0, None)]
    assert not run_all._has_room(waiting[0], running, 2)
    assert run_all._has_room(running[0].job, running, 2)
    assert not run_all._has_room(running[0].job, [run_all.Running(waiting[0], None, 0.0, None)], 2)


@pytest.fixture
def plan(run_all: ModuleType, shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "argv", ["run_all", "--results", str(tmp_path), "--series", "05", "01", "08"])
    return run_all._arguments()


def test_the_plan_is_in_order_of_use_and_then_of_size(run_all: ModuleType, plan: Any) -> None:
    jobs = run_all.planned(plan)
    assert [job.case["series"][:2] for job in jobs[:4]] == ["01", "08", "05", "01"]
    tables = [job.table for job in jobs]
    assert list(dict.fromkeys(tables)) == [
        *("extrapolation.csv", "full-data.csv", "interpolation.csv", "synthetic.csv", "speed.csv", "learning-curve.csv")
    ]
    assert len({(job.table, tuple(job.case.values())) for job in jobs}) == len(jobs)


def test_what_is_done_or_has_failed_is_not_planned(run_all: ModuleType, plan: Any, tmp_path: Path) -> None:
    plan.stage = ["raw"]
    first, second, third = run_all.planned(plan)
    code = {"code": run_all.code_version()}
    run_all.Ledger(tmp_path / first.table, first.columns, ("code",)).write(first.case | code)
    run_all.Ledger(tmp_path / "failures.csv", *run_all.FAILED).write({"command": second.command} | code)
    assert [job.command for job in run_all.planned(plan)] == [third.command]
    plan.retry = True
    assert [job.command for job in run_all.planned(plan)] == [second.command, third.command]


def test_the_plan_names_the_cases_as_the_commands_do(
    run_all: ModuleType, plan: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan.option = ["max_depth=1"]
    for stage in ("raw", "full-data", "synthetic", "speed", "learning"):
        plan.stage = [stage]
        job = run_all.planned(plan)[0]
        module, asked = import_module(job.script.removesuffix(".py")), []
        monkeypatch.setattr(module.Ledger, "done", lambda ledger, row, asked=asked: not asked.append(row))
        monkeypatch.setattr(
            sys, "argv", [job.script, *job.arguments, "--csv", str(tmp_path / "t.csv"), "--data", str(plan.data)]
        )
        module.main()
        monkeypatch.undo()
        assert [{name: str(value) for name, value in row.items() if name != "code"} for row in asked] == [
            {name: str(value) for name, value in job.case.items()}
        ]
