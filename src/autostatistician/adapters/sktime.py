"""The face for sktime: a forecaster whose model is found and can be explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from autostatistician.adapters.series import fitted, for_prediction, for_update, frame_at, not_installed
from autostatistician.estimators.statistician import AutomaticStatistician

try:
    from sktime.forecasting.base import BaseForecaster
except ModuleNotFoundError as error:
    raise not_installed("sktime") from error

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AutomaticStatisticianForecaster"]


class AutomaticStatisticianForecaster(BaseForecaster):  # type: ignore[misc]
    """Forecasts of a series by the kernel expression that explains it best.

    Forecasts within the data are what the model says at these times having seen all of them, and not one-step ahead.
    Values may be missing. A plan of the columns ``X`` is what ``predict`` is given; they may hold categories.

    ``update`` with ``update_params=False`` takes new rows in, but keeps expression and parameters; with
    ``update_params=True`` it searches anew on all rows.

    Parameters
    ----------
    estimator : AutomaticStatistician, optional
        The settings of the search and of the predictions; None is an `AutomaticStatistician` with one worker.

    Attributes
    ----------
    estimator_ : AutomaticStatistician
        The fitted model, with all that it can do beside forecasts: ``describe()``, ``report(path)``, ``save(path)``.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from autostatistician import AutomaticStatistician
    >>> from autostatistician.adapters.sktime import AutomaticStatisticianForecaster
    >>> y = pd.Series(3.0 * np.arange(24) + 1.0, pd.period_range("2020-01", periods=24, freq="M"))
    >>> simple = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1)
    >>> forecaster = AutomaticStatisticianForecaster(simple).fit(y)
    >>> forecaster.predict(fh=[1, 2]).round(2).tolist()
    [73.0, 76.0]
    """

    _tags: ClassVar[dict[str, Any]] = {
        "authors": ["the autostatistician developers"],
        "capability:exogenous": True,
        "capability:categorical_in_X": True,
        "capability:insample": True,
        "capability:pred_int": True,
        "capability:pred_int:insample": True,
        "capability:missing_values": True,
        "capability:update": True,
        "capability:multivariate": False,
        "requires-fh-in-fit": False,
        "y_inner_mtype": "pd.Series",
        "X_inner_mtype": "pd.DataFrame",
    }
    _config: ClassVar[dict[str, Any]] = {"remember_data": False}  # it does so itself

    def __init__(self, estimator: AutomaticStatistician | None = None) -> None:
        self.estimator = estimator
        super().__init__()
        self._y = self._X = None  # sktime has them only where it remembers

    def _fit(self, y: pd.Series[Any], X: pd.DataFrame | None, fh: Any) -> AutomaticStatisticianForecaster:
        self.estimator_ = fitted(self.estimator, y.index, y, X)
        self._seen_y, self._seen_X = y, X
        return self

    def _update(
        self, y: pd.Series[Any], X: pd.DataFrame | None = None, update_params: bool = True
    ) -> AutomaticStatisticianForecaster:
        seen_y, seen_X = _joined(y, self._seen_y), _joined(X, self._seen_X)
        if update_params:
            return self._fit(seen_y, seen_X, None)
        if y.notna().any():
            self.estimator_.update(for_update(self.estimator_, y.index, y, X))
        self._seen_y, self._seen_X = seen_y, seen_X
        return self

    def _predict(self, fh: Any, X: pd.DataFrame | None) -> pd.Series[Any]:
        import pandas as pd

        index = self._index(fh)
        return pd.Series(
            for_prediction(self.estimator_, index, self._columns(index, X)).mean, index, name=self._seen_y.name
        )

    def _predict_quantiles(self, fh: Any, X: pd.DataFrame | None, alpha: list[float]) -> pd.DataFrame:
        import pandas as pd

        index = self._index(fh)
        quantiles = for_prediction(self.estimator_, index, self._columns(index, X)).quantiles(alpha)
        return pd.DataFrame(quantiles, index, pd.MultiIndex.from_product([self._get_varnames(), alpha]))

    def _predict_var(self, fh: Any, X: pd.DataFrame | None = None, cov: bool = False) -> pd.DataFrame:
        import pandas as pd

        index, names = self._index(fh), self._get_varnames()
        columns = self._columns(index, X)
        if not cov:
            std = for_prediction(self.estimator_, index, columns).std
            return pd.DataFrame(std[:, None] ** 2, index, names)
        frame = frame_at(self.estimator_.dataset_, index, columns)
        covariance = self.estimator_.predict(frame, return_cov=True)[1]
        return pd.DataFrame(covariance, index, pd.MultiIndex.from_product([names, index]))

    def _get_fitted_params(self) -> dict[str, Any]:
        return {"kernel": self.estimator_.kernel_, "transform": self.estimator_.transform_}

    def _index(self, fh: Any) -> Any:
        """The times of a horizon."""
        return fh.to_absolute_index(self.cutoff)

    def _columns(self, index: Any, X: pd.DataFrame | None) -> pd.DataFrame | None:
        """The columns at times: as given, else as they were in the data."""
        known = _joined(X, self._seen_X)
        return None if known is None or self._seen_X is None else known.reindex(index)[list(self._seen_X.columns)]

    @classmethod
    def get_test_params(cls, parameter_set: str = "default") -> list[dict[str, Any]]:
        """Settings with which sktime tests the forecaster, quick rather than good."""
        quick: dict[str, Any] = {"max_depth": 1, "n_restarts": 1, "n_jobs": 1}
        return [{"estimator": AutomaticStatistician("linear", average=average, **quick)} for average in (False, True)]


def _joined(new: Any, before: Any) -> Any:
    """The rows of two series or frames, in order; of a time that both have, the new row."""
    import pandas as pd

    if new is None or before is None:
        return before if new is None else new
    both = pd.concat([new, before])
    return both[~both.index.duplicated()].sort_index()
