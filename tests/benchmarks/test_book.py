"""The command that makes what the tables of the sources lack."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def book(folder: Path) -> Any:
    return import_module("book")


@pytest.fixture
def given(book: Any, shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The arguments of a run into an empty folder, of one table."""
    monkeypatch.setattr(sys, "argv", ["book", "--results", str(tmp_path), "--only", "regression.csv"])
    return book._arguments()


@pytest.mark.slow
def test_only_cases_without_any_row_are_planned(book: Any, given: Any, tmp_path: Path) -> None:
    first, second, *others = book.lacking(given)
    assert first.command == "regression.py --sets bach --methods search --folds 0"
    (tmp_path / "regression.csv").write_text("set,method,fold,code\nbach,search,0,of older code\n")
    failed = {"command": second.command, "code": book.code_version(), "minutes": "1", "error": "none"}
    import_module("common").write_rows(tmp_path / "failures.csv", [failed])
    assert [job.command for job in book.lacking(given)] == [job.command for job in others]
    given.retry = True
    assert book.lacking(given)[0].command == second.command


def test_every_case_is_planned_once(book: Any, given: Any) -> None:
    given.only = None
    jobs = book.lacking(given)
    assert len({(job.table, tuple(map(str, job.case.values()))) for job in jobs}) == len(jobs)
    assert {"extrapolation.csv", "interpolation.csv", "equations.csv", "additive.csv", "regression.csv",
            "classification.csv", "hkl.csv"} == {job.table for job in jobs}  # fmt: skip
