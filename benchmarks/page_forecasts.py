"""The sections of the page of results about forecasts and gaps: ours, the published ones, the peers, the criteria."""

from __future__ import annotations

from typing import Any

from extrapolation import CRITERIA
from figures import CLIP
from goals import AXES, SERIES, Tables, variants
from measures import (
    ABCD,
    CONTEXT,
    RESTRICTED,
    Overall,
    SeriesScore,
    Variant,
    by_variant,
    overall,
    recorded,
    series_scores,
)
from page_restricted import restricted
from page_text import NOTHING, bold, made_by, number, rounded, table

__all__ = ["criteria", "forecasts", "gaps"]

Row = dict[str, Any]

INTERPRETABLE = "ABCD-interpretability"
SAME = 1e-3  # relative difference up to which two figures count as the same


# Forecasts and gaps ----------------------------------------------------------------------------------------


def forecasts(tables: Tables, picture: str) -> list[str]:
    lines = [
        "## Forecasts of the last tenth",
        "",
        f"The last tenth of the time of each of {SERIES} series is predicted from what precedes it. Means over seeds;",
        "**bold** where the RMSE is below that of ABCD-accuracy. The peers are told the lengths of the seasons and get",
        "real dates; ours are told nothing.",
        "",
    ]
    for axis, label in AXES.items():
        lines += [f"### {label.capitalize()}", "", *_of_axis(tables, axis)]
    lines += restricted(tables, "extrapolation")
    lines += ["### Distances to the best published method", "", *_boxes(picture)]
    return [*lines, *_peers(tables)]


def _of_axis(tables: Tables, axis: str) -> list[str]:
    rows = [row for row in tables.extrapolation if row["axis"] == axis and row["method"] not in RESTRICTED]
    scores = {variant: tables.scores("extrapolation", axis, variant) for variant in variants(tables)}
    scores = {variant: own for variant, own in scores.items() if own}
    if not scores:
        return [NOTHING, ""]
    return [
        *(f"- {_sentence(variant, own)}" for variant, own in scores.items()),
        "",
        *_errors(tables, "extrapolation", scores),
        "The distributions: mean negative log density, CRPS over that of AutoARIMA, coverage of the 95 % bands.",
        "",
        *_distributions(tables, "extrapolation", scores),
        made_by(rows, "extrapolation.csv"),
        "",
    ]


def _sentence(variant: Variant, scores: dict[str, SeriesScore]) -> str:
    one = overall(scores)
    parts = [
        f"`{variant}`, {one.series} of {SERIES} series, {_runs(scores)}: RMSE {one.ratio:.3f} times that of {ABCD} "
        f"(geometric mean), below it on {one.better}"
    ]
    if one.denser is not None:
        parts.append(f"mean negative log density below it on {one.denser}")
    if one.to_arima is not None:
        parts.append(f"CRPS {one.to_arima:.3f} times that of AutoARIMA")
    if one.coverage is not None:
        parts.append(f"the 95 % bands cover {one.coverage:.3f} in the mean and {one.worst:.2f} at worst")
    return "; ".join(parts) + "."


def _runs(scores: dict[str, SeriesScore]) -> str:
    runs = sum(len(one.seeds) for one in scores.values())
    seeds = sorted({seed for one in scores.values() for seed in one.seeds})
    return f"{runs} runs ({'seed' if len(seeds) == 1 else 'seeds'} {', '.join(map(str, seeds))})"


def _errors(tables: Tables, kind: str, scores: dict[Variant, dict[str, SeriesScore]]) -> list[str]:
    """The RMSE by series beside ABCD's, the best of the nine and the best peer."""
    known = tables.known[kind]
    peers = _best_peers(tables) if kind == "extrapolation" else {}
    head = ["series", *map(str, scores), ABCD, INTERPRETABLE, "best of the nine", *(["best peer"] if peers else [])]
    rows = []
    for series in sorted({series for series, _ in known}):
        theirs = float(known[series, ABCD]["rmse"])
        own = [of_it[series].rmse if series in of_it else None for of_it in scores.values()]
        best = known[series, "best"]
        rows.append([
            series,
            *(bold(rounded(value), value is not None and value < theirs) for value in own),
            *(rounded(float(known[series, name]["rmse"])) for name in (ABCD, INTERPRETABLE)),
            f"{rounded(float(best['rmse']))} {best['method']}",
            *([peers[series]] if peers else []),
        ])  # fmt: skip
    return table(head, rows)


def _best_peers(tables: Tables) -> dict[str, str]:
    """The smallest RMSE of a peer by series, measured here or recorded."""
    found: dict[str, tuple[float, str]] = {}
    for row in _peer_rows(tables):
        value = float(row["rmse"]), row["method"]
        found[row["series"]] = min(value, found.get(row["series"], value))
    return {series: f"{rounded(value)} {method}" for series, (value, method) in found.items()}


def _peer_rows(tables: Tables) -> list[Row]:
    """The peers that were measured with this code, and those that are recorded only."""
    known = tables.known["extrapolation"]
    measured = {row["method"] for row in tables.peers}
    others = dict.fromkeys(method for _, method in known if method not in {*CONTEXT, *measured, "best"})
    return [*tables.peers, *recorded("extrapolation", others)]


def _distributions(tables: Tables, kind: str, scores: dict[Variant, dict[str, SeriesScore]]) -> list[str]:
    known = tables.known[kind]
    crps_over_arima = any(one.to_arima for own in scores.values() for one in own.values())
    names = list(map(str, scores))
    head = ["series", *(f"density {name}" for name in names), f"density {ABCD}"]
    head += [*(f"CRPS {name}" for name in names if crps_over_arima), *(f"coverage {name}" for name in names)]
    rows = []
    for series in sorted({series for series, _ in known}):
        own = [of_it.get(series) for of_it in scores.values()]
        denser = [bold(number(one.nlp), (one.denser or 0.0) > 0.0) if one else "–" for one in own]
        crps = [number(one.to_arima) if one else "–" for one in own if crps_over_arima]
        coverage = [number(one.coverage, ".2f") if one else "–" for one in own]
        rows.append([series, *denser, f"{float(known[series, ABCD]['nlp']):.3f}", *crps, *coverage])
    return table(head, rows)


def _boxes(picture: str) -> list[str]:
    if not picture:
        return [NOTHING, ""]
    return [
        "RMSE over the smallest of the nine published methods on each series: medians, quartiles, and the furthest",
        f"values within 1.5 interquartile ranges. Values beyond {CLIP:g} are named by series. Blue: this library;",
        "grey: the published methods; orange: peers, told the seasons. A method without results on every series has",
        "no box.",
        "",
        f"![Box plot of standardised RMSE by method]({picture})",
        "",
    ]  # fmt: skip


OVERALL = ["series", "RMSE / ABCD", "better", "CRPS / AutoARIMA", "denser", "coverage", "worst", "seconds (median)"]


def _cells(one: Overall) -> list[str]:
    return [
        str(one.series),
        f"{one.ratio:.3f}",
        str(one.better),
        number(one.to_arima),
        number(one.denser, "d"),
        number(one.coverage),
        number(one.worst, ".2f"),
        number(one.seconds, ".1f"),
    ]


def _peers(tables: Tables) -> list[str]:
    known = tables.known["extrapolation"]
    groups = by_variant(_peer_rows(tables)) | by_variant(recorded("extrapolation", CONTEXT))
    measured = {Variant(row["method"], row["settings"]) for row in tables.peers}
    every = {variant: overall(series_scores(rows, known)) for variant, rows in groups.items()}
    rows = [
        [str(variant), "here" if variant in measured else "reference", *_cells(one)]
        for variant, one in sorted(every.items(), key=lambda item: item[1].ratio)
    ]
    return [
        "### Others on the same series",
        "",
        "“better” and “denser” count the series with an RMSE and a mean negative log density below ABCD-accuracy's;",
        "“worst” is the smallest coverage of a run.",
        "Rows “here” were measured by `peers.py`; the others are recorded in",
        "[reference](../benchmarks/reference/README.md). Means over fewer series than others do not compare with them.",
        "",
        *table(["method", "figures from", *OVERALL], rows),
        *_again(tables),
    ]


def _again(tables: Tables) -> list[str]:
    """How far the peers measured here are from what was recorded of them."""
    known = tables.known["extrapolation"]
    own = [row for row in tables.peers if (row["series"], row["method"]) in known]
    recorded_of = [float(known[row["series"], row["method"]]["rmse"]) for row in own]
    change = {
        f"{row['method']} on {row['series']}": float(row["rmse"]) / value - 1.0
        for row, value in zip(own, recorded_of, strict=True)
    }
    if not change:
        return ["The peers have not been measured here.", ""]
    far = sorted((abs(value), name, value) for name, value in change.items() if abs(value) >= SAME)
    others = ", ".join(f"{name} {100.0 * value:+.1f} %" for _, name, value in reversed(far))
    return [
        f"Measured again, {len(change) - len(far)} of {len(change)} RMSE of peers are those recorded to one part in",
        f"{1.0 / SAME:.0f}{f'; the others: {others}' if far else ''}.",
        "",
        made_by(tables.peers, "peers.csv"),
        "",
    ]


def gaps(tables: Tables) -> list[str]:
    lines = ["## A random half from the other half", ""]
    scores = {variant: tables.scores("interpolation", "raw", variant) for variant in variants(tables)}
    scores = {variant: own for variant, own in scores.items() if own}
    if not scores:
        return [*lines, NOTHING, ""]
    said = [
        f"- `{variant}`, {len(own)} of {SERIES} series, {_runs(own)}: RMSE {overall(own).to_best:.3f} times that of "
        f"the best of the nine (geometric mean), {overall(own).ratio:.3f} times that of {ABCD}."
        for variant, own in scores.items()
    ]
    rows = [row for row in tables.interpolation if row["method"] not in RESTRICTED]
    return [
        *lines,
        *said,
        "",
        *_errors(tables, "interpolation", scores),
        "Mean negative log density, coverage of the 95 % bands.",
        "",
        *_distributions(tables, "interpolation", scores),
        made_by(rows, "interpolation.csv"),
        "",
        *restricted(tables, "interpolation"),
    ]


# Criteria --------------------------------------------------------------------------------------------------


def criteria(tables: Tables) -> list[str]:
    lines = ["## What the search minimises", ""]
    rows = [row for row in tables.extrapolation if (row["axis"], row["seed"]) == ("raw", "0")]
    groups = by_variant(rows)
    languages = [one.method for one in groups if one.settings.startswith("criterion=")]
    if not languages:
        return [*lines, NOTHING, ""]
    for language in dict.fromkeys(languages):
        own = {name: groups.get(Variant(language, "" if name == "auto" else f"criterion={name}"), [])
               for name in CRITERIA}  # fmt: skip
        lines += _compared(language, {name: of_it for name, of_it in own.items() if of_it}, tables)
    return lines


def _compared(language: str, groups: dict[str, list[Row]], tables: Tables) -> list[str]:
    """Criteria over the series that all of them have results of."""
    shared = set.intersection(*({row["series"] for row in rows} for rows in groups.values()))
    if not shared:
        return [NOTHING, ""]
    known = tables.known["extrapolation"]
    rows = [
        [name, *_cells(overall(series_scores([row for row in of_it if row["series"] in shared], known)))]
        for name, of_it in groups.items()
    ]
    missing = [name for name in CRITERIA if name not in groups]
    return [
        f"Forecasts of `{language}` on the stored axis, seed 0, over the {len(shared)} series that all of them have",
        f"results of{'' if not missing else '; not measured: ' + ', '.join(missing)}. `auto`: nothing was asked for,",
        "which was BIC before evidence was there.",
        "",
        *table(["criterion", *OVERALL], rows),
    ]
