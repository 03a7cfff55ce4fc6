"""The jobs of the page, in worker processes: ``python -m autostatistician.web.jobs``."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician._io.processes import memory_for_reading
from autostatistician.data.moments import steps_at_most
from autostatistician.i18n.messages import spoken_in
from autostatistician.web.pool import Tell, attend
from autostatistician.web.tables import Bounds, previewed

if TYPE_CHECKING:
    from autostatistician.estimators.loading import Fitted

__all__ = ["LOOK_MEGABYTES", "ask", "look", "model_of", "run"]

LOOK_MEGABYTES = 1000  # megabytes
MOST_KEPT = 4  # models in memory


def look(arguments: dict[str, Any], tell: Tell) -> None:
    """Look at a table and keep what was seen beside it."""
    with suppress(ImportError):  # what reserves much address space without using it, before that is limited
        import pandas  # noqa: F401
        import pyarrow.parquet  # noqa: F401
    with memory_for_reading(LOOK_MEGABYTES):
        previewed(Path(arguments["place"]), arguments["file"], arguments["name"], Bounds(**arguments["bounds"]))


def ask(arguments: dict[str, Any], tell: Tell) -> Any:
    """Ask the model of a run in its language, at most so many steps ahead."""
    model = model_of(Path(arguments["place"], "model.json"))
    with spoken_in(arguments["lang"]), steps_at_most(arguments["steps"]):
        return model.ask(arguments["question"], **arguments["given"]).to_json()


def run(arguments: dict[str, Any], tell: Tell) -> None:
    """Do the search of a run, and write its report."""
    from autostatistician.web.search_job import search

    search(Path(arguments["place"]), arguments["file"], arguments["name"], arguments["settings"], arguments["lang"])


def model_of(path: Path) -> Fitted:
    """The model that a file holds; those asked last stay in memory."""
    return _loaded(path, path.stat().st_mtime_ns)


@lru_cache(MOST_KEPT)
def _loaded(path: Path, changed: int) -> Fitted:
    from autostatistician.estimators.loading import load_estimator

    return load_estimator(path)


if __name__ == "__main__":
    attend({"look": look, "ask": ask, "run": run})
