"""The page of results on whether what is stated holds: probabilities, ranges, and claims about made data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import calibration
import class_ranges
import columns_truth
import count_ranges
import impacts
import ranges
from goals import Tables
from page_text import NOTHING, made_by, table
from truth_compare import KINDS
from truth_table_compare import TABLE_KINDS

__all__ = ["claims_of_reports", "probabilities", "stated_ranges"]

Row = dict[str, Any]

COUNTS = ("claims", "true", "truths", "told", "ranges", "hold")


def rows_of(rows: Sequence[Row]) -> list[str]:
    """A table of rows as they are."""
    return table(list(rows[0]), [[str(value) for value in row.values()] for row in rows])


def probabilities(tables: Tables) -> list[str]:
    """Reliability of the probabilities of statements, and what is claimed where there is nothing."""
    lines = ["## Probabilities of statements", ""]
    drawn = [row for row in tables.calibration if row["kind"] == "drawn"]
    if not drawn:
        return [*lines, NOTHING, ""]
    found = calibration.claims(tables.calibration)
    nothing = [[row["kind"], str(row["series"]), row["too much"], _said(row["what"])] for row in found]
    return [
        *lines,
        "Series drawn from the learned priors, whose structure is therefore known, are searched, and every statement",
        "gets the weight of the models that make it. Of those told with a probability near p, about a share p should",
        "be true.",
        "",
        *rows_of(calibration.reliability(drawn, calibration.STATEMENTS)),
        "By statement; the Brier score is to be below that of telling the frequency each time:",
        "",
        *rows_of(calibration.by_statement(drawn)),
        "Where there is nothing to tell, the share of series of which something is told all the same: structure in",
        "noise; a cycle, a change, a product or a trend in a random walk.",
        "",
        *table(["series of", "how many", "too much is told of", "what"], nothing),
        made_by(tables.calibration, "calibration.csv"),
        "",
    ]


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "–"


def claims_of_reports(tables: Tables) -> list[str]:
    """Precision and recall of what reports say, and whether their ranges hold, by kind of claim."""
    lines = ["## Claims of reports", ""]
    if not tables.truth:
        return [*lines, NOTHING, ""]
    version = {row["generator"]: row["code"] for row in tables.truth}  # the one written last
    latest = [row for row in tables.truth if row["code"] == version[row["generator"]]]
    rows = [[kind, *_shares(kind, latest)] for kind in (*KINDS, *TABLE_KINDS)]
    return [
        *lines,
        f"Reports on made data of {len(version)} generators (series, tables and classes, also noise and walks), whose",
        "truth is known: how many of the claims are true, how many of the prominent truths are told, and how often a",
        "95 % range that is told holds the truth. Of each generator what was measured last; few draws of each, so",
        "single lines are rough.",
        "",
        *table(["claim", "told", "true", "prominent truths", "told of these", "ranges", "hold"],
               [row for row in rows if set(row[1:]) != {"0", "–"}]),
        *table(["", "told", "true", "prominent truths", "told of these", "ranges", "hold"], [["all", *_of(latest)]]),
        made_by(latest, "truth.csv"),
        "",
    ]  # fmt: skip


def _shares(kind: str, rows: Sequence[Row]) -> list[str]:
    return _of([row for row in rows if row["kind"] == kind])


def _of(rows: Sequence[Row]) -> list[str]:
    claims, true, truths, told, stated, hold = (sum(int(row[name]) for row in rows) for name in COUNTS)
    pairs = ((claims, true), (truths, told), (stated, hold))
    return [cell for whole, part in pairs for cell in (str(whole), f"{part / whole:.0%}" if whole else "–")]


def stated_ranges(tables: Tables) -> list[str]:
    """Whether ranges of 95 % hold, study by study."""
    studies = (
        (tables.ranges, ranges.summary, "ranges.csv", "Slopes, growth, levels, steps, places of change, effects of "
         "columns, on simulated data; beside them least squares, where these can say it:"),
        (tables.columns_truth, columns_truth.summary, "columns-truth.csv", "Effects of columns beside a time; noise "
         "columns that are told as mattering:"),
        (tables.count_ranges, count_ranges.summary, "count-ranges.csv", "Forecasts of counts, shares, and counts with "
         "columns; whole numbers cannot hold 95 % exactly, so what is expected stands beside:"),
        (tables.class_ranges, class_ranges.summary, "class-ranges.csv", "Chances of classes (first `kernel`, `auto` "
         "and `laplace` of `GPClassifier`, then searches, the newer version first):"),
        (tables.impacts, impacts.summary, "impacts.csv", "Effects of an event, on series with and without one:"),
    )  # fmt: skip
    found = [(summary(rows), rows, name, said) for rows, summary, name, said in studies if rows]
    if not found:
        return ["## Ranges", "", NOTHING, ""]
    parts = [[said, "", *rows_of(shown), made_by(rows, name), ""] for shown, rows, name, said in found]
    return ["## Ranges", "", *(line for part in parts for line in part)]
