"""The face for statsforecast: a model to stand beside AutoETS and the others in ``StatsForecast(models=[...])``."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from autostatistician.adapters.series import check_levels, fitted, for_prediction
from autostatistician.errors import InputError
from autostatistician.estimators.statistician import AutomaticStatistician

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AutomaticStatisticianModel", "times_of_season"]

Array = NDArray[np.float64]
Levels = Sequence[float] | None

FIRST = np.datetime64("2000-01-03", "s")  # a Monday
MONTHS, DAY_MINUTES, YEAR_SECONDS = 12, 1440, 365.2425 * 86400.0
FEWEST_A_DAY = 24  # steps; fewer are those of a week, a quarter ...
STEPS = {7: "D", 365: "D", 52: "7D", 5: "B", 60: "min", 168: "h"}  # of the calendars in which a season is so long


class AutomaticStatisticianModel:
    """Forecasts of a series by the kernel expression that explains it best.

    Parameters
    ----------
    season_length : int
        Steps of the season that is looked for first; whether there is one, the data say. statsforecast hands out no
        dates, so the steps are put in a calendar that has such a season: 12 are months, 4 quarters, 7 days, 24 hours,
        52 weeks, and what no calendar has are equal parts of a year. 1: the steps are counted.
    estimator : AutomaticStatistician, optional
        The settings of the search and of the predictions; None is an `AutomaticStatistician` with one worker.
    alias : str
        The name of the columns.

    Attributes
    ----------
    estimator_ : AutomaticStatistician
        After `fit`: the model, with all that it can do beside forecasts. Its dates are those of the calendar above.

    Examples
    --------
    >>> simple = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1)
    >>> model = AutomaticStatisticianModel(season_length=12, estimator=simple)
    >>> answer = model.forecast(3.0 * np.arange(24) + 1.0, h=2, level=[80])
    >>> list(answer), answer["mean"].round(2).tolist()
    (['mean', 'lo-80', 'hi-80'], [73.0, 76.0])
    """

    uses_exog = True

    def __init__(
        self,
        season_length: int = 1,
        estimator: AutomaticStatistician | None = None,
        alias: str = "AutomaticStatistician",
    ) -> None:
        self.season_length = season_length
        self.estimator = estimator
        self.alias = alias

    def __repr__(self) -> str:
        return self.alias

    def new(self) -> Self:
        """A copy, to be fitted to another series."""
        return copy(self)

    def fit(self, y: Any, X: Any = None) -> Self:
        """Search for the model of values (n,), which may be NaN, with columns (n, k)."""
        self.rows_ = len(y)
        times = times_of_season(self.season_length, self.rows_)
        self.estimator_ = fitted(self.estimator, times, y, _columns(X))
        self.columns_ = _columns(X)
        return self

    def predict(self, h: int, X: Any = None, level: Levels = None) -> dict[str, Array]:
        """``mean``, ``lo-80``, ``hi-80``, ... (h,) of the steps after the data, with columns (h, k)."""
        self._check_fitted()
        times = times_of_season(self.season_length, self.rows_ + h)[self.rows_ :]
        return _answer(for_prediction(self.estimator_, times, _columns(X)), level, "mean", "")

    def predict_in_sample(self, level: Levels = None) -> dict[str, Array]:
        """``fitted``, ``fitted-lo-80``, ... (n,): what the model says at the data, having seen all of them."""
        self._check_fitted()
        times = times_of_season(self.season_length, self.rows_)
        return _answer(for_prediction(self.estimator_, times, self.columns_), level, "fitted", "fitted-")

    def forecast(
        self, y: Any, h: int, X: Any = None, X_future: Any = None, level: Levels = None, fitted: bool = False
    ) -> dict[str, Array]:
        """The answers of `predict`, and of `predict_in_sample` where asked, for a series; nothing is kept of it."""
        model = self.new().fit(y, X)
        answer = model.predict(h, X_future, level)
        return answer | model.predict_in_sample(level) if fitted else answer

    def _check_fitted(self) -> None:
        if not hasattr(self, "estimator_"):
            raise InputError.of("a fitted model", "one without a fit", "call fit first")


def times_of_season(season_length: int, count: int) -> Any:
    """The first times of a calendar in which a season takes so many steps; whole numbers where it is 1.

    >>> times_of_season(4, 3).astype(str).tolist()
    ['2000-01', '2000-04', '2000-07']
    >>> times_of_season(1, 3).tolist()
    [0, 1, 2]
    """
    import pandas as pd

    length, rows = int(season_length), np.arange(count)
    if length != season_length or length < 1:
        raise InputError.of("a whole season_length from 1", f"{season_length!r}", "change it; 1 is none")
    if length == 1:
        return rows
    if length in STEPS:
        return pd.date_range(FIRST, periods=count, freq=STEPS[length]).to_numpy()
    if MONTHS % length == 0:
        return FIRST.astype("M8[M]") + rows * (MONTHS // length)
    if length >= FEWEST_A_DAY and DAY_MINUTES % length == 0:
        return FIRST + rows * np.timedelta64(60 * DAY_MINUTES // length, "s")
    return FIRST + np.round(rows * (YEAR_SECONDS / length)).astype("m8[s]")


def _columns(X: Any) -> pd.DataFrame | None:
    """Columns as statsforecast hands them out, without names."""
    import pandas as pd

    return None if X is None else pd.DataFrame(np.asarray(X)).add_prefix("x")


def _answer(predictive: Any, level: Levels, name: str, prefix: str) -> dict[str, Array]:
    """The mean and, from the lowest to the highest, the ends of ranges of some per cent."""
    answer = {name: np.asarray(predictive.mean)}
    levels = sorted(level or ())
    check_levels(levels, 100.0)
    ends = {f"{prefix}lo-{each}": 0.5 - each / 200.0 for each in reversed(levels)}
    ends |= {f"{prefix}hi-{each}": 0.5 + each / 200.0 for each in levels}
    return answer | dict(zip(ends, predictive.quantiles(list(ends.values())).T, strict=True)) if ends else answer
