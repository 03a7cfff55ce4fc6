"""Questions to the models of runs, in a process of its own: ``... autostatistician.web.answering FOLDER STEPS``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autostatistician.data.steps import steps_at_most
from autostatistician.web.desk import Errand, Tell, attend
from autostatistician.web.kept import KeptModels
from autostatistician.web.work import RUN_MEGABYTES
from autostatistician.wording.messages import spoken_in

__all__ = ["asking", "main"]


def asking(place: Callable[[str], Path], steps: int) -> Errand:
    """The errand that asks the model of a run in its language, at most so many ``steps`` ahead.

    ``place`` says where its files are.
    """
    kept = KeptModels()

    def ask(asked: dict[str, Any], tell: Tell) -> Any:
        run = asked["run"]
        model = kept.of(run, lambda: place(run) / "model.json")
        with spoken_in(asked["lang"]), steps_at_most(steps):
            return model.ask(asked["question"], **asked["given"]).to_json()

    return ask


def main(folder: str, steps: str) -> None:
    """Answer what comes on standard input."""
    from autostatistician.web.store import Store

    attend({"ask": asking(Store(Path(folder)).place, int(steps))}, RUN_MEGABYTES)


if __name__ == "__main__":
    main(*sys.argv[1:3])
