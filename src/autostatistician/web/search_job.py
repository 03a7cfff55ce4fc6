"""The search and the report of one run.

It leaves files in the folder of the run: a checkpoint and what can be seen of the search after every level, and in the
end the model, the report in every format and the forecast. Whatever happens to the server or to the process, the
next one goes on from the checkpoint.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician._io.files import write_whole
from autostatistician._io.processes import termination_as_interrupt
from autostatistician._io.rows import csv_text
from autostatistician.errors import AutostatisticianError, CheckpointError, WriteError
from autostatistician.fitted.progress import SearchProgress, watched_by
from autostatistician.i18n.messages import again, spoken_in

if TYPE_CHECKING:
    from autostatistician.data.dataset import Dataset
    from autostatistician.estimators.loading import Fitted
    from autostatistician.search.state import Watched

__all__ = ["DOWNLOAD_TYPES", "STOP_FILE", "fitted", "search"]

DOWNLOAD_TYPES = {
    "report.html": "text/html", "report.pdf": "application/pdf", "report.md": "text/markdown",
    "report.json": "application/json", "forecast.csv": "text/csv", "model.json": "application/json",
}  # fmt: skip
STOP_FILE = "stop"  # a file that asks for what is there
MOST_DRAWN_ROWS = 1500  # of more rows no pictures are made during the search


def search(place: Path, file: str, name: str, settings: dict[str, Any], lang: str) -> None:
    """Do the search of the table ``file`` in the folder ``place``, and write its report there, in its language."""
    from autostatistician.data.load import load

    with termination_as_interrupt(), spoken_in(lang):
        roles = {role: settings[role] for role in ("time", "target", "where", "task")}
        dataset = load(place / file, name=Path(name).stem, **roles)
        if (place / STOP_FILE).exists():
            settings = settings | {"budget": 1e-3}
        watcher = _Watcher(place, dataset, settings["language"])
        with watched_by(watcher.preparing):
            model = fitted(dataset, settings, watcher, place / "checkpoint.json")
        _say_written(place)
        _report(model, place, settings)


def fitted(dataset: Dataset, settings: dict[str, Any], watch: Callable[[Watched], None], checkpoint: Path) -> Fitted:
    """The model of a search that goes on where one before was ended; its level is told to ``watch``."""
    from autostatistician.estimators.loading import estimator_of, forget

    language, depth, budget = settings["language"], settings["depth"], settings["budget"]
    model = estimator_of(dataset)(language, max_depth=depth, time_budget=budget, n_jobs=1)
    try:
        return model.fit(dataset, callback=watch, checkpoint=checkpoint)
    except CheckpointError:  # of an earlier version, or damaged
        forget(checkpoint)
        return model.fit(dataset, callback=watch, checkpoint=checkpoint)


class _Watcher:
    """Writes what can be seen of a search: what comes before it, and every level."""

    def __init__(self, place: Path, dataset: Dataset, language: str) -> None:
        self.place, self.dataset, self.language = place, dataset, language

    def preparing(self, what: SearchProgress) -> None:
        """Something that comes before the first level is begun."""
        self._write({"preparing": what})

    def __call__(self, step: Watched) -> None:
        from autostatistician.data.dataset import Kind

        words: list[str] = []
        is_shown = step.level > 0 and self.dataset.n <= MOST_DRAWN_ROWS  # before, there is noise alone
        if is_shown and self.dataset.kind is Kind.SERIES:
            words = self._drawn(step)
        progress = {
            "level": step.level, "levels": step.max_depth, "expression": step.expression, "words": words,
            "candidates": step.candidates, "seconds": round(step.seconds, 1),
        }  # fmt: skip
        self._write(progress)

    def _write(self, progress: dict[str, Any]) -> None:
        with suppress(WriteError):  # no reason to end a search: the page shows what was before
            write_whole(self.place / "progress.json", json.dumps(progress).encode())

    def _drawn(self, step: Watched) -> list[str]:
        """Draw the best model so far, and return what it says."""
        from autostatistician.describe.tell import document, sentences
        from autostatistician.fitted.explanation import decomposition
        from autostatistician.fitted.model import Model
        from autostatistician.report.figures import figure_svg

        taken_apart = decomposition(Model.so_far(self.dataset, self.language, step), checked=False)
        picture = document(taken_apart).picture
        if picture is not None:
            with suppress(WriteError):
                write_whole(self.place / "fit.svg", figure_svg(picture).encode())
        return [text for text in sentences(taken_apart) if text != again(taken_apart.choice)]


def _say_written(place: Path) -> None:
    """Tell the page that the search is over and the report is being written."""
    with suppress(OSError, ValueError):  # a search without a level has left nothing to add to
        progress = json.loads((place / "progress.json").read_text(encoding="utf-8"))
        write_whole(place / "progress.json", json.dumps({**progress, "writing": True}).encode())


def _report(model: Fitted, place: Path, settings: dict[str, Any]) -> None:
    """Everything to read and to take away; the model comes last: where it is, all is."""
    from autostatistician.data.dataset import Kind
    from autostatistician.report.render import write

    series = model.dataset_.kind is Kind.SERIES
    document = model.report(horizon=settings.get("steps") if series else None).document
    write(document, place / "report.html")
    write(document, place / "report.md")
    write(document, place / "report.json")
    if series:
        write_whole(place / "forecast.csv", csv_text(model.forecast(settings.get("steps"))).encode())
    with suppress(AutostatisticianError):  # without the extra `pdf` the page offers what there is
        write(document, place / "report.pdf")
    model.save(place / "model.json")
