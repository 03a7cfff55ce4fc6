"""What was to be reached, against which figures of others, and how far each variant has come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from common import DEFAULT_LANGUAGE, REFERENCE, geometric_mean, read_rows, seeds_of_one_code
from corpus_scores import NAIVE, OURS, PEERS, Standing, standing, to_best
from measures import (
    RESTRICTED,
    Known,
    SeriesScore,
    Variant,
    by_variant,
    overall,
    read_reference,
    recorded,
    series_scores,
)

Row = dict[str, Any]

SERIES = 13
SEEDS = 3
SIZES = {15: 1.0, 40: 2.0, 144: 6.0, 500: 20.0, 1000: 60.0}  # seconds to reach
OTHER_NAMES = {"learning": "learning-curve"}  # of tables; the others are called as their fields are
AXES = {"raw": "stored axis", "calendar": "calendar axis"}


@dataclass(frozen=True, eq=False)
class Tables:
    """The rows of all tables of results, and the known figures of others by kind of split."""

    extrapolation: list[Row]
    interpolation: list[Row]
    full_data: list[Row]
    synthetic: list[Row]
    speed: list[Row]
    learning: list[Row]
    peers: list[Row]
    others: list[Row]
    equations: list[Row]
    failures: list[Row]
    regression: list[Row]
    additive: list[Row]
    additive_speed: list[Row]
    additive_rows: list[Row]
    additive_orders: list[Row]
    corpus: list[Row]
    hkl: list[Row]
    deep: list[Row]
    long: list[Row]
    scale: list[Row]
    tables_scale: list[Row]
    columns: list[Row]
    counts: list[Row]
    count_tables: list[Row]
    intermittent: list[Row]
    robust: list[Row]
    impacts: list[Row]
    wide_classes: list[Row]
    calibration: list[Row]
    truth: list[Row]
    ranges: list[Row]
    class_ranges: list[Row]
    count_ranges: list[Row]
    columns_truth: list[Row]
    beside: list[Row]
    scaled_search: list[Row]
    shared_season: list[Row]
    warps_learning: list[Row]
    warps_choosing: list[Row]
    warps_maps: list[Row]
    warps_simulated: list[Row]
    classification: list[Row]
    classification_speed: list[Row]
    clusters: list[Row]
    cluster_chains: list[Row]
    cluster_seeds: list[Row]
    known: dict[str, Known]

    @classmethod
    def read(cls, folder: Path) -> Tables:
        """The tables of a folder; those that are missing are empty."""
        rows = {one.name: read_rows(folder / cls.file_of(one.name)) for one in fields(cls) if one.name != "known"}
        return cls(**rows, known={kind: read_reference(kind) for kind in ("extrapolation", "interpolation")})

    @staticmethod
    def file_of(name: str) -> str:
        """The name of the file that a table stands in."""
        return f"{OTHER_NAMES.get(name, name.replace('_', '-'))}.csv"

    def scores(self, kind: str, axis: str, variant: Variant) -> dict[str, SeriesScore]:
        """The scores of a variant by series."""
        rows = self.extrapolation if kind == "extrapolation" else self.interpolation
        own = [row for row in rows if (row["axis"], row["method"], row["settings"]) == (axis, *_key(variant))]
        return series_scores(own, self.known[kind])


def _key(variant: Variant) -> tuple[str, str]:
    return variant.method, variant.settings


def variants(tables: Tables) -> list[Variant]:
    """The languages and settings that results exist of, the default first.

    Other criteria and the poorer languages of the original have sections of their own.
    """
    rows = [*tables.extrapolation, *tables.interpolation]
    found = [*by_variant(rows), *by_variant([*tables.full_data, *tables.synthetic, *tables.speed], "language")]
    found = [one for one in dict.fromkeys(found) if "criterion=" not in one.settings and one.method not in RESTRICTED]
    return sorted(found, key=lambda one: (one.method != DEFAULT_LANGUAGE, one.settings != ""))


@dataclass(frozen=True)
class FullData:
    """BIC on all data of a series: that of the first seed, of all seeds, and of the original's best of three runs."""

    bic: float
    every: tuple[float, ...]
    theirs: float | None
    seconds: float

    @property
    def reached(self) -> bool | None:
        """Better than or equal to the original's, which is known to one decimal."""
        return None if self.theirs is None else round(self.bic, 1) <= self.theirs

    @property
    def spread(self) -> float:
        """Worst minus best of the seeds that one code was run with."""
        return max(self.every) - min(self.every)


def full_data_scores(tables: Tables, variant: Variant) -> dict[str, FullData]:
    """The BIC of a variant by series."""
    known = {(row["series"], row["language"]): row for row in read_rows(REFERENCE / "full_data.csv")}
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in tables.full_data:
        if (row["language"], row["settings"]) == _key(variant):
            groups[row["series"]].append(row)
    found = {}
    for series in sorted(groups):
        own = seeds_of_one_code(groups[series])
        values = tuple(float(row["bic"]) for row in own)
        other = known.get((series, variant.method))
        theirs = float(other["best_bic"]) if other else None
        found[series] = FullData(values[0], values, theirs, max(float(row["seconds"]) for row in own))
    return found


INFINITE = float("inf")


@dataclass(frozen=True)
class Finding:
    """A measure of one variant as text; ``reached`` is None while results are missing, which ``note`` says."""

    text: str
    reached: bool | None = None
    note: str = ""

    def __str__(self) -> str:
        verdict = {True: "reached", False: "not reached", None: ""}[self.reached]
        notes = "; ".join(filter(None, (verdict, self.note)))
        return f"{self.text} ({notes})" if notes else self.text


Find = Callable[[Tables, Variant], Finding | None]


@dataclass(frozen=True, eq=False)
class Goal:
    """A measure: its name, the best figure known before, what was to be reached, and how to find it for a variant."""

    name: str
    anchor: str
    target: str
    find: Find


@dataclass(frozen=True)
class Aim:
    """A number that is to lie between two others, and how it is written."""

    form: str
    low: float = -INFINITE
    high: float = INFINITE

    def of(self, value: float, note: str = "") -> Finding:
        """The verdict on a value."""
        return Finding(f"{value:{self.form}}", self.low <= value <= self.high, note)


def goals() -> list[Goal]:
    """Every measure, in the order of the page."""
    return [*_bic_goals(), *_speed_goals(), *_forecast_goals(), _interpolation_goal(), *_synthetic_goals(),
            *_corpus_goals()]  # fmt: skip


# Full data, times ------------------------------------------------------------------------------------------


def _bic_goals() -> list[Goal]:
    spread = max(float(row["spread"]) for row in read_rows(REFERENCE / "full_data.csv"))
    return [
        Goal("full-data BIC: series better than or equal to the original's best of three", "", "13", _bic_count),
        Goal("spread of the full-data BIC over seeds, largest of the series", f"{spread:g}", "< 15", _spread),
    ]


def _bic_count(tables: Tables, variant: Variant) -> Finding | None:
    judged = [one.reached for one in full_data_scores(tables, variant).values() if one.reached is not None]
    return _whole(Aim("d", SERIES).of(sum(judged)), len(judged)) if judged else None


def _whole(found: Finding, series: int, of: int = SERIES) -> Finding:
    """Without a verdict while series are missing."""
    return found if series == of else Finding(found.text, None, f"{series} of {of} series")


def _spread(tables: Tables, variant: Variant) -> Finding | None:
    found = [one for one in full_data_scores(tables, variant).values() if len(one.every) > 1]
    if not found:
        return None
    largest, runs = max(one.spread for one in found), sum(len(one.every) for one in found)
    if len(found) == SERIES and all(len(one.every) >= SEEDS for one in found):
        return Finding(f"{largest:.1f}", largest < 15.0)
    return Finding(f"{largest:.1f}", None, f"{runs} of {SEEDS * SERIES} runs")


def _speed_goals() -> list[Goal]:
    known = read_rows(REFERENCE / "speed.csv")

    def anchor(n: int) -> str:
        near = [row for row in known if abs(int(row["n"]) - n) < 0.15 * n]
        sign = {"yes": "", "no": "> "}
        return ", ".join(f"{row['method']} {sign[row['finished']]}{float(row['seconds']):.0f}" for row in near[:1])

    def find(n: int, limit: float) -> Find:
        return lambda tables, variant: _seconds(tables, variant, n, limit)

    return [Goal(f"seconds of a search, n = {n}", anchor(n), f"<= {s:g}", find(n, s)) for n, s in SIZES.items()]


def _seconds(tables: Tables, variant: Variant, n: int, limit: float) -> Finding | None:
    own = [row for row in tables.speed if (row["language"], row["settings"]) == _key(variant) and row["n"] == str(n)]
    own = [row for row in own if row["axis"] == "raw"]
    note = f"{own[0]['n_jobs']} workers" if own else ""
    return Aim(".4g", high=limit).of(median(float(row["seconds"]) for row in own), note) if own else None


# Forecasts and gaps ----------------------------------------------------------------------------------------


def _forecast_goals() -> list[Goal]:
    known = read_reference("extrapolation")
    peer, prophet = (overall(series_scores(recorded("extrapolation", [name]), known)) for name in
                     ("MSTL-ARIMA", "Prophet"))  # fmt: skip
    ratios = {"raw": (f"MSTL-ARIMA {peer.ratio:.3f}", 0.75), "calendar": (f"Prophet {prophet.ratio:.3f}", 0.70)}
    found = []
    for axis, label in AXES.items():
        best, limit = ratios[axis]
        rows = (
            ("RMSE / ABCD-accuracy, geometric mean", best, f"<= {limit:.2f}", "ratio", Aim(".3f", high=limit)),
            ("series with RMSE below ABCD-accuracy's", f"MSTL-ARIMA {peer.better}", ">= 11", "better", Aim("d", 11)),
            ("CRPS / AutoARIMA, geometric mean", f"MSTL-ARIMA {peer.to_arima:.3f}", "<= 0.75", "to_arima",
             Aim(".3f", high=0.75)),
            ("series with mean negative log density below ABCD-accuracy's", f"MSTL-ARIMA {peer.denser}", "13", "denser",
             Aim("d", SERIES)),
            ("coverage of 95 % bands, mean", f"MSTL-ARIMA {peer.coverage:.3f}", "0.92 - 0.98", "coverage",
             Aim(".3f", 0.92, 0.98)),
            ("coverage of 95 % bands, worst", f"MSTL-ARIMA {peer.worst:.2f}", ">= 0.70", "worst", Aim(".2f", 0.7)),
        )  # fmt: skip
        found += [Goal(f"{name}, {label}", anchor, target, _forecast("extrapolation", axis, key, aim))
                  for name, anchor, target, key, aim in rows]  # fmt: skip
    return found


def _forecast(kind: str, axis: str, key: str, aim: Aim) -> Find:
    """A measure on one axis, with a word on what is missing."""

    def find(tables: Tables, variant: Variant) -> Finding | None:
        scores = tables.scores(kind, axis, variant)
        value = getattr(overall(scores), key) if scores else None
        if value is None:
            return None
        runs = sum(len(one.seeds) for one in scores.values())
        few = "" if runs >= SEEDS * SERIES else "one seed" if runs == SERIES else f"{runs} of {SEEDS * SERIES} runs"
        return _whole(aim.of(value, few), len(scores))

    return find


def _interpolation_goal() -> Goal:
    known = read_reference("interpolation")
    abcd = geometric_mean(
        float(row["rmse"]) / float(known[series, "best"]["rmse"])
        for (series, method), row in known.items()
        if method == "ABCD-accuracy"
    )
    name = "interpolation RMSE / best of the nine published columns, geometric mean"
    find = _forecast("interpolation", "raw", "to_best", Aim(".3f", high=1.0))
    return Goal(name, f"ABCD-accuracy {abcd:.2f}", "<= 1.00", find)


# Known structure -------------------------------------------------------------------------------------------


def _synthetic_goals() -> list[Goal]:
    known = [row for row in read_rows(REFERENCE / "synthetic.csv") if float(row["snr"]) == 10.0]
    theirs, all_of_them = (
        f"{sum(row['exact'] == '1' for row in known)} of {len(known)}",
        f"{len(known)} of {len(known)}",
    )

    def recovered(tables: Tables, variant: Variant) -> Finding | None:
        own = [row for row in _structures(tables, variant) if float(row["snr"]) == 10.0]
        return _counted(own, sum(row["exact"] == "1" for row in own), len(known), len(known))

    def false_alarms(tables: Tables, variant: Variant) -> Finding | None:
        own = [row for row in _structures(tables, variant) if row["true"] == "none"]
        return _counted(own, sum(row["exact"] != "1" for row in own), 0, 2)

    return [
        Goal("known structure found exactly at SNR 10", theirs, all_of_them, recovered),
        Goal("structure reported in pure noise, cases", "", "0", false_alarms),
    ]


def _counted(own: list[Row], count: int, wanted: int, cases: int) -> Finding | None:
    return Finding(f"{count} of {len(own)}", count == wanted if len(own) == cases else None) if own else None


def _structures(tables: Tables, variant: Variant) -> list[Row]:
    own = [row for row in tables.synthetic if (row["language"], row["settings"]) == _key(variant)]
    return [row for row in own if row["seed"] == "0"]


# Competitions ----------------------------------------------------------------------------------------------

OverTasks = Callable[[list[Standing]], Finding]


def _corpus_goals() -> list[Goal]:
    known = read_rows(REFERENCE / "corpus.csv")
    mase, wql = (min((float(row[name]), f"{row['method']} {row[name]}") for row in known if row[name])[1]
                 for name in ("mase", "wql"))  # fmt: skip
    rows: tuple[tuple[str, str, str, OverTasks], ...] = (
        ("MASE / seasonal naive", mase, "<= 0.80", lambda every: Aim(".3f", high=0.80).of(every[-1].relative["mase"])),
        ("quantile loss / seasonal naive", wql, "<= 0.64",
         lambda every: Aim(".3f", high=0.64).of(every[-1].relative["wql"])),
        ("coverage of 95 % bands by task", "", "0.93 - 0.97", _coverages),
        ("share of large models of short series", "", "< 0.05", _large),
    )  # fmt: skip
    return [
        *(Goal(f"competitions: {name}", anchor, target, _of_corpus(judge)) for name, anchor, target, judge in rows),
        Goal("competitions: measures with the first median rank", "", "3 of 3", _first_ranks),
        *(Goal(f"{task}: quantile loss / best of four peers and their median", "", "<= 0.97", _to_best(task))
          for task in ("m3-yearly", "m3-quarterly", "m3-monthly")),
    ]  # fmt: skip


@cache
def _standing_of(tables: Tables) -> dict[Variant, list[Standing]]:
    return standing(tables.corpus)


def _of_corpus(judge: OverTasks) -> Find:
    """A measure over the tasks, without a verdict while ours lacks a series that the seasonal naive rule has."""

    def find(tables: Tables, variant: Variant) -> Finding | None:
        found = _standing_of(tables)
        own = found.get(_ours(variant))
        return own and _whole(judge(own), own[-1].series, found[Variant(NAIVE)][-1].series)

    return find


def _ours(variant: Variant) -> Variant:
    """The rows of the corpus name the language among the settings, where it is not the default."""
    return Variant(OURS if variant.method == DEFAULT_LANGUAGE else variant.method, variant.settings)


def _coverages(every: list[Standing]) -> Finding:
    found = [one.coverage for one in every[:-1]]
    return Finding(f"{min(found):.3f} - {max(found):.3f}", min(found) >= 0.93 and max(found) <= 0.97)


def _large(every: list[Standing]) -> Finding:
    share = every[-1].large
    return Finding("–") if share is None else Finding(f"{share:.3f}", share < 0.05)


def _first_ranks(tables: Tables, variant: Variant) -> Finding | None:
    found = _standing_of(tables)
    own = found.get(_ours(variant))
    if own is None or None in own[-1].ranks.values():
        return None
    others = [every[-1] for one, every in found.items() if one.method in PEERS]
    first = [all(rank <= other.ranks[name] for other in others) for name, rank in own[-1].ranks.items()]
    return _whole(Finding(f"{sum(first)} of 3", all(first)), own[-1].series, found[Variant(NAIVE)][-1].series)


def _to_best(task: str) -> Find:
    def find(tables: Tables, variant: Variant) -> Finding | None:
        best = to_best(tables.corpus, task).get(_ours(variant))
        return best and Aim(".3f", high=0.97).of(best[1], best[0])

    return find
