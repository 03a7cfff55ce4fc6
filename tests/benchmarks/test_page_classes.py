"""The section about classes."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

SETS = ("breast", "pima", "sonar", "ionosphere", "liver", "heart")


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the table."""
    made, empty = import_module("page_classes"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows, hkl=(): "\n".join(made.classes(replace(empty, classification=rows, hkl=list(hkl))))


def rows(name: str, method: str, error: float, nll: float, folds: int = 10) -> list[dict[str, str]]:
    shared = {"set": name, "method": method, "error": str(error), "nll": str(nll), "seconds": "1", "code": "1"}
    return [shared | {"fold": str(fold)} for fold in range(folds)]


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])


def test_bold_is_not_above_the_best_published_and_ours(section: Any) -> None:
    text = section([*rows("heart", "gp", 16.0, 0.4), *rows("heart", "logistic", 15.0, 0.39, 3)])
    assert "| GP, SE-ARD, ours (expectation propagation) | – | – | – | – | – | **16.0** |" in text
    assert "| GP, SE-ARD, ours (expectation propagation) | – | – | – | – | – | 0.400 |" in text
    assert "| logistic regression, scikit-learn | – | – | – | – | – | 15.0 (3) | – |" in text
    assert "| GP, first order, published | 5.2 | 22.4 | 15.8 | 8.5 | 29.8 | 16.8 | – |" in text


def test_ranks_are_over_the_sets_that_all_have(section: Any) -> None:
    both = [*rows("heart", "gp", 16.0, 0.4), *rows("heart", "logistic", 15.0, 0.39)]
    other = [*rows("pima", "gp", 16.0, 0.4), *rows("pima", "logistic", 17.0, 0.3), *rows("liver", "gp", 1.0, 0.1)]
    text = section([*both, *other])
    assert "**1.0** | **16.0** | 1.5 |" in text
    assert "| logistic regression, scikit-learn | – | 17.0 | – | – | – | 15.0 | 1.5 |" in text


def test_hierarchical_kernel_learning_stands_among_them(section: Any) -> None:
    text = section(rows("heart", "gp", 16.0, 0.4), rows("heart", "cv", 15.7, 0.41))
    assert "| HKL, ours, by cross-validation | – | – | – | – | – | **15.7** | 1.0 |" in text
    assert "| HKL, ours, by cross-validation | – | – | – | – | – | 0.410 | 2.0 |" in text
    assert "HKL, ours, by training error" not in text
