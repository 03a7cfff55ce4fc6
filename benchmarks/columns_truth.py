"""Whether what is told of columns beside a series is true, on simulated tables whose effects are known.

`quick`: tables of 50 to 220 months, weeks or days with a trend, a season, noise of one and two to five columns (flags,
noise, autocorrelated, correlated with each other, with a trend, with the season), half of which act; effects by the
estimate that a search begins with. `search`: the same by a whole search. `late`: one column acts some steps later
(beside one that does not); `lag_found` is that of the most probable effect. `sales`: 120 weeks of sales with a price
(-6) and promotions (+25), by a whole search with the defaults; seconds are those of search and report. Beside them
stands what least squares makes of the same tables when trend and season are known, so that the luck of the draw can be
told from a fault: its lag (`lag_best`), and whether its range of the effect holds, given the lags (`best_holds`).

Usage: python benchmarks/columns_truth.py [--study quick late] [--count 100] [--summary]
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from autostatistician import AutomaticStatistician
from autostatistician.covariates.fitted import CovariateEffects
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.transform import Transform
from autostatistician.language.languages import LANGUAGES
from autostatistician.model.beside import first_effects
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings
from autostatistician.search.settings import resolved
from columns_simulated import LONGEST_LAG, Simulated, late_column, sales, several_columns
from common import Ledger, Row, arguments, code_version, read_rows, table

Array = NDArray[np.float64]

CASE = ("study", "seed", "column")
COLUMNS = ("code", "rows", "kind", "effect", "estimate", "low", "high", "probability")
COLUMNS = (*COLUMNS, "lag", "lag_found", "lag_best", "best_holds", "shape", "seconds")
TOLD = 0.9  # probability from which on a column is told as mattering
LAGS = ("lag_found", "lag_best")


# Estimates -------------------------------------------------------------------------------------------------


def quickly(data: Dataset) -> CovariateEffects | None:
    """The effects that a search begins with."""
    settings = resolved(Settings(n_jobs=1), data, LANGUAGES["extended"])
    return first_effects(data, Transform(), settings)[1]


def searched(data: Dataset) -> CovariateEffects | None:
    """The effects of a whole search on the scale of the data."""
    return fit_model(data, "extended", Settings(n_jobs=1, transform="none")).effects


def reported(data: Dataset) -> CovariateEffects | None:
    """Those that a report tells, which is written; of a model of the logarithm at the median of the target."""
    model = AutomaticStatistician(n_jobs=1).fit(data)
    with tempfile.TemporaryDirectory() as folder:
        model.report(Path(folder) / "report.html")
    effects = model.model_.effects
    if effects is None or not model.transform_.is_log:
        return effects
    return replace(effects, draws=effects.draws * np.median(data.y + data.offset))


@dataclass(frozen=True)
class Study:
    """Tables from the first seed on, as many as are usual, and how their effects are estimated."""

    made: Callable[[int], Simulated]
    estimate: Callable[[Dataset], CovariateEffects | None]
    first: int
    count: int


STUDIES = {
    "quick": Study(several_columns, quickly, 1000, 400),
    "search": Study(several_columns, searched, 2000, 24),
    "late": Study(late_column, quickly, 3000, 100),
    "sales": Study(sales, reported, 4000, 10),
}


def run(name: str, seed: int, simulated: Simulated, code: str) -> list[Row]:
    """A row for every column of a table."""
    start = time.process_time()
    effects = STUDIES[name].estimate(load(simulated.frame, target="y"))
    seconds = round(time.process_time() - start, 2)
    rows, best = [], _best_holds(simulated)
    for column, effect in simulated.effects.items():
        values, lag = simulated.frame[column].to_numpy(dtype=float), simulated.lags[column]
        row = {"study": name, "seed": seed, "column": column, "code": code, "rows": len(values), "seconds": seconds}
        row |= {"kind": column.rstrip("0123456789"), "effect": f"{effect:.4g}", "lag": lag}
        row |= {} if effects is None else _estimate(effects, column, values)
        if lag:
            row["lag_best"] = _best_lag(simulated, column)
        rows.append(row | {"best_holds": int(best[column])})
    return rows


def _estimate(effects: CovariateEffects, column: str, values: Array) -> Row:
    """What one unit of a column adds for good: its mean, its 95 % range, and the most probable way it acts."""
    if column not in effects.probabilities:
        return {}
    low, high = (0.0, 1.0) if effects.scale_of(column).is_flag else np.quantile(values, [0.1, 0.9])
    ends = effects.curve(column, np.array([low, high]))
    slopes = (ends[:, 1] - ends[:, 0]) / (high - low)
    numbers = (slopes.mean(), *np.quantile(slopes, [0.025, 0.975]))
    row = dict(zip(("estimate", "low", "high"), (f"{number:.4g}" for number in numbers), strict=True))
    ways = [(chance, way) for way, chance in zip(effects.effects, effects.shapes, strict=True) if way.column == column]
    if ways:
        way = max(ways)[1]
        row |= {"lag_found": way.lag, "shape": str(way)}
    return row | {"probability": round(effects.probabilities[column], 4)}


def _best_lag(simulated: Simulated, column: str) -> int:
    """The lag with the smallest sum of squares, given what there is over time."""
    values, left = simulated.frame[column].to_numpy(dtype=float), simulated.frame["y"] - simulated.over_time
    most = max(LONGEST_LAG.values())
    errors = []
    for lag in range(most + 1):
        shifted = np.column_stack([np.ones(len(values) - most), values[most - lag : len(values) - lag]])
        errors.append(float(np.linalg.lstsq(shifted, left.to_numpy()[most:], rcond=None)[1].sum()))
    return int(np.argmin(errors))


def _best_holds(simulated: Simulated) -> dict[str, bool]:
    """By column whether the 95 % range of least squares holds, given what there is over time and all lags."""
    frame, names, first = simulated.frame, list(simulated.effects), max(simulated.lags.values())
    rows = np.arange(first, len(frame))
    values = [frame[name].to_numpy(dtype=float)[rows - simulated.lags[name]] for name in names]
    X, y = np.column_stack([np.ones(len(rows)), *values]), (frame["y"] - simulated.over_time).to_numpy()[rows]
    covariance = np.linalg.inv(X.T @ X)
    coefficients = covariance @ X.T @ y
    freedom = len(rows) - X.shape[1]
    half = student.ppf(0.975, freedom) * np.sqrt(covariance.diagonal() * np.sum((y - X @ coefficients) ** 2) / freedom)
    away = np.abs(coefficients - np.array([0.0, *simulated.effects.values()]))
    return dict(zip(names, (away <= half)[1:].tolist(), strict=True))


# What the table says ---------------------------------------------------------------------------------------


def summary(rows: Sequence[Row]) -> list[Row]:
    """By study what was to be reached, and what came out."""
    found = []
    for name in dict.fromkeys(row["study"] for row in rows):
        mine = [row for row in rows if row["study"] == name]
        acting = [row for row in mine if float(row["effect"])]
        told = [row for row in acting if _is_told(row)]
        noise = [row for row in mine if not float(row["effect"])]
        tables = {row["seed"]: float(row["seconds"]) for row in mine}
        late = [row for row in acting if int(row["lag"])]
        near = {key: [abs(int(row[key] or -9) - int(row["lag"])) <= 1 for row in late] for key in LAGS}
        found.append(
            {"study": name, "tables": len(tables), "acting": len(acting), "told": _share(map(_is_told, acting))}
            | {"ranges hold": _share(map(_holds, acting)), "of those told": _share(map(_holds, told))}
            | {"least squares hold": _share(row["best_holds"] == "1" for row in acting)}
            | {"noise": len(noise), "noise told": _share(map(_is_told, noise))}
            | {"lag within 1": _share(near["lag_found"]), "lag by least squares": _share(near["lag_best"])}
            | {"seconds": f"{np.median(list(tables.values())):.2f}", "most": f"{max(tables.values()):.1f}"}
        )
    return found


def by_kind(rows: Sequence[Row]) -> list[Row]:
    """By kind of column: how often ranges hold, and how often noise is told."""
    found = []
    for name, kind in dict.fromkeys((row["study"], row["kind"]) for row in rows):
        mine = [row for row in rows if (row["study"], row["kind"]) == (name, kind)]
        acting = [row for row in mine if float(row["effect"])]
        noise = [row for row in mine if not float(row["effect"])]
        found.append(
            {"study": name, "kind": kind, "acting": len(acting), "ranges hold": _share(map(_holds, acting))}
            | {"noise": len(noise), "noise told": _share(map(_is_told, noise))}
        )
    return found


def _is_told(row: Row) -> bool:
    return float(row["probability"] or 0.0) > TOLD


def _holds(row: Row) -> bool:
    return bool(row["low"]) and float(row["low"]) <= float(row["effect"]) <= float(row["high"])


def _share(cases: Iterable[bool]) -> str:
    every = list(cases)
    return f"{np.mean(every):.3f}" if every else "-"


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "columns-truth.csv", languages=())
    parser.add_argument("--study", nargs="+", choices=list(STUDIES), default=list(STUDIES))
    parser.add_argument("--count", type=int, help="tables of a study; as many as are usual by default")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for name in () if given.summary else given.study:
        study = STUDIES[name]
        for seed in range(study.first, study.first + (given.count or study.count)):
            simulated = study.made(seed)
            cases = [{"study": name, "seed": seed, "column": column, "code": code} for column in simulated.effects]
            if not ledger.left(cases):
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rows = run(name, seed, simulated, code)
            for row in rows:
                ledger.write(row)
    rows = read_rows(given.csv)
    print(table(summary(rows)), table(by_kind(rows)), sep="\n\n")


if __name__ == "__main__":
    main()
