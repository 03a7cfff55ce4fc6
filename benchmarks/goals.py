"""What was to be reached, against which figures of others, and how far each variant has come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from typing import Any

from common import DEFAULT_LANGUAGE, REFERENCE, geometric_mean, read_rows, seeds_of_one_code
from measures import (
    RESTRICTED,
    Known,
    Overall,
    SeriesScore,
    Variant,
    by_variant,
    overall,
    read_reference,
    recorded,
    series_scores,
)

__all__ = ["SERIES", "Finding", "FullData", "Goal", "Tables", "full_data_scores", "goals", "variants"]

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
    batch: list[Row]
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


@dataclass(frozen=True, eq=False)
class Goal:
    """A measure: its name, the best figure known before, what was to be reached, and how to find it for a variant."""

    name: str
    anchor: str
    target: str
    find: Callable[[Tables, Variant], Finding | None]


def goals() -> list[Goal]:
    """Every measure but those of the competitions (`goals_corpus.py`), in the order of the page."""
    return [*_bic_goals(), *_speed_goals(), *_forecast_goals(), _interpolation_goal(), *_synthetic_goals()]


# Full data -------------------------------------------------------------------------------------------------


def _bic_goals() -> list[Goal]:
    spread = max(float(row["spread"]) for row in read_rows(REFERENCE / "full_data.csv"))
    return [
        Goal("full-data BIC: series better than or equal to the original's best of three", "", "13", _bic_count),
        Goal("spread of the full-data BIC over seeds, largest of the series", f"{spread:g}", "< 15", _spread),
    ]


def _bic_count(tables: Tables, variant: Variant) -> Finding | None:
    judged = [one.reached for one in full_data_scores(tables, variant).values() if one.reached is not None]
    return _count(sum(judged), len(judged), SERIES) if judged else None


def _count(number: int, of: int, least: int) -> Finding:
    return Finding(str(number), number >= least if of == SERIES else None, _missing(of))


def _missing(series: int) -> str:
    return "" if series == SERIES else f"{series} of {SERIES} series"


def _spread(tables: Tables, variant: Variant) -> Finding | None:
    found = [one for one in full_data_scores(tables, variant).values() if len(one.every) > 1]
    if not found:
        return None
    whole = len(found) == SERIES and all(len(one.every) >= SEEDS for one in found)
    largest = max(one.spread for one in found)
    note = "" if whole else f"{sum(len(one.every) for one in found)} of {SEEDS * SERIES} runs"
    return Finding(f"{largest:.1f}", largest < 15.0 if whole else None, note)


# Times -----------------------------------------------------------------------------------------------------


def _speed_goals() -> list[Goal]:
    known = read_rows(REFERENCE / "speed.csv")

    def anchor(n: int) -> str:
        near = [row for row in known if abs(int(row["n"]) - n) < 0.15 * n]
        sign = {"yes": "", "no": "> "}
        return ", ".join(f"{row['method']} {sign[row['finished']]}{float(row['seconds']):.0f}" for row in near[:1])

    def find(n: int, limit: float) -> Callable[[Tables, Variant], Finding | None]:
        return lambda tables, variant: _seconds(tables, variant, n, limit)

    return [Goal(f"seconds of a search, n = {n}", anchor(n), f"<= {s:g}", find(n, s)) for n, s in SIZES.items()]


def _seconds(tables: Tables, variant: Variant, n: int, limit: float) -> Finding | None:
    own = [row for row in tables.speed if (row["language"], row["settings"]) == _key(variant) and row["n"] == str(n)]
    own = [row for row in own if row["axis"] == "raw"]
    if not own:
        return None
    seconds = median(float(row["seconds"]) for row in own)
    return Finding(f"{seconds:.4g}", seconds <= limit, f"{own[0]['n_jobs']} workers")


# Forecasts and gaps ----------------------------------------------------------------------------------------

Judged = Callable[[Overall], Finding | None]


def _forecast_goals() -> list[Goal]:
    known = read_reference("extrapolation")
    peer = overall(series_scores(recorded("extrapolation", ["MSTL-ARIMA"]), known))
    prophet = overall(series_scores(recorded("extrapolation", ["Prophet"]), known))
    ratios = {"raw": (f"MSTL-ARIMA {peer.ratio:.3f}", 0.75), "calendar": (f"Prophet {prophet.ratio:.3f}", 0.70)}
    found = []
    for axis, label in AXES.items():
        anchor, limit = ratios[axis]
        found += [
            Goal(f"{name}, {label}", known_as, target, _on(axis, judge))
            for name, known_as, target, judge in (
                ("RMSE / ABCD-accuracy, geometric mean", anchor, f"<= {limit:.2f}", _ratio(limit)),
                ("series with RMSE below ABCD-accuracy's", f"MSTL-ARIMA {peer.better}", ">= 11", _better),
                ("CRPS / AutoARIMA, geometric mean", f"MSTL-ARIMA {peer.to_arima:.3f}", "<= 0.75", _crps),
                (
                    "series with mean negative log density below ABCD-accuracy's",
                    f"MSTL-ARIMA {peer.denser}",
                    "13",
                    _nlp,
                ),
                ("coverage of 95 % bands, mean", f"MSTL-ARIMA {peer.coverage:.3f}", "0.92 - 0.98", _coverage),
                ("coverage of 95 % bands, worst", f"MSTL-ARIMA {peer.worst:.2f}", ">= 0.70", _worst),
            )
        ]
    return found


def _on(axis: str, judge: Judged) -> Callable[[Tables, Variant], Finding | None]:
    """A measure on one axis, with a word on what is missing."""

    def find(tables: Tables, variant: Variant) -> Finding | None:
        scores = tables.scores("extrapolation", axis, variant)
        found = judge(overall(scores)) if scores else None
        return found and _complete(found, scores)

    return find


def _complete(found: Finding, scores: dict[str, SeriesScore]) -> Finding:
    """Without a verdict while series are missing; with a note while seeds are."""
    if len(scores) < SERIES:
        return Finding(found.text, None, _missing(len(scores)))
    runs = sum(len(one.seeds) for one in scores.values())
    few = "" if runs >= SEEDS * SERIES else "one seed" if runs == SERIES else f"{runs} of {SEEDS * SERIES} runs"
    return Finding(found.text, found.reached, few)


def _ratio(limit: float) -> Judged:
    return lambda one: Finding(f"{one.ratio:.3f}", one.ratio <= limit)


def _better(one: Overall) -> Finding:
    return Finding(str(one.better), one.better >= 11)


def _crps(one: Overall) -> Finding | None:
    return None if one.to_arima is None else Finding(f"{one.to_arima:.3f}", one.to_arima <= 0.75)


def _nlp(one: Overall) -> Finding | None:
    return None if one.denser is None else Finding(str(one.denser), one.denser >= SERIES)


def _coverage(one: Overall) -> Finding | None:
    return None if one.coverage is None else Finding(f"{one.coverage:.3f}", 0.92 <= one.coverage <= 0.98)


def _worst(one: Overall) -> Finding | None:
    return None if one.worst is None else Finding(f"{one.worst:.2f}", one.worst >= 0.7)


def _interpolation_goal() -> Goal:
    known = read_reference("interpolation")
    abcd = geometric_mean(
        float(row["rmse"]) / float(known[series, "best"]["rmse"])
        for (series, method), row in known.items()
        if method == "ABCD-accuracy"
    )

    def find(tables: Tables, variant: Variant) -> Finding | None:
        scores = tables.scores("interpolation", "raw", variant)
        if not scores:
            return None
        ratio = overall(scores).to_best
        return _complete(Finding(f"{ratio:.3f}", ratio <= 1.0), scores)

    name = "interpolation RMSE / best of the nine published columns, geometric mean"
    return Goal(name, f"ABCD-accuracy {abcd:.2f}", "<= 1.00", find)


# Known structure -------------------------------------------------------------------------------------------


def _synthetic_goals() -> list[Goal]:
    known = [row for row in read_rows(REFERENCE / "synthetic.csv") if float(row["snr"]) == 10.0]
    theirs = f"{sum(row['exact'] == '1' for row in known)} of {len(known)}"
    return [
        Goal(
            "known structure found exactly at SNR 10", theirs, f"{len(known)} of {len(known)}", _recovered(len(known))
        ),
        Goal("structure reported in pure noise, cases", "", "0", _false_alarms),
    ]


def _structures(tables: Tables, variant: Variant) -> list[Row]:
    own = [row for row in tables.synthetic if (row["language"], row["settings"]) == _key(variant)]
    return [row for row in own if row["seed"] == "0"]


def _recovered(cases: int) -> Callable[[Tables, Variant], Finding | None]:
    def find(tables: Tables, variant: Variant) -> Finding | None:
        own = [row for row in _structures(tables, variant) if float(row["snr"]) == 10.0]
        exact = sum(row["exact"] == "1" for row in own)
        return Finding(f"{exact} of {len(own)}", exact == cases if len(own) == cases else None) if own else None

    return find


def _false_alarms(tables: Tables, variant: Variant) -> Finding | None:
    own = [row for row in _structures(tables, variant) if row["true"] == "none"]
    wrong = sum(row["exact"] != "1" for row in own)
    return Finding(f"{wrong} of {len(own)}", wrong == 0 if len(own) == 2 else None) if own else None
