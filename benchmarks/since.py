"""What got better and worse since an earlier version: ours of today over ours of then, on the cases that both have.

Takes no time of its own. The tables of then are those of a commit:

    git archive REVISION benchmarks/results | tar -x -C FOLDER
    python benchmarks/since.py FOLDER/benchmarks/results
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from autostatistician import __version__
from common import OWN, RESULTS, read_rows, write_rows
from front import Comparison, Measure, Values, with_interval

Row = dict[str, Any]


@dataclass(frozen=True)
class Followed:
    """A measure of a table, and which columns tell sets and cases apart."""

    kind: str
    table: str
    column: str
    measure: Measure
    sets: tuple[str, ...]
    cases: tuple[str, ...] = ("seed",)
    only: tuple[tuple[str, str], ...] = ()
    sign: float = 1.0  # -1 where more is better

    def values(self, folder: Path, version: str = "") -> Values:
        """The values of ours by set and case, of a version or of any."""
        rows = read_rows(folder / f"{self.table}.csv")
        found = (row for row in rows if self._counts(row) and row["code"].startswith(version))
        return {(_key(row, self.sets), _key(row, self.cases)): self.sign * float(row[self.column]) for row in found}

    def _counts(self, row: Row) -> bool:
        wanted = all(row.get(name, "") == value for name, value in self.only)
        return wanted and bool(row[self.column]) and OWN.match(row["code"]) is not None


def _key(row: Row, names: tuple[str, ...]) -> str:
    return " ".join(row[name] for name in names)


DENSITY, CHANCE = (Measure(name, fmean, logarithm=True) for name in ("negative log density", "negative log chance"))
DEFAULT = (("settings", ""),)
OURS = (("method", "ours"),)
SERIES = (("method", "extended"), ("settings", ""))
FOLLOWED = (
    Followed("the original's series, numbers", "extrapolation", "rmse", Measure("RMSE"), ("series",), ("seed",),
             (*SERIES, ("axis", "raw"))),
    Followed("the original's series, dates", "extrapolation", "rmse", Measure("RMSE"), ("series",), ("seed",),
             (*SERIES, ("axis", "calendar"))),
    Followed("the original's series, random half", "interpolation", "rmse", Measure("RMSE"), ("series",), ("seed",),
             SERIES),
    Followed("short series", "corpus", "mase", Measure("MASE"), ("task",), ("series",), (*OURS, *DEFAULT)),
    Followed("short series", "corpus", "sql", Measure("quantile loss"), ("task",), ("series",), (*OURS, *DEFAULT)),
    Followed("short series", "corpus", "msis", Measure("interval score"), ("task",), ("series",), (*OURS, *DEFAULT)),
    Followed("long series", "others", "rmse", Measure("RMSE"), ("series",), ("seed",), OURS),
    Followed("long series", "others", "crps", Measure("CRPS"), ("series",), ("seed",), OURS),
    Followed("series with columns", "columns", "sql", Measure("quantile loss"), ("table",), ("method",), OURS),
    Followed("growth", "growing", "sql", Measure("quantile loss"), ("kind",), ("number", "seed"), OURS),
    Followed("counts in time", "intermittent", "loss", Measure("quantile loss"), ("method",), ("series",),
             (("method", "auto"),)),
    Followed("tables", "regression", "mse", Measure("squared error"), ("set",), ("fold",), (("method", "search"),)),
    Followed("tables", "regression", "nll", DENSITY, ("set",), ("fold",), (("method", "search"),)),
    Followed("classes", "classification", "nll", CHANCE, ("set",), ("fold",), (("method", "additive"),)),
    Followed("classes, many columns", "wide-classes", "nll", CHANCE, ("set",), ("fold",), (("method", "auto"),)),
    Followed("clusters", "clusters", "density", DENSITY, ("set",), ("fold",), (("method", "warped-2"),), -1.0),
    Followed("searches", "full-data", "seconds", Measure("seconds"), ("series",), ("seed",),
             (("language", "extended"), *DEFAULT)),
)  # fmt: skip


def lines(now: Path, then: Path) -> Iterator[Comparison]:
    """One line for each measure that both versions have cases of."""
    for one in FOLLOWED:
        own, other = one.values(now, f"{__version__}+"), one.values(then)
        shared = sorted(own.keys() & other.keys())
        if shared:
            both = ({case: side[case] for case in shared} for side in (own, other))
            yield Comparison(one.kind, f"{len(shared)} cases", one.measure, "then", next(both), next(both), one.table)


def row(line: Comparison) -> Row:
    """A line as a row of the table."""
    low, high = line.interval
    return {
        "kind": line.kind, "measure": line.measure.name, "cases": len(line.own), "ratio": f"{line.ratio:.3f}",
        "low": f"{low:.3f}", "high": f"{high:.3f}", "change": CHANGES[line.ahead],
    }  # fmt: skip


def told(rows: list[Row]) -> list[Row]:
    """The table as the page of results has it."""
    return [
        {
            "kind of data": row["kind"], "measure": row["measure"], "cases": row["cases"], __version__: row["change"],
            "ratio": with_interval(*(float(row[name]) for name in ("ratio", "low", "high"))),
        }
        for row in rows
    ]  # fmt: skip


CHANGES = {"ours": "better", "level": "within the error", "theirs": "worse"}


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("then", type=Path, help="folder of the tables of the earlier version")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the tables of today")
    given = parser.parse_args()
    write_rows(given.results / "since.csv", [row(line) for line in lines(given.results, given.then)])


if __name__ == "__main__":
    main()
