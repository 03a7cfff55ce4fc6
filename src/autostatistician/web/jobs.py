"""The jobs of the page, in worker processes: ``python -m autostatistician.web.jobs FOLDER STEPS``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from autostatistician.data.steps import steps_at_most
from autostatistician.memory import memory_for_reading
from autostatistician.web.kept import KeptModels
from autostatistician.web.pool import Handler, Tell, attend
from autostatistician.web.tables import Bounds, previewed
from autostatistician.wording.messages import spoken_in

__all__ = ["LOOK_MEGABYTES", "asking", "look", "main", "run"]

LOOK_MEGABYTES = 1000  # megabytes


def look(asked: dict[str, Any], tell: Tell) -> None:
    """Look at a table and keep what was seen beside it."""
    with suppress(ImportError):  # what reserves much address space without using it, before that is limited
        import pandas  # noqa: F401
        import pyarrow.parquet  # noqa: F401
    with memory_for_reading(LOOK_MEGABYTES):
        previewed(Path(asked["place"]), asked["file"], asked["name"], Bounds(**asked["bounds"]))


def asking(place: Callable[[str], Path], steps: int) -> Handler:
    """The handler that asks the model of a run in its language, at most so many ``steps`` ahead.

    ``place`` says where its files are.
    """
    kept = KeptModels()

    def ask(asked: dict[str, Any], tell: Tell) -> Any:
        run = asked["run"]
        model = kept.of(run, lambda: place(run) / "model.json")
        with spoken_in(asked["lang"]), steps_at_most(steps):
            return model.ask(asked["question"], **asked["given"]).to_json()

    return ask


def run(asked: dict[str, Any], tell: Tell) -> None:
    """Do the search of a run, and write its report."""
    from autostatistician.web.work import search

    search(Path(asked["place"]), asked["file"], asked["name"], asked["settings"], asked["lang"])


def main(folder: str, steps: str) -> None:
    """Do what comes on standard input."""
    from autostatistician.web.store import Store

    attend({"look": look, "ask": asking(Store(Path(folder)).place, int(steps)), "run": run})


if __name__ == "__main__":
    main(*sys.argv[1:3])
