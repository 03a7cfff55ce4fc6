"""Pages and models of the single series of a panel, made beside its records when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from autostatistician.errors import InputError, WriteError
from autostatistician.estimators.futures import explained_with
from autostatistician.estimators.reports import Report
from autostatistician.fitted import storage
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.i18n.messages import language, spoken_in
from autostatistician.i18n.names import did_you_mean
from autostatistician.panel.settings import PanelSettings, SeriesTable
from autostatistician.report.panel_page import page_file

__all__ = ["SeriesPages", "checked_names"]

BEGINNING = 500  # bytes of a page that say its language


@dataclass(frozen=True, eq=False)
class SeriesPages:
    """The folder of the pages beside the page of all series; those that are there are kept up to date.

    Parameters
    ----------
    page : Path
        That of all series.
    settings : PanelSettings
        Those of the run.
    asked : collection of str or None
        The names of the series that are to have a page; None is all.
    models : bool
        Whether each series is to have a saved model there, too.

    Examples
    --------
    >>> pages = SeriesPages(Path("all/panel.html"), PanelSettings(), ("north/1",))
    >>> pages.folder.as_posix(), pages.writer("south") is None, pages.is_there("north/1")
    ('all/panel-pages', True, False)
    """

    page: Path
    settings: PanelSettings
    asked: Collection[str] | None = ()
    models: bool = False

    @property
    def folder(self) -> Path:
        """Where they are."""
        return self.page.with_name(f"{self.page.stem}-pages")

    def writer(self, name: str) -> Callable[[Model], object] | None:
        """What writes the files of a series from its model; None where it is to have none."""
        paths = [path.resolve() for path in self._wanted(name)]
        return partial(_write, paths, self.settings, language()) if paths else None

    def saved(self, name: str) -> Path | None:
        """The file of the model of a series, where there is one."""
        path = (self.folder / page_file(name)).with_suffix(".json").resolve()
        return path if path.is_file() else None

    def is_there(self, name: str) -> bool:
        """Whether what a series is to have is written, pages in the language of the moment."""
        try:
            return all(self._is_written(path) for path in self._wanted(name))
        except OSError:
            return False

    def _wanted(self, name: str) -> list[Path]:
        page = self.folder / page_file(name)
        model = page.with_suffix(".json")
        has_page = self.asked is None or name in self.asked or page.is_file()
        return [page] * has_page + [model] * (self.models or model.is_file())

    def _is_written(self, path: Path) -> bool:
        with path.open("rb") as file:
            return path.suffix == ".json" or f'<html lang="{language()}">'.encode() in file.read(BEGINNING)

    def begin(self) -> None:
        """Make the folder, where pages or models are asked for.

        Raises
        ------
        WriteError
            When it cannot be made.
        """
        if self.asked is not None and not self.asked and not self.models:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise WriteError.of(f"to be able to write '{self.folder}'", reason, "check path and disk") from error

    def links(self, names: Collection[str]) -> dict[str, str]:
        """The paths of those pages that are there, from the page of all series, by the names of their series."""
        files = {name: page_file(name) for name in names} if self._present else {}
        return {name: f"{self.folder.name}/{file}" for name, file in files.items() if file in self._present}

    @cached_property
    def _present(self) -> frozenset[str]:
        return frozenset(path.name for path in self.folder.glob("*.html"))


def _write(paths: Sequence[Path], settings: PanelSettings, lang: str, model: Model) -> None:
    """The report of a series or its model, in a worker, which has no language of its own."""
    predictor = Predictor(model)
    for path in paths:
        if path.suffix == ".json":
            storage.save(storage.Saved(model, predictor.options), path)
            continue
        with spoken_in(lang):
            Report(explained_with(predictor, settings.horizon, settings.future)).save(path)


def checked_names(names: Collection[str], table: SeriesTable) -> tuple[str, ...]:
    """The names of series of a table; ids with plain slashes between and in them will do.

    Raises
    ------
    InputError
        When there is no series of a name.
    """
    known = [table.name(index) for index in range(len(table))]
    plain = {"/".join(key): name for key, name in zip(table.keys, known, strict=True)} | {name: name for name in known}
    for name in names:
        if name not in plain:
            remedy = did_you_mean(name, plain, "see the names on the page of all")
            raise InputError.of(f"the name of one of {len(known):,} series", repr(name), remedy)
    return tuple(plain[name] for name in names)
