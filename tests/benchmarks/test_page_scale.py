"""The section about tables of many rows."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the table."""
    made, empty = import_module("page_scale"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows: "\n".join(made.large_tables(replace(empty, tables_scale=rows)))


def row(name: str, method: str, rmse: float) -> dict[str, str]:
    return {
        "set": name, "rows": "10000", "method": method, "seed": "0", "rmse": str(rmse), "coverage95": "0.951",
        "seconds": "240", "expression": "SE[a] + WN", "code": "1",
    }  # fmt: skip


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])
    assert "Not measured yet." in section([row("friedman", "ours", 0.2)])


def test_errors_are_beside_each_other(section: Any) -> None:
    cases = {"friedman": (0.2, 0.3), "diamonds": (0.5, 0.4)}
    rows = [
        row(name, one, rmse)
        for name, both in cases.items()
        for one, rmse in zip(("ours", "boosted trees"), both, strict=True)
    ]
    text = section(rows)
    assert "| friedman | 10,000 | **0.200** | 0.300 | 95.1% | 4.0 | 4.0 | `SE[a] + WN` |" in text
    assert "| diamonds | 10,000 | 0.500 | 0.400 |" in text
    assert "in 1 of 2 cases" in text


def test_a_set_that_is_made_has_rows_to_learn_from_and_to_predict(folder: Path) -> None:
    made = import_module("tables_scale")
    X, y = made.friedman()
    assert X.shape == (100_000 + made.PREDICTED, 8)
    assert y.std() == pytest.approx(4.98, abs=0.1)


def test_where_points_stand(folder: Path, tmp_path: Path) -> None:
    made, empty = import_module("page_scale"), import_module("goals").Tables.read(tmp_path / "none")
    assert "Not measured yet." in "\n".join(made.where_points_stand(empty))
    shared = {"set": "s", "points": "25", "rows": "5000", "rmse": "0.25", "seconds": "1.25", "code": "1"}
    rows = [shared | {"method": one, "bound": bound} for one, bound in {"rows": "9.5", "moved": "10.5"}.items()]
    text = "\n".join(made.where_points_stand(replace(empty, inducing_points=rows)))
    assert "| s | 25 | 9.5, 0.250, 1.2 s | **10.5**, 0.250, 1.2 s |" in text


def test_other_approximations(folder: Path, tmp_path: Path) -> None:
    made, empty = import_module("page_scale"), import_module("goals").Tables.read(tmp_path / "none")
    assert "Not measured yet." in "\n".join(made.approximations(empty))
    row = {
        "set": "s",
        "rows": "10000",
        "rmse": "0.25",
        "nlpd": "nan",
        "seconds": "1.5",
        "megabytes": "600",
        "code": "1",
    }
    rows = [row | {"method": name} for name in import_module("approximations").METHODS]
    text = "\n".join(made.approximations(replace(empty, approximations=rows)))
    assert "| s | random features | 0.25 | – | 1.5 | 600 |" in text
    assert all(f"- **{one['method']}**: " in text for one in rows)
