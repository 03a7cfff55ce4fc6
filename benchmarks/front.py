"""Ours beside the best of the others, one line for each kind of data: what the first page of results shows.

All errors are such that less is better, so the ratio of two of them says who is ahead on every line. Which method is
ours is said beforehand (its defaults), the best of the others is chosen by the very measure that is compared: where it
is behind by little, chance chose it, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

import numpy as np

import columns
import counts
import intermittent
import others
from autostatistician.report.palette import LIGHT
from common import REFERENCE, geometric_mean, read_rows
from corpus_scores import NAIVE, OURS, PEERS
from figures import axes_in, page_of
from measures import SeriesScore, Variant, by_variant, recorded, series_scores
from page_text import fills, table
from rows import SERIES, Tables

Row = dict[str, Any]
Case = tuple[str, str]  # a set, task or table, and a fold, seed or series of it
Values = Mapping[Case, float]

Z95 = 1.96  # standard errors up to which two are level
NUMBERS = {"boosting": "gradient boosting", "gam": "pyGAM", "gp-ard": "GP of scikit-learn", "ebm": "EBM"}
CLASSES = {"logistic": "logistic regression", "boosting": "gradient boosting", "sklearn-gp": "GP of scikit-learn",
           "ebm": "EBM"}  # fmt: skip
GROUPS = {"hdbscan": "HDBSCAN", "finite": "Gaussian mixture by BIC", "gaussian": "infinite Gaussian mixture"}


@dataclass(frozen=True)
class Measure:
    """What is compared, how sets are averaged, and whether the numbers are logarithms of what is compared."""

    name: str
    mean: Callable[[Iterable[float]], float] = geometric_mean
    logarithm: bool = False

    def over(self, values: Values) -> float:
        """The mean over sets of the means over their cases."""
        return self.mean(fmean(values[case] for case in cases) for cases in _by_set(values))


@dataclass(frozen=True)
class Comparison:
    """One line: a kind of data, a measure, both sides on the cases that both have, and the page that has the rest."""

    kind: str
    data: str
    measure: Measure
    best: str
    own: Values
    other: Values
    page: str

    @property
    def ours(self) -> float:
        return self.measure.over(self.own)

    @property
    def theirs(self) -> float:
        return self.measure.over(self.other)

    @property
    def ratio(self) -> float:
        """Ours over theirs: below one is in our favour."""
        return exp(self._log_ratio(self.own))

    @property
    def error(self) -> float:
        """The standard error of the logarithm of the ratio: a jackknife over the cases of each set.

        Where a set has a single case, the jackknife is over all cases.
        """
        groups = _by_set(self.own)
        if min(map(len, groups)) == 1:
            groups = [list(self.own)]
        return sqrt(sum(self._variance(group) for group in groups if len(group) > 1))

    @property
    def interval(self) -> tuple[float, float]:
        """The ratios within 1.96 standard errors."""
        reach = Z95 * self.error
        return self.ratio * exp(-reach), self.ratio * exp(reach)

    @property
    def ahead(self) -> str:
        """Who is ahead by more than the error."""
        low, high = self.interval
        return "ours" if high < 1.0 else "theirs" if low > 1.0 else "level"

    def _variance(self, group: Sequence[Case]) -> float:
        left = [self._log_ratio([case for case in self.own if case != one]) for one in group]
        return (len(left) - 1) * pvariance(left)

    def _log_ratio(self, cases: Iterable[Case]) -> float:
        ours, theirs = (self.measure.over({case: side[case] for case in cases}) for side in (self.own, self.other))
        return ours - theirs if self.measure.logarithm else log(ours / theirs)


def _by_set(cases: Iterable[Case]) -> list[list[Case]]:
    found: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        found[case[0]].append(case)
    return list(found.values())


def comparisons(tables: Tables) -> list[Comparison]:
    """All lines for which both sides were measured."""
    makers = (_competitions, _originals, _other_series, _columns, _items, _counts, _numbers, _many_rows, _classes,
              _wide, _clusters)  # fmt: skip
    return [line for make in makers for line in make(tables)]


def _lines(kind: str, said: str, measure: Measure, own: Values, peers: Mapping[str, Values], page: str
           ) -> Iterator[Comparison]:  # fmt: skip
    """Ours beside the one of the others that does best on the cases that both have; none without peers."""
    lines = []
    for name, other in peers.items():
        shared = sorted(own.keys() & other.keys())
        if shared:
            both = ({case: side[case] for case in shared} for side in (own, other))
            data = said.format(cases=len(shared), sets=len(_by_set(shared)))
            lines.append(Comparison(kind, data, measure, name, next(both), next(both), page))
    if lines:
        yield max(lines, key=lambda line: line.ratio)


def _values(rows: Iterable[Row], measure: str, of_set: str, of_case: str) -> dict[str, dict[Case, float]]:
    """By method the values of a column."""
    found: dict[str, dict[Case, float]] = defaultdict(dict)
    for row in rows:
        if row[measure]:
            found[row["method"]][row[of_set], row[of_case]] = float(row[measure])
    return dict(found)


def _named(found: Mapping[str, Values], names: Mapping[str, str]) -> dict[str, Values]:
    return {shown: found[name] for name, shown in names.items() if name in found}


# Series ----------------------------------------------------------------------------------------------------


def _competitions(tables: Tables) -> Iterator[Comparison]:
    """The mean over the series of a task, relative to that of the seasonal naive rule."""
    names = {"mase": "error of points (MASE)", "sql": "quantile loss", "msis": "interval score (MSIS)"}
    rows = [row for row in tables.corpus if row["settings"] == ""]
    for column, name in names.items():
        found = _values(rows, column, "task", "series")
        naive = {cases[0][0]: fmean(found[NAIVE][case] for case in cases) for cases in _by_set(found.get(NAIVE, {}))}
        scaled = {
            method: {case: value / naive[case[0]] for case, value in values.items() if case[0] in naive}
            for method, values in found.items()
        }
        if OURS in scaled:
            said, peers = "{cases} series of M1, M3 and Tourism", _named(scaled, dict(zip(PEERS, PEERS, strict=True)))
            yield from _lines("short series", said, Measure(name), scaled[OURS], peers, "competitions")


def _originals(tables: Tables) -> Iterator[Comparison]:
    """RMSE over that of the original's best language; the peers have real dates in both."""
    known = tables.known["extrapolation"]
    peers = {str(variant): series_scores(rows, known) for variant, rows in by_variant(tables.peers).items()}
    theirs = {row["method"] for row in read_rows(REFERENCE / "extrapolation.csv")} - {str(name) for name in peers}
    peers |= {name: series_scores(recorded("extrapolation", [name]), known) for name in sorted(theirs)}
    whole = {name: _ratios(found) for name, found in peers.items() if len(found) == SERIES}
    for axis, read in (("raw", "numbers of their files"), ("calendar", "read as dates")):
        scores = tables.scores("extrapolation", axis, Variant("extended"))
        if len(scores) == SERIES:
            said = f"{{cases}} series of the original papers, {read}"
            yield from _lines("the original's series", said, Measure("RMSE"), _ratios(scores), whole, "series")


def _ratios(scores: Mapping[str, SeriesScore]) -> dict[Case, float]:
    return {(series, ""): score.ratio for series, score in scores.items()}


def _other_series(tables: Tables) -> Iterator[Comparison]:
    for column in ("rmse", "crps"):
        found = _values(tables.others, column, "series", "seed")
        reference = found.get(others.REFERENCE, {})
        scaled = {
            method: {case: value / reference[case] for case, value in values.items() if case in reference}
            for method, values in found.items()
        }
        own = scaled.pop(others.OURS, {})
        said = "{cases} series of statsmodels and pmdarima"
        yield from _lines("long series", said, Measure(column.upper()), own, scaled, "series")


def _columns(tables: Tables) -> Iterator[Comparison]:
    found = _values(tables.columns, "sql_to_naive", "table", "method")
    alone = {method: {(table, ""): value for (table, _), value in values.items()} for method, values in found.items()}
    own = alone.get(columns.OURS, {})
    peers = {name: values for name, values in alone.items() if not name.startswith(columns.OURS)}
    said = "{cases} tables with a time and columns"
    yield from _lines("series with columns", said, Measure("quantile loss"), own, peers, "columns")


# Counts ----------------------------------------------------------------------------------------------------


def _items(tables: Tables) -> Iterator[Comparison]:
    rows = [row | {"only": ""} for row in tables.intermittent]
    found = _values(rows, "loss", "series", "only")
    own = next((found[name] for name in intermittent.OWN if name in found), {})
    peers = {name: values for name, values in found.items() if name in intermittent.PEERS}
    said = "{cases} made series of items sold, most days none"
    yield from _lines("counts in time", said, Measure("quantile loss"), own, peers, "columns")


def _counts(tables: Tables) -> Iterator[Comparison]:
    rows = counts.tables(tables.count_tables)
    own, other = (
        {(row["table"], ""): -float(row[name]) for row in rows if row[name]} for name in ("auto", "PoissonRegressor")
    )
    peers = {"PoissonRegressor of scikit-learn": other}
    yield from _lines("tables of counts", "{cases} tables of counts", DENSITY, own, peers, "columns")


# Tables ----------------------------------------------------------------------------------------------------

DENSITY = Measure("negative log density", fmean, logarithm=True)
ERRORS = Measure("errors, per cent", fmean)
CHANCE = Measure("negative log chance of what came", fmean, logarithm=True)


def _numbers(tables: Tables) -> Iterator[Comparison]:
    for column, measure in (("mse", Measure("squared error")), ("nll", DENSITY)):
        found = _values(tables.regression, column, "set", "fold")
        own, peers = found.get("search", {}), _named(found, NUMBERS)
        yield from _lines("tables", "{sets} sets of regression", measure, own, peers, "tables")


def _many_rows(tables: Tables) -> Iterator[Comparison]:
    rows = [row | {"set": f"{row['set']} {row['rows']}"} for row in tables.tables_scale]
    found = _values(rows, "rmse", "set", "seed")
    said, peers = "{sets} tables of 10 000 and 100 000 rows", _named(found, {"boosted trees": "boosted trees"})
    yield from _lines("tables of many rows", said, Measure("RMSE"), found.get("ours", {}), peers, "tables")


def _classes(tables: Tables) -> Iterator[Comparison]:
    for column, measure in (("error", ERRORS), ("nll", CHANCE)):
        found = _values(tables.classification, column, "set", "fold")
        own, peers = found.get("additive", {}), _named(found, CLASSES)
        yield from _lines("classes", "{sets} sets of two classes", measure, own, peers, "classes")


def _wide(tables: Tables) -> Iterator[Comparison]:
    for column, measure in (("error", ERRORS), ("nll", CHANCE)):
        found = _values(tables.wide_classes, column, "set", "fold")
        own, peers = found.get("auto", {}), _named(found, CLASSES)
        yield from _lines("classes, many columns", "{sets} sets of classes", measure, own, peers, "classes")


def _clusters(tables: Tables) -> Iterator[Comparison]:
    rows = [row | {"wrong": str(1.0 - float(row["rand"]))} for row in tables.clusters if row["rand"]]
    found = _values(rows, "wrong", "set", "fold")
    measure, own = Measure("share of pairs taken wrongly", fmean), found.get("warped-2", {})
    yield from _lines("clusters", "{sets} sets of groups", measure, own, _named(found, GROUPS), "clusters")


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
        [f"[{line.kind}](results/{line.page}.md)", line.measure.name, line.ahead, shown(line), f"{line.ours:.3g}",
         f"{line.best} {line.theirs:.3g}", line.data]
        for line in lines
    ]  # fmt: skip
    head = ["kind of data", "measure", "ahead", "ratio", "ours", "best of the others", "data"]
    behind = [f"{line.kind} ({line.data}), {line.measure.name}" for line in lines if line.ahead == "theirs"]
    return counted(lines) | {"rows": table(head, rows), "behind": "; ".join(behind) or "none"} if lines else None


def shown(line: Comparison) -> str:
    """A ratio with the interval of 95 %."""
    return with_interval(line.ratio, *line.interval)


def with_interval(ratio: float, low: float, high: float) -> str:
    """A ratio with its interval, in two digits behind the point."""
    return f"{ratio:.2f} ({low:.2f}-{high:.2f})"


def draw_front(lines: Sequence[Comparison], path: Path) -> None:
    """A dot for each line at its ratio, on a logarithmic axis, beside the line where both are equal."""
    from matplotlib.ticker import NullLocator

    height = HEAD + 44.0 + ROW * len(lines)
    ratios, places = [line.ratio for line in lines], np.arange(len(lines))[::-1]
    with page_of(WIDTH, height, path) as figure:
        axes = axes_in(figure, left=LEFT, right=24.0, top=HEAD, bottom=44.0)
        axes.set_xscale("log")
        axes.axvline(1.0, color=LIGHT["axis"], linewidth=1.0)
        for line, ratio, place in zip(lines, ratios, places, strict=True):
            colour = LIGHT[COLOURS[line.ahead]]
            axes.plot(line.interval, [place, place], color=colour, linewidth=2.0)
            axes.plot(ratio, place, "o", color=colour, markersize=7.0)
        axes.set_yticks(places, [f"{line.kind}: {line.measure.name}" for line in lines])
        ticks = [tick for tick in (0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0) if tick <= max(*ratios, 1.25)]
        axes.set_xticks([tick for tick in ticks if tick >= min(ratios) / 1.05], minor=False)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("error of ours over that of the best of the others: left of one is in our favour")
        axes.margins(x=0.06, y=0.5 / len(lines))
