"""The section of the page of results about tables of many rows."""

from __future__ import annotations

from typing import Any

from goals import Tables
from page_text import NOTHING, bold, made_by, table
from tables_scale import METHODS, SETS

__all__ = ["approximations", "large_tables", "where_points_stand"]

Row = dict[str, Any]

WAYS = {
    "exact, 2000 rows": "one matrix of 2000 of the rows, as a reference.",
    "inducing points": "the collapsed bound of Titsias (2009) on all rows, by quasi-Newton steps; the default.",
    "stochastic inducing points": (
        "the bound of Hensman, Fusi and Lawrence (2013), 1000 rows a step: natural gradients for the belief about the "
        "inducing variables, steps along estimates for the numbers; an engine until it was measured here."
    ),
    "random features": (
        "doubly stochastic gradients (Dai et al. 2014): steps of the function itself along 200 random features, drawn "
        "anew each time, 1000 rows a step; the numbers are held, and there is no density."
    ),
    "ULISSE": (
        "Filippone and Engler (2015): steps of the numbers along unbiased gradients, by conjugate gradients cut off at "
        "random; here with one matrix of all rows, and inducing points to make the systems easier."
    ),
}
HEAD = ["set", "rows", "ours", "boosted trees", "95% ranges held", "ours, min", "boosted trees, min", "the model"]


def large_tables(tables: Tables) -> list[str]:
    lines = ["## Tables of many rows", ""]
    pairs = _pairs(tables.tables_scale)
    if not pairs:
        return [*lines, NOTHING, ""]
    wins = sum(_error(ours) <= _error(trees) for ours, trees in pairs.values())
    return [
        *lines,
        "`AutomaticStatistician` with its defaults, by inducing points, beside scikit-learn's",
        "`HistGradientBoostingRegressor` with its own: root mean squared errors of 5000 rows that neither has seen, in",
        "standard deviations of the target, one seed. **Bold** where it is no larger.",
        "",
        *table(HEAD, [_line(*key, *pair) for key, pair in pairs.items()]),
        f"The error is no larger than that of boosted trees in {wins} of {len(pairs)} cases; to reach: in two of three",
        "sets, in 10 minutes on two cores with 10 000 rows and in 30 with 100 000. Minutes are of one core.",
        "",
        made_by(tables.tables_scale, "tables-scale.csv"),
        "",
    ]


def where_points_stand(tables: Tables) -> list[str]:
    lines = ["## Where inducing points stand", ""]
    rows = tables.inducing_points
    if not rows:
        return [*lines, NOTHING, ""]
    methods = list(dict.fromkeys(row["method"] for row in rows))
    cases = list(dict.fromkeys((row["set"], row["points"]) for row in rows))
    known = {(row["set"], row["points"], row["method"]): row for row in rows}
    found = []
    for case in cases:
        own = [known[*case, one] for one in methods if (*case, one) in known]
        best = max(float(row["bound"]) for row in own)
        found += [[*case, *(_place(row, float(row["bound"]) == best) for row in own)]]
    return [
        *lines,
        f"A structure with numbers fitted to {int(rows[0]['rows']):,} rows, which are then held: the bound on the",
        "logarithm of the evidence (its highest in **bold**), the error of 5000 other rows in standard deviations, and",
        "the seconds that choosing points and one posterior take. Of rows by pivoted Cholesky fewer are taken where",
        "fewer say all. Steps that move the points raise the bound, but more points that stay raise it more for less.",
        "",
        *table(["set", "points", *methods], found),
        made_by(rows, "inducing-points.csv"),
        "",
    ]


def approximations(tables: Tables) -> list[str]:
    lines = ["## One Gaussian process for 10 000 rows, approximated in other ways", ""]
    rows = tables.approximations
    if not rows:
        return [*lines, NOTHING, ""]
    names = ("rmse", "nlpd", "seconds", "megabytes")
    found = [[row["set"], row["method"], *(row[name].replace("nan", "–") for name in names)] for row in rows]
    return [
        *lines,
        "One squared exponential with a lengthscale for every column, beginning with the numbers that 1000 rows tell.",
        "Errors are of 5000 other rows, in standard deviations; mean negative log densities of the first 200 of them;",
        "seconds of one core. Of the memory some 400 MB are of packages and data.",
        "",
        *(f"- **{name}**: {said}" for name, said in WAYS.items()),
        "",
        *table(["set", "method", "error", "negative log density", "s", "MB"], found),
        made_by(rows, "approximations.csv"),
        "",
    ]


def _place(row: Row, best: bool) -> str:
    return f"{bold(row['bound'], best)}, {float(row['rmse']):.3f}, {float(row['seconds']):.1f} s"


def _pairs(rows: list[Row]) -> dict[tuple[str, int], tuple[Row, Row]]:
    """The rows of both methods by set and number of rows, where there are both."""
    known = {(row["set"], int(row["rows"]), row["method"]): row for row in rows}
    sizes = sorted({int(row["rows"]) for row in rows})
    keys = [(name, count) for name in SETS for count in sizes]
    return {
        key: (known[*key, METHODS[0]], known[*key, METHODS[1]])
        for key in keys
        if all((*key, one) in known for one in METHODS)
    }


def _error(row: Row) -> float:
    return float(row["rmse"])


def _line(name: str, count: int, ours: Row, trees: Row) -> list[str]:
    minutes = [f"{float(one['seconds']) / 60.0:.1f}" for one in (ours, trees)]
    errors = [bold(f"{_error(ours):.3f}", _error(ours) <= _error(trees)), f"{_error(trees):.3f}"]
    return [
        name,
        f"{count:,}",
        *errors,
        f"{100.0 * float(ours['coverage95']):.1f}%",
        *minutes,
        f"`{ours['expression']}`",
    ]
