"""Reports on short series of the corpus, to be read as a new user would; one of them stands in `docs/reports`.

The series are of the part of M3 on which settings are compared; the default settings get the dates and the values.
Every sentence is printed below its series, so that they can be read side by side with the numbers.

Usage: python benchmarks/short_reports.py --pages FOLDER
       python benchmarks/short_reports.py --published
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician
from common import HERE
from corpus_series import Series, choosing

PAGES = HERE.parent / "docs" / "reports"
EVERY = {"yearly": 9, "quarterly": 7, "monthly": 24}  # twenty in all
PUBLISHED = ("yearly", "N0127")
SHOWN = 40  # values


def read_ones() -> Iterator[Series]:
    """The twenty."""
    for kind, every in EVERY.items():
        yield from choosing(kind)[3::every]


def published_ones() -> Iterator[Series]:
    """The one of `docs/reports`."""
    kind, name = PUBLISHED
    yield from (one for one in choosing(kind) if one.name == name)


def report(series: Series, folder: Path) -> Path:
    """Fit a series, write its page, print what it says."""
    n = len(series.values)
    model = AutomaticStatistician().fit(
        pd.DataFrame({"date": series.dates[:n]}), pd.Series(series.values, name="value")
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"m3-{series.kind}-{series.name.lower()}.html"
    model.report(path)
    ahead = model.forecast(series.horizon)
    print(f"\n{path.stem}: {n} values, {np.round(series.values[:SHOWN], 1).tolist()}\n{model.kernel_}")
    print("\n".join(model.describe()))
    print(f"after {series.horizon} steps {np.round(ahead[['mean', 'lower', 'upper']].to_numpy()[-1], 1).tolist()}, ")
    print(f"in truth {np.round(series.future[-1], 1)}", flush=True)
    return path


def main() -> None:
    """Write the reports that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, help="folder of the twenty reports")
    parser.add_argument("--published", action="store_true", help="write the one of docs/reports instead")
    given = parser.parse_args()
    if given.pages is None and not given.published:
        parser.error("expected --pages FOLDER or --published; found neither; give one of them")
    for series in published_ones() if given.published else read_ones():
        report(series, PAGES if given.published else given.pages)


if __name__ == "__main__":
    main()
