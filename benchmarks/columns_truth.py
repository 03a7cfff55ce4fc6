"""Whether what is told of columns beside a series and of events is true, on simulated tables of known effects.

`columns-truth.csv`, by study:
`quick`: tables of 50 to 220 months, weeks or days with a trend, a season, noise of one and two to five columns (flags,
noise, autocorrelated, correlated with each other, with a trend, with the season), half of which act; effects by the
estimate that a search begins with. `search`: the same by a whole search. `late`: one column acts some steps later
(beside one that does not); `lag_found` is that of the most probable effect. `sales`: 120 weeks of sales with a price
(-6) and promotions (+25), by a whole search with the defaults; seconds are those of search and report. Beside them
stands what least squares makes of the same tables when trend and season are known, so that the luck of the draw can be
told from a fault: its lag (`lag_best`), and whether its range of the effect holds, given the lags (`best_holds`).

`impacts.csv`: months with a price and promotions, half without an event. Every second table has an event in its last
6 to 12 months that moves all of them by 1 to 6 standard deviations of the noise. A row says whether the 95 % range of
the mean effect holds the truth, and whether an event is told.

About 15 minutes of one core.

Usage: python benchmarks/columns_truth.py [--study quick late] [--draw 0 1 2]
       python benchmarks/columns_truth.py --only impacts.csv
"""

import argparse
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import t as student

from autostatistician import AutomaticStatistician
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.data.transform import Transform
from autostatistician.fitted.covariate_effects import first_effects
from autostatistician.fitted.fitting import fit_model
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.regressors.estimates import CovariateEffects
from autostatistician.search.run import Settings
from autostatistician.search.settings import resolved
from common import Array, Bench, Row, command, processor

COLUMNS = ("code", "rows", "kind", "effect", "estimate", "low", "high", "probability")
COLUMNS = (*COLUMNS, "lag", "lag_found", "lag_best", "best_holds", "shape", "seconds")
TOLD = 0.9  # probability from which on a column is told as mattering
LAGS = ("lag_found", "lag_best")


# Simulated tables ------------------------------------------------------------------------------------------

PERIODS = {"MS": 12.0, "W-MON": 52.18, "D": 7.0}
LONGEST_LAG = {"MS": 12, "W-MON": 12, "D": 7}
PROMOTION, PRICE = 25.0, -6.0


@dataclass(frozen=True, eq=False)
class Simulated:
    """A table with columns "date" and "y", what one unit of each other column adds, and how many steps later.

    ``over_time`` is what there is beside the columns and the noise.
    """

    frame: pd.DataFrame
    effects: dict[str, float]
    lags: dict[str, int]
    over_time: Array


def several_columns(seed: int) -> Simulated:
    """Two to five columns, half of which act."""
    rng = np.random.default_rng(seed)
    dates, over_time, period = _time(rng, int(rng.integers(50, 220)))
    common = rng.normal(size=len(dates))
    columns, effects = {}, {}
    for place in range(int(rng.integers(2, 6))):
        kind = str(rng.choice(["flag", "noise", "autocorrelated", "correlated", "trend", "season"]))
        values = _column(kind, len(dates), period, common, rng)
        if np.ptp(values) > 0.0:
            name = f"{kind}{place}"
            columns[name], effects[name] = values, _size(kind, values, 0.5, rng) if rng.random() < 0.5 else 0.0
    added = np.sum([effects[name] * columns[name] for name in columns], axis=0)
    y = over_time + added + rng.normal(size=len(dates))
    return Simulated(pd.DataFrame({"date": dates, "y": y, **columns}), effects, dict.fromkeys(columns, 0), over_time)


def late_column(seed: int) -> Simulated:
    """A column that acts 1 to 12 steps later (of days up to 7), and one that does not act."""
    rng = np.random.default_rng(seed)
    dates, over_time, period = _time(rng, int(rng.integers(100, 220)))
    n, lag = len(dates), int(rng.integers(1, 1 + LONGEST_LAG[str(dates.freqstr)]))
    kind = str(rng.choice(["flag", "noise", "autocorrelated"]))
    whole = _column(kind, n + lag, period, rng.normal(size=n + lag), rng)
    size = _size(kind, whole, 1.0, rng)
    frame = pd.DataFrame({"date": dates, kind: whole[lag:], "other": rng.normal(size=n)})
    y = over_time + size * whole[:n] + rng.normal(size=n)
    return Simulated(frame.assign(y=y), {kind: size, "other": 0.0}, {kind: lag, "other": 0}, over_time)


def sales(seed: int) -> Simulated:
    """120 weeks of sales with a trend and a season, a price that moves, promotions now and then."""
    rng = np.random.default_rng(seed)
    n = 120
    weeks = np.arange(n)
    price = np.repeat(rng.normal(10.0, 1.0, n // 6), 6).round(2)
    promotion = (rng.random(n) < 0.15).astype(float)
    over_time = 200.0 + 0.3 * weeks + 15.0 * np.sin(2.0 * np.pi * weeks / PERIODS["W-MON"])
    y = over_time + PRICE * price + PROMOTION * promotion + rng.normal(0.0, 5.0, n)
    dates = pd.date_range("2023-01-02", periods=n, freq="W-MON")
    frame = pd.DataFrame({"date": dates, "y": y, "price": price, "promo": promotion.astype(int)})
    return Simulated(frame, {"price": PRICE, "promo": PROMOTION}, {"price": 0, "promo": 0}, over_time)


def _time(rng: np.random.Generator, n: int) -> tuple[pd.DatetimeIndex, Array, float]:
    """Dates, a level with one of four trends and perhaps a season, and the length of the season in steps."""
    step = str(rng.choice(list(PERIODS)))
    period, at = PERIODS[step], np.arange(n)
    trends = (0.05 * at, np.cumsum(rng.normal(0.0, 0.4, n)), 6.0 / (1.0 + np.exp((0.5 * n - at) * 12.0 / n)), 0.0 * at)
    season = rng.choice([0.0, 2.0, 4.0]) * np.sin(2.0 * np.pi * at / period + rng.uniform(0.0, 6.0))
    return pd.date_range("2015-01-01", periods=n, freq=step), 20.0 + trends[rng.integers(4)] + season, period


def _column(kind: str, n: int, period: float, common: Array, rng: np.random.Generator) -> Array:
    """The values (n,) of a column of some kind."""
    at = np.arange(n)
    if kind == "flag":
        return np.asarray(rng.random(n) < rng.choice([0.1, 0.3]), dtype=np.float64)
    if kind == "noise":
        return rng.normal(10.0, 2.0, n)
    if kind == "autocorrelated":
        values, news = np.zeros(n), rng.normal(size=n)
        for row in range(1, n):
            values[row] = 0.9 * values[row - 1] + news[row]
        return values
    if kind == "correlated":
        return common + 0.6 * rng.normal(size=n)
    if kind == "trend":
        return 0.03 * at + np.cumsum(rng.normal(0.0, 0.3, n))
    return np.asarray(np.cos(2.0 * np.pi * at / period) + 0.5 * rng.normal(size=n))


def _size(kind: str, values: Array, least: float, rng: np.random.Generator) -> float:
    """An effect of ``least`` to 3 times the noise: of a flag, or of a standard deviation of another column."""
    size = float(rng.choice([-1.0, 1.0]) * rng.uniform(least, 3.0))
    return size if kind == "flag" else size / float(values.std())


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
    count: int  # at most


STUDIES = {
    "quick": Study(several_columns, quickly, 1000, 100),
    "search": Study(several_columns, searched, 2000, 16),
    "late": Study(late_column, quickly, 3000, 60),
    "sales": Study(sales, reported, 4000, 8),
}


def of_columns(case: Row, _: argparse.Namespace) -> list[Row]:
    """A row for every column of a table."""
    study = STUDIES[case["study"]]
    simulated, start = study.made(study.first + case["draw"]), processor()
    effects = study.estimate(load(simulated.frame, target="y"))
    seconds = round(processor() - start, 2)
    rows, best = [], _best_holds(simulated)
    for column, effect in simulated.effects.items():
        values, lag = simulated.frame[column].to_numpy(dtype=float), simulated.lags[column]
        row = {"seed": study.first + case["draw"], "column": column, "rows": len(values), "seconds": seconds}
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


def _is_told(row: Row) -> bool:
    return float(row["probability"] or 0.0) > TOLD


def _holds(row: Row) -> bool:
    return bool(row["low"]) and float(row["low"]) <= float(row["effect"]) <= float(row["high"])


def _share(cases: Iterable[bool]) -> str:
    every = list(cases)
    return f"{np.mean(every):.3f}" if every else "-"


EVENT_COLUMNS = (
    "code",
    "rows",
    "after",
    "effect",
    "estimate",
    "low",
    "high",
    "p_value",
    "placebo_p",
    "is_event",
    "seconds",
)
FIRST_OF_EVENTS = 1000


def with_event(seed: int) -> tuple[pd.DataFrame, int, float]:
    """A table, the row at which its event begins, and how large that is (0: there is none)."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(48, 90))
    begins, months = n - int(rng.integers(6, 13)), np.arange(n)
    price, promotion = rng.normal(5.0, 1.0, n), (rng.random(n) < 0.25).astype(float)
    course = [0.2 * months, np.cumsum(rng.normal(0.0, 0.3, n)), 0.0 * months][rng.integers(3)]
    season = rng.choice([0.0, 3.0]) * np.sin(2.0 * np.pi * months / 12.0)
    effect = 0.0 if seed % 2 else float(rng.choice([-1.0, 1.0]) * rng.uniform(1.0, 6.0))
    sales = 50.0 + course + season + 4.0 * promotion - 1.5 * (price - 5.0) + rng.normal(size=n)
    dates = pd.date_range("2015-01-01", periods=n, freq="MS")
    frame = pd.DataFrame({"month": dates, "sales": sales + effect * (months >= begins), "price": price})
    return frame.assign(promotion=promotion), begins, effect


def of_event(case: Row, _: argparse.Namespace) -> Row:
    """What `impact` says of a table."""
    frame, begins, effect = with_event(case["seed"])
    model = AutomaticStatistician(max_depth=1, n_restarts=2, n_jobs=1)
    told = model.impact(frame, "sales", since=str(frame["month"].iloc[begins].date()))
    numbers = {"effect": effect, **dict(zip(("estimate", "low", "high"), told.average, strict=True))}
    numbers |= {"p_value": told.p_value, "placebo_p": told.placebo_p}
    row = {"rows": len(frame), "after": len(frame) - begins, "is_event": int(told.is_event)}
    return row | {name: f"{number:.4g}" for name, number in numbers.items()}


def events(rows: Sequence[Row]) -> list[Row]:
    """How often ranges hold and events are told, of tables with an event and without."""
    found = []
    for name, real in (("event", True), ("none", False)):
        mine = [row for row in rows if bool(float(row["effect"])) is real]
        holds = [float(row["low"]) <= float(row["effect"]) <= float(row["high"]) for row in mine]
        told = [row["is_event"] == "1" for row in mine]
        shares = {"ranges hold": f"{np.mean(holds):.3f}", "called an event": f"{np.mean(told):.3f}"} if mine else {}
        found += [{"tables with": name, "count": len(mine), **shares}] if mine else []
    return found


BENCHES = (
    Bench(
        file="columns-truth.csv",
        case=("study", "draw", "column"),
        columns=("seed", *COLUMNS),
        run=of_columns,
        options={"study": tuple(STUDIES), "draw": tuple(range(max(study.count for study in STUDIES.values())))},
        wanted=lambda case: case["draw"] < STUDIES[case["study"]].count,
    ),
    Bench(
        file="impacts.csv",
        case=("seed",),
        columns=EVENT_COLUMNS,
        run=of_event,
        options={"seed": tuple(range(FIRST_OF_EVENTS, FIRST_OF_EVENTS + 40))},
    ),
)

if __name__ == "__main__":
    command(__doc__, *BENCHES)
