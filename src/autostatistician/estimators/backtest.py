"""How good forecasts of a model were from earlier origins, by the usual measures, as frames and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from autostatistician.data.dataset import time_labels
from autostatistician.fitted.backtest import Split, naive_differences, rolling, season_of, simple_forecasts
from autostatistician.fitted.predictions import Predictor
from autostatistician.gp.predictive import Averaged, Predictive

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BacktestScores", "backtest_scores"]

MODEL = "model"
DECILES = np.arange(1, 10) / 10.0  # of the quantile loss
LEVELS = (0.025, 0.1, 0.5, 0.9, 0.975)  # of the ranges, and the median
RANGES = ("lower80", "upper80", "lower95", "upper95")


@dataclass(frozen=True, eq=False)
class BacktestScores:
    """Forecasts from earlier origins beside what came, with their scores; ``str`` of it is a table of these.

    Attributes
    ----------
    scores : DataFrame
        One row for the model, a seasonal naive forecast (the last season again) and a random walk with drift: n (values
        forecast), mae, rmse, mase (errors in those of the seasonal naive rule within the rows before), quantile_loss
        (weighted: twice the pinball losses at the deciles, over the size of the values), coverage80 and coverage95
        (shares of values in their ranges), width80 and width95 (of the ranges, on average).
    by_step : DataFrame
        The same by the number of steps ahead.
    forecasts : DataFrame
        forecast, cutoff (the last time known), time, step, value, mean, median, lower80, upper80, lower95, upper95.
    searched : bool
        Whether each model was searched anew; else the structures were found on all rows, and only refitted.
    """

    scores: pd.DataFrame
    by_step: pd.DataFrame
    forecasts: pd.DataFrame = field(repr=False)
    searched: bool

    def __str__(self) -> str:
        ahead = self.by_step.loc[[MODEL]].reset_index(drop=True).set_index("step")
        return "\n\n".join(frame.to_string(float_format="{:.4g}".format) for frame in (self.scores, ahead))


def backtest_scores(
    predictor: Predictor, horizon: int | None = None, step: int | None = None, n_splits: int | None = None
) -> BacktestScores:
    """The scores of a model's forecasts from earlier origins (`fitted.backtest.rolling`)."""
    import pandas as pd

    splits = rolling(predictor, horizon, step, n_splits)
    every = pd.concat([frame for split in splits for frame in _frames(predictor, split)], ignore_index=True)
    names = ["forecast", "cutoff", "time", "step", "value", "mean", "median", *RANGES]
    order = every["forecast"].unique()
    by_step = _scored(every, ["forecast", "step"]).reset_index("step").loc[order]
    return BacktestScores(
        _scored(every, ["forecast"]).loc[order], by_step, every[names], all(split.searched for split in splits)
    )


def _frames(predictor: Predictor, split: Split) -> Iterator[pd.DataFrame]:
    """Each forecast of a split, with what its scores are made of."""
    import pandas as pd

    data, season = predictor.model.dataset, season_of(predictor.model)
    assert data.axis is not None
    gap = data.axis.step or data.axis.gap
    scale = np.mean(np.abs(naive_differences(split.known, season)))
    cutoff, times = time_labels(data, np.array([split.origin]))[0], time_labels(data, split.x)
    steps = np.maximum(np.rint((split.x - split.origin) / gap), 1).astype(int)
    forecasts: dict[str, Predictive | Averaged] = {MODEL: split.forecast, **simple_forecasts(split, season, gap)}
    for name, forecast in forecasts.items():
        low95, low80, median, high80, high95 = forecast.quantiles(LEVELS).T
        missed = split.y[:, None] - forecast.quantiles(DECILES.tolist())
        missed_by = np.abs(split.y - median)
        yield pd.DataFrame({
            "forecast": name, "cutoff": cutoff, "time": times, "step": steps, "value": split.y, "mean": forecast.mean,
            "median": median, "lower80": low80, "upper80": high80, "lower95": low95, "upper95": high95,
            "mae": missed_by, "rmse": (split.y - forecast.mean) ** 2, "mase": missed_by / scale if scale else np.nan,
            "quantile_loss": 2.0 * np.maximum(DECILES * missed, (DECILES - 1.0) * missed).mean(axis=1),
            "size": np.abs(split.y), "coverage80": (low80 <= split.y) & (split.y <= high80),
            "coverage95": (low95 <= split.y) & (split.y <= high95), "width80": high80 - low80,
            "width95": high95 - low95,
        })  # fmt: skip


def _scored(forecasts: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """The scores of forecasts in groups."""
    grouped = forecasts.groupby(by, sort=False)
    means = grouped[["mae", "rmse", "mase", "quantile_loss", "coverage80", "coverage95", "width80", "width95"]].mean()
    weighted = means["quantile_loss"] / grouped["size"].mean()
    means = means.assign(rmse=np.sqrt(means["rmse"]), quantile_loss=weighted)
    means.insert(0, "n", grouped.size())
    return means
