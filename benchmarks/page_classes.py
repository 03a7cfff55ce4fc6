"""The section of the page of results about classes: tables 6.6 and 6.7 of the thesis beside ours and peers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from class_folds import FOLDS
from classification import METHODS, PUBLISHED
from common import REFERENCE, read_rows
from goals import Tables
from page_text import NOTHING, bold, made_by, number, table

__all__ = ["classes"]

Row = dict[str, Any]
Scores = dict[tuple[str, str], list[Row]]  # by set and method

NAMES = {
    "search": "search, ours",
    "gp": "GP, SE-ARD, ours (expectation propagation)",
    "gp-laplace": "GP, SE-ARD, ours (Laplace)",
    "additive": "GP, additive, ours",
    "first-order": "GP, first order, ours",
    "sklearn-gp": "GP, SE-ARD, scikit-learn (Laplace)",
    "logistic": "logistic regression, scikit-learn",
    "boosting": "gradient boosting, scikit-learn",
    "ebm": "explainable boosting, interpret",
    "hkl": "HKL, ours, by training error",
    "hkl-cv": "HKL, ours, by cross-validation",
}
HKL = {"training": "hkl", "cv": "hkl-cv"}  # methods of `hkl.csv`
EVERY = (*METHODS, *HKL.values())
PARTS = (("Errors, per cent", "error", 0, ".1f"), ("Mean negative log probability", "nll", 1, ".3f"))


def classes(tables: Tables) -> list[str]:
    lines = ["## Classes", ""]
    scores: Scores = defaultdict(list)
    for row in tables.classification:
        scores[row["set"], row["method"]].append(row)
    for row in tables.hkl if scores else ():
        if row["set"] in PUBLISHED and row["method"] in HKL:
            scores[row["set"], HKL[row["method"]]].append(row)
    if not scores:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        "Six sets of two classes, ten folds, every method on the same rows in the same run; columns were standardised",
        "over all rows, as they were for the published tables (6.6 and 6.7 of the thesis). **Bold**",
        "where a result of ours is not above the best published Gaussian process; a number in brackets tells how many",
        "folds were run where not all were. The published logistic regression lacks an intercept. Ranks are over the",
        "sets with all folds of all methods that have a rank.",
        "",
        *(line for part in PARTS for line in _part(scores, *part)),
        made_by(tables.classification, "classification.csv"),
        "Rows of hierarchical kernel learning are those of [its section](tables.md#hierarchical-kernel-learning).",
        "",
        *_speed(tables.classification_speed),
    ]


def _part(scores: Scores, title: str, measure: str, place: int, form: str) -> list[str]:
    """One measure: ours and peers with their mean ranks, then the published rows."""
    methods = [method for method in EVERY if any((name, method) in scores for name in PUBLISHED)]
    ranks = _mean_ranks(scores, methods, measure)
    rows = []
    for method in methods:
        cells = [_cell(scores, name, method, measure, PUBLISHED[name][place], form) for name in PUBLISHED]
        rows.append([NAMES[method], *cells, number(ranks.get(method), ".1f")])
    known = read_rows(REFERENCE / "classification.csv")
    for method in dict.fromkeys(row["method"] for row in known):
        theirs = {row["set"]: row[measure] for row in known if row["method"] == method}
        if any(theirs.values()):
            cells = [number(float(theirs[name]) if theirs[name] else None, form) for name in PUBLISHED]
            rows.append([f"{method}, published", *cells, "–"])
    return [f"### {title}", "", *table(["method", *PUBLISHED, "mean rank"], rows)]


def _cell(scores: Scores, name: str, method: str, measure: str, best: float, form: str) -> str:
    rows = scores.get((name, method), [])
    if not rows:
        return "–"
    mean, whole = _mean(rows, measure), len(rows) == FOLDS
    text = bold(number(mean, form), whole and "ours" in NAMES[method] and mean <= best)
    return text if whole else f"{text} ({len(rows)})"


def _mean(rows: Sequence[Row], measure: str) -> float:
    return fmean(float(row[measure]) for row in rows)


def _mean_ranks(scores: Scores, methods: Sequence[str], measure: str) -> dict[str, float]:
    """Over the sets that all of these methods have whole; methods without any whole set have no rank."""
    whole: Callable[[str, str], bool] = lambda name, method: len(scores.get((name, method), [])) == FOLDS  # noqa: E731
    ranked = [method for method in methods if any(whole(name, method) for name in PUBLISHED)]
    sets = [name for name in PUBLISHED if all(whole(name, method) for method in ranked)]
    ranks: dict[str, list[int]] = defaultdict(list)
    for name in sets:
        means = {method: _mean(scores[name, method], measure) for method in ranked}
        for method in ranked:
            ranks[method].append(1 + sum(other < means[method] for other in means.values()))
    return {method: fmean(found) for method, found in ranks.items()}


def _speed(rows: Sequence[Row]) -> list[str]:
    """Seconds of one evidence with its gradient and of a whole fit, beside scikit-learn."""
    if not rows:
        return []
    first = rows[0]
    shown = [
        [row["method"], row["next_ms"], row["sklearn_ms"], row["times_faster"], row["fit_s"], row["sklearn_fit_s"],
         row["fit_times_faster"]] for row in rows
    ]  # fmt: skip
    head = ["method", "evidence and gradient, ms", "scikit-learn", "times", "whole fit, s", "scikit-learn", "times"]
    return [f"### Time at {first['rows']} rows, {first['lengthscales']} lengthscales", "", *table(head, shown)]
