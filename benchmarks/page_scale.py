"""The section of the page of results about tables of many rows."""

from __future__ import annotations

from typing import Any

from goals import Tables
from page_text import NOTHING, bold, made_by, table
from tables_scale import METHODS, SETS

__all__ = ["large_tables"]

Row = dict[str, Any]

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
