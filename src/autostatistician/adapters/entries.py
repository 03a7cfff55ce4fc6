"""Forecasts of many series at once as quantiles: dictionaries in, arrays out, as GluonTS and fev have it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.adapters.series import check_levels, fitted, for_prediction
from autostatistician.errors import InputError
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.i18n.names import listed

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DECILES", "EntryForecast", "ahead", "predict_quantiles"]

Array = NDArray[np.float64]
Entry = Mapping[str, Any]

DECILES = tuple(round(0.1 * k, 1) for k in range(1, 10))


@dataclass(frozen=True, eq=False)
class EntryForecast:
    """The forecast of one series: ``quantiles`` (steps, levels) and ``mean`` (steps,) at ``times``."""

    times: pd.Index[Any]
    quantiles: Array
    mean: Array


def predict_quantiles(
    entries: Iterable[Entry],
    prediction_length: int,
    quantile_levels: Sequence[float] = DECILES,
    *,
    freq: str | None = None,
    estimator: AutomaticStatistician | None = None,
) -> tuple[Array, Array]:
    """Quantiles and means of the next values of many series, each by a search of its own.

    Parameters
    ----------
    entries : iterable of mappings
        A GluonTS data set, or any iterable: "target" (n,), whose cells may be NaN, and "start", its first time;
        or "timestamp" (n,), all of them, as fev has it. "feat_dynamic_real" (k, n + prediction_length) holds columns
        that are known in the future, too. "item_id" names the series in errors. All else is passed over.
    prediction_length : int
        How many steps.
    quantile_levels : sequence of float
        Between 0 and 1.
    freq : str, optional
        The step, where "start" is no ``pandas.Period``, as pandas writes that of periods ("M"); or that of timestamps
        ("MS"), where it cannot be read off them.
    estimator : AutomaticStatistician, optional
        The settings of the searches; None is an `AutomaticStatistician` with one worker.

    Returns
    -------
    quantiles : array (series, prediction_length, levels)
    mean : array (series, prediction_length)

    Raises
    ------
    InputError
        When a series cannot be modelled or its times cannot be read; it is named.

    Examples
    --------
    >>> simple = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1)
    >>> entry = {"start": "2020-01", "target": 3.0 * np.arange(24) + 1.0}
    >>> quantiles, mean = predict_quantiles([entry], 2, [0.1, 0.5, 0.9], freq="M", estimator=simple)
    >>> quantiles.shape, mean.round(2).tolist()
    ((1, 2, 3), [[73.0, 76.0]])
    """
    forecasts = [ahead(entry, prediction_length, quantile_levels, freq, estimator) for entry in entries]
    if not forecasts:
        return np.zeros((0, prediction_length, len(quantile_levels))), np.zeros((0, prediction_length))
    return np.stack([each.quantiles for each in forecasts]), np.stack([each.mean for each in forecasts])


def ahead(
    entry: Entry, steps: int, levels: Sequence[float], freq: str | None, estimator: AutomaticStatistician | None
) -> EntryForecast:
    """The forecast of one entry; what cannot be modelled is said with its name."""
    check_levels(levels)
    try:
        _check_keys(entry)
        target = np.asarray(entry["target"], dtype=np.float64)
        if target.ndim != 1:
            raise InputError.of("a target of shape (n,)", f"the shape {target.shape}", "give each column as a series")
        times = _times(entry, len(target), steps, freq)
        columns = _columns(entry, len(times))
        past, future = slice(None, len(target)), slice(len(target), None)
        model = fitted(estimator, times[past], target, None if columns is None else columns[past])
        model_input = for_prediction(model, times[future], None if columns is None else columns[future])
    except InputError as error:
        raise InputError(f"series {entry.get('item_id', 'without item_id')!s}: {error}") from error
    return EntryForecast(times[future], model_input.quantiles(levels), model_input.mean)


def _check_keys(entry: Entry) -> None:
    lacking = (
        "a target" if "target" not in entry else "start or timestamp" if not {"start", "timestamp"} & set(entry) else ""
    )
    if lacking:
        raise InputError.of(lacking, f"only {listed(list(map(str, entry)))}", "add it to the entry")


def _times(entry: Entry, count: int, steps: int, freq: str | None) -> Any:
    """The times of the values and of the steps after them."""
    import pandas as pd

    if "start" in entry:
        start = entry["start"]
        if not isinstance(start, pd.Period) and freq is None:
            raise InputError.of("a start as pandas.Period, or freq", f"{start!r}", "give freq, such as 'M'")
        start = start if isinstance(start, pd.Period) else pd.Period(start, freq=freq)
        return pd.period_range(start, periods=count + steps, freq=start.freq)
    stamps = pd.DatetimeIndex(np.asarray(entry["timestamp"]).astype("M8[ns]"))
    step = freq or (pd.DatetimeIndex(stamps, freq="infer").freq if count > 2 else None)
    if step is None:
        raise InputError.of("timestamps in equal steps, or freq", f"{count} without", "give freq, such as 'MS'")
    return stamps.append(pd.date_range(stamps[-1], periods=steps + 1, freq=step)[1:])


def _columns(entry: Entry, count: int) -> pd.DataFrame | None:
    import pandas as pd

    features = entry.get("feat_dynamic_real")
    if features is None:
        return None
    table = np.atleast_2d(np.asarray(features, dtype=np.float64))
    if table.shape[1] != count:
        found, remedy = f"{table.shape[1]}", "add those of the steps to come"
        raise InputError.of(f"{count} values in each row of feat_dynamic_real", found, remedy)
    return pd.DataFrame(table.T).add_prefix("feat_dynamic_real_")
