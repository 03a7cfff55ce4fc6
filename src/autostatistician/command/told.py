"""What a model says, kept in its file: asked again, it is read there and not computed anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autostatistician.errors import InputError
from autostatistician.files import write_whole
from autostatistician.forms import QUESTIONS
from autostatistician.rows import finite_only
from autostatistician.wording.messages import language

if TYPE_CHECKING:
    from autostatistician.estimators.loading import Fitted

__all__ = ["Told", "keep_told", "read_told"]

_KEY = "told"  # of the record of a model


@dataclass(frozen=True)
class Told:
    """What a file keeps, by the names of the estimator that would compute it."""

    kept: Mapping[str, Any]

    def describe(self) -> list[str]:
        """The sentences on the model."""
        return list(self.kept["sentences"])

    def result(self) -> dict[str, Any]:
        """The JSON object of the command line."""
        return dict(self.kept["result"])

    def answer(self, question: str) -> dict[str, Any] | None:
        """The answer to a question that names no time and no change, as plain values."""
        answer: dict[str, Any] | None = self.kept["answers"].get(question)
        return answer


def keep_told(path: Path, model: Fitted) -> None:
    """Write what a model says into the file that it was saved to."""
    record = json.loads(path.read_bytes())
    told = {"sentences": model.describe(), "result": model.result(), "answers": _answers(model)}
    told = finite_only(told) | {"origin": _origin(record)}
    write_whole(path, json.dumps(record | {_KEY: told}, allow_nan=False).encode())


def read_told(path: Path) -> Told | None:
    """What the file of a model keeps, unless it is of another version, language or model than that beside it."""
    if not path.is_file():  # to read a pipe would take for ever
        return None
    try:
        record = json.loads(path.read_bytes())
        told = record.pop(_KEY)
        return Told(told) if told["origin"] == _origin(record) else None
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None  # whoever reads the model says what is wrong with the file


def _answers(model: Fitted) -> dict[str, Any]:
    answers = {}
    for question in QUESTIONS:
        with suppress(InputError):  # a table has no trend
            answers[question] = model.ask(question).to_json()
    return answers


def _origin(record: Mapping[str, Any]) -> list[str]:
    digest = sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
    return [version("autostatistician"), language(), digest]
