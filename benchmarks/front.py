"""Ours beside the best of the others, one line for each kind of data: what the first page of results shows.

All errors are such that less is better, so the ratio of two of them says who is ahead on every line. Which method is
ours is said beforehand (its defaults), the best of the others is chosen by the very measure that is compared: where it
is behind by little, chance chose it, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

import columns
import counts
import intermittent
import others
from autostatistician.report.palette import LIGHT
from common import REFERENCE, geometric_mean, read_rows
from corpus_scores import OURS, PEERS, standing
from figures import axes_in, page_of
from measures import Variant, by_variant, overall, recorded, series_scores
from page_text import fills, table
from rows import SERIES, Tables

Row = dict[str, Any]
Errors = Mapping[str, float]

LEVEL = 0.02  # relative difference up to which two are level
NUMBERS = {"boosting": "gradient boosting", "gam": "pyGAM", "gp-ard": "GP of scikit-learn", "ebm": "EBM"}
CLASSES = {"logistic": "logistic regression", "boosting": "gradient boosting", "sklearn-gp": "GP of scikit-learn",
           "ebm": "EBM"}  # fmt: skip
GROUPS = {"hdbscan": "HDBSCAN", "finite": "Gaussian mixture by BIC", "gaussian": "infinite Gaussian mixture"}


@dataclass(frozen=True)
class Comparison:
    """One line: a kind of data, the measure, ours and the best of the others, and the page that has the rest."""

    kind: str
    data: str
    measure: str
    ours: float
    best: str
    theirs: float
    page: str
    logarithm: bool = False  # whether the numbers are logarithms of what is compared

    @property
    def ratio(self) -> float:
        """Ours over theirs: below one is in our favour."""
        return exp(self.ours - self.theirs) if self.logarithm else self.ours / self.theirs

    @property
    def ahead(self) -> str:
        """Who is ahead by more than `LEVEL`."""
        return "ours" if self.ratio < 1.0 - LEVEL else "theirs" if self.ratio > 1.0 + LEVEL else "level"


def comparisons(tables: Tables) -> list[Comparison]:
    """All lines for which both sides were measured."""
    makers = (_competitions, _originals, _other_series, _columns, _items, _counts, _numbers, _many_rows, _classes,
              _wide, _clusters)  # fmt: skip
    return [line for make in makers for line in make(tables)]


def _line(kind: str, data: str, measure: str, ours: float, peers: Errors, page: str) -> Iterator[Comparison]:
    if peers:
        best = min(peers, key=lambda name: peers[name])
        yield Comparison(kind, data, measure, ours, best, peers[best], page)


# Series ----------------------------------------------------------------------------------------------------


def _competitions(tables: Tables) -> Iterator[Comparison]:
    every = {str(variant): found[-1] for variant, found in standing(tables.corpus).items()}
    names = {"mase": "error of points (MASE)", "sql": "quantile loss", "msis": "interval score (MSIS)"}
    for key, measure in names.items() if OURS in every else ():
        peers = {name: every[name].relative[key] for name in PEERS if name in every}
        data = f"{every[OURS].series} series of M1, M3 and Tourism"
        yield from _line("short series", data, measure, every[OURS].relative[key], peers, "competitions")


def _originals(tables: Tables) -> Iterator[Comparison]:
    """The peers have real dates in both."""
    known = tables.known["extrapolation"]
    peers = {str(variant): series_scores(rows, known) for variant, rows in by_variant(tables.peers).items()}
    theirs = {row["method"] for row in read_rows(REFERENCE / "extrapolation.csv")} - {str(name) for name in peers}
    peers |= {name: series_scores(recorded("extrapolation", [name]), known) for name in sorted(theirs)}
    whole = {name: overall(found).ratio for name, found in peers.items() if len(found) == SERIES}
    for axis, read in (("raw", "numbers of their files"), ("calendar", "read as dates")):
        scores = tables.scores("extrapolation", axis, Variant("extended"))
        if len(scores) == SERIES:
            data = f"{SERIES} series of the original papers, {read}"
            yield from _line("the original's series", data, "RMSE", overall(scores).ratio, whole, "series")


def _other_series(tables: Tables) -> Iterator[Comparison]:
    found = {row["method"]: row for row in others.summary(tables.others)}
    for measure in ("RMSE", "CRPS") if others.OURS in found else ():
        errors = {name: float(row[f"{measure} / {others.REFERENCE}"]) for name, row in found.items()}
        ours, data = errors.pop(others.OURS), f"{found[others.OURS]['series']} series of statsmodels and pmdarima"
        yield from _line("long series", data, measure, ours, errors, "series")


def _columns(tables: Tables) -> Iterator[Comparison]:
    found = {row["method"]: row for row in columns.summary(tables.columns)}
    if columns.OURS in found:
        errors = {name: float(row["sql / naive"]) for name, row in found.items() if not name.startswith(columns.OURS)}
        ours, data = found[columns.OURS], f"{found[columns.OURS]['tables']} tables with a time and columns"
        yield from _line("series with columns", data, "quantile loss", float(ours["sql / naive"]), errors, "columns")


# Counts ----------------------------------------------------------------------------------------------------


def _items(tables: Tables) -> Iterator[Comparison]:
    found = {row["method"]: row for row in intermittent.summary(tables.intermittent)}
    own = [name for name in intermittent.OWN if name in found]
    if own:
        ours, data = found[own[0]], f"{found[own[0]]['series']} made series of items sold, most days none"
        errors = {name: float(row["loss"]) for name, row in found.items() if name not in intermittent.OWN}
        yield from _line("counts in time", data, "quantile loss", float(ours["loss"]), errors, "columns")


def _counts(tables: Tables) -> Iterator[Comparison]:
    rows = [row for row in counts.tables(tables.count_tables) if row["auto"] and row["PoissonRegressor"]]
    if rows:
        ours, theirs = (-fmean(float(row[name]) for row in rows) for name in ("auto", "PoissonRegressor"))
        data, best = f"{len(rows)} tables of counts", "PoissonRegressor of scikit-learn"
        yield Comparison("tables of counts", data, DENSITY.measure, ours, best, theirs, "columns", logarithm=True)


# Tables ----------------------------------------------------------------------------------------------------

Case = tuple[str, str]  # a set, and a fold or seed of it


def _cases(rows: Iterable[Row], measure: str) -> dict[str, dict[Case, float]]:
    """By method the values of a measure, by set and fold."""
    found: dict[str, dict[Case, float]] = defaultdict(dict)
    for row in rows:
        if row[measure]:
            found[row["method"]][row["set"], row.get("fold") or row["seed"]] = float(row[measure])
    return found


def _over(own: Mapping[Case, float], shared: Iterable[Case], mean: Callable[[Iterable[float]], float]) -> float:
    """The mean over sets of the means over those folds that both have."""
    by_set: dict[str, list[float]] = defaultdict(list)
    for case in shared:
        by_set[case[0]].append(own[case])
    return mean(fmean(values) for values in by_set.values())


def _paired(kind: str, said: str, asked: Asked, rows: Iterable[Row], ours: str, names: Mapping[str, str], page: str
            ) -> Iterator[Comparison]:  # fmt: skip
    """Ours beside the one of the others that does best on the folds that both were run on."""
    every = _cases(rows, asked.column)
    lines = []
    for name, shown in names.items():
        shared = sorted(every[ours].keys() & every[name].keys()) if {ours, name} <= every.keys() else []
        if shared:
            both = (_over(every[one], shared, asked.mean) for one in (ours, name))
            data = f"{len({case[0] for case in shared})} {said}"
            lines.append(Comparison(kind, data, asked.measure, next(both), shown, next(both), page, asked.logarithm))
    if lines:
        yield max(lines, key=lambda line: line.ratio)


@dataclass(frozen=True)
class Asked:
    """A column of a table, what it is called, and how sets are averaged."""

    column: str
    measure: str
    mean: Callable[[Iterable[float]], float] = geometric_mean
    logarithm: bool = False


DENSITY = Asked("nll", "negative log density", fmean, logarithm=True)
ERRORS = Asked("error", "errors, per cent", geometric_mean)
CHANCE = Asked("nll", "negative log chance of what came", fmean, logarithm=True)


def _numbers(tables: Tables) -> Iterator[Comparison]:
    for asked in (Asked("mse", "squared error"), DENSITY):
        yield from _paired("tables", "sets of regression", asked, tables.regression, "search", NUMBERS, "tables")


def _many_rows(tables: Tables) -> Iterator[Comparison]:
    rows = [row | {"set": f"{row['set']} {row['rows']}"} for row in tables.tables_scale]
    said, names = "tables of 10 000 and 100 000 rows", {"boosted trees": "boosted trees"}
    yield from _paired("tables of many rows", said, Asked("rmse", "RMSE"), rows, "ours", names, "tables")


def _classes(tables: Tables) -> Iterator[Comparison]:
    for asked in (ERRORS, CHANCE):
        rows = tables.classification
        yield from _paired("classes", "sets of two classes", asked, rows, "additive", CLASSES, "classes")


def _wide(tables: Tables) -> Iterator[Comparison]:
    for asked in (ERRORS, CHANCE):
        rows = tables.wide_classes
        yield from _paired("classes, many columns", "sets of classes", asked, rows, "auto", CLASSES, "classes")


def _clusters(tables: Tables) -> Iterator[Comparison]:
    rows = [row | {"wrong": str(1.0 - float(row["rand"]))} for row in tables.clusters if row["rand"]]
    asked = Asked("wrong", "share of pairs taken wrongly", fmean)
    yield from _paired("clusters", "sets of groups", asked, rows, "warped-2", GROUPS, "clusters")


def counted(lines: Sequence[Comparison]) -> dict[str, int]:
    """On how many lines who is ahead."""
    return {who: sum(line.ahead == who for line in lines) for who in ("ours", "level", "theirs")}


# The first page --------------------------------------------------------------------------------------------

ROW, HEAD, LEFT, WIDTH = 24.0, 14.0, 340.0, 780.0  # px
COLOURS = {"ours": "mean", "level": "muted", "theirs": "forecast"}


@fills
def comparison(tables: Tables) -> dict[str, object] | None:
    """The table of all comparisons, and on how many lines who is ahead."""
    lines = comparisons(tables)
    rows = [
        [f"[{line.kind}](results/{line.page}.md)", line.measure, line.ahead, f"{line.ratio:.2f}", f"{line.ours:.3g}",
         f"{line.best} {line.theirs:.3g}", line.data]
        for line in lines
    ]  # fmt: skip
    head = ["kind of data", "measure", "ahead", "ratio", "ours", "best of the others", "data"]
    behind = [f"{line.kind} ({line.data}), {line.measure}" for line in lines if line.ahead == "theirs"]
    return counted(lines) | {"rows": table(head, rows), "behind": "; ".join(behind) or "none"} if lines else None


def draw_front(lines: Sequence[Comparison], path: Path) -> None:
    """A dot for each line at its ratio, on a logarithmic axis, beside the line where both are equal."""
    from matplotlib.ticker import NullLocator

    height = HEAD + 44.0 + ROW * len(lines)
    ratios, places = [line.ratio for line in lines], np.arange(len(lines))[::-1]
    with page_of(WIDTH, height, path) as figure:
        axes = axes_in(figure, left=LEFT, right=24.0, top=HEAD, bottom=44.0)
        axes.set_xscale("log")
        axes.axvspan(1.0 - LEVEL, 1.0 + LEVEL, color=LIGHT["grid"])
        axes.axvline(1.0, color=LIGHT["axis"], linewidth=1.0)
        for line, ratio, place in zip(lines, ratios, places, strict=True):
            colour = LIGHT[COLOURS[line.ahead]]
            axes.plot([1.0, ratio], [place, place], color=colour, linewidth=2.0)
            axes.plot(ratio, place, "o", color=colour, markersize=7.0)
        axes.set_yticks(places, [f"{line.kind}: {line.measure}" for line in lines])
        ticks = [tick for tick in (0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0) if tick <= max(*ratios, 1.25)]
        axes.set_xticks([tick for tick in ticks if tick >= min(ratios) / 1.05], minor=False)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("error of ours over that of the best of the others: left of one is in our favour")
        axes.margins(x=0.06, y=0.5 / len(lines))
