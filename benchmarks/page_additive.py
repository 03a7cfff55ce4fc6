"""Sections of the page of results about additive processes: shares of their orders, and whether options pay."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from scipy.stats import ttest_rel

from folds import SETS
from goals import Tables
from page_text import NOTHING, bold, made_by, number, table

__all__ = ["OPTIONS", "additive_options", "additive_orders"]

Row = dict[str, Any]

LIMIT = 0.05  # of a paired t-test
FEWEST_FOLDS = 3
# An option, what it is compared with, and how it is called.
OPTIONS = (("likely", "SE", "parameters without learned priors"),)
CLASSES = ("pima", "liver", "heart")  # of the sets of table 6.1
ALIKE = 1.0  # points of per cent between shares that are called the same
CLEAR = 2.0  # nats of the likelihood from which on one of two explanations is the better one
OTHER_CODE = "\\*"  # after the name of a set, as Markdown writes it
WAYS = {"rows": "points in all columns at once", "columns": "places of single columns"}


def additive_options(tables: Tables) -> list[str]:
    """Each option beside the same without it, fold by fold; then first order alone on many rows."""
    lines = ["## Options of additive processes", ""]
    scores = {(row["set"], row["method"], row["fold"]): row for row in tables.additive}
    found = [(option, name, _shared(scores, name, option[0], option[1])) for option in OPTIONS for name in SETS]
    rows = [_compared(option[2], name, pairs) for option, name, pairs in found if len(pairs) >= FEWEST_FOLDS]
    if not rows:
        return [*lines, NOTHING, ""]
    head = [
        "option",
        "set",
        "folds",
        "squared error",
        "with it",
        "negative log density",
        "with it",
        "p",
        "times as long",
    ]
    return [
        *lines,
        "The same folds without and with an option of the additive process of all orders, or of first order. p is that",
        "of a paired t-test of the log densities; in **bold** where they are better with it. An option pays on a set",
        f"where they are and p is below {100.0 * LIMIT:.0f} %: of few folds that leaves most differences open.",
        *_told_of_other_code(rows),
        "",
        *table(head, rows),
        *(_verdict(option[2], [pairs for each, _, pairs in found if each is option]) for option in OPTIONS),
        "",
        *_many_rows(tables.additive_rows),
    ]


def _told_of_other_code(rows: Sequence[Sequence[str]]) -> list[str]:
    told = f"{OTHER_CODE}: rows with and without it are of different versions of the code, and do not count below."
    return [told] if any(OTHER_CODE in row[1] for row in rows) else []


def _is_of_one_code(pairs: Sequence[tuple[Row, Row]]) -> bool:
    return all(without["code"] == with_it["code"] for without, with_it in pairs)


def _shared(scores: dict[tuple[str, str, str], Row], name: str, method: str, other: str) -> list[tuple[Row, Row]]:
    """The rows without and with an option of the folds that have both."""
    keys = sorted(key for key in scores if key[:2] == (name, method) and (name, other, key[2]) in scores)
    return [(scores[name, other, fold], scores[name, method, fold]) for _, _, fold in keys]


def _means(pairs: Sequence[tuple[Row, Row]], measure: str) -> tuple[float, float]:
    without, with_it = zip(*((float(a[measure]), float(b[measure])) for a, b in pairs), strict=True)
    return fmean(without), fmean(with_it)


def _p(pairs: Sequence[tuple[Row, Row]]) -> float:
    without, with_it = zip(*((float(a["nll"]), float(b["nll"])) for a, b in pairs), strict=True)
    return float(ttest_rel(without, with_it).pvalue)


def _compared(option: str, name: str, pairs: Sequence[tuple[Row, Row]]) -> list[str]:
    mse, nll, seconds = (_means(pairs, measure) for measure in ("mse", "nll", "seconds"))
    better = f"**{number(nll[1])}**" if nll[1] < nll[0] else number(nll[1])
    times = f"{seconds[1] / seconds[0]:.1f}" if seconds[0] > 0.0 else "–"
    scores = [number(mse[0]), number(mse[1]), number(nll[0]), better, number(_p(pairs), ".2f")]
    return [option, name if _is_of_one_code(pairs) else f"{name}{OTHER_CODE}", str(len(pairs)), *scores, times]


def _verdict(option: str, sets: Sequence[Sequence[tuple[Row, Row]]]) -> str:
    every = [pairs for pairs in sets if len(pairs) >= FEWEST_FOLDS]
    measured = [pairs for pairs in every if _is_of_one_code(pairs)]
    others = f"; {len(every) - len(measured)} left out ({OTHER_CODE})" if len(measured) < len(every) else ""
    if not measured:
        return f"- {option}: {'no verdict' if every else 'not measured'}{others}."
    sure = [_means(pairs, "nll") for pairs in measured if _p(pairs) < LIMIT]
    pays, costs = sum(after < before for before, after in sure), sum(after > before for before, after in sure)
    better = sum(after < before for before, after in (_means(pairs, "nll") for pairs in measured))
    return (
        f"- {option}: pays on {pays} of {len(measured)} sets, costs on {costs}; better in the mean on {better}{others}."
    )


def _many_rows(rows: Sequence[Row]) -> list[str]:
    """First order alone: bounds beside the evidence."""
    if not rows:
        return []
    shown = [
        [WAYS[row["method"]], row["leaf"], row["error"], row["noise"], row["bound"],
         f"{row['exact']} ± {row['exact_error']}", row["seconds"], row["exact_seconds"]] for row in rows
    ]  # fmt: skip
    first = rows[0]
    head = ["inducing points", "leaf", "error", "noise", "bound", "evidence", "s of the fit", "s of the evidence"]
    return [
        "### First order alone on many rows",
        "",
        f"A sum of {first['columns']} sines, each of a column and speed of its own, at {int(first['rows']):,} rows",
        "with noise of 0.3. The evidence of what each way has found is computed without a bound, in time that grows",
        "with rows times columns. The fit of places also looks at other lengthscales of every column, one by one;",
        "that, and not the places, finds the fastest of the sines, which the other way takes for noise.",
        "",
        *table(head, shown),
        made_by(rows, "additive-rows.csv"),
        "",
    ]


# Orders ----------------------------------------------------------------------------------------------------


def additive_orders(tables: Tables) -> list[str]:
    """Per cent of the prior variance by order, ours beside the published ones, and why they differ."""
    lines, rows = ["## Orders of interaction", ""], tables.additive_orders
    if not rows:
        return [*lines, NOTHING, ""]
    orders = max(len(row["found"].split()) for row in rows)
    head = ["set", *map(str, range(1, orders + 1)), "log evidence", "with theirs"]
    return [
        *lines,
        "Per cent of the prior variance of the additive process by order (table 6.1 of the thesis): ours, in brackets",
        "the published one; the highest of each in **bold**. Both are of the most likely parameters given nine of ten",
        "folds. The last columns have the log evidence of ours, and the highest that we found with the published",
        "shares.",
        "",
        *table(head, [_shares(row, orders) for row in rows]),
        *map(_why, rows),
        "",
        made_by(rows, "additive-orders.csv"),
        "",
    ]


def _shares(row: Row, orders: int) -> list[str]:
    ours, theirs = row["found"].split(), row["published"].split()
    cells = [
        f"{bold(mine, row['dominant'] == str(place))} ({bold(other, row['dominant_published'] == str(place))})"
        for place, (mine, other) in enumerate(zip(ours, theirs, strict=True), start=1)
    ]
    cells += ["–"] * (orders - len(cells))
    return [row["set"], *cells, f"{float(row['evidence']):.1f}", f"{float(row['evidence_published']):.1f}"]


def _why(row: Row) -> str:
    """A sentence on one set: whether the highest order is theirs, and what the likelihood says of the difference."""
    gain = float(row["evidence"]) - float(row["evidence_published"])
    ours, theirs = (list(map(float, row[name].split())) for name in ("found", "published"))
    if max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) < ALIKE:
        return f"- {row['set']}: the published shares, within {ALIKE:g} per cent of the variance."
    same = row["dominant"] == row["dominant_published"]
    said = f"the highest order is that of the original ({row['dominant']})" if same else (
        f"most of ours is in order {row['dominant']}, of theirs in {row['dominant_published']}")  # fmt: skip
    if abs(gain) < CLEAR:
        reason = "the data hardly tell the two apart: along flat columns one order can stand in for another"
    elif gain > 0.0:
        reason = "ours explain the data better"
    else:
        reason = "theirs explain the data better, so the search here has missed them"
    classes = " (labels by least squares here, by expectation propagation there)" if row["set"] in CLASSES else ""
    return f"- {row['set']}{classes}: {said}; with {abs(gain):.1f} nats of log evidence between them, {reason}."
