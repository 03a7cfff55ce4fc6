"""What short series gain by the season that others have in common: forecasts with it and without.

Monthly series of M1, M3 and Tourism that priors are learned from, or compared on, are cut to a few rows before their
last ones, and make one panel, whose series know nothing but each other. The rows after the cut are forecast twelve
months ahead. Errors are in mean absolute differences of neighbouring rows before the cut (MASE, and MSIS of 95 %
ranges).

About 4 minutes of one core.

Usage: python benchmarks/shared_season.py [--set M1] [--rows 18 36]
"""

import argparse
from dataclasses import replace

import numpy as np
import pandas as pd

from autostatistician.data.panels import panel_of
from autostatistician.panel.records import SeriesRecord
from autostatistician.panel.run import run_panel
from autostatistician.panel.settings import PanelSettings
from common import DEFAULT_LANGUAGE, Array, Bench, Row, command
from corpus import spread
from corpus_series import Series, choosing, learning

AHEAD, SERIES, SETS = 12, 40, ("M1", "M3", "Tourism")
LEVEL = 95


def panel(dataset: str, rows: int, count: int) -> tuple[pd.DataFrame, dict[str, tuple[Array, Array]]]:
    """The rows before the cut of some series under each other, and of each what comes before and after it."""
    every = choosing("monthly") if dataset == "M3" else learning("monthly", dataset)
    able = [series for series in every if len(series.values) >= rows + 2 * AHEAD]
    frames, parts = [], {}
    for series in spread(able, count):
        frame, before, after = cut(series, rows)
        frames.append(frame)
        parts[series.name] = before, after
    return pd.concat(frames), parts


def cut(series: Series, rows: int) -> tuple[pd.DataFrame, Array, Array]:
    """The table of a series before the cut, its values there, and those that come."""
    begin = len(series.values) - rows - AHEAD
    before, after = series.values[begin : begin + rows], series.values[begin + rows :]
    frame = pd.DataFrame({"series": series.name, "month": series.dates[begin : begin + rows], "value": before})
    return frame, np.asarray(before), np.asarray(after)


def run(case: Row, _: argparse.Namespace) -> list[Row]:
    """The errors of every series of a panel, with and without the season of the others."""
    table, parts = panel(case["set"], case["rows"], SERIES)
    data = panel_of(table, ids=["series"], time="month", target="value")
    assert data is not None
    settings = PanelSettings(DEFAULT_LANGUAGE, horizon=AHEAD, levels=(LEVEL,))
    own = run_panel(data, replace(settings, shared_season=False))
    return [
        {
            "task": f"{case['set']} monthly, {case['rows']} rows",
            "series": alone.name,
            **scores(alone, *parts[alone.name], "own"),
            **scores(shared, *parts[alone.name], "shared"),
            "follows": any("follows that of the other series" in note for note in shared.notes),
        }
        for alone, shared in zip(own, run_panel(data, settings), strict=True)
    ]


def scores(record: SeriesRecord, before: Array, after: Array, name: str) -> Row:
    """MASE, MSIS, the share of values in the range, and seconds of one forecast."""
    forecast = record.forecast
    assert forecast is not None, record.reason
    unit = max(float(np.abs(np.diff(before)).mean()), 1e-12)
    mean, low, high = (np.array(values) for values in (forecast.mean, forecast.low[0], forecast.high[0]))
    outside = np.maximum(low - after, 0.0) + np.maximum(after - high, 0.0)
    msis = float(np.mean(high - low + 2.0 / (1.0 - LEVEL / 100.0) * outside)) / unit
    return {
        f"mase_{name}": round(float(np.abs(mean - after).mean()) / unit, 4),
        f"msis_{name}": round(msis, 4),
        f"inside_{name}": round(float(np.mean(outside == 0.0)), 4),
        f"seconds_{name}": round(record.seconds, 2),
    }


NUMBERS = [f"{what}_{name}" for name in ("own", "shared") for what in ("mase", "msis", "inside", "seconds")]


def compared(rows: list[Row]) -> list[Row]:
    """A row for each panel: geometric means of the errors with the season of the others relative to those without."""
    summary: list[Row] = []
    for task in dict.fromkeys(row["task"] for row in rows):
        here = [row for row in rows if row["task"] == task]
        ratios = {
            what: np.log([float(row[f"{what}_shared"]) / float(row[f"{what}_own"]) for row in here])
            for what in ("mase", "msis")
        }
        means = {name: float(np.mean([float(row[name]) for row in here])) for name in NUMBERS}
        summary.append(
            {
                "task": task,
                "series": len(here),
                "follow": sum(str(row["follows"]) == "True" for row in here),
                "mase": f"{np.exp(ratios['mase'].mean()):.3f} +- {ratios['mase'].std() / len(here) ** 0.5:.3f}",
                "msis": f"{np.exp(ratios['msis'].mean()):.3f} +- {ratios['msis'].std() / len(here) ** 0.5:.3f}",
                "inside": f"{means['inside_own']:.3f} to {means['inside_shared']:.3f}",
                "seconds": f"{means['seconds_own']:.2f} to {means['seconds_shared']:.2f}",
            }
        )
    return summary


BENCH = Bench(
    file="shared-season.csv", case=("set", "rows", "task", "series"), columns=("code", *NUMBERS, "follows"), run=run,
    options={"rows": (18, 36), "set": SETS},
)  # fmt: skip

if __name__ == "__main__":
    command(__doc__, BENCH)
