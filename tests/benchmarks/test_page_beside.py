"""The sections about time beside other packages, searches of parts of the rows, many series."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

NUMBERS = {"nll": "0.5", "rmse": "0.6", "nlp": "0.9", "megabytes": "200", "note": "", "code": "1"}


@pytest.fixture
def page(folder: Path, tmp_path: Path) -> Any:
    """The module, and tables with some rows."""
    made, empty = import_module("page_beside"), import_module("goals").Tables.read(tmp_path / "none")
    return made, lambda **tables: replace(empty, **tables)


def timed(engine: str, n: int, seconds: str, state: str = "", task: str = "fit") -> dict[str, str]:
    return NUMBERS | {"task": task, "engine": engine, "n": str(n), "seconds": seconds, "state": state}


def test_without_rows_they_say_so(page: Any) -> None:
    made, tables = page
    for found in (made.beside(tables(), ""), made.scaled_searches(tables()), made.batches(tables())):
        assert "Not measured yet." in found
    assert made.growth(tables()) == {}


def test_seconds_are_beside_each_other_with_their_growth(page: Any) -> None:
    made, tables = page
    rows = [timed("ours", 1000, "0.1"), timed("ours", 10_000, "1.0"), timed("other", 1000, "5", task="fit")]
    rows += [timed("other", 10_000, "", "over the limit"), timed("other", 30_000, "", "not tried")]
    text = "\n".join(made.beside(tables(beside=rows), "figure.svg"))
    assert "| ours | 0.1 | 1 | – | 1.00 | 200 |" in text
    assert "| other | 5 | > 60 s | – | – | 200 |" in text
    assert "| ours | 0.5 / 0.6 / 0.9 | 0.5 / 0.6 / 0.9 |" in text
    assert "figure.svg" in text
    (lines,) = made.growth(tables(beside=rows)).values()
    assert [(line.label, line.rows) for line in lines] == [("ours", (1000, 10_000)), ("other", (1000,))]


def test_searches_of_one_kind_of_series_are_no_measure_of_another(page: Any) -> None:
    made, tables = page
    rows = [{"case": case, "n": case.split("-")[1], "search_seconds": seconds} for case, seconds in
            (("taylor-1000", "90"), ("made-1000", "10"), ("made-10000", "100"))]  # fmt: skip
    text = "\n".join(made.beside(tables(beside=[timed("ours", 1000, "0.1")], scale=rows), ""))
    assert "The seconds of a search, made (of a clock) grow with the power 1.00 of the rows." in text
    assert "search, taylor" not in text
    (lines,) = (found for title, found in made.growth(tables(scale=rows)).items() if "search" in title)
    assert [(line.label, line.rows) for line in lines] == [
        ("search, taylor", (1000,)),
        ("search, made", (1000, 10_000)),
    ]


def test_searches_by_parts_are_judged_by_those_of_all_rows(page: Any) -> None:
    made, tables = page
    base = {"n": "950", "held": "50", "rmse": "1", "code": "1", "expression": "SE", "complete": "True"}
    cases = {"a": ("1.0", "1.005"), "b": ("2.5", "2.0")}
    rows = [
        base | {"series": name, "how": how, "nlp": nlp, "seconds": "30", "engines": "0.001" if how == "scaled" else ""}
        for name, both in cases.items()
        for how, nlp in zip(("scaled", "exact"), both, strict=True)
    ]
    rows[-1]["complete"] = "False"
    text = "\n".join(made.scaled_searches(tables(scaled_search=rows)))
    assert "| a | 950 | 1.000 | 1.005 | -0.005 | 30 | 30 |" in text
    assert "| b | 950 | 2.500 | 2.000 | +0.500 | 30 | 30 † |" in text
    assert "behind on 1 of 2 series" in text
    assert "at most\n0.001 nats" in text


def test_workers_are_told_by_their_efficiency(page: Any) -> None:
    made, tables = page
    none = dict.fromkeys(("count", "seconds", "milliseconds", "efficiency"), "")
    rows = [
        none | {"part": "overhead", "workers": "2", "code": "1", "milliseconds": "3.21"},
        *(none | {"part": "series", "workers": str(count), "code": "1", "efficiency": f"{1 - count / 100:.3f}"}
          for count in (1, 8)),
    ]  # fmt: skip
    text = "\n".join(made.batches(tables(batch=rows)))
    assert "3.2 ms, as measured" in text
    assert "| 500 series, one a task | 0.990 | 0.920 |" in text
