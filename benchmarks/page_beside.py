"""The sections of the page of results about time beside other packages, searches of parts of the rows, many series."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from figures import Line
from goals import Tables
from page_text import NOTHING, made_by, number, table
from shared_season import compared

__all__ = ["batches", "beside", "growth", "scaled_searches", "shared_seasons"]

Row = dict[str, Any]

SAID = {"over the limit": "> 60 s", "over 4 GiB": "> 4 GiB", "refused": "refused", "not tried": "–"}
TASKS = {
    "likelihood": "One likelihood with its gradient",
    "fit": "A fit of the numbers of the structure",
    "report": "The report of the given model",
}
PANELS = ("likelihood", "fit")
WORTH: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "likelihood": (["What the likelihoods are, negative logarithms a row, at the same numbers:"], ("nll",)),
    "fit": (
        [
            "What the fits are worth: negative log likelihood a row / RMSE / negative log density of the rows that",
            "follow (48 to 1000), which were not seen:",
        ],
        ("nll", "rmse", "nlp"),
    ),
}
WITHIN = 0.01  # nats a row, by which the scaled search may be behind: a hundredth of a density
EFFICIENCY = 0.9  # to reach


# Beside other packages -------------------------------------------------------------------------------------


def growth(tables: Tables) -> dict[str, list[Line]]:
    """The lines of the figure, by panel."""
    panels = {TASKS[task]: _lines([row for row in tables.beside if row["task"] == task]) for task in PANELS}
    reports = [row | {"engine": "report, ours"} for row in tables.beside if row["task"] == "report"]
    panels["A whole search, a report"] = _lines([*_searches(tables), *reports])
    return {title: lines for title, lines in panels.items() if lines}


def _searches(tables: Tables) -> list[Row]:
    """Those of `scale.py`, by the kind of their series; seconds are of a clock."""
    return [
        {"engine": f"search, {row['case'].split('-')[0]}", "n": row["n"], "seconds": row["search_seconds"]}
        for row in tables.scale
    ]


def _lines(rows: list[Row]) -> list[Line]:
    found = defaultdict(list)
    for row in rows:
        if row["seconds"]:
            found[row["engine"]].append((int(row["n"]), max(float(row["seconds"]), 1e-4)))
    return [Line(engine, *zip(*sorted(every), strict=True)) for engine, every in found.items()]


def exponent(rows: list[Row]) -> float | None:
    """The power of the rows with which seconds grow: the slope of a line through the logarithms."""
    known = [(float(row["n"]), float(row["seconds"])) for row in rows if row["seconds"] and float(row["seconds"]) > 0.0]
    return float(np.polyfit(*np.log(known).T, 1)[0]) if len(known) > 1 else None


def beside(tables: Tables, figure: str) -> list[str]:
    lines = ["## Time beside other packages", ""]
    rows = tables.beside
    if not rows:
        return [*lines, NOTHING, ""]
    return [
        *lines,
        "A made series of hours and a given structure (a slow change, a day whose size drifts, a week, a quick change,",
        "noise), on one thread, each measurement in a process of its own; seconds are of the processor, megabytes the",
        "peak of the process with all that it imports. celerite2 has other terms (two Matérn functions, three",
        "oscillators) and gives the value alone; SVGP goes through minibatches of 1024 with 500 inducing points; SKI",
        "and SVGP are approximations. A dash: not tried, mostly since fewer rows were too many.",
        "",
        *([f"![Seconds against rows, by package]({figure})", ""] if figure else []),
        *(line for task in TASKS for line in _task(task, [row for row in rows if row["task"] == task])),
        *_of_searches(tables),
        *_accuracy("likelihood", rows),
        *_accuracy("fit", rows),
        made_by(rows, "beside.csv"),
        "",
    ]


def _of_searches(tables: Tables) -> list[str]:
    """How searches of one kind of series grow; one kind is no measure of another."""
    rows = _searches(tables)
    every = {kind: exponent([row for row in rows if row["engine"] == kind]) for kind in {row["engine"] for row in rows}}
    return [
        line
        for kind, found in sorted(every.items())
        if found is not None
        for line in (f"The seconds of a {kind} (of a clock) grow with the power {found:.2f} of the rows.", "")
    ]


def _task(task: str, rows: list[Row]) -> list[str]:
    if not rows:
        return []
    sizes = sorted({int(row["n"]) for row in rows})
    head = [*(f"{n:,}" for n in sizes), "exponent", "MB at most"]
    engines = _by_engine(rows)
    body = [
        [name, *(_seconds(own.get(n)) for n in sizes), *_growth(list(own.values()))] for name, own in engines.items()
    ]
    return [f"{TASKS[task]}, seconds by rows:", "", *table(["engine", *head], body)]


def _by_engine(rows: list[Row]) -> dict[str, dict[int, Row]]:
    found: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in rows:
        found[row["engine"]][int(row["n"])] = row
    return found


def _seconds(row: Row | None) -> str:
    if row is None:
        return "–"
    return f"{float(row['seconds']):.2g}" if row["seconds"] else SAID.get(row["state"], "failed")


def _growth(rows: list[Row]) -> list[str]:
    most = max((int(row["megabytes"]) for row in rows if row["megabytes"]), default=None)
    return [number(exponent(rows), ".2f"), "–" if most is None else f"{most}"]


def _accuracy(task: str, rows: list[Row]) -> list[str]:
    """What came out, where it ended."""
    said, names = WORTH[task]
    done = [row for row in rows if row["task"] == task and any(row[name] for name in names)]
    if not done:
        return []
    sizes = sorted({int(row["n"]) for row in done})
    body = [
        [name, *(" / ".join(own[n][key] or "–" for key in names) if n in own else "–" for n in sizes)]
        for name, own in _by_engine(done).items()
    ]
    return [*said, "", *table(["engine", *(f"{n:,}" for n in sizes)], body)]


# Searches of parts of the rows -----------------------------------------------------------------------------


def scaled_searches(tables: Tables) -> list[str]:
    lines = ["## Searches that begin on a part of the rows", ""]
    rows = tables.scaled_search
    if not rows:
        return [*lines, NOTHING, ""]
    pairs = _pairs(rows)
    differences = [float(row["engines"]) for row in rows if row["engines"]]
    return [
        *lines,
        "Ten series of about 1000 rows, the last twentieth held back: the search as it is by default beside the same",
        "search on all rows at once with a matrix of them, in one process each (†: stopped by its budget of",
        "time). The seconds are of the processor.",
        "",
        *_pair_lines(pairs),
        *_engines(differences),
        made_by(rows, "scaled-search.csv"),
        "",
    ]


def _pairs(rows: list[Row]) -> dict[str, tuple[Row, Row]]:
    known = {(row["series"], row["how"]): row for row in rows}
    names = dict.fromkeys(row["series"] for row in rows)
    return {
        name: (known[name, "scaled"], known[name, "exact"])
        for name in names
        if (name, "scaled") in known and (name, "exact") in known
    }


def _pair_lines(pairs: dict[str, tuple[Row, Row]]) -> list[str]:
    if not pairs:
        return ["No series has both searches yet.", ""]
    behind = [float(scaled["nlp"]) - float(exact["nlp"]) for scaled, exact in pairs.values()]
    head = ["series", "rows", "nlp, by parts", "nlp, all at once", "difference", "s, by parts", "s, all at once"]
    body = [
        [
            name,
            scaled["n"],
            *(f"{float(one['nlp']):.3f}" for one in (scaled, exact)),
            f"{lost:+.3f}",
            *(f"{float(one['seconds']):.0f}{'' if one['complete'] == 'True' else ' †'}" for one in (scaled, exact)),
        ]
        for (name, (scaled, exact)), lost in zip(pairs.items(), behind, strict=True)
    ]
    within = sum(one <= WITHIN for one in behind)
    return [
        *table(head, body),
        f"The search by parts is no more than {WITHIN:g} nats a row behind on {within} of {len(pairs)} series (to",
        f"reach: all ten), {np.mean(behind):+.3f} on average (below zero: ahead), median {np.median(behind):+.3f}.",
        "",
    ]


def _engines(differences: list[float]) -> list[str]:
    if not differences:
        return []
    return [
        "The same models with the same numbers, computed without a matrix and with one, differ by at most",
        f"{max(differences):.2g} nats in the log density of any row held back ({len(differences)} models).",
        "",
    ]


# Many series -----------------------------------------------------------------------------------------------


def batches(tables: Tables) -> list[str]:
    lines = ["## Many short series", ""]
    rows = tables.batch
    if not rows:
        return [*lines, NOTHING, ""]
    return [*lines, *_efficiency(rows), made_by(rows, "batch.csv"), ""]


def _efficiency(rows: list[Row]) -> list[str]:
    said = {"series": "500 series, one a task", "search": "one search of 1000 rows, its fits as tasks"}
    own = [row for row in rows if row["part"] in said]
    if not own:
        return []
    counts = sorted({int(row["workers"]) for row in own})
    known = {(row["part"], int(row["workers"])): row["efficiency"] for row in own}
    parts = [part for part in said if (part, counts[0]) in known]
    body = [[said[part], *(known.get((part, count), "–") for count in counts)] for part in parts]
    spent = max((float(row["milliseconds"]) for row in rows if row["part"] == "overhead"), default=None)
    return [
        "Workers of dask in simulated time: recorded durations handed out in turn, each hand-over with",
        f"{number(spent, '.1f')} ms, as measured. Efficiency by workers; to reach with 8: {EFFICIENCY:g}.",
        "",
        *table(["", *map(str, counts)], body),
    ]


def shared_seasons(tables: Tables) -> list[str]:
    """What series of less than three cycles gain by the season that the others of their panel have in common."""
    lines, rows = ["## Short series of a panel", ""], tables.shared_season
    if not rows:
        return [*lines, NOTHING, ""]
    body = [[str(value) for value in row.values()] for row in compared(rows)]
    return [
        *lines,
        "Monthly series cut to few rows, forecast twelve months ahead with and without the season that the others",
        "have in common: geometric means of the errors with it relative to those without, with their standard",
        "errors; the share of values in 95 % ranges and seconds of a processor without and with.",
        "",
        *table(["panel", "series", "follow", "MASE", "MSIS", "in range", "seconds"], body),
        "",
        made_by(rows, "shared-season.csv"),
        "",
    ]
