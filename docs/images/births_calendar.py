"""Births in Quebec by the calendar: what holidays add to trend, year and week, on 1000 days from 1977 to 1990.

``python docs/images/births_calendar.py DATA`` draws ``births_calendar.png`` beside this file; DATA is the series of the
thesis and of the lecture (days as decimal years, births), whose years have 365 days throughout.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from autostatistician.data.covariates import Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.data.events import calendar_from
from autostatistician.data.load import load
from autostatistician.data.transform import Transform
from autostatistician.fitted.covariate_effects import first_effects
from autostatistician.search.run import Settings

INK, BLUE = "#1f2933", "#2f5d8c"


def births(path: Path) -> Dataset:
    """The series on days of the calendar, with the holidays of Quebec beside it."""
    table = pd.read_csv(path)
    year = np.floor(table["x"] + 1e-6)
    day = np.round((table["x"] - year) * 365.0).astype(int)
    days = pd.to_datetime(year.astype(int).astype(str) + "-01-01") + pd.to_timedelta(day - 1, unit="D")
    data = load(pd.DataFrame({"day": days, "births": table["y"]}), time="day", target="births")
    assert data.axis is not None
    return Dataset(
        data.X, data.y, data.columns, data.target, data.axis,
        covariates=Covariates(data.x, (), calendar_from("CA-QC", data.axis, data.x)),
    )  # fmt: skip


def draw(data: Dataset) -> Figure:
    """A bar with its 95 % range for each holiday, the most births lost at the top."""
    _, effects = first_effects(data, Transform(), Settings(n_jobs=1))
    assert effects is not None
    days = [column.name for column in effects.columns.at(data.x) if column.days == 0 and column.name in effects.acting]
    drawn = {name: effects.curve(name, np.ones(1))[:, 0] for name in days}
    names = sorted(drawn, key=lambda name: -drawn[name].mean())
    figure = Figure(figsize=(8.0, 0.5 + 0.36 * len(names)), layout="constrained")
    axes = figure.subplots()
    for place, name in enumerate(names):
        low, high = np.quantile(drawn[name], (0.025, 0.975))
        axes.barh(place, drawn[name].mean(), color=BLUE, alpha=0.35)
        axes.plot([low, high], [place, place], color=BLUE, lw=2)
    axes.set_yticks(range(len(names)), names, color=INK)
    axes.axvline(0.0, color=INK, lw=0.8)
    axes.set_xlabel("births more or less than on other days of that week and season (bars: 95 % ranges)", color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


if __name__ == "__main__":
    draw(births(Path(sys.argv[1]))).savefig(Path(__file__).with_suffix(".png"), dpi=110)
