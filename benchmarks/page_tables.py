"""What the pages of results say of tables: regression, additive and hierarchical models, classes, clusters, depth."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

import classes
import clusters
import deep
import hkl
import regression
from common import REFERENCE, read_rows
from page_text import bold, fills, number, table
from regression import ADDITIVE, ALL_KERNELS, FIRST_ORDER, FOLDS, PRODUCT, SEARCH, SETS, different, published
from rows import Tables

Row = dict[str, Any]
Values = dict[str, object] | None
Scores = Mapping[tuple[str, str], list[Row]]  # by set and method

LIMIT = 0.05  # of a t-test: from here on a mean differs


def _scores(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["set"], row["method"]].append(row)
    return dict(groups)


def _mean(rows: Iterable[Row], measure: str) -> float:
    return fmean(float(row[measure]) for row in rows)


def _whole(text: str, rows: Sequence[Row]) -> str:
    """How many folds were run, where not all were."""
    return text if len(rows) == FOLDS else f"{text} ({len(rows)})"


# Regression ------------------------------------------------------------------------------------------------

# Names in the tables of results, and as the page writes them.
NAMES = {
    "search": "structure search, ours", "SE": "additive, ours",
    "GAM": "first order, ours", "ARD": "product of all columns (ARD), ours", "all-subsets": "all subsets, ours",
    "orthogonal": "orthogonal additive, ours", "gp-ard": "scikit-learn GP, ARD", "boosting": "gradient boosting",
    "ebm": "EBM", "gam": "pyGAM",
}  # fmt: skip
# Whose published figures are to be reached.
PARTNER = {"search": SEARCH, "SE": ADDITIVE, "GAM": FIRST_ORDER, "ARD": PRODUCT}


@fills
def many_columns(tables: Tables) -> Values:
    """Searches, additive models and peers."""
    scores = _scores([*tables.regression, *tables.additive])
    concrete = scores.get(("concrete", "search"))
    seconds = _mean(concrete, "seconds") if concrete else None
    return scores and {
        "mse": _regression(scores, "mse"),
        "nll": _regression(scores, "nll"),
        "seconds": number(seconds, ".0f"),
    }


def _regression(scores: Scores, measure: str) -> str:
    known = published()
    sets = list(dict.fromkeys(name for name, _ in known))
    rows = [
        [shown, *(_regressed(scores.get((name, method)), measure, known.get((name, PARTNER.get(method, ""))))
                  for name in sets)]
        for method, shown in NAMES.items() if any(key[1] == method for key in scores)
    ]  # fmt: skip
    for method in dict.fromkeys(method for _, method in known):
        theirs = [known[name, method][measure] for name in sets]
        if any(theirs) and method != ALL_KERNELS:
            rows.append([f"{method}, published", *(number(float(one)) if one else "–" for one in theirs)])
    return table(["method", *sets], rows)


def _regressed(rows: Sequence[Row] | None, measure: str, target: Row | None) -> str:
    if rows is None:
        return "–"
    values = [float(row[measure]) for row in rows]
    text = bold(number(fmean(values)), target is not None and _not_worse(values, float(target[measure])))
    return _whole(text, rows)


def _not_worse(values: Sequence[float], theirs: float) -> bool:
    """Whether a mean over all folds is at most the published one, or above it by no more than chance allows."""
    return len(values) >= FOLDS and (fmean(values) <= theirs or different(values, theirs) >= LIMIT)


@fills
def large_tables(tables: Tables) -> Values:
    """Tables of many rows beside boosted trees."""
    known = {(row["set"], int(row["rows"]), row["method"]): row for row in tables.tables_scale}
    keys = [(name, count) for name in regression.LARGE for count in sorted({int(one) for _, one, _ in known})]
    pairs = {key: [known.get((*key, method)) for method in regression.METHODS] for key in keys}
    lines, wins = [], 0
    for (name, count), (ours, trees) in pairs.items():
        if ours and trees:
            wins += (is_ahead := float(ours["rmse"]) <= float(trees["rmse"]))
            minutes = [f"{float(one['seconds']) / 60.0:.1f}" for one in (ours, trees)]
            errors = [bold(f"{float(ours['rmse']):.3f}", is_ahead), f"{float(trees['rmse']):.3f}"]
            held = f"{100.0 * float(ours['coverage95']):.1f}%"
            lines.append([name, f"{count:,}", *errors, held, *minutes])
    head = ["set", "rows", "ours", "boosted trees", "95% ranges held", "ours, min", "boosted trees, min"]
    return {"rows": table(head, lines), "wins": wins, "of": len(lines)} if lines else None


# Additive processes ----------------------------------------------------------------------------------------


@fills
def additive_orders(tables: Tables) -> Values:
    """The order with most of the prior variance, ours beside the published one."""
    rows = tables.additive_orders
    head = ["set", "ours", "published", "log evidence", "with theirs"]
    return rows and {"rows": table(head, map(_orders, rows))}


def _orders(row: Row) -> list[str]:
    ours, theirs = (
        f"{row[dominant]} ({row[shares].split()[int(row[dominant]) - 1]} %)"
        for dominant, shares in (("dominant", "found"), ("dominant_published", "published"))
    )
    return [row["set"], ours, theirs, f"{float(row['evidence']):.1f}", f"{float(row['evidence_published']):.1f}"]


# Hierarchical kernel learning ------------------------------------------------------------------------------

NEAR = 1.05  # times the published error at most
HKL_NAMES = {
    "training": "HKL, ours, by training error",
    "cv": "HKL, ours, by cross-validation",
    "linear": "linear, ours",
}


@fills
def hierarchical(tables: Tables) -> Values:
    scores, known = _scores(tables.hkl), hkl.known_errors()
    own = {name: scores.get((name, "training"), []) for name in SETS}
    ratios = [_mean(rows, "error") / known[name, "HKL"] for name, rows in own.items() if len(rows) == FOLDS]
    reached = sum(ratio <= NEAR for ratio in ratios)
    proven = [row for row in tables.hkl if row["gap"]]
    return scores and {
        "errors": _hierarchical(scores),
        "reached": reached if len(ratios) == len(SETS) else None,
        "close": sum(1.0 / NEAR <= ratio <= NEAR for ratio in ratios),
        "proven": sum(row["proven"] == "1" for row in proven),
        "of": len(proven),
        "gap": max((float(row["gap"]) for row in proven), default=None),
    }


def _hierarchical(scores: Scores) -> str:
    """Ours beside the published ones, as far as there are results."""
    known = hkl.known_errors()
    rows = []
    for method in (method for method in hkl.METHODS if any((name, method) in scores for name in SETS)):
        partner = "HKL" if method in hkl.HKL else method
        cells = [_near(scores.get((name, method), []), known[name, partner]) for name in SETS]
        rows.append([HKL_NAMES[method], *cells])
    for method in ("HKL", "linear"):
        rows.append([f"{method}, published", *(number(known[name, method]) for name in SETS)])
    return table(["method", *SETS], rows)


def _near(rows: Sequence[Row], theirs: float) -> str:
    if not rows:
        return "–"
    mean = _mean(rows, "error")
    return _whole(bold(number(mean), len(rows) == FOLDS and mean <= NEAR * theirs), rows)


# Classes ---------------------------------------------------------------------------------------------------

CLASS_NAMES = {
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


@fills
def classified(tables: Tables) -> Values:
    """Tables 6.6 and 6.7 of the thesis beside ours and peers."""
    rows = [row | {"method": HKL[row["method"]]} for row in tables.hkl
            if row["set"] in classes.PUBLISHED and row["method"] in HKL]  # fmt: skip
    scores = _scores([*tables.classification, *rows]) if tables.classification else {}
    return scores and {
        "errors": _classes(scores, "error", 0, ".1f"),
        "nll": _classes(scores, "nll", 1, ".3f"),
    }


def _classes(scores: Scores, measure: str, place: int, form: str) -> str:
    """One measure: ours and peers, then the published rows."""
    best = {name: known[place] for name, known in classes.PUBLISHED.items()}
    methods = [method for method in (*classes.METHODS, *HKL.values()) if any((name, method) in scores for name in best)]
    rows = [
        [CLASS_NAMES[method], *(_class(scores.get((name, method), []), measure, method, best[name], form)
                                for name in best)]
        for method in methods
    ]  # fmt: skip
    known = read_rows(REFERENCE / "classification.csv")
    for method in dict.fromkeys(row["method"] for row in known):
        theirs = {row["set"]: row[measure] for row in known if row["method"] == method}
        if any(theirs.values()):
            cells = [number(float(theirs[name]) if theirs[name] else None, form) for name in best]
            rows.append([f"{method}, published", *cells])
    return table(["method", *best], rows)


def _class(rows: Sequence[Row], measure: str, method: str, best: float, form: str) -> str:
    if not rows:
        return "–"
    mean, is_ours = _mean(rows, measure), "ours" in CLASS_NAMES[method]
    return _whole(bold(number(mean, form), len(rows) == FOLDS and is_ours and mean <= best), rows)


@fills
def classification_speed(tables: Tables) -> Values:
    """Seconds of one evidence with its gradient and of a whole fit, beside scikit-learn."""
    rows = tables.classification_speed
    shown = [
        [row["method"], row["next_ms"], row["sklearn_ms"], row["times_faster"], row["fit_s"], row["sklearn_fit_s"],
         row["fit_times_faster"]] for row in rows
    ]  # fmt: skip
    head = ["method", "evidence and gradient, ms", "scikit-learn", "times", "whole fit, s", "scikit-learn", "times"]
    return rows and {"rows": table(head, shown), "first": rows[0]}


# Clusters --------------------------------------------------------------------------------------------------

CLUSTER_NAMES = {
    "warped-2": "warped mixture, two coordinates",
    "warped-D": "warped mixture, as many as columns",
    "one-cluster": "warped, one cluster",
    "gaussian": "infinite Gaussian mixture",
    "kernel-density": "kernel density",
    "finite": "Gaussian mixture by BIC",
    "spectral": "spectral, given the number",
    "hdbscan": "HDBSCAN",
}
OURS = ("warped-2", "warped-D")
CLUSTER_MEASURES = ("rand", "density")
DIGITS = 0.005  # published figures have two decimals
SEED_HEAD = ["set", "rows", "labels of each", "method", "seeds", "Rand index", "worst seed"]
WAYS = {"now": "warped mixture", "hdbscan": "HDBSCAN"}


@fills
def warped(tables: Tables) -> Values:
    """The infinite warped mixture beside what is published, kernels and peers."""
    scores = _scores(tables.clusters)
    reached = {
        measure: sum(_reaches(scores, name, measure) for name in clusters.SETS) for measure in CLUSTER_MEASURES
    }  # fmt: skip
    return scores and {
        **{measure: _clustered(scores, measure) for measure in CLUSTER_MEASURES},
        **{f"{measure}_reached": count for measure, count in reached.items()},
    }


def best_published(name: str, measure: str) -> float | None:
    """The best published figure of a set; of the index, of the warped mixture, which is also the best of all."""
    found = [float(row[measure]) for (one, _), row in clusters.known().items() if one == name and row.get(measure)]
    return max(found, default=None)


def _clustered(scores: Scores, measure: str) -> str:
    """Ours and peers, then what is published of the measure."""
    sets, known = clusters.SETS, clusters.known()
    methods = [method for method in CLUSTER_NAMES if any(_having(scores, name, method, measure) for name in sets)]
    rows = [[CLUSTER_NAMES[method], *(_cluster(scores, name, method, measure) for name in sets)] for method in methods]
    for method in dict.fromkeys(method for _, method in known):
        theirs = [_figure(name, method, measure) for name in sets]
        if any(one is not None for one in theirs):
            rows.append([f"{method}, published", *(number(one, ".2f") for one in theirs)])
    return table(["method", *sets], rows)


def _cluster(scores: Scores, name: str, method: str, measure: str) -> str:
    rows = _having(scores, name, method, measure)
    if not rows:
        return "–"
    mean = _mean(rows, measure)
    best = best_published(name, measure) if method in OURS else None
    return _whole(bold(number(mean, ".2f"), best is not None and mean >= best - DIGITS), rows)


def _having(scores: Scores, name: str, method: str, measure: str) -> list[Row]:
    return [row for row in scores.get((name, method), []) if row[measure] != ""]


def _figure(name: str, method: str, measure: str) -> float | None:
    text = clusters.known().get((name, method), {}).get(measure, "")
    return float(text) if text else None


def _reaches(scores: Scores, name: str, measure: str) -> bool:
    """Whether the better of ours is not below the best published figure."""
    own = [_mean(rows, measure) for method in OURS if (rows := _having(scores, name, method, measure))]
    best = best_published(name, measure)
    return bool(own) and best is not None and max(own) >= best - DIGITS


@fills
def cluster_seeds(tables: Tables) -> Values:
    """Made sets by the seed of the chain."""
    lines = [
        [told["made"], told["rows"], told["known"], WAYS[told["method"]]]
        + [str(told[key]) for key in ("seeds", "rand", "worst")]
        for told in sorted(
            clusters.by_seeds([row for row in tables.cluster_seeds if row["method"] in WAYS]),
            key=lambda told: (told["made"], int(told["rows"]), int(told["known"])),
        )
    ]
    return {"rows": table(SEED_HEAD, lines)} if lines else None


# Deep processes --------------------------------------------------------------------------------------------

DEPTHS = {"exact": "exact, shallow", "1": "sparse, shallow", "2": "two layers", "3": "three layers"}
DEEP_MEASURES = {"rmse": "Root mean squared error", "nll": "Mean negative log density"}


@fills
def deep_processes(tables: Tables) -> Values:
    scores = _scores(tables.deep)
    told = [
        f"{DEPTHS[method]} {_mean(own, 'seconds'):.1f}"
        for method in deep.METHODS
        if (own := [row for row in tables.deep if row["method"] == method])
    ]
    return scores and {
        **{measure: _deep(scores, measure) for measure in DEEP_MEASURES},
        "count": len({row["seed"] for row in tables.deep}),
        "worse": _worse(scores) if _all_seeds(scores) else None,
        "seconds": ", ".join(told),
    }


def _deep(scores: Scores, measure: str) -> str:
    cells = [
        [DEPTHS[method], *(_layers(scores, name, method, measure) for name in deep.SETS)] for method in deep.METHODS
    ]
    return table(["method", *deep.SETS], cells)


def _layers(scores: Scores, name: str, method: str, measure: str) -> str:
    own, exact = scores.get((name, method), []), scores.get((name, "exact"), [])
    if not own:
        return "–"
    mean = f"{_mean(own, measure):.3f}"
    if method == "exact" or not exact:
        return mean
    gap, error = deep.paired([*own, *exact], name, method, measure)
    return f"{bold(mean, gap < -2.0 * error)} ({gap:+.3f} ± {error:.3f})"


def _all_seeds(scores: Scores) -> bool:
    return all(len(scores.get((name, method), ())) >= deep.SEEDS for name in deep.SETS for method in deep.METHODS)


def _worse(scores: Scores) -> str:
    """Where deep processes are worse by more than a standard error."""
    found = [
        f"{DEPTHS[method]} on {name} ({said.lower()})"
        for method in ("2", "3") for name in deep.SETS for measure, said in DEEP_MEASURES.items()
        if _is_worse(scores, name, method, measure)
    ]  # fmt: skip
    return f"worse are {', '.join(found)}" if found else "none is worse"


def _is_worse(scores: Scores, name: str, method: str, measure: str) -> bool:
    own, exact = scores.get((name, method), []), scores.get((name, "exact"), [])
    gap, error = deep.paired([*own, *exact], name, method, measure) if own and exact else (0.0, 0.0)
    return gap > error
