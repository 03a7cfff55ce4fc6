"""The section of the page of results about tables with many columns: searches, additive models, peers, speed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from scipy.stats import rankdata

from folds import ADDITIVE, ALL_KERNELS, FIRST_ORDER, FOLDS, PRODUCT, SEARCH, different, published
from goals import Tables
from page_text import NOTHING, bold, made_by, number, table

__all__ = ["many_columns"]

Row = dict[str, Any]

LIMIT = 0.05  # of a t-test: from here on a mean differs
# Names in the tables of results, and as the page writes them.
NAMES = {
    "search": "structure search, ours", "search-all": "structure search, all kernels, ours", "SE": "additive, ours",
    "GAM": "first order, ours", "ARD": "product of all columns (ARD), ours", "all-subsets": "all subsets, ours",
    "orthogonal": "orthogonal additive, ours", "gp-ard": "scikit-learn GP, ARD", "boosting": "gradient boosting",
    "ebm": "EBM", "gam": "pyGAM",
}  # fmt: skip
# Whose published figures are to be reached.
PARTNER = {"search": SEARCH, "search-all": ALL_KERNELS, "SE": ADDITIVE, "GAM": FIRST_ORDER, "ARD": PRODUCT}
SECONDS = 120.0  # of a search on concrete


@dataclass(frozen=True)
class Folds:
    """One method on one set: its scores on the folds that were run."""

    mse: tuple[float, ...]
    nll: tuple[float, ...]
    seconds: float

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Folds:
        return cls(*(tuple(float(row[key]) for row in rows) for key in ("mse", "nll")), _seconds(rows))

    @property
    def whole(self) -> bool:
        """Whether every fold was run."""
        return len(self.mse) == FOLDS


Scores = dict[tuple[str, str], Folds]  # by set and method


def many_columns(tables: Tables) -> list[str]:
    lines = ["## Tables with many columns", ""]
    scores = _scores([*tables.regression, *tables.additive])
    if not scores:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        "Squared error and negative log density on five regression sets, columns and target standardised: means over",
        "the ten folds of the original. **Bold** where ours is not worse than the published mean of its kind (t-test",
        "over the folds, 5 %); a number in brackets tells how many folds were run where not all were.",
        "",
        *_means(scores, "mse", "Mean squared error"),
        *_means(scores, "nll", "Mean negative log density"),
        *_ranks(scores),
        *_concrete(scores),
        *_speed(tables.additive_speed),
        *(made_by(rows, f"{name}.csv") + "\n" for name, rows in _sources(tables) if rows),
    ]


def _sources(tables: Tables) -> Iterable[tuple[str, list[Row]]]:
    return (
        ("regression", tables.regression),
        ("additive", tables.additive),
        ("additive-speed", tables.additive_speed),
    )


def _scores(rows: Sequence[Row]) -> Scores:
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["set"], row["method"]].append(row)
    return {key: Folds.of(own) for key, own in groups.items()}


def _seconds(rows: Sequence[Row]) -> float:
    return fmean(float(row["seconds"]) for row in rows)


# Means -----------------------------------------------------------------------------------------------------


def _means(scores: Scores, measure: str, title: str) -> list[str]:
    known = published()
    sets = list(dict.fromkeys(name for name, _ in known))
    methods = [method for method in NAMES if any(key[1] == method for key in scores)]
    rows = [
        [NAMES[method], *(_cell(scores.get((name, method)), measure, _target(known, name, method)) for name in sets)]
        for method in methods
    ]
    theirs = list(dict.fromkeys(method for _, method in known))
    rows += [[f"{method}, published", *(_known(known[name, method], measure) for name in sets)] for method in theirs]
    return [f"### {title}", "", *table(["method", *sets], rows)]


def _target(known: dict[tuple[str, str], Row], name: str, method: str) -> Row | None:
    return known[name, PARTNER[method]] if method in PARTNER else None


def _known(row: Row, measure: str) -> str:
    return number(float(row[measure])) if row[measure] else "–"


def _cell(folds: Folds | None, measure: str, target: Row | None) -> str:
    if folds is None:
        return "–"
    values = getattr(folds, measure)
    text = bold(number(fmean(values)), target is not None and _not_worse(values, float(target[measure])))
    return text if folds.whole else f"{text} ({len(values)})"


def _not_worse(values: Sequence[float], theirs: float) -> bool:
    """Whether a mean over all folds is at most the published one, or above it by no more than chance allows."""
    if len(values) < FOLDS:
        return False
    return fmean(values) <= theirs or different(values, theirs) >= LIMIT


# Ranks -----------------------------------------------------------------------------------------------------


def _ranks(scores: Scores) -> list[str]:
    """Mean ranks of the methods with all folds of all sets, and of all methods on the sets that they share."""
    methods = [method for method in NAMES if any(key[1] == method for key in scores)]
    sets = list(dict.fromkeys(name for name, _ in scores))
    everywhere = [method for method in methods if all(_whole(scores, name, method) for name in sets)]
    shared = [name for name in sets if all(_whole(scores, name, method) for method in methods)]
    groups = [(everywhere, sets), (methods, shared)] if everywhere != methods else [(methods, sets)]
    found = [_ranked(scores, *group) for group in groups if len(group[0]) > 1 and group[1]]
    return ["### Mean ranks", "", *(line for lines in found for line in lines)] if found else []


def _ranked(scores: Scores, methods: Sequence[str], sets: Sequence[str]) -> list[str]:
    found = {measure: _mean_ranks(scores, sets, methods, measure) for measure in ("mse", "nll")}
    order = sorted(methods, key=lambda method: found["nll"][method] + found["mse"][method])
    rows = [[NAMES[method], *(f"{found[measure][method]:.2f}" for measure in ("mse", "nll"))] for method in order]
    return [
        f"Of the methods that were run on all folds of {', '.join(sets)}; 1 is the best.",
        "",
        *table(["method", "squared error", "log density"], rows),
    ]


def _whole(scores: Scores, name: str, method: str) -> bool:
    return (name, method) in scores and scores[name, method].whole


def _mean_ranks(scores: Scores, sets: Sequence[str], methods: Sequence[str], measure: str) -> dict[str, float]:
    every = [rankdata([fmean(getattr(scores[name, method], measure)) for method in methods]) for name in sets]
    return {method: fmean(float(ranks[index]) for ranks in every) for index, method in enumerate(methods)}


# Times -----------------------------------------------------------------------------------------------------


def _concrete(scores: Scores) -> list[str]:
    one = scores.get(("concrete", "search"))
    if one is None:
        return []
    verdict = "reached" if one.seconds <= SECONDS else "not reached"
    text = f"A structure search on concrete (450 rows, 8 columns) took {one.seconds:.0f} s in the mean of its folds;"
    return [text, f"{SECONDS:.0f} s were to be reached ({verdict}).", ""]


def _speed(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    ours = next((row for row in rows if row["method"] == "ours"), None)
    body = [
        [row["method"], row["milliseconds"], row["to_lapack"], _factor(row, ours)]
        for row in sorted(rows, key=lambda row: float(row["milliseconds"]))
    ]
    first = rows[0]
    return [
        "### The additive matrix with its gradient",
        "",
        f"n = {first['n']}, {first['columns']} columns, orders 1 to {first['orders']}, one core. At least five times",
        "as fast as automatic differentiation was to be reached.",
        "",
        *table(["method", "ms", "times LAPACK's share", "times ours"], body),
    ]


def _factor(row: Row, ours: Row | None) -> str:
    return "–" if ours is None else f"{float(row['milliseconds']) / float(ours['milliseconds']):.1f}"
