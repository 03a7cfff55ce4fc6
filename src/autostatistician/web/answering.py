"""Questions to the models of runs, in a process of its own: ``python -m autostatistician.web.answering FOLDER``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician.web.desk import Errand, Tell, attend
from autostatistician.web.work import RUN_MEGABYTES

if TYPE_CHECKING:
    from autostatistician.estimators.loading import Fitted

__all__ = ["asking", "main"]

KEPT = 4  # models in memory


def asking(place: Callable[[str], Path]) -> Errand:
    """The errand that asks the model of a run; ``place`` says where its files are."""
    kept: dict[str, Fitted] = {}

    def ask(asked: dict[str, Any], tell: Tell) -> Any:
        from autostatistician.estimators.loading import load_estimator

        run = asked["run"]
        model = kept.pop(run, None) or load_estimator(place(run) / "model.json")
        kept[run] = model  # the last one
        for old in list(kept)[:-KEPT]:
            del kept[old]
        return model.ask(asked["question"], **asked["given"]).to_json()

    return ask


def main(folder: str) -> None:
    """Answer what comes on standard input."""
    from autostatistician.web.store import Store

    attend({"ask": asking(Store(Path(folder)).place)}, RUN_MEGABYTES)


if __name__ == "__main__":
    main(sys.argv[1])
