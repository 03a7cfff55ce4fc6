"""The rows of all tables of results, and which languages and settings they are of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common import DEFAULT_LANGUAGE, REFERENCE, read_rows, seeds_of_one_code
from measures import RESTRICTED, Known, SeriesScore, Variant, by_variant, read_reference, series_scores

Row = dict[str, Any]

SERIES = 13


NAMES = (
    "extrapolation", "interpolation", "full_data", "synthetic", "speed", "learning_curve", "peers", "others",
    "equations", "failures", "regression", "additive", "additive_orders",
    "corpus", "hkl", "deep", "long", "scale", "tables_scale", "columns", "counts", "count_tables",
    "intermittent", "robust", "impacts", "wide_classes", "calibration", "truth", "ranges", "class_ranges",
    "count_ranges", "columns_truth", "beside", "scaled_search", "shared_season",
    "classification", "classification_speed", "clusters", "cluster_seeds", "since",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Tables:
    """The rows of all tables of results, which are its attributes, and the known figures of others by kind of split."""

    rows: dict[str, list[Row]]
    known: dict[str, Known]

    @classmethod
    def read(cls, folder: Path) -> Tables:
        """The tables of a folder; those that are missing are empty."""
        known = {kind: read_reference(kind) for kind in ("extrapolation", "interpolation")}
        return cls({name: read_rows(folder / cls.file_of(name)) for name in NAMES}, known)

    def __getattr__(self, name: str) -> list[Row]:
        if name in NAMES:
            return self.rows[name]
        raise AttributeError(name)

    def having(self, **rows: list[Row]) -> Tables:
        """The same with other rows of some tables."""
        return Tables(self.rows | rows, self.known)

    @staticmethod
    def file_of(name: str) -> str:
        """The name of the file that a table stands in."""
        return f"{name.replace('_', '-')}.csv"

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
