"""The section of the page of results about clusters of any shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from cluster_seeds import summary as by_seeds
from clusters import FOLDS, METHODS, SETS, known
from goals import Tables
from page_text import NOTHING, bold, made_by, number, table

__all__ = ["clusters"]

Row = dict[str, Any]
Scores = dict[tuple[str, str], list[Row]]  # by set and method

NAMES = {
    "warped-2": "warped mixture, two coordinates",
    "warped-D": "warped mixture, as many as columns",
    "one-cluster": "warped, one cluster",
    "gaussian": "infinite Gaussian mixture",
    "kernel-density": "kernel density",
    "finite": "Gaussian mixture by BIC",
    "spectral": "spectral, told the number",
    "hdbscan": "HDBSCAN",
}
OURS = ("warped-2", "warped-D")
THEIRS = ("iWMM Q=2", "iWMM Q=D")
MEASURES = {"rand": ("Rand index", 7), "density": ("Mean log density of new rows", 5)}  # and on how many sets to reach
DIGITS = 0.005  # published figures have two decimals


def clusters(tables: Tables) -> list[str]:
    lines = ["## Clusters of any shape", ""]
    scores: Scores = defaultdict(list)
    for row in tables.clusters:
        scores[row["set"], row["method"]].append(row)
    if not scores:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        "The infinite warped mixture on the sets of tables 7.2 and 7.3 of the thesis: the Rand index of nine tenths of",
        "the rows with their labels, and the mean log density of the last tenth, over ten folds (in brackets how many",
        "were run where not all were). Its defaults, but one chain, of as many sweeps as the table of times says.",
        "**Bold** where it is not below the best published figure of the set, whatever the method. Spectral clustering",
        "is told the true number of clusters. The first four sets have two columns, so two coordinates are as many as",
        "columns.",
        "",
        *_part(scores, "rand"),
        *_part(scores, "adjusted"),
        *_part(scores, "density"),
        *_over_kernels(scores),
        *_costs(scores),
        *_chains(tables.cluster_chains),
        *_seeds(tables.cluster_seeds),
        made_by(tables.clusters, "clusters.csv"),
        "",
    ]


def best_published(name: str, measure: str) -> float | None:
    """The best published figure of a set; of the index, of the warped mixture, which is also the best of all."""
    found = [float(row[measure]) for (one, _), row in known().items() if one == name and row.get(measure)]
    return max(found, default=None)


def _part(scores: Scores, measure: str) -> list[str]:
    title = "Rand index adjusted for chance" if measure == "adjusted" else MEASURES[measure][0]
    methods = [
        method for method in METHODS if any(_rows(scores, name, method, measure) for name in SETS)
    ]  # fmt: skip
    rows = [[NAMES[method], *(_cell(scores, name, method, measure) for name in SETS)] for method in methods]
    if measure in MEASURES:
        rows += [
            [f"{method}, published", *(number(_known(name, method, measure), ".2f") for name in SETS)]
            for method in dict.fromkeys(method for _, method in known())
            if any(_known(name, method, measure) is not None for name in SETS)
        ]
    return [f"### {title}", "", *table(["method", *SETS], rows), *_verdict(scores, measure)]


def _over_kernels(scores: Scores) -> list[str]:
    """Densities less those of kernels on the same folds: folds are not equally hard, and not all were run."""
    rows = [[NAMES[method], *(_gain(scores, name, method) for name in SETS)] for method in (*OURS, "one-cluster")]
    rows += [
        [f"{method}, published", *(number(_known_gain(name, method), "+.2f") for name in SETS)]
        for method in (*THEIRS, "GPLVM Q=2", "GPLVM Q=D")
    ]
    lines = [
        "### Density over that of kernels on the same folds",
        "",
        "The figures above less those of kernel density, fold by fold: what can be compared where few folds were run.",
        "",
    ]
    return (
        [*lines, *table(["method", *SETS], rows)]
        if any(_gain(scores, name, "warped-2") != "–" for name in SETS)
        else []
    )


def _gain(scores: Scores, name: str, method: str) -> str:
    kernels = {row["fold"]: float(row["density"]) for row in _rows(scores, name, "kernel-density", "density")}
    rows = [row for row in _rows(scores, name, method, "density") if row["fold"] in kernels]
    return f"{fmean(float(row['density']) - kernels[row['fold']] for row in rows):+.2f}" if rows else "–"


def _known_gain(name: str, method: str) -> float | None:
    own, kernels = _known(name, method, "density"), _known(name, "KDE", "density")
    return None if own is None or kernels is None else own - kernels


def _rows(scores: Scores, name: str, method: str, measure: str) -> list[Row]:
    return [row for row in scores.get((name, method), []) if row[measure] != ""]


def _known(name: str, method: str, measure: str) -> float | None:
    text = known().get((name, method), {}).get(measure, "")
    return float(text) if text else None


def _mean(rows: Sequence[Row], measure: str) -> float:
    return fmean(float(row[measure]) for row in rows)


def _cell(scores: Scores, name: str, method: str, measure: str) -> str:
    rows = _rows(scores, name, method, measure)
    if not rows:
        return "–"
    mean = _mean(rows, measure)
    best = best_published(name, measure) if measure in MEASURES and method in OURS else None
    text = bold(number(mean, ".2f"), best is not None and mean >= best - DIGITS)
    return text if len(rows) == FOLDS else f"{text} ({len(rows)})"


def _verdict(scores: Scores, measure: str) -> list[str]:
    """On how many sets the better of ours reaches the best published figure."""
    if measure not in MEASURES:
        return []
    reached = [name for name in SETS if _reaches(scores, name, measure)]
    wanted = MEASURES[measure][1]
    said = "reached" if len(reached) >= wanted else "not reached"
    return [
        f"The better of the two warped mixtures is not below the best published figure on {len(reached)} of",
        f"{len(SETS)} sets; {wanted} were to be reached ({said}).",
        "",
    ]


def _reaches(scores: Scores, name: str, measure: str) -> bool:
    own = [_mean(rows, measure) for method in OURS if (rows := _rows(scores, name, method, measure))]
    best = best_published(name, measure)
    return bool(own) and best is not None and max(own) >= best - DIGITS


def _costs(scores: Scores) -> list[str]:
    """How long a fold took, with how many sweeps."""
    rows = []
    for name in SETS:
        own = scores.get((name, "warped-2"), [])
        if own:
            sweeps = "/".join(sorted({row["sweeps"] for row in own}, key=int))
            rows.append([name, sweeps, number(_mean(own, "seconds"), ".0f"), number(_mean(own, "clusters"), ".1f")])
    head = ["set", "sweeps", "seconds a fold", "clusters found"]
    return ["### Time, two coordinates", "", *table(head, rows)] if rows else []


def _chains(rows: Sequence[Row]) -> list[str]:
    """How far four chains agree, and how long a sweep takes."""
    if not rows:
        return []
    lines = [
        [row["set"], row["rows"], row["sweeps"], row["ms"], row["r_hat"], row["ess"], row["ess_per_second"]]
        for row in sorted(rows, key=lambda row: int(row["rows"]))
    ]
    head = ["set", "rows", "sweeps", "ms a sweep", "R-hat of the number of clusters", "effective samples", "a second"]
    return [
        "### Four chains",
        "",
        *table(head, lines),
        made_by(rows, "cluster-chains.csv"),
        "",
    ]


WAYS = {
    "now": "one set of functions for all",
    "before": "without moves of whole clusters",
    "hdbscan": "HDBSCAN",
}


def _seeds(rows: Sequence[Row]) -> list[str]:
    """Made sets by the seed of the chain."""
    if not rows:
        return []
    lines = [
        [told["set"], told["rows"], told["known"], WAYS[told["method"]], told["sweeps"]]
        + [str(told[key]) for key in ("seeds", "rand", "worst", "density", "seconds")]
        for told in sorted(by_seeds(rows), key=lambda told: (told["set"], int(told["rows"]), int(told["known"])))
    ]
    head = ["set", "rows", "known of each", "way", "sweeps", "seeds", "Rand index", "worst seed", "density", "seconds"]
    return [
        "### Seeds",
        "",
        "One chain on sets that are made, one draw of each, by seeds of the chain; the density is of 200 further rows.",
        "The set *unlike* is a long arc beside a hook that is bent five times as much.",
        "",
        *table(head, lines),
        made_by(rows, "cluster-seeds.csv"),
        "",
    ]
