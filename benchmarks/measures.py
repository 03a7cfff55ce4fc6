"""What the tables of results say, as numbers: per series, over the series, and against what was to be reached.

Nothing here runs a search or writes text for a page; `page.py` and the `--summary` of the commands do.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from common import REFERENCE, geometric_mean, read_rows

Row = dict[str, Any]
Known = dict[tuple[str, str], Row]

ABCD = "ABCD-accuracy"
# The nine columns of the original's tables; the older system of 2013 is not among them.
PRINTED = (
    *(ABCD, "ABCD-interpretability", "spectral", "trend-cyclical-irregular", "MKL"),
    *("Eureqa", "changepoint", "SE", "linear"),
)
# Our languages that are columns of those tables, with less in them than ABCD's.
RESTRICTED = {
    "linear": "linear", "se": "SE", "mkl": "MKL", "changepoint": "changepoint", "spectral": "spectral",
    "tci": "trend-cyclical-irregular",
}  # fmt: skip
CONTEXT = ("CKS-2013", *PRINTED)  # all that the original's authors ran; what else is recorded are peers
ROUNDING = 1e-9  # of a geometric mean of equal numbers


@dataclass(frozen=True, order=True)
class Variant:
    """What was run: a language (or the name of another method) and settings that are not the defaults."""

    method: str
    settings: str = ""

    def __str__(self) -> str:
        return f"{self.method} ({self.settings})" if self.settings else self.method


@dataclass(frozen=True)
class SeriesScore:
    """The scores of one variant on one series: means over its seeds, geometric for the ratios.

    ``ratio`` is RMSE over that of ABCD-accuracy, ``to_best`` over the best of the nine printed columns,
    ``to_arima`` CRPS over that of AutoARIMA, ``denser`` how much smaller than ABCD-accuracy's the mean negative
    log density is.
    """

    seeds: tuple[int, ...]
    rmse: float
    ratio: float
    to_best: float
    nlp: float | None
    denser: float | None
    to_arima: float | None
    coverage: float | None
    worst: float | None
    seconds: float | None


@dataclass(frozen=True)
class Overall:
    """The scores of one variant over the series that it has results of."""

    series: int
    seeds: float  # results a series
    ratio: float
    better: int
    to_best: float
    denser: int | None
    to_arima: float | None
    coverage: float | None
    worst: float | None
    seconds: float | None


def read_reference(kind: str) -> Known:
    """The published and measured figures by series and method; "best" is the best of the nine printed columns."""
    found = {(row["series"], row["method"]): row for row in read_rows(REFERENCE / f"{kind}.csv")}
    for series in sorted({series for series, _ in found}):
        best = min(PRINTED, key=lambda name: float(found[series, name]["rmse"]))
        found[series, "best"] = {"rmse": found[series, best]["rmse"], "method": best}
    return found


def recorded(kind: str, methods: Iterable[str]) -> list[Row]:
    """Figures of the reference as if they were rows of results, one seed each."""
    wanted = set(methods)
    same = {"split": kind, "axis": "", "settings": "", "seed": "0", "seconds": "", "code": ""}
    return [row | same for row in read_rows(REFERENCE / f"{kind}.csv") if row["method"] in wanted]


def by_variant(rows: Iterable[Row], name: str = "method") -> dict[Variant, list[Row]]:
    """Rows by variant, in the order of their first rows. ``name`` is the column of the language or method."""
    found: dict[Variant, list[Row]] = defaultdict(list)
    for row in rows:
        found[Variant(row[name], row["settings"])].append(row)
    return dict(found)


def series_scores(rows: Sequence[Row], known: Known) -> dict[str, SeriesScore]:
    """The scores of the rows of one variant, by series."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["series"]].append(row)
    return {series: _score(series, groups[series], known) for series in sorted(groups)}


def _score(series: str, rows: Sequence[Row], known: Known) -> SeriesScore:
    rmse = _column(rows, "rmse")
    nlp, crps = _column(rows, "nlp"), _column(rows, "crps")
    covered, seconds = _column(rows, "coverage95"), _column(rows, "seconds")
    arima = known.get((series, "AutoARIMA"))
    typical = geometric_mean(rmse)
    return SeriesScore(
        seeds=tuple(sorted(int(row["seed"]) for row in rows)),
        rmse=fmean(rmse),
        ratio=typical / float(known[series, ABCD]["rmse"]),
        to_best=typical / float(known[series, "best"]["rmse"]),
        nlp=fmean(nlp) if nlp else None,
        denser=float(known[series, ABCD]["nlp"]) - fmean(nlp) if nlp else None,
        to_arima=geometric_mean(crps) / float(arima["crps"]) if crps and arima else None,
        coverage=fmean(covered) if covered else None,
        worst=min(covered) if covered else None,
        seconds=median(seconds) if seconds else None,
    )


def _column(rows: Sequence[Row], name: str) -> list[float]:
    """The numbers of a column, or none where one of them is missing."""
    texts = [row.get(name) or "" for row in rows]
    return [float(text) for text in texts] if all(texts) else []


def overall(scores: dict[str, SeriesScore]) -> Overall:
    """One line for a variant: geometric means of ratios, numbers of series, mean and worst coverage."""
    every = list(scores.values())
    denser = _values(every, lambda one: one.denser)
    worst = _values(every, lambda one: one.worst)
    return Overall(
        series=len(every),
        seeds=fmean(len(one.seeds) for one in every),
        ratio=geometric_mean(one.ratio for one in every),
        better=sum(one.ratio < 1.0 - ROUNDING for one in every),
        to_best=geometric_mean(one.to_best for one in every),
        denser=sum(value > 0.0 for value in denser) if denser else None,
        to_arima=_mean(every, lambda one: one.to_arima, geometric_mean),
        coverage=_mean(every, lambda one: one.coverage, fmean),
        worst=min(worst) if worst else None,
        seconds=_mean(every, lambda one: one.seconds, median),
    )


def _values(scores: Sequence[SeriesScore], of: Callable[[SeriesScore], float | None]) -> list[float]:
    return [value for value in map(of, scores) if value is not None]


def _mean(
    scores: Sequence[SeriesScore], of: Callable[[SeriesScore], float | None], mean: Callable[[list[float]], float]
) -> float | None:
    values = _values(scores, of)
    return mean(values) if values else None


def standardised(known: Known, others: dict[str, dict[str, SeriesScore]]) -> dict[str, dict[str, float]]:
    """RMSE over the smallest of the nine printed columns, by method and series (figure 3.6 of the thesis).

    The nine keep the values printed there; the others are measured with the same yardstick and may lie below 1.
    """
    series = sorted({name for name, method in known if method == "best"})
    best = {name: float(known[name, "best"]["rmse"]) for name in series}
    found = {method: {name: float(known[name, method]["rmse"]) / best[name] for name in series} for method in PRINTED}
    return found | {
        label: {name: one.to_best for name, one in scores.items()} for label, scores in others.items() if scores
    }
