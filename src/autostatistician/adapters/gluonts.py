"""The face for GluonTS: a predictor of quantiles."""

# GluonTS reads the annotations of a constructor as types, so they are not postponed here.

from typing import Any

import numpy as np

from autostatistician.adapters.entries import DECILES, ahead
from autostatistician.adapters.series import not_installed
from autostatistician.estimators.statistician import AutomaticStatistician

try:
    from gluonts.core.component import validated
    from gluonts.model.forecast import QuantileForecast
    from gluonts.model.predictor import RepresentablePredictor
except ModuleNotFoundError as error:
    raise not_installed("gluonts") from error

__all__ = ["AutomaticStatisticianPredictor"]


class AutomaticStatisticianPredictor(RepresentablePredictor):  # type: ignore[misc]
    """Quantiles of the next values of each series, by a search of its own: there is nothing to train.

    Parameters
    ----------
    prediction_length : int
        How many steps.
    quantile_levels : list of float
        Between 0 and 1; others are interpolated by GluonTS.
    settings : dict, optional
        Of `AutomaticStatistician`, by name; without "n_jobs" each search has one worker.

    Examples
    --------
    >>> import pandas as pd
    >>> simple = {"language": "linear", "max_depth": 1, "n_restarts": 1}
    >>> predictor = AutomaticStatisticianPredictor(2, settings=simple)
    >>> entry = {"start": pd.Period("2020-01", "M"), "target": 3.0 * np.arange(24) + 1.0}
    >>> forecast = next(predictor.predict([entry]))
    >>> forecast.start_date, forecast.mean.round(2).tolist(), forecast.quantile(0.5).round(2).tolist()
    (Period('2022-01', 'M'), [73.0, 76.0], [73.0, 76.0])
    """

    @validated()  # type: ignore[untyped-decorator]
    def __init__(
        self,
        prediction_length: int,
        quantile_levels: list[float] = list(DECILES),  # noqa: B006 - GluonTS keeps a copy
        settings: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(prediction_length=prediction_length)
        self.quantile_levels = quantile_levels
        self.settings = settings

    def predict_item(self, item: Any) -> Any:
        """The forecast of one series, as `entries.predict_quantiles` takes it."""
        estimator = AutomaticStatistician(**{"n_jobs": 1, **(self.settings or {})})
        forecast = ahead(item, self.prediction_length, self.quantile_levels, None, estimator)
        return QuantileForecast(
            forecast_arrays=np.vstack([forecast.mean, forecast.quantiles.T]),
            forecast_keys=["mean", *(str(level) for level in self.quantile_levels)],
            start_date=forecast.times[0],
            item_id=item.get("item_id"),
        )
