"""What the pages of results say of forecasts: the 13 series, their gaps, equations, competitions, learned scales."""

from collections.abc import Mapping, Sequence
from typing import Any

import others
from common import DEFAULT_LANGUAGE, REFERENCE, geometric_mean, read_rows
from corpus_scores import NAIVE, OURS, Standing, standing, to_best
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

INTERPRETABLE = "ABCD-interpretability"
SAME = 1e-3  # relative difference up to which two figures count as the same


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
        "errors": _errors(tables, "extrapolation", scores),
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
        "errors": _errors(tables, "interpolation", scores),
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


def _errors(tables: Tables, kind: str, scores: Mapping[Any, Scores]) -> str:
    """The RMSE by series beside ABCD's, the best of the nine and the best peer."""
    known = tables.known[kind]
    peers = _best_peers(tables) if kind == "extrapolation" else {}
    head = ["series", *map(str, scores), ABCD, INTERPRETABLE, "best of the nine", *(["best peer"] if peers else [])]
    rows = []
    for series in sorted({series for series, _ in known}):
        theirs = float(known[series, ABCD]["rmse"])
        own = [of_it[series].rmse if series in of_it else None for of_it in scores.values()]
        best = known[series, "best"]
        rows.append([
            series,
            *(bold(rounded(value), value is not None and value < theirs) for value in own),
            *(rounded(float(known[series, name]["rmse"])) for name in (ABCD, INTERPRETABLE)),
            f"{rounded(float(best['rmse']))} {best['method']}",
            *([peers[series]] if peers else []),
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


OVERALL = ["series", "RMSE / ABCD", "better", "CRPS / AutoARIMA", "denser", "coverage", "worst", "seconds (median)"]


def _cells(one: Overall) -> list[str]:
    return [
        *(str(one.series), f"{one.ratio:.3f}", str(one.better), number(one.to_arima), number(one.denser, "d")),
        *(number(one.coverage), number(one.worst, ".2f"), number(one.seconds, ".1f")),
    ]


@fills
def peers(tables: Tables) -> Values:
    """All methods that were run on the series by others, and how far those measured again are from what is recorded."""
    known = tables.known["extrapolation"]
    groups = by_variant(_peer_rows(tables)) | by_variant(recorded("extrapolation", CONTEXT))
    measured = {Variant(row["method"], row["settings"]) for row in tables.peers}
    every = {variant: overall(series_scores(rows, known)) for variant, rows in groups.items()}
    rows = [
        [str(variant), "here" if variant in measured else "reference", *_cells(one)]
        for variant, one in sorted(every.items(), key=lambda item: item[1].ratio)
    ]
    return {"rows": table(["method", "figures from", *OVERALL], rows), "again": _again(tables)}


def _again(tables: Tables) -> str:
    known = tables.known["extrapolation"]
    own = [row for row in tables.peers if (row["series"], row["method"]) in known]
    change = {
        f"{row['method']} on {row['series']}":
        float(row["rmse"]) / float(known[row["series"], row["method"]]["rmse"]) - 1.0
        for row in own
    }  # fmt: skip
    if not change:
        return "The peers have not been measured here."
    same = sum(abs(value) < SAME for value in change.values())
    most, name = max((abs(value), name) for name, value in change.items())
    return (
        f"Measured again, {same} of {len(change)} RMSE of peers equal the recorded ones to one part in {1 / SAME:.0f}; "
        f"the largest difference is {100.0 * most:.1f} % ({name}).\n\n{made_by(tables.peers, 'peers.csv')}"
    )


@fills
def other_series(tables: Tables) -> Values:
    rows = others.summary(tables.others)
    return rows and {"rows": table(list(rows[0]), [[str(cell) for cell in row.values()] for row in rows])}


# The poorer languages -------------------------------------------------------------------------------------


@fills
def poorer_ahead(tables: Tables) -> Values:
    return _poorer(tables, "extrapolation", tables.extrapolation)


@fills
def poorer_inside(tables: Tables) -> Values:
    return _poorer(tables, "interpolation", tables.interpolation)


Pairs = dict[tuple[str, str], tuple[float, float]]  # ours and theirs, by language and series


def _poorer(tables: Tables, kind: str, every: Sequence[Row]) -> Values:
    """The columns of the draft's tables A.1 and A.2 that are poorer languages, ours beside the published figures."""
    rows = [row for row in every if row["method"] in RESTRICTED and row["axis"] == "raw"]
    known = tables.known[kind]
    scores = {
        (name, series): one
        for name in RESTRICTED
        for series, one in series_scores([row for row in rows if row["method"] == name], known).items()
    }
    settings = dict.fromkeys(f"`{row['settings']}`" if row["settings"] else "the defaults" for row in rows)
    return rows and {
        "settings": " or ".join(settings),
        "errors": _pairs({key: _to_best(known, key, one) for key, one in scores.items()}),
        "made": made_by(rows, f"{kind}.csv"),
    }  # fmt: skip


def _known(known: Known, key: tuple[str, str]) -> Row:
    return known[key[1], RESTRICTED[key[0]]]


def _to_best(known: Known, key: tuple[str, str], one: SeriesScore) -> tuple[float, float]:
    return one.to_best, float(_known(known, key)["rmse"]) / float(known[key[1], "best"]["rmse"])


def _pairs(pairs: Pairs) -> str:
    """A row for each series, a column for each language, geometric means below."""
    names = [name for name in RESTRICTED if any(language == name for language, _ in pairs)]
    body = [
        [series, *(_pair(pairs.get((name, series))) for name in names)]
        for series in sorted({series for _, series in pairs})
    ]
    own = {name: [pair for (language, _), pair in pairs.items() if language == name] for name in names}
    means = [tuple(map(geometric_mean, zip(*each, strict=True))) for each in own.values()]
    body.append(["geometric mean", *(_pair((ours, theirs)) for ours, theirs in means)])
    return table(["series", *(f"`{name}` ({RESTRICTED[name]})" for name in names)], body)


def _pair(pair: tuple[float, float] | None) -> str:
    if pair is None:
        return "–"
    ours, theirs = (number(value, ".2f" if abs(value) < 1000.0 else ".3g") for value in pair)
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
    inside, ahead = (
        {name: {method: float(best[name, method][where]) for method in METHODS} for name in names}
        for where in ("inside", "ahead")
    )
    return {
        "functions": table(head, cells),
        "count": len(names),
        "right": ", ".join(f"{LABELS[method]} {len(right[method])}" for method in METHODS),
        "terms": sum(best[name, "equations"]["terms"] == "1" for name in names),
        "inside": _where_better("Inside", inside),
        "ahead": _where_better("Ahead", ahead),
    }


@fills
def eureqa(tables: Tables) -> Values:
    """Forecasts over those of the best published method, of the series that Eureqa's are published of."""
    errors = _series_errors(tables, best_starts(tables.equations))
    whole = {name: each for name, each in errors.items() if "equations" in each}
    cells = [[name, *(number(each.get(method), ".2f") for method in LABELS)] for name, each in errors.items()]
    groups = [(list(LABELS), whole)] if whole else []
    groups += [([name for name in LABELS if name != "equations"], errors)] if len(whole) < len(errors) else []
    for methods, some in groups:
        means = {method: geometric_mean(each[method] for each in some.values()) for method in methods}
        label = f"geometric mean of {len(some)}"
        cells.append([label, *(number(means.get(method), ".2f") for method in LABELS)])
    every = {method: [float(row["seconds"]) for row in tables.equations if row["method"] == method]
             for method in METHODS}  # fmt: skip
    seconds = [f"{LABELS[method]} {min(own):.0f} to {max(own):.0f}" for method, own in every.items() if own]
    return errors and {
        "on": len(errors),
        "whole": len(whole),
        "series": table(["series", *LABELS.values()], cells),
        "better": _where_better(f"Of the {len(whole)} series with all of them", whole),
        "seconds": ", ".join(seconds),
    }


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


def _where_better(where: str, errors: Errors) -> str:
    """Where symbolic regression is ahead of ours."""
    said = []
    for method in ("equations", "default"):
        better = [name for name, each in errors.items() if each[PEER] < each[method]]
        where_better = f"{len(better)} ({', '.join(better)})" if better else "none"
        said.append(f"than {LABELS[method]} on {where_better}")
    return f"{where}, {PEER} has smaller errors {' and '.join(said)}."


# Competitions and panels -----------------------------------------------------------------------------------

LOSSES = {"mase": "MASE", "wql": "weighted quantile loss", "sql": "scaled quantile loss", "msis": "MSIS"}
BY_TASK = ("mase", "sql")  # those that are shown task by task
TABLED = 234  # series, which are one of `EVERY`
Standings = dict[Variant, list[Standing]]


@fills
def competitions(tables: Tables) -> Values:
    """All methods over all tasks with what has been published of others, then by task, then M3 against the best."""
    found = standing(tables.corpus)
    head = ["method", "series", *LOSSES.values(), "coverage", "median ranks", "large if short", "seconds"]
    rows = [_standing(variant, every[-1]) for variant, every in found.items()]
    for row in read_rows(REFERENCE / "corpus.csv"):
        known = [row[name] or "–" for name in ("mase", "wql")]
        rows.append([row["method"], row["origin"], *known, *["–"] * (len(head) - 4)])
    by_task = [_by_task(found, name, title) for name, title in LOSSES.items() if name in BY_TASK]
    best = [
        [task, str(variant), best, number(ratio)]
        for task in ("m3-yearly", "m3-quarterly", "m3-monthly")
        for variant, (best, ratio) in to_best(tables.corpus, task).items() if variant.method == OURS
    ]  # fmt: skip
    return found and {
        "rows": table(head, rows),
        "by_task": "\n\n".join(by_task),
        "best": table(["task", "method", "best of the others", "scaled quantile loss over theirs"], best)
        if best else None,
        "every": round(EVERY * TABLED / found[Variant(NAIVE)][-1].series),
    }  # fmt: skip


def _standing(variant: Variant, one: Standing) -> list[str]:
    ranks = " / ".join(number(rank, ".1f") for rank in one.ranks.values())
    measured = [number(one.relative[name]) for name in LOSSES]
    return [
        *(str(variant), str(one.series), *measured, number(one.coverage), ranks),
        *(number(one.large), number(one.seconds, ".1f")),
    ]


def _by_task(found: Standings, loss: str, title: str) -> str:
    """Methods by tasks, the best of a task bold."""
    values = {variant: {one.task: one.relative[loss] for one in every[:-1]} for variant, every in found.items()}
    tasks = sorted({task for own in values.values() for task in own})
    least = {task: min(own[task] for own in values.values() if task in own) for task in tasks}
    rows = []
    for variant, own in values.items():
        cells = [bold(number(own.get(task)), own.get(task) == least[task]) for task in tasks]
        rows.append([str(variant), *cells])
    return table([title, *tasks], rows)


@fills
def shared_seasons(tables: Tables) -> Values:
    """What series of less than three cycles gain by the season that the others of their panel have in common."""
    body = [[str(value) for value in row.values()] for row in compared(tables.shared_season)]
    head = ["panel", "series", "follow", "MASE", "MSIS", "in range", "seconds"]
    return {"rows": table(head, body)} if body else None
