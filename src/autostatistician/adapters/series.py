"""A series as other libraries have it (times, values, columns beside them) in the terms of our own estimator."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.estimators.options import TargetOptions
from autostatistician.estimators.statistician import AutomaticStatistician

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["check_levels", "fitted", "for_prediction", "for_update", "not_installed", "unfitted"]


TIME, TARGET = "time", "y"


def unfitted(estimator: AutomaticStatistician | None) -> AutomaticStatistician:
    """A copy of an estimator without its fit; of None one in a single process, as many series are fitted side by side.

    >>> unfitted(None).n_jobs
    1
    """
    return AutomaticStatistician(n_jobs=1) if estimator is None else clone(estimator)


def fitted(
    estimator: AutomaticStatistician | None, times: Any, values: Any, columns: pd.DataFrame | None = None
) -> AutomaticStatistician:
    """A copy of the estimator, fitted to a series; rows whose value is NaN are left out.

    Parameters
    ----------
    estimator : AutomaticStatistician or None
        The settings; it is not changed.
    times : index or array (n,)
        Dates, periods, or whole numbers, which stay what they are.
    values : series or array (n,)
        The name of a series is that of the target.
    columns : DataFrame (n, k), optional
        That may explain the values; all are taken as given on purpose, none as a leak.

    Raises
    ------
    InputError
        When the series cannot be modelled, as one of fewer than three values.

    Examples
    --------
    >>> simple = AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1)
    >>> model = fitted(simple, np.arange(20), 3.0 * np.arange(20) + 1.0)
    >>> for_prediction(model, np.array([20])).mean.round(3).tolist()
    [61.0]
    """
    model = unfitted(estimator)
    return model.fit(_dataset(model.target_options or TargetOptions(), times, values, columns))


def for_prediction(model: AutomaticStatistician, times: Any, columns: pd.DataFrame | None = None) -> Any:
    """The distributions of new observations at times, with the values that columns have there."""
    return model.predictive(frame_at(model.dataset_, times, columns))


def for_update(
    model: AutomaticStatistician, times: Any, values: Any, columns: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Rows as `AutomaticStatistician.update` takes them."""
    frame = frame_at(model.dataset_, times, columns)
    frame[model.dataset_.target] = np.asarray(values, dtype=np.float64)
    return frame


def frame_at(dataset: Dataset, times: Any, columns: pd.DataFrame | None) -> pd.DataFrame:
    """Times and columns (m rows each) as one frame, under the names that they have in the data."""
    return _frame(dataset.columns[0], times, _named(columns))


def check_levels(levels: Collection[float], most: float = 1.0) -> None:
    """Raise an `InputError` unless all levels lie between 0 and the most.

    >>> check_levels([0.1, 0.9])
    """
    outside = [level for level in levels if not 0.0 < level < most]
    if outside:
        raise InputError.of(f"levels between 0 and {most:g}", f"{outside[0]}", "leave it out")


def _dataset(options: TargetOptions, times: Any, values: Any, columns: pd.DataFrame | None) -> Dataset:
    covariates = _named(columns)
    names = [] if covariates is None else list(covariates.columns)
    target = _free(getattr(values, "name", None), TARGET, names)
    time = _free(getattr(times, "name", None), TIME, [*names, target])
    frame = _frame(time, times, covariates)
    frame[target] = np.asarray(values, dtype=np.float64).reshape(-1)
    axis: Any = "raw" if frame[time].dtype.kind in "iuf" else "calendar"
    return load(
        frame, time=time, target=target, inputs=names or ["none"], axis=axis, name=target,
        holidays=options.holidays, allow_leaks=options.allow_leaks,
    )  # fmt: skip


def _named(columns: pd.DataFrame | None) -> pd.DataFrame | None:
    """The columns with text as names; None where there are none."""
    if columns is None or not len(columns.columns):
        return None
    return columns.set_axis([str(name) for name in columns.columns], axis=1)


def _free(name: Any, default: str, used: Collection[str]) -> str:
    """A name that no column has yet."""
    free = default if name is None else str(name)
    while free in used:
        free += "_"
    return free


def _frame(time: str, times: Any, columns: pd.DataFrame | None) -> pd.DataFrame:
    import pandas as pd

    index = pd.Index(times)
    if isinstance(index, pd.PeriodIndex):
        index = index.to_timestamp()
    frame = pd.DataFrame({time: index})
    return frame if columns is None else frame.join(columns.reset_index(drop=True))


# --- What is said where the library of a face is not installed ------------------------------------------------------


def not_installed(package: str) -> ModuleNotFoundError:
    """The error to raise instead of the one that the import of a library gave.

    >>> str(not_installed("sktime"))
    'expected the package sktime; found none; pip install sktime'
    """
    text = f"expected the package {package}; found none; pip install {package}"
    return ModuleNotFoundError(text, name=package)
