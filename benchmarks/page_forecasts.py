"""What the pages of results say of forecasts: the 13 series, their gaps, equations, competitions, learned scales."""

from collections.abc import Mapping
from typing import Any

import others
from common import DEFAULT_LANGUAGE, REFERENCE, geometric_mean, read_rows
from corpus_scores import NAIVE, Standing, standing
from corpus_series import EVERY
from equations import FUNCTIONS, METHODS, PEER, best_starts, is_right, standardised_error
from measures import (
    ABCD,
    CONTEXT,
    RESTRICTED,
    Known,
    Overall,
    SeriesScore,
    Variant,
    by_variant,
    overall,
    recorded,
    series_scores,
)
from page_text import bold, fills, made_by, number, rounded, table
from rows import SERIES, Tables, variants
from shared_season import compared

Row = dict[str, Any]
Values = dict[str, object] | None
Scores = dict[str, SeriesScore]  # by series


# Forecasts and gaps ----------------------------------------------------------------------------------------


AXES = {"raw": "stored axis", "calendar": "calendar axis"}


@fills
def ahead(tables: Tables) -> Values:
    scores = {
        f"{variant}, {axis}": own
        for kind, axis in AXES.items()
        for variant, own in _variants(tables, "extrapolation", kind).items()
    }
    rows = [row for row in tables.extrapolation if row["axis"] in AXES and row["method"] not in RESTRICTED]
    return scores and {
        "said": "\n".join(f"- {_sentence(label, own)}" for label, own in scores.items()),
        "errors": _errors(tables, scores),
        "made": made_by(rows, "extrapolation.csv"),
    }


@fills
def gaps(tables: Tables) -> Values:
    scores = _variants(tables, "interpolation", "raw")
    said = [
        f"- {variant}, {len(own)} of {SERIES} series, {_runs(own)}: RMSE {overall(own).to_best:.3f} times that of "
        f"the best of the nine (geometric mean), {overall(own).ratio:.3f} times that of {ABCD}."
        for variant, own in scores.items()
    ]
    rows = [row for row in tables.interpolation if row["method"] not in RESTRICTED]
    return scores and {
        "said": "\n".join(said),
        "made": made_by(rows, "interpolation.csv"),
    }


def _variants(tables: Tables, kind: str, axis: str) -> dict[Variant, Scores]:
    scores = {variant: tables.scores(kind, axis, variant) for variant in variants(tables)}
    return {variant: own for variant, own in scores.items() if own}


def _sentence(label: str, scores: Scores) -> str:
    one = overall(scores)
    parts = [
        f"{label}, {one.series} of {SERIES} series, {_runs(scores)}: RMSE {one.ratio:.3f} times that of {ABCD} "
        f"(geometric mean), below it on {one.better}"
    ]
    if one.denser is not None:
        parts.append(f"mean negative log density below it on {one.denser}")
    if one.to_arima is not None:
        parts.append(f"CRPS {one.to_arima:.3f} times that of AutoARIMA")
    if one.coverage is not None:
        parts.append(f"the 95 % bands cover {one.coverage:.3f} in the mean and {one.worst:.2f} at worst")
    return "; ".join(parts) + "."


def _runs(scores: Scores) -> str:
    runs = sum(len(one.seeds) for one in scores.values())
    seeds = sorted({seed for one in scores.values() for seed in one.seeds})
    return f"{runs} runs ({'seed' if len(seeds) == 1 else 'seeds'} {', '.join(map(str, seeds))})"


def _errors(tables: Tables, scores: Mapping[Any, Scores]) -> str:
    """The RMSE by series beside ABCD's, the best of the nine and the best peer."""
    known = tables.known["extrapolation"]
    peers = _best_peers(tables)
    head = ["series", *map(str, scores), ABCD, "best of the nine", "best peer"]
    rows = []
    for series in sorted({series for series, _ in known}):
        theirs = float(known[series, ABCD]["rmse"])
        own = [of_it[series].rmse if series in of_it else None for of_it in scores.values()]
        best = known[series, "best"]
        rows.append([
            series,
            *(bold(rounded(value), value is not None and value < theirs) for value in own),
            rounded(theirs),
            f"{rounded(float(best['rmse']))} {best['method']}",
            peers.get(series, "–"),
        ])  # fmt: skip
    return table(head, rows)


def _best_peers(tables: Tables) -> dict[str, str]:
    """The smallest RMSE of a peer by series, measured here or recorded."""
    found: dict[str, tuple[float, str]] = {}
    for row in _peer_rows(tables):
        value = float(row["rmse"]), row["method"]
        found[row["series"]] = min(value, found.get(row["series"], value))
    return {series: f"{rounded(value)} {method}" for series, (value, method) in found.items()}


def _peer_rows(tables: Tables) -> list[Row]:
    """The peers that were measured with this code, and those that are recorded only."""
    known = tables.known["extrapolation"]
    measured = {row["method"] for row in tables.peers}
    others = dict.fromkeys(method for _, method in known if method not in {*CONTEXT, *measured, "best"})
    return [*tables.peers, *recorded("extrapolation", others)]


OVERALL = ["method", "series", "RMSE / ABCD", "CRPS / AutoARIMA", "coverage", "seconds"]


@fills
def peers(tables: Tables) -> Values:
    """All methods that were run on the series by others, but for the published poorer languages."""
    known = tables.known["extrapolation"]
    whole = [method for method in CONTEXT if method not in RESTRICTED.values()]
    groups = by_variant(_peer_rows(tables)) | by_variant(recorded("extrapolation", whole))
    every = {variant: overall(series_scores(rows, known)) for variant, rows in groups.items()}
    rows = [_peer(variant, one) for variant, one in sorted(every.items(), key=lambda item: item[1].ratio)]
    return {"rows": table(OVERALL, rows), "made": made_by(tables.peers, "peers.csv") if tables.peers else None}


def _peer(variant: Variant, one: Overall) -> list[str]:
    scores = [f"{one.ratio:.3f}", number(one.to_arima), number(one.coverage)]
    return [str(variant), str(one.series), *scores, number(one.seconds, ".1f")]


@fills
def other_series(tables: Tables) -> Values:
    rows = others.summary(tables.others)
    return rows and {"rows": table(list(rows[0]), [[str(cell) for cell in row.values()] for row in rows])}


# The poorer languages -------------------------------------------------------------------------------------


KINDS = {"extrapolation": "the last tenth", "interpolation": "a random half"}
Pairs = dict[tuple[str, str], tuple[float, float]]  # ours and theirs, by language and series


@fills
def poorer(tables: Tables) -> Values:
    """Geometric means of the draft's tables A.1 and A.2 over the series, ours beside the published ones."""
    pairs = {said: _poorer(tables, kind) for kind, said in KINDS.items()}
    body = [[said, *(_mean_pair(own, name) for name in RESTRICTED)] for said, own in pairs.items() if own]
    head = ["predicted", *(f"`{name}` ({RESTRICTED[name]})" for name in RESTRICTED)]
    return {"rows": table(head, body)} if body else None


def _poorer(tables: Tables, kind: str) -> Pairs:
    known = tables.known[kind]
    rows = [row for row in getattr(tables, kind) if row["axis"] == "raw"]
    return {
        (name, series): _to_best(known, (name, series), one)
        for name in RESTRICTED
        for series, one in series_scores([row for row in rows if row["method"] == name], known).items()
    }


def _to_best(known: Known, key: tuple[str, str], one: SeriesScore) -> tuple[float, float]:
    theirs = known[key[1], RESTRICTED[key[0]]]
    return one.to_best, float(theirs["rmse"]) / float(known[key[1], "best"]["rmse"])


def _mean_pair(pairs: Pairs, name: str) -> str:
    own = [pair for (language, _), pair in pairs.items() if language == name]
    if not own:
        return "–"
    ours, theirs = (number(geometric_mean(each), ".2f") for each in zip(*own, strict=True))
    return f"{bold(ours, float(ours) <= float(theirs))} ({theirs})"


# Equations -------------------------------------------------------------------------------------------------

EUREQA = "Eureqa"
LABELS = {"equations": "`equations`", "default": f"`{DEFAULT_LANGUAGE}`", PEER: PEER, EUREQA: f"{EUREQA}, published"}
Best = dict[tuple[str, str], Row]
Errors = dict[str, dict[str, float]]  # by set and method


@fills
def equations(tables: Tables) -> Values:
    """Functions with a known formula: errors, and how many formulas are right."""
    rows = tables.equations
    starts = max((int(row["seed"]) for row in rows if row["method"] == PEER), default=-1) + 1
    return rows and {
        "starts": "one start" if starts == 1 else f"of {starts} starts the one that fits the rows best",
        **_functions(best_starts(rows)),
    }


def _functions(best: Best) -> dict[str, object]:
    names = [name for name in FUNCTIONS if all((name, method) in best for method in METHODS)]
    right = {method: [name for name in names if is_right(best[name, method])] for method in METHODS}
    cells = [
        [name, *(bold(number(float(best[name, method][where]), ".2f"), name in right[method])
                 for method in METHODS for where in ("inside", "ahead"))]
        for name in names
    ]  # fmt: skip
    head = ["function", *(f"{LABELS[method]}, {where}" for method in METHODS for where in ("inside", "ahead"))]
    return {
        "functions": table(head, cells),
        "count": len(names),
        "right": ", ".join(f"{LABELS[method]} {len(right[method])}" for method in METHODS),
        "terms": sum(best[name, "equations"]["terms"] == "1" for name in names),
    }


@fills
def eureqa(tables: Tables) -> Values:
    """Forecasts over those of the best published method, of the series that Eureqa's are published of."""
    errors = _series_errors(tables, best_starts(tables.equations))
    whole = {name: each for name, each in errors.items() if "equations" in each}
    means = {method: geometric_mean(each[method] for each in whole.values()) for method in LABELS} if whole else {}
    said = ", ".join(f"{LABELS[method]} {mean:.2f}" for method, mean in means.items())
    return {"whole": len(whole), "means": said} if whole else None


def _series_errors(tables: Tables, best: Best) -> Errors:
    known = tables.known["extrapolation"]
    found: Errors = {}
    for name, one in tables.scores("extrapolation", "raw", Variant(DEFAULT_LANGUAGE)).items():
        if (name, PEER) in best:
            ahead = {each: float(best[name, each]["ahead"]) for each in ("equations", PEER) if (name, each) in best}
            ahead[EUREQA] = float(known[name, EUREQA]["rmse"])
            found[name] = {method: standardised_error(name, rmse) for method, rmse in ahead.items()}
            found[name]["default"] = one.to_best
    return found


# Competitions and panels -----------------------------------------------------------------------------------

LOSSES = {"mase": "MASE", "wql": "weighted quantile loss", "sql": "scaled quantile loss", "msis": "MSIS"}
TABLED = 234  # series, which are one of `EVERY`
Standings = dict[Variant, list[Standing]]


@fills
def competitions(tables: Tables) -> Values:
    """All methods over all tasks with what has been published of others, then by task."""
    found = standing(tables.corpus)
    head = ["method", *LOSSES.values(), "coverage", "seconds"]
    rows = [_standing(variant, every[-1]) for variant, every in found.items()]
    published = [[row["method"], row["mase"] or "–", row["wql"] or "–"] for row in read_rows(REFERENCE / "corpus.csv")]
    return found and {
        "rows": table(head, rows),
        "published": table(head[:3], published),
        "by_task": _by_task(found),
        "every": round(EVERY * TABLED / found[Variant(NAIVE)][-1].series),
        "series": found[Variant(NAIVE)][-1].series,
    }


def _standing(variant: Variant, one: Standing) -> list[str]:
    measured = [number(one.relative[name]) for name in LOSSES]
    return [str(variant), *measured, number(one.coverage), number(one.seconds, ".1f")]


def _by_task(found: Standings) -> str:
    """MASE of methods by tasks, the best of a task bold."""
    values = {
        variant: {one.task: one.relative["mase"] for one in every[:-1]}
        for variant, every in found.items() if variant.method != NAIVE
    }  # fmt: skip
    tasks = sorted({task for own in values.values() for task in own})
    least = {task: min(own[task] for own in values.values() if task in own) for task in tasks}
    rows = []
    for variant, own in values.items():
        cells = [bold(number(own.get(task)), own.get(task) == least[task]) for task in tasks]
        rows.append([str(variant), *cells])
    return table(["method", *tasks], rows)


@fills
def shared_seasons(tables: Tables) -> Values:
    """What series of less than three cycles gain by the season that the others of their panel have in common."""
    body = [[str(value) for value in row.values()] for row in compared(tables.shared_season)]
    head = ["panel", "series", "follow", "MASE", "MSIS", "in range", "seconds"]
    return {"rows": table(head, body)} if body else None
