"""The section about deep Gaussian processes."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SETS = ("step", "airline", "servo", "concrete")


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the table."""
    made, empty = import_module("page_deep"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows: "\n".join(made.deep_processes(replace(empty, deep=rows)))


def rows(name: str, method: str, errors: list[float]) -> list[dict[str, str]]:
    shared = {"set": name, "method": method, "nll": "0.5", "bound": "-3", "seconds": "2.0", "code": "1"}
    return [shared | {"seed": str(seed), "rmse": str(error)} for seed, error in enumerate(errors)]


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])


def test_differences_are_paired_and_bold_where_they_are_large(section: Any) -> None:
    text = section([*rows("step", "exact", [0.3, 0.5]), *rows("step", "2", [0.1, 0.32])])
    assert "| exact, shallow | 0.400 | – | – | – |" in text
    assert "| two layers | **0.210** (-0.190 ± 0.010) | – | – | – |" in text
    assert "| three layers | – | – | – | – |" in text
    assert "no worse" not in text  # before all are there


@pytest.mark.parametrize(("three", "said"), [(0.2, "none is worse."), (0.4, "worse are three layers on servo (root")])
def test_the_verdict_is_of_all_sets(section: Any, three: float, said: str) -> None:
    found = [row for name in SETS for method in ("exact", "1", "2") for row in rows(name, method, [0.3] * 5)]
    for name in SETS:
        found += rows(name, "3", [three if name == "servo" else 0.3] * 5)
    assert said in section(found)


def test_the_data_of_a_seed_are_the_same_for_all_and_standardised(folder: Path) -> None:
    made = import_module("deep")
    X, y, new, truth = made.split(Path("nowhere"), "step", 3)
    again = made.split(Path("nowhere"), "step", 3)
    assert all(np.array_equal(one, other) for one, other in zip((X, y, new, truth), again, strict=True))
    assert (X.shape, new.shape) == ((150, 1), (1000, 1))
    assert [X.mean(), y.mean(), X.std(), y.std()] == pytest.approx([0.0, 0.0, 1.0, 1.0])
    assert np.mean(truth > y.mean()) == pytest.approx(0.5, abs=0.1)
