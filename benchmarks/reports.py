"""A report for each of the 13 series, and whether it says what is known about the series.

Every series is modelled whole, with the default settings, its dates read as a user's would be. The known
facts and their sources stand in reference/known_facts.csv; each is looked for among the facts of the report.

With `--short` the page of one short series of the M3 competition.

About 7 minutes of one core.

Usage: python benchmarks/reports.py [--series 01-airline]
       python benchmarks/reports.py --short
"""

import argparse
import itertools
import sys

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from autostatistician.data.times.axes import Axis
from common import HERE, REFERENCE, Bench, Row, command, read_rows, whole_series
from corpus_series import choosing
from series import SERIES

COLUMNS = ("said", "by", "source", "expression", "code")
PUBLISHED = HERE.parent / "docs" / "reports"
KEPT = ("01-airline", "02-solar", "03-mauna")  # in the repository; all others are made by this command alone
PAGES = HERE / "pages"
SHORT_KEPT = ("yearly", "N0127")
ALIKE = 0.5  # of what a window and the known one cover together, both share this part at least
SECONDS_OF_A_YEAR = 365.25 * 86400.0


# Whether a fact is what a claim says; positions and lengths in years ------------------------------------------


def in_years(axis: Axis, position: float) -> float:
    """A position as a decimal year."""
    if not axis.is_calendar:
        return position
    date = np.asarray(axis.times(np.array([position])))[0].astype("M8[s]")
    year = date.astype("M8[Y]")
    start, end = year.astype("M8[s]"), (year + np.timedelta64(1, "Y")).astype("M8[s]")
    return float(year.astype(int) + 1970 + (date - start) / (end - start))


def length_in_years(axis: Axis, length: float, start: float) -> float:
    """A length along the axis in years."""
    if not axis.is_calendar:
        return length
    first, last = np.asarray(axis.times(np.array([start, start + length]))).astype("M8[ms]")
    return float((last - first).astype(float) / 1000.0 / SECONDS_OF_A_YEAR)


def cycles(facts: list[Row], axis: Axis, start: float) -> list[tuple[str, float]]:
    """Every cycle among the facts: the id of the fact and the period in years."""
    single = [(fact["id"], fact["number"]) for fact in facts if fact["fact"] == "Periodicity"]
    joint = [(f["id"], one["number"]) for f in facts if f["fact"] == "CombinedCycles" for one in f["cycles"]]
    return [(name, length_in_years(axis, float(period), start)) for name, period in single + joint]


def said(claim: Row, facts: list[Row], axis: Axis, start: float, *, logarithm: bool) -> str | None:
    """The fact that says what a claim says; None where there is none."""
    low, high = (float(claim[end]) if claim[end] else float("nan") for end in ("low", "high"))
    found = cycles(facts, axis, start)
    match claim["kind"]:
        case "cycle":
            return next((name for name, years in found if low <= years <= high), None)
        case "no cycle":
            return None if any(low <= years <= high for _, years in found) else "no such cycle"
        case "growing":
            return _growing(facts, logarithm)
        case "rising":
            return next((fact["id"] for fact in facts if _rises(fact)), None)
        case "change":
            places = [(f["id"], in_years(axis, f["location"])) for f in facts if f["fact"] == "ChangeSteepness"]
            return next((name for name, year in places if low <= year <= high), None)
        case "window":
            return next((name for name, a, b in _spans(facts, axis) if _shared((a, b), (low, high)) >= ALIKE), None)
    raise SystemExit(f"expected a known kind of claim; found {claim['kind']!r}; correct known_facts.csv")


def _growing(facts: list[Row], logarithm: bool) -> str | None:
    """A cycle whose size changes along with the level, or of which a linear factor grows."""
    rhythmic = {f["id"].split("/")[0] for f in facts if f["fact"] in ("Periodicity", "CombinedCycles")}
    grown = [f["id"] for f in facts if f["fact"] == "AmplitudeChange" and (f["number"] or 2.0) > 1.0]
    own = [name for name in grown if name.split("/")[0] in rhythmic]
    return own[0] if own else "in proportion to the level" if logarithm and rhythmic else None


def _rises(fact: Row) -> bool:
    steady = fact["fact"] in ("LinearTrend", "Trend") and fact["direction"] > 0
    ends = fact["fact"] == "Amplitude" and fact["last"] - fact["first"] > 0.5 * fact["number"]
    return bool(steady or ends)


def _spans(facts: list[Row], axis: Axis) -> list[tuple[str, float, float]]:
    """Where parts apply, and the gaps between, in years."""
    found = []
    for fact in facts:
        if fact["fact"] == "ActiveInterval":
            known = [[None if end is None else in_years(axis, end) for end in span] for span in fact["shown"]]
            whole = [(a, b) for a, b in known if a is not None and b is not None]
            gaps = [(a[1], b[0]) for a, b in itertools.pairwise(known) if a[1] is not None and b[0] is not None]
            found += [(fact["id"], *span) for span in whole + gaps]
    return found


def _shared(one: tuple[float, float], other: tuple[float, float]) -> float:
    both = min(one[1], other[1]) - max(one[0], other[0])
    return max(both, 0.0) / (max(one[1], other[1]) - min(one[0], other[0]))


# The run ---------------------------------------------------------------------------------------------------


def run(case: Row, given: argparse.Namespace) -> list[Row]:
    """Report one series and look for what is known about it."""
    name = case["series"]
    model = AutomaticStatistician(n_jobs=1).fit(whole_series(given.data, name, "calendar"))
    folder = PUBLISHED if name in KEPT else PAGES
    folder.mkdir(parents=True, exist_ok=True)
    model.report(folder / f"{name}.html")
    facts, axis = model.to_dict()["facts"], model.model_.dataset.axis
    start, found = float(model.model_.dataset.x.min()), []
    for claim in (row for row in read_rows(REFERENCE / "known_facts.csv") if row["series"] == name):
        by = said(claim, facts, axis, start, logarithm=model.transform_.name == "log")
        found.append({**claim, "said": "no" if by is None else "yes", "by": by or "", "expression": str(model.kernel_)})
    return found


def index(rows: list[Row]) -> str:
    """The page that leads to the reports."""
    lines = [
        "# Reports on the thirteen series",
        "",
        "With default settings. Do they say what is known of the series? Three of the reports are kept here.",
        "",
        "| report | known | said |",
        "|---|---|---|",
    ]
    lines += [
        f"| [{row['series']}]({row['series']}.html) | {row['claim']} ({row['source']}) | {row['said']} |"
        for row in sorted(rows, key=lambda row: row["series"]) if row["series"] in KEPT
    ]  # fmt: skip
    missed = [f"{row['series']}: {row['claim']} ({row['source']})" for row in rows if row["said"] != "yes"]
    lines += ["", f"Of all series {len(rows) - len(missed)} of {len(rows)} known facts are reported.", ""]
    lines += [f"Not reported: {'; '.join(missed)}.", ""] if missed else []
    return "\n".join([*lines, *_others(), ""])


def _others() -> list[str]:
    """The other pages that are kept, and what makes more of them."""
    return [
        "Also here: [nile](nile.html) and [sunspots](sunspots.html); a table, the strength of concrete (Yeh 1998):",
        "[concrete](concrete.html); and a short series of the M3 competition (its dates are made up):",
        "[m3-yearly-n0127](m3-yearly-n0127.html).",
    ]


def short_report() -> None:
    """The page of a short series of the part of M3 on which settings are compared."""
    kind, name = SHORT_KEPT
    (series,) = (one for one in choosing(kind) if one.name == name)
    dates = pd.DataFrame({"date": series.dates[: len(series.values)]})
    model = AutomaticStatistician(n_jobs=1).fit(dates, pd.Series(series.values, name="value"))
    model.report(PUBLISHED / f"m3-{kind}-{name.lower()}.html")


BENCH = Bench(
    file="claims.csv", case=("series", "claim"), columns=COLUMNS, run=run, options={"series": SERIES},
)  # fmt: skip

if __name__ == "__main__":
    if "--short" in sys.argv:
        short_report()
    else:
        try:
            command(__doc__, BENCH)
        finally:
            rows = read_rows(HERE / "results" / "claims.csv")
            (PUBLISHED / "README.md").write_text(index(rows), encoding="utf-8")
