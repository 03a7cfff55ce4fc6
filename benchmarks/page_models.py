"""What the pages of results say of models, their search and their time, and of whether what is stated holds."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log
from statistics import median
from typing import Any

import numpy as np

import calibration
from common import REFERENCE, read_rows
from figures import Line, curves
from measures import Variant, by_variant
from page_text import bold, fills, made_by, number, rows_of, table
from rows import SERIES, FullData, Tables, full_data_scores, variants
from truth_series import KINDS
from truth_tables import TABLE_KINDS

Row = dict[str, Any]
Values = dict[str, object] | None


# Models --------------------------------------------------------------------------------------------------


@fills
def full_data(tables: Tables) -> Values:
    """BIC on all data."""
    scores = {variant: full_data_scores(tables, variant) for variant in variants(tables)}
    scores = {variant: own for variant, own in scores.items() if own}
    said = [f"- {_bic_sentence(variant, own)}" for variant, own in scores.items()]
    return scores and {"said": "\n".join(said)}


def _bic_sentence(variant: Variant, scores: dict[str, FullData]) -> str:
    judged = [one for one in scores.values() if one.reached is not None]
    several = [one for one in scores.values() if len(one.every) > 1]
    parts = [f"`{variant}`, {len(scores)} of {SERIES} series"]
    if judged:
        parts.append(f"better than or equal to the original's best on {sum(bool(one.reached) for one in judged)}")
    spread = f"largest spread over seeds {max(one.spread for one in several):.1f}" if several else "one seed so far"
    return "; ".join([*parts, spread]) + "."


@fills
def times(tables: Tables) -> Values:
    """Seconds of a search, medians over the axes and seeds."""
    others = [
        f"{row['method']} at n = {row['n']}: {'' if row['finished'] == 'yes' else 'over '}{float(row['seconds']):.0f} s"
        for row in read_rows(REFERENCE / "speed.csv")
    ]
    groups: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for row in sorted(tables.speed, key=lambda row: int(row["n"])):
        groups[row["n"], row["series"]].append(float(row["seconds"]))
    rows = [[*key, f"{median(seconds):.1f}"] for key, seconds in groups.items()]
    head = ["rows", "series", "seconds"]
    return {"rows": table(head, rows), "others": "; ".join(others)} if rows else None


SNR = 10.0  # the signal-to-noise ratio whose structures are shown one by one


@fills
def structure(tables: Tables) -> Values:
    """Known structure: what was found of it."""
    groups = by_variant([row for row in tables.synthetic if row["seed"] == "0"], "language")
    known = {(row["case"], float(row["snr"])): row for row in read_rows(REFERENCE / "synthetic.csv")}
    found = {(v, row["case"], float(row["snr"])): row for v, rows in groups.items() for row in rows}
    cases = {case: row["true"] for (_, case, snr), row in found.items() if snr == SNR}
    rows = []
    for case, true in cases.items():
        every = [*(found.get((variant, case, SNR)) for variant in groups), known.get((case, SNR))]
        rows.append([true, *(bold(row["found"], row["exact"] == "1") if row else "–" for row in every)])
    said = [f"- {_recovery(variant, own)}" for variant, own in groups.items()]
    head = ["true", *map(str, groups), "search of 2013"]
    return groups and {"said": "\n".join(said), "rows": table(head, rows)}


def _recovery(variant: Variant, rows: list[Row]) -> str:
    parts = []
    for snr in sorted({float(row["snr"]) for row in rows}, reverse=True):
        own = [row for row in rows if float(row["snr"]) == snr]
        where = f"at SNR {snr:g}" if snr else "of pure noise, where that is to find nothing"
        parts.append(f"{sum(row['exact'] == '1' for row in own)} of {len(own)} {where}")
    return f"`{variant}`: exact in {'; '.join(parts)}."


@fills
def learning(tables: Tables) -> Values:
    """The learning curve of the airline series."""
    found = curves(tables)
    percents = sorted({p for curve in found for p in curve.percent})
    values = {(curve.label, p): mse for curve in found for p, mse in zip(curve.percent, curve.mse, strict=True)}
    best = {p: min(mse for (_, q), mse in values.items() if q == p) for p in percents}
    wins = Counter(label for (label, p), mse in values.items() if mse == best[p])
    return found and {
        "parts": len(percents),
        "said": ", ".join(f"`{label}` at {count}" for label, count in wins.most_common()),
    }


@fills
def failures(tables: Tables) -> Values:
    rows = [[f"`{row['command']}`", row["code"], row["minutes"], row["error"]] for row in tables.failures]
    return {"rows": table(["case", "code", "minutes", "error"], rows)} if rows else None


# Does what is stated hold? ---------------------------------------------------------------------------------

COUNTS = ("claims", "true", "truths", "told", "ranges", "hold")
CLAIM_HEAD = ("stated", "true", "prominent truths", "stated of these", "ranges", "hold")


@fills
def probabilities(tables: Tables) -> Values:
    """Reliability of the probabilities of statements, and what is claimed where there is nothing."""
    drawn = [row for row in tables.calibration if row["kind"] == "drawn"]
    nothing = [[row["kind"], str(row["series"]), row["too much"], _counted(row["what"])]
               for row in (calibration.claims(tables.calibration) if drawn else ())]  # fmt: skip
    return drawn and {
        "reliability": rows_of(calibration.reliability(drawn, calibration.STATEMENTS)),
        "nothing": table(["series of", "how many", "too much is stated of", "what"], nothing),
    }


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "–"


@fills
def claims(tables: Tables) -> Values:
    """Precision and recall of what reports say, and whether their ranges hold."""
    version = {row["generator"]: row["code"] for row in tables.truth}  # the one written last
    latest = [row for row in tables.truth if row["code"] == version[row["generator"]]]
    own = {kind: [row for row in latest if row["kind"] == kind] for kind in (*KINDS, *TABLE_KINDS)}
    counts = {kind: [sum(int(row[name]) for row in rows) for name in COUNTS[:2]] for kind, rows in own.items()}
    wrong = [f"{kind} {stated - true} of {stated}" for kind, (stated, true) in counts.items() if true < stated]
    return latest and {
        "generators": len(version),
        "wrong": ", ".join(wrong) or "none",
        "rows": table(CLAIM_HEAD, [_shares(latest)]),
        "made": made_by(latest, "truth.csv"),
    }


def _shares(rows: Sequence[Row]) -> list[str]:
    claims, true, truths, told, stated, hold = (sum(int(row[name]) for row in rows) for name in COUNTS)
    pairs = ((claims, true), (truths, told), (stated, hold))
    return [cell for whole, part in pairs for cell in (str(whole), f"{part / whole:.0%}" if whole else "–")]


# One likelihood and searches as the rows grow --------------------------------------------------------------

FROM, TO = 1000, 1_000_000  # rows, between which the exponent is that of
SCALE_HEAD = ["rows", "series", "search, s", "report and forecast, s", "MB of memory", "MB of the page"]


@fills
def long_series(tables: Tables) -> Values:
    """With which powers of the rows the times of a likelihood grow."""
    found = {said: _exponent_of_models(tables.long, name) for said, name in
             (("with gradient", "ms"), ("value alone", "value_ms"))}  # fmt: skip
    told = [f"{one:.2f} ({said})" for said, one in found.items() if one is not None]
    return {"powers": " and ".join(told)} if told else None


def _exponent_of_models(rows: list[Row], name: str) -> float | None:
    """The power of the rows with which a time grows, the median over the models that have both ends."""
    ends = {(row["model"], int(row["n"])): float(row[name]) for row in rows if row[name]}
    both = [model for model, n in ends if n == TO and (model, FROM) in ends]
    slopes = [log(ends[model, TO] / ends[model, FROM]) / log(TO / FROM) for model in both]
    return median(slopes) if slopes else None


@fills
def long_searches(tables: Tables) -> Values:
    rows = sorted(tables.scale, key=lambda row: int(row["n"]))
    return {"rows": table(SCALE_HEAD, map(_search, rows)), "made": made_by(rows, "scale.csv")} if rows else None


def _search(row: Row) -> list[str]:
    seconds = [f"{float(row[name]):.0f}" for name in ("search_seconds", "report_seconds")]
    return [f"{int(row['n']):,}", row["case"].split("-")[0], *seconds, row["megabytes"], row["page_megabytes"]]


# Beside other packages -------------------------------------------------------------------------------------

SAID = {"over the limit": "> 60 s", "over 4 GiB": "> 4 GiB", "refused": "refused", "not tried": "–"}
TASKS = {
    "likelihood": "One likelihood with its gradient",
    "fit": "A fit of the numbers of the structure",
    "report": "The report of the given model",
}
PANELS = ("likelihood", "fit")
SHOWN = (1000, 10_000, 100_000, 1_000_000)  # rows; the figure has all


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


@fills
def beside(tables: Tables) -> Values:
    rows = tables.beside
    of = {task: [row for row in rows if row["task"] == task] for task in TASKS}
    return rows and {task: _task(own) for task, own in of.items()}


def _by_engine(rows: Sequence[Row]) -> dict[str, dict[int, Row]]:
    found: dict[str, dict[int, Row]] = defaultdict(dict)
    for row in rows:
        found[row["engine"]][int(row["n"])] = row
    return found


def _task(rows: Sequence[Row]) -> str | None:
    sizes = [n for n in SHOWN if any(int(row["n"]) == n for row in rows)]
    body = []
    for name, own in _by_engine(rows).items():
        most = max((int(row["megabytes"]) for row in own.values() if row["megabytes"]), default=None)
        body.append([name, *(_seconds(own.get(n)) for n in sizes), number(most, "d")])
    return table(["engine", *(f"{n:,}" for n in sizes), "MB at most"], body) if rows else None


def _seconds(row: Row | None) -> str:
    if row is None:
        return "–"
    return f"{float(row['seconds']):.2g}" if row["seconds"] else SAID.get(row["state"], "failed")


# Searches of parts of the rows ----------- ----------------------------------------------------------------

WITHIN = 0.01  # nats a row, by which the scaled search may be behind: a hundredth of a density


@fills
def scaled_searches(tables: Tables) -> Values:
    rows = tables.scaled_search
    known = {(row["series"], row["how"]): row for row in rows}
    pairs = [(row, known[row["series"], "exact"]) for row in rows
             if row["how"] == "scaled" and (row["series"], "exact") in known]  # fmt: skip
    behind = [float(scaled["nlp"]) - float(exact["nlp"]) for scaled, exact in pairs]
    seconds = [[float(one["seconds"]) for one in side] for side in zip(*pairs, strict=True)]
    differences = [float(row["engines"]) for row in rows if row["engines"]]
    return {
        "within": sum(one <= WITHIN for one in behind),
        "of": len(pairs),
        "seconds": " and ".join(f"{median(side):.0f}" for side in seconds),
        "stopped": sum(exact["complete"] != "True" for _, exact in pairs),
        "mean": np.mean(behind),
        "median": np.median(behind),
        "largest": max(differences, default=None),
        "models": len(differences),
    } if pairs else None  # fmt: skip
