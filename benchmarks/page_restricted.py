"""The columns of the draft's tables A.1 and A.2 that are poorer languages, run here beside the published figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import median

from common import geometric_mean
from goals import Tables
from measures import RESTRICTED, Known, SeriesScore, series_scores
from page_text import bold, made_by, number, table

__all__ = ["restricted"]

Pair = tuple[float, float]  # ours and theirs
Pairs = dict[tuple[str, str], Pair]  # by language and series


def restricted(tables: Tables, kind: str) -> list[str]:
    """A table of errors and one of log densities on the stored axis; nothing where nothing was run."""
    every = tables.extrapolation if kind == "extrapolation" else tables.interpolation
    rows = [row for row in every if row["method"] in RESTRICTED and row["axis"] == "raw"]
    if not rows:
        return []
    known = tables.known[kind]
    scores = {
        (name, series): one
        for name in RESTRICTED
        for series, one in series_scores([row for row in rows if row["method"] == name], known).items()
    }
    settings = " or ".join(dict.fromkeys(f"`{row['settings']}`" if row["settings"] else "the defaults" for row in rows))
    return [
        "### The poorer languages among the nine, run here",
        "",
        f"Each cell: ours, in brackets the published figure. Ours were searched by BIC with {settings}, the same for",
        "all series; theirs went as deep as ten levels. RMSE over the smallest of the nine published methods. **Bold**",
        "where ours is not above theirs; geometric means are over the series that were run.",
        "",
        *_table({key: _errors(*key, one, known) for key, one in scores.items()}, "geometric mean", geometric_mean),
        "Mean negative log density of the same; medians, because single published ones have broken down.",
        "",
        *_table({key: _densities(*key, one, known) for key, one in scores.items()}, "median", median),
        made_by(rows, f"{kind}.csv"),
        "",
    ]


def _errors(name: str, series: str, one: SeriesScore, known: Known) -> Pair:
    return one.to_best, float(known[series, RESTRICTED[name]]["rmse"]) / float(known[series, "best"]["rmse"])


def _densities(name: str, series: str, one: SeriesScore, known: Known) -> Pair:
    assert one.nlp is not None, "all of our predictions are distributions"
    return one.nlp, float(known[series, RESTRICTED[name]]["nlp"])


def _table(pairs: Pairs, called: str, mean: Callable[[Iterable[float]], float]) -> list[str]:
    """A row for each series, a column for each language, means below."""
    names = [name for name in RESTRICTED if any(language == name for language, _ in pairs)]
    body = [
        [series, *(_cell(pairs.get((name, series))) for name in names)]
        for series in sorted({series for _, series in pairs})
    ]
    means = []
    for name in names:
        ours, theirs = zip(*(pair for (language, _), pair in pairs.items() if language == name), strict=True)
        means.append((mean(ours), mean(theirs)))
    body.append([called, *map(_cell, means)])
    return table(["series", *(f"`{name}` ({RESTRICTED[name]})" for name in names)], body)


def _cell(pair: Pair | None) -> str:
    if pair is None:
        return "–"
    ours, theirs = (number(value, ".2f" if abs(value) < 1000.0 else ".3g") for value in pair)
    return f"{bold(ours, float(ours) <= float(theirs))} ({theirs})"
