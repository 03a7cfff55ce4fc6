"""The section of the page of results about equations: ours, symbolic regression, and Eureqa's published figures."""

from __future__ import annotations

from collections.abc import Sequence

from common import DEFAULT_LANGUAGE, Row, geometric_mean
from equations import DEEPEST, METHODS, PEER, RIGHT, best_starts, is_right, standardised_error
from equations_functions import AHEAD, FUNCTIONS, NOISE, UNTIL, N
from equations_one import GENERATIONS, POPULATION
from goals import SERIES, Tables
from measures import Variant
from page_text import NOTHING, bold, made_by, number, table

__all__ = ["equations"]

EUREQA = "Eureqa"
LABELS = {"equations": "`equations`", "default": f"`{DEFAULT_LANGUAGE}`", PEER: PEER, EUREQA: f"{EUREQA}, published"}
Rows = dict[tuple[str, str], Row]
Errors = dict[str, dict[str, float]]  # by set and method


def equations(tables: Tables) -> list[str]:
    """Functions with a known formula, then the series of which Eureqa's forecasts are published."""
    lines = ["## Equations", ""]
    rows = tables.equations
    if not rows:
        return [*lines, NOTHING, ""]
    best = best_starts(rows)
    starts = max((int(row["seed"]) for row in rows if row["method"] == PEER), default=-1) + 1
    return [
        *lines,
        f"The language `equations`, whose every model is a formula, beside symbolic regression: {PEER}, {POPULATION}",
        f"programs and {GENERATIONS} generations; {_starts(starts)}. Our searches here have",
        f"{DEEPEST} levels. {PEER} draws its constants and does not fit them; what it misses here says little of",
        "programs that do, such as PySR.",
        "",
        *_functions(best),
        *_series(tables, best),
        *_costs(rows),
        made_by(rows, "equations.csv"),
        "",
    ]


def _starts(count: int) -> str:
    return "one start" if count == 1 else f"of {count} starts the one that fits the rows best"


def _functions(best: Rows) -> list[str]:
    """Errors, and the formulas that were found."""
    names = [name for name in FUNCTIONS if all((name, method) in best for method in METHODS)]
    inside, ahead = (
        {name: {method: float(best[name, method][where]) for method in METHODS} for name in names}
        for where in ("inside", "ahead")
    )
    right = {method: [name for name in names if is_right(best[name, method])] for method in METHODS}
    cells = [
        [name, *(cell for method in METHODS for cell in _cells(best[name, method], name in right[method]))]
        for name in names
    ]
    head = ["function", *(f"{LABELS[method]}, {where}" for method in METHODS for where in ("inside", "ahead"))]
    found = ", ".join(f"{LABELS[method]} {len(right[method])}" for method in METHODS)
    terms = [name for name in names if best[name, "equations"]["terms"] == "1"]
    return [
        "### Five functions with a known formula",
        "",
        f"{N} rows from 0 to {UNTIL:g} with noise of {100 * NOISE:g} % of the function's standard deviation; errors",
        f"from the function itself, inside and ahead (to {AHEAD:g}), in per cent of its range. **Bold** where the",
        f"curve is nowhere farther from the function than {RIGHT:g} per cent. The noise has one size everywhere, also",
        "around the growth, where a logarithmic scale expects it in proportion.",
        "",
        *table(head, cells),
        f"Found by this measure, of {len(names)} functions: {found}. `equations` has exactly the terms of the",
        f"function on {len(terms)} of them. {_where_better('Inside', inside)}",
        _where_better("Ahead", ahead),
        "",
        *(line for name in names for line in _formulas(name, best)),
        "",
    ]


def _cells(row: Row, right: bool) -> list[str]:
    return [bold(number(float(row[where]), ".2f"), right) for where in ("inside", "ahead")]


def _formulas(name: str, best: Rows) -> list[str]:
    own = best[name, "equations"]
    has = "all terms and no others" if own["terms"] == "1" else "other terms"
    return [
        f"- {name}: `{FUNCTIONS[name].formula}`; `equations` says `{own['formula']}` ({has}), {PEER} has a program of "
        f"{best[name, PEER]['size']} nodes."
    ]


def _series(tables: Tables, best: Rows) -> list[str]:
    """Forecasts over those of the best published method."""
    errors = _series_errors(tables, best)
    if not errors:
        return []
    shown = list(LABELS)
    whole = {name: each for name, each in errors.items() if "equations" in each}
    cells = [[name, *(number(each.get(method), ".2f") for method in shown)] for name, each in errors.items()]
    for label, methods, some in _groups(errors, whole):
        means = {method: geometric_mean(each[method] for each in some.values()) for method in methods}
        cells.append([label, *(number(means.get(method), ".2f") for method in shown)])
    return [
        "### Eureqa's column",
        "",
        "Forecasts of the last tenth on the stored axis: RMSE over the smallest of the nine published methods",
        f"(below 1 is better than all of them). `{DEFAULT_LANGUAGE}` is the search of full depth of the tables above.",
        f"{PEER} was run on {len(errors)} of {SERIES} series, `equations` on {len(whole)}.",
        "",
        *table(["series", *(LABELS[method] for method in shown)], cells),
        *([_where_better(f"Of the {len(whole)} series with all of them", whole)] if whole else []),
        "",
    ]


def _groups(errors: Errors, whole: Errors) -> list[tuple[str, list[str], Errors]]:
    """Over which series there are means, and of what: all methods where all were run, the others everywhere."""
    groups = [(f"geometric mean of {len(whole)}", list(LABELS), whole)] if whole else []
    if len(whole) < len(errors):
        groups.append((f"geometric mean of {len(errors)}", [name for name in LABELS if name != "equations"], errors))
    return groups


def _series_errors(tables: Tables, best: Rows) -> Errors:
    known = tables.known["extrapolation"]
    default = tables.scores("extrapolation", "raw", Variant(DEFAULT_LANGUAGE))
    found: Errors = {}
    for name, one in default.items():
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
        said.append(f"than {LABELS[method]} on {_listed(better)}")
    return f"{where}, {PEER} has smaller errors {' and '.join(said)}."


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} ({', '.join(names)})" if names else "none"


def _costs(rows: Sequence[Row]) -> list[str]:
    """Seconds of one search or start."""
    every = {method: [float(row["seconds"]) for row in rows if row["method"] == method] for method in METHODS}
    said = [f"{LABELS[method]} {min(own):.0f} to {max(own):.0f}" for method, own in every.items() if own]
    return [f"Seconds of the processor for one search or start: {', '.join(said)}.", ""]
