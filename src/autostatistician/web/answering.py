"""Questions to the models of runs, in a process of its own: ``python -m autostatistician.web.answering FOLDER``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autostatistician.web.desk import Errand, Tell, attend
from autostatistician.web.kept import KeptModels
from autostatistician.web.work import RUN_MEGABYTES
from autostatistician.wording.messages import ENGLISH, spoken_in

__all__ = ["asking", "main"]


def asking(place: Callable[[str], Path], lang: Callable[[str], str] = lambda _: ENGLISH) -> Errand:
    """The errand that asks the model of a run; ``place`` says where its files are, ``lang`` its language."""
    kept = KeptModels()

    def ask(asked: dict[str, Any], tell: Tell) -> Any:
        run = asked["run"]
        model = kept.of(run, lambda: place(run) / "model.json")
        with spoken_in(lang(run)):
            return model.ask(asked["question"], **asked["given"]).to_json()

    return ask


def main(folder: str) -> None:
    """Answer what comes on standard input."""
    from autostatistician.web.store import Store

    store = Store(Path(folder))

    def lang(run: str) -> str:
        stored = store.get(run)
        return str(stored.settings.get("lang", ENGLISH)) if stored is not None else ENGLISH

    attend({"ask": asking(store.place, lang)}, RUN_MEGABYTES)


if __name__ == "__main__":
    main(sys.argv[1])
