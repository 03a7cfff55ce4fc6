"""Models of many series of one table as one value: their forecasts, what they claim, their page, each of them alone."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any
from weakref import finalize

from sklearn.base import clone

from autostatistician.data.panels import FolderTable, panel_of, tables, wide_panel_of
from autostatistician.describe.panels.facts import group_of
from autostatistician.describe.panels.members import Member
from autostatistician.describe.panels.words import group_text
from autostatistician.errors import InputError
from autostatistician.i18n.messages import again, say
from autostatistician.i18n.numbers import joined
from autostatistician.panel.aggregates import TOTAL
from autostatistician.panel.folder import read_records, read_run, write_error
from autostatistician.panel.forecasts import forecast_frame
from autostatistician.panel.reconciliation import sums_of
from autostatistician.panel.records import DONE, SeriesRecord
from autostatistician.panel.run import run_panel
from autostatistician.panel.seasons import PanelSeasons
from autostatistician.panel.settings import PanelSettings, SeriesTable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PanelModel", "fit_panel", "loaded_panel", "table_of"]

SIDES = ("lo", "hi")


@dataclass(frozen=True, eq=False, repr=False)
class PanelModel:
    """Models of many series; `AutomaticStatistician.fit_panel` makes it, and `fit` of a table with many series.

    What is known of each series lies in a folder and is read from there: memory does not grow with the panel.

    Attributes
    ----------
    estimator : AutomaticStatistician
        Not fitted; its settings are those of the model of each series.
    settings : PanelSettings
        The same with the horizon and the levels of the forecasts.
    ids : tuple of str
        The columns that tell the series apart.
    folder : Path
        Where the records are.
    table : SeriesTable or None
        The data; None of a model that was loaded without them.
    """

    estimator: Any
    settings: PanelSettings
    ids: tuple[str, ...]
    folder: Path
    table: SeriesTable | None = None

    def records(self) -> Iterator[SeriesRecord]:
        """What is known of each series, in the order of the table, read one after the other."""
        return read_records(self.folder)

    @cached_property
    def series(self) -> pd.DataFrame:
        """A row for each series: its name, ids, rows, first and last time, step, expression, what it does, its reason.

        ``reason`` says why a series has no model; it is empty where there is one.
        """
        import pandas as pd

        rows = [
            (record.name, *record.ids, record.rows, record.first, record.last, record.step, record.expression,
             group_text(group_of(Member(record))) if record.status == DONE else "", again(record.reason))
            for record in self.records()
        ]  # fmt: skip
        names = ["name", *self.ids, "rows", "first", "last", "step", "expression", "claims", "reason"]
        return pd.DataFrame(rows, columns=names)

    def forecast(
        self, horizon: int | None = None, levels: Sequence[int] | None = None, *, model: str = ""
    ) -> pd.DataFrame:
        """The forecasts of all series: ``unique_id``, the ids, ``ds``, ``mean``, ``lo-80``, ``hi-80``, ...

        Parameters
        ----------
        horizon : int, optional
            The first so many of each series, by default all that were made.
        levels : sequence of int, optional
            Of the ranges, in per cent, among those that were made; by default all.
        model : str
            A name for the columns as evaluations of several models have them: ``unique_id``, ``ds``, ``model``,
            ``model-lo-80``, ``model-hi-80``, ... (`utilsforecast.evaluation.evaluate` takes such).

        Raises
        ------
        InputError
            When more steps or other levels are asked for than `fit_panel` was.
        """
        chosen = self.settings.levels if levels is None else tuple(levels)
        if unknown := [level for level in chosen if level not in self.settings.levels]:
            expected = f"levels among {joined([str(level) for level in self.settings.levels])}"
            raise InputError.of(expected, str(unknown[0]), "name them when the panel is fitted: levels=...")
        frame = forecast_frame(self.records(), () if model else self.ids, model)
        unchosen = tuple(f"{side}-{level}" for level in self.settings.levels if level not in chosen for side in SIDES)
        frame = frame.drop(columns=[name for name in map(str, frame) if name.removeprefix(f"{model}-") in unchosen])
        if horizon is None or not len(frame):
            return frame
        available = int(frame.groupby("unique_id").size().min())
        if not 0 < horizon <= available:
            remedy = "ask for more when the panel is fitted: horizon=..."
            raise InputError.of(f"1 to {available} steps", str(horizon), remedy)
        return frame[frame.groupby("unique_id").cumcount() < horizon].reset_index(drop=True)

    def sums(self, *levels: str, model: str = "") -> pd.DataFrame:
        """Forecasts of sums and of the series in them that add up at every step, as a frame like that of `forecast`.

        Parameters
        ----------
        levels : str
            Each the ids that its sums have, with commas between them; ``"total"`` is the sum of all.
        model : str
            As of `forecast`.

        Raises
        ------
        InputError
            When a level names no id, the model was loaded without its data, or no two series share their times.
        """
        workers = self.estimator.n_jobs or 1
        summed = sums_of(self._data(), list(self.records()), levels or [TOTAL], self.settings, at_once=workers)
        return forecast_frame(summed.records, model=model)

    def model(self, name: str) -> Any:
        """The fitted `AutomaticStatistician` of one series, for its report and all else; it is searched when asked for.

        Raises
        ------
        InputError
            When there is no such series, its rows cannot be modelled, or the model was loaded without its data.
        """
        table = self._data()
        for index in range(len(table)):
            if table.name(index) == name:
                return clone(self.estimator).fit(self._seasons.beside(table.dataset(index)))
        raise InputError.of(f"the name of one of {len(table)} series", repr(name), "see the column 'name' of series")

    @cached_property
    def _seasons(self) -> PanelSeasons:
        """What the series have in common, where they share it."""
        return PanelSeasons.of(self._data()) if self.settings.shared_season else PanelSeasons({})

    def report(self, path: str | Path, *, title: str | None = None, pages: bool | Collection[str] = False) -> Path:
        """Write the page of all series, a .html file: what they share, who differs, and a table to search and sort.

        Parameters
        ----------
        path : path
            Of the file.
        title : str, optional
            Its heading.
        pages : bool or collection of str
            The series (True: all) that get a page of their own, in a folder beside the file; their models are searched
            again for it. The page links to all that are there.

        Raises
        ------
        InputError
            When the file has another ending or cannot be written, there is no series of a name, or pages are asked of
            a model that was loaded without its data.
        """
        from autostatistician.estimators.panel_pages import SeriesPages, checked_names
        from autostatistician.report.panel_page import write_panel_page

        path = Path(path)
        if path.suffix.lower() not in (".html", ".htm"):
            raise InputError.of("a page that ends in .html", repr(path.name), "change the ending")
        names = None if pages is True else checked_names(pages, self._data()) if pages else ()
        writer = SeriesPages(path, self.settings, names)
        if pages:
            writer.begin()
            for _ in run_panel(self._data(), self.settings, self.folder, self.estimator.n_jobs or 1, pages=writer):
                pass
        links = writer.links([record.name for record in self.records()])
        return write_panel_page(self.records(), path, title or say("Many series"), pages=links)

    def save(self, folder: str | Path) -> Path:
        """Copy what is known of all series to a folder, from which `AutomaticStatistician.load_panel` takes it.

        Raises
        ------
        InputError
            When something is there already, or it cannot be written.
        """
        folder = Path(folder)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise InputError.of("a new or empty folder", f"that '{folder}' holds something", "name another one")
        try:
            shutil.copytree(self.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".lock"))
        except OSError as error:  # shutil.Error is one
            raise write_error(folder, error) from error
        return folder

    def _data(self) -> SeriesTable:
        if self.table is None:
            raise InputError.of("a panel with its data", "one loaded without", "give the table to load_panel, too")
        return self.table

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(record.status for record in self.records())

    def __len__(self) -> int:
        return self._counts.total()

    def __repr__(self) -> str:
        failed = len(self) - self._counts[DONE]
        return f"<PanelModel: {len(self):,} series{f', {failed} without a model' * bool(failed)}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>{self.series.head(10).to_html(index=False)}"


def fit_panel(
    estimator: Any,
    table: SeriesTable,
    settings: PanelSettings,
    folder: str | Path | None,
    callback: Callable[[SeriesRecord], None] | None,
) -> PanelModel:
    """The models of all series of a table; what `AutomaticStatistician.fit_panel` does."""
    place = Path(mkdtemp(prefix="autostatistician-") if folder is None else folder).resolve()
    model = PanelModel(clone(estimator), settings, table.ids, place, table)
    if folder is None:  # the records go when the model goes
        finalize(model, shutil.rmtree, place, ignore_errors=True)
    for record in run_panel(table, settings, place, estimator.n_jobs or 1):
        if callback is not None:
            callback(record)
    return model


def loaded_panel(
    folder: str | Path, table: SeriesTable | None, estimator: Callable[[PanelSettings], Any]
) -> PanelModel:
    """The model that `PanelModel.save`, a run with a folder, or the command line has left in a folder."""
    settings, ids = read_run(Path(folder))
    return PanelModel(estimator(settings), settings, ids, Path(folder).resolve(), table)


def table_of(
    data: Any, y: Any, ids: str | Sequence[str] | None, *, wide: bool, output: Path | None = None,
    pattern: str | None = None, **options: Any,
) -> SeriesTable:  # fmt: skip
    """The series of a table that somebody calls one of many, or of the files of a folder.

    Files in the folder of the output are none of them, nor those whose names the pattern does not have.

    Raises
    ------
    InputError
        When it cannot be read, or holds one series alone.
    """
    names = [ids] if isinstance(ids, str) else ids
    if isinstance(data, str | Path) and Path(data).is_dir():
        if names or wide:
            raise InputError.of("a table, for ids (--id) and wide (--wide)", f"the folder '{data}'", "leave them out")
        return FolderTable(Path(data), tables(Path(data), output, pattern), options)
    table: SeriesTable | None
    table = wide_panel_of(data, **options) if wide else panel_of(data, y, ids=names, **options)
    if table is None:
        remedy = (
            "name the columns that tell series apart (ids, --id), or call it wide; for one series use 'report' or fit"
        )
        raise InputError.of("a table with several series", "one series, or none", remedy)
    return table
