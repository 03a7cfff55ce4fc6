"""Time of a whole search for a model of classes, with what it found.

Seconds are those of the clock with the given workers, so they hang on what else the machine does, which ``load`` (the
usual one of a minute before and after, per core) tells; with one worker ``processor`` are those of the processor.
Rows are foreseen each from all others. The set cancer (569 rows, 30 columns) comes with scikit-learn.

Usage: python benchmarks/classification_search.py [--sets pima cancer] [--jobs 2] [--csv FILE]
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.datasets import load_breast_cancer

from autostatistician import AutomaticStatisticianClassifier
from common import DATA, RESULTS, table, write_rows

NOT_INPUTS = ("y", "fold", "fold_gpss")


def rows_of(name: str, data: Path) -> tuple[pd.DataFrame, Any]:
    """Inputs and classes of a set."""
    if name == "cancer":
        return load_breast_cancer(return_X_y=True, as_frame=True)
    frame = pd.read_csv(data / "classification" / f"{name}.csv")
    return frame.drop(columns=[one for one in NOT_INPUTS if one in frame]), frame["y"].to_numpy()


def measured(name: str, data: Path, jobs: int) -> dict[str, object]:
    """A row for one set."""
    X, y = rows_of(name, data)
    loads, start, processor = [os.getloadavg()[0]], time.perf_counter(), time.process_time()
    model = AutomaticStatisticianClassifier(n_jobs=jobs).fit(X, y)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    loads.append(os.getloadavg()[0])
    record = model.result()
    return {
        "set": name,
        "rows": len(X),
        "columns": X.shape[1],
        "workers": jobs,
        "seconds": round(seconds),
        "processor": round(processor) if jobs == 1 else "",
        "load": round(max(loads) / (os.cpu_count() or 1), 1),
        "evaluations": record["evaluations"],
        "log_score": round(float(record["log_score"]), 4),
        "wrong": round(float(record["wrong"]), 4),
        "expression": record["expression"],
    }


def main() -> None:
    """Run, print and keep the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="+", default=["pima"], help="files of the folder of classification")
    parser.add_argument("--jobs", type=int, default=2, help="workers")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the benchmark data")
    parser.add_argument("--csv", type=Path, default=RESULTS / "classification-search.csv", help="where rows are kept")
    given = parser.parse_args()
    rows = [measured(name, given.data, given.jobs) for name in given.sets]
    write_rows(given.csv, rows)
    print(table(rows))


if __name__ == "__main__":
    main()
