"""The five regression sets, their folds, and what was published of them: what the commands on tables share.

Columns and targets are standardised with all rows, as they were in the original (Duvenaud 2014, tables 6.4 and 6.5);
the folds are the original ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from scipy.stats import t as student_t

from common import REFERENCE, read_rows

__all__ = [
    "ADDITIVE",
    "ALL_KERNELS",
    "FIRST_ORDER",
    "FOLDS",
    "PRODUCT",
    "SEARCH",
    "SETS",
    "different",
    "published",
    "standardised",
    "summary",
]

Row = dict[str, Any]

SETS = ("bach", "concrete", "pumadyn8nh", "servo", "housing")
FOLDS = 10
# As `reference/regression.csv` names them.
SEARCH, ALL_KERNELS, ADDITIVE = "structure search", "structure search, all kernels (draft)", "GP, additive"
FIRST_ORDER, PRODUCT = "GP, first order", "GP, SE-ARD"


def published() -> dict[tuple[str, str], Row]:
    """The published means by set and method."""
    return {(row["set"], row["method"]): row for row in read_rows(REFERENCE / "regression.csv")}


def standardised(data: Path, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inputs, targets and folds of a set: the last two columns of its file."""
    rows = np.loadtxt(data / "regression" / f"{name}.csv", delimiter=",", skiprows=1)
    folds, rows = rows[:, -1].astype(int), rows[:, :-1]
    spread = rows.std(axis=0, ddof=1)
    rows = (rows - rows.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    return rows[:, :-1], rows[:, -1], folds


def different(values: Sequence[float], mean: float, error: float = 0.0) -> float:
    """The p-value of a t-test that the mean of some folds differs from one with this standard error (Welch).

    The published figures of single folds are not known, so the test is not paired.
    """
    if len(values) < 2:
        return float("nan")
    spread = np.std(values, ddof=1) / np.sqrt(len(values))
    return 2.0 * float(student_t.sf(abs(fmean(values) - mean) / np.hypot(spread, error), len(values) - 1))


def summary(rows: list[Row], methods: Iterable[str], kind: str, form: str) -> list[Row]:
    """Means over the folds beside those published of a kind, with the p-values that they differ; seconds as given."""
    known, found = published(), []
    for name in SETS:
        for method in methods:
            own = [row for row in rows if (row["set"], row["method"]) == (name, method)]
            if own:
                shown = {"set": name, "method": method, "folds": len(own)} | _compared(own, known[name, kind])
                found.append(shown | {"seconds": f"{fmean(float(row['seconds']) for row in own):{form}}"})
    return found


def _compared(own: list[Row], theirs: Row) -> Row:
    shown: Row = {}
    for measure, error in (("mse", theirs["mse_se"]), ("nll", "")):
        values, mean = [float(row[measure]) for row in own], float(theirs[measure])
        p = different(values, mean, float(error or 0.0))
        shown |= {measure: f"{fmean(values):.3f}", f"{measure} published": mean, f"{measure} p": f"{p:.2f}"}
    return shown
