"""Fits of tables that hold many series: an estimator searches for the model of each, with its own settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

from sklearn.base import clone

from autostatistician.data.target_limits import checked_limits
from autostatistician.errors import InputError
from autostatistician.estimators.options import TargetOptions
from autostatistician.estimators.searching import Searching

if TYPE_CHECKING:
    from autostatistician.estimators.panel import PanelModel
    from autostatistician.fitted.predictions import Options
    from autostatistician.panel.records import SeriesRecord
    from autostatistician.panel.settings import PanelSettings, SeriesTable
    from autostatistician.search.state import Watched

    OnLevel = Callable[[Watched], None] | None  # called after every level of a search
    OnSeries = Callable[[SeriesRecord], None] | None  # called after every series of a panel

Names = str | Sequence[str]
MaybePath = str | Path | None

__all__ = ["MaybePath", "OverPanels", "of_target"]


@dataclass(eq=False, repr=False)
class OverPanels(Searching):
    """An estimator of one series that models each of many series, too."""

    _: KW_ONLY
    target_options: TargetOptions | None = None

    def _target(self) -> TargetOptions:
        """How the target is taken."""
        return TargetOptions() if self.target_options is None else self.target_options

    def _options(self) -> Options:
        """What predictions hang on, with limits checked."""
        from autostatistician.fitted.predictions import Options

        return Options(bool(self.average), checked_limits(self._target().limits))

    @overload
    def fit(
        self, X: Any, y: Any = None, *, ids: None = None, callback: OnLevel = None, checkpoint: MaybePath = None,
        error: Any = None,
    ) -> Self: ...  # fmt: skip

    @overload
    def fit(
        self, X: Any, y: Any = None, *, ids: Names, callback: OnLevel = None, checkpoint: MaybePath = None
    ) -> PanelModel: ...

    def fit(
        self, X: Any, y: Any = None, *, ids: Names | None = None, callback: OnLevel = None,
        checkpoint: MaybePath = None, error: Any = None,
    ) -> Self | PanelModel:  # fmt: skip
        """Search for the model of ``y`` over ``X``; of a table with many series for the models of all.

        Parameters
        ----------
        X : array of shape (n, d), frame or series with dates, path, or Dataset
            With dates or categories in it (or ``y`` missing) it is read like a file: columns are guessed and said.
        y : array of shape (n,), name of a column, or None
            The target: numbers.
        callback : callable, optional
            Called after every level with a `Watched`: numbers of the level, and the best model so far.
        ids : str or sequence of str, optional
            The columns of a table that tell its series apart. A table in which times repeat for each of several things
            is taken as one of many series without it, too.
        checkpoint : path, optional
            A file that keeps every level of the search; of many series, a folder that keeps what is done. Where the
            file exists, the search goes on from it, to the result of a search in one go; the data and the settings
            must be the same, but for ``n_jobs`` and ``time_budget``.
        error : array of shape (n,), number, or name of a column, optional
            Standard deviations of the errors with which the target was measured; predictions are of the values without
            these. Cells of the target such as "<0.5" are limits of detection, with or without it.

        Returns
        -------
        AutomaticStatistician or PanelModel
            This estimator; of a table with many series their models (see `fit_panel`), and this estimator stays as it
            was.

        Raises
        ------
        InputError
            When the data, the settings or the checkpoint cannot be used.
        KeyboardInterrupt
            At one before the end of the first level; later ones leave the best model so far.
        """
        from autostatistician.data.roles.keys import LongTableError
        from autostatistician.estimators.panel import table_of

        if ids is None:
            try:
                return self._fit_series(X, y, callback, checkpoint, error)
            except LongTableError as several:
                ids = list(several.choices)
        if error is not None:
            raise InputError.of("one series or table, for an error", "many series", "choose one of them")
        if y is not None and not isinstance(y, str):
            return self._panel(table_of(X, y, ids, wide=False, **self._reading()), checkpoint)
        return self.fit_panel(X, ids=ids, target=y, folder=checkpoint)

    def _fit_series(self, X: Any, y: Any, callback: OnLevel, checkpoint: MaybePath, error: Any) -> Self:
        """Search for the model of one series or table."""
        raise NotImplementedError

    def fit_panel(
        self,
        X: Any,
        *,
        ids: Names | None = None,
        wide: bool = False,
        time: str | None = None,
        target: str | None = None,
        inputs: Sequence[str] | None = None,
        horizon: int | None = None,
        levels: Sequence[int] = (80, 95),
        future: Any = None,
        shared_season: bool = True,
        folder: MaybePath = None,
        callback: OnSeries = None,
    ) -> PanelModel:
        """Search for the models of all series of one table, each with the settings of this estimator.

        ``n_jobs`` is how many series are searched at a time, each by one worker.

        Parameters
        ----------
        X : path or frame
            Series under each other, or beside each other (``wide``); of a folder, each file is one.
        ids : str or sequence of str, optional
            The columns that tell series apart. Left out, ``unique_id``, or those that tell rows of one time apart.
        wide : bool
            Whether each column of numbers beside the time is a series.
        time, target, inputs : optional
            As of `load`.
        horizon : int, optional
            Steps of the forecasts, by default a usual number for each series.
        levels : sequence of int
            Of the ranges of forecasts, in per cent.
        future : path, frame, "auto" or "last-year", optional
            What the columns beside the series will be: a plan with times, columns, and the ids of those series whose
            plan a row is (without ids, of all); or each is forecast, or is as a season before, as without a plan.
        shared_season : bool
            Whether series of less than three cycles of the calendar see the season that the others have in common, and
            follow it where their own data say so.
        folder : path, optional
            Where the results are kept; a later fit with the same folder goes on from there.
        callback : callable, optional
            Called with the `SeriesRecord` of each series when its chunk is done.

        Raises
        ------
        InputError
            When the table holds one series or none, or a setting cannot be used. A series that cannot be modelled
            stops nothing; `PanelModel.series` says why it has no model.

        Examples
        --------
        >>> import numpy as np
        >>> from autostatistician import AutomaticStatistician
        >>> rng = np.random.default_rng(0)
        >>> frame = {"shop": ["A"] * 12 + ["B"] * 12, "week": [*range(12)] * 2, "sales": rng.normal(size=24)}
        >>> models = AutomaticStatistician(language="linear", max_depth=1, n_jobs=1).fit_panel(frame, horizon=2)
        >>> models, list(models.forecast(levels=[80]))
        (<PanelModel: 2 series>, ['unique_id', 'shop', 'ds', 'mean', 'lo-80', 'hi-80'])
        """
        from autostatistician.data.panel_plans import planned_panel
        from autostatistician.estimators.panel import table_of
        from autostatistician.panel.settings import FUTURES

        read = {"time": time, "target": target, "inputs": inputs, **self._reading()}
        table = table_of(X, None, ids, wide=wide, **read)
        if future is not None and not (isinstance(future, str) and future in FUTURES):
            table, future = planned_panel(table, future), None
        asked = {"horizon": horizon, "levels": tuple(levels), "future": future, "shared_season": shared_season}
        return self._panel(table, folder, callback, **asked)

    def _panel(
        self, table: SeriesTable, folder: MaybePath = None, callback: OnSeries = None, **asked: Any
    ) -> PanelModel:
        """The models of a table; what is ``asked`` of them beside the search are options of `PanelSettings`."""
        from autostatistician.estimators.panel import fit_panel
        from autostatistician.fitted.predictions import Options
        from autostatistician.panel.settings import PanelSettings

        if self._options() != Options():
            found = "other settings of average or limits"
            raise InputError.of("average=True and limits='auto' for many series", found, "fit series one by one")
        if not isinstance(self.language, str) and self.n_jobs != 1:
            found = f"n_jobs={self.n_jobs}"
            raise InputError.of("n_jobs=1 for many series in a language of one's own", found, "change the setting")
        search = self._settings(**of_target(self._target()))
        settings = PanelSettings(self._grammar(), search, **asked).checked()
        alike = clone(self).set_params(random_state=search.seed)
        return fit_panel(alike, table, settings, folder, callback)

    def _reading(self) -> dict[str, Any]:
        target = self._target()
        return {"holidays": target.holidays, "allow_leaks": target.allow_leaks}

    @classmethod
    def load_panel(cls, path: str | Path, X: Any = None, **options: Any) -> PanelModel:
        """The models of many series that `PanelModel.save` or the command ``panel`` has left in a folder.

        Parameters
        ----------
        path : path
            Of the folder.
        X : path or frame, optional
            Their table, which `PanelModel.model` and `PanelModel.sums` need; the options are those of `fit_panel`.

        Raises
        ------
        InputError
            When there is no panel in the folder, or the table holds no series.
        """
        from autostatistician.estimators.panel import loaded_panel, table_of

        ids, wide = options.pop("ids", None), options.pop("wide", False)
        table = None if X is None else table_of(X, None, ids, wide=wide, **options)
        return loaded_panel(path, table, cls._of_panel)

    @classmethod
    def _of_panel(cls, settings: PanelSettings) -> Self:
        search = settings.search
        target = TargetOptions(search.transform, search.outliers, likelihood=search.likelihood)
        return cls(
            settings.language, max_depth=search.max_depth, n_restarts=search.restarts, criterion=search.criterion,
            time_budget=search.time_budget, n_jobs=search.n_jobs, random_state=search.seed,
            target_options=None if target == TargetOptions() else target,
        )  # fmt: skip


def of_target(target: TargetOptions) -> dict[str, str]:
    """The settings of a search that are options of its target.

    >>> of_target(TargetOptions(transform="log"))
    {'transform': 'log', 'outliers': 'auto', 'likelihood': 'auto'}
    """
    return {"transform": target.transform, "outliers": target.outliers, "likelihood": target.likelihood}
