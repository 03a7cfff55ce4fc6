"""What the library prints and writes as JSON, read back as typed values, and the schemas that it follows.

>>> read_answer('{"format": "autostatistician answer 1", "question": "trend", "target": "y", "sentences": ["It rose."],'
...             ' "numbers": [], "facts": []}').sentences
('It rose.',)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import FORECAST_FORMAT
from autostatistician.errors import InputError
from autostatistician.forms import ANSWER_FORMAT, REPORT_FORMAT, SEARCH_FORMAT

__all__ = [
    "SCHEMAS",
    "AnswerRead",
    "ForecastRow",
    "NumberRead",
    "ReportRead",
    "SearchRead",
    "read_answer",
    "read_forecast",
    "read_report",
    "read_search",
    "schema",
]  # fmt: skip

SCHEMAS = ("facts-1", "answer-1", "forecast-1", "search-1", "report-3", "memo-1")

Record = Mapping[str, Any]
Place = str | float | None


@dataclass(frozen=True)
class NumberRead:
    """One number of an answer: what it is, its unit, its range of 95 %, when, how probable, and a sentence."""

    fact: str
    id: str
    number: float | None
    unit: str
    interval: tuple[float | None, float | None] | None
    probability: float | None
    at: Place
    start: Place
    stop: Place
    sentence: str


@dataclass(frozen=True)
class AnswerRead:
    """The answer of a model to a question."""

    question: str
    target: str
    sentences: tuple[str, ...]
    numbers: tuple[NumberRead, ...]
    facts: tuple[Record, ...]


@dataclass(frozen=True)
class ForecastRow:
    """One step of a forecast of numbers, or of classes (``probability`` of the second one, and the class)."""

    time: str | float
    mean: float | None
    std: float | None
    lower: float | None
    upper: float | None
    probability: float | None = None
    label: str | float | None = None


@dataclass(frozen=True)
class SearchRead:
    """What a search found; ``function`` (of a series) and ``facts`` are the measurements behind the sentences."""

    expression: str
    sentences: tuple[str, ...]
    n: int
    nll: float | None
    bic: float | None
    complete: bool
    warnings: tuple[str, ...]
    statements: tuple[Record, ...]
    function: tuple[Record, ...]
    facts: tuple[Record, ...]
    record: Record


@dataclass(frozen=True)
class ReportRead:
    """A report: its words, its figures by id with the positions of their layers put back, and its record."""

    title: str
    subtitle: str
    abstract: str
    sections: tuple[Record, ...]
    figures: Mapping[str, Record]
    warnings: tuple[str, ...]
    record: Record


def schema(name: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of one of `SCHEMAS`.

    Raises
    ------
    InputError
        When there is none of that name.

    Examples
    --------
    >>> schema("answer-1")["title"]
    'The answer of a model to a question'
    """
    if name not in SCHEMAS:
        raise InputError.of(f"a schema among {', '.join(SCHEMAS)}", repr(name), "name one of these")
    text = files("autostatistician.report").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def read_answer(source: str | Path) -> AnswerRead:
    """What ``ask --json`` prints: a text, or the path of a file with it.

    Raises
    ------
    InputError
        As all readers do: when it is no JSON, or of another format than this version knows.
    """
    value = _value(source, ANSWER_FORMAT)
    numbers = tuple(
        NumberRead(
            **{name: number[name] for name in ("fact", "id", "number", "unit", "probability", "at", "sentence")},
            interval=None if number["interval"] is None else (number["interval"][0], number["interval"][1]),
            start=number["from"], stop=number["to"],
        )
        for number in value["numbers"]
    )  # fmt: skip
    return AnswerRead(value["question"], value["target"], tuple(value["sentences"]), numbers, tuple(value["facts"]))


def read_forecast(source: str | Path) -> tuple[ForecastRow, ...]:
    """The rows of what ``forecast --json`` prints."""
    names = ("mean", "std", "lower", "upper", "probability")
    return tuple(
        ForecastRow(row["time"], **{name: row.get(name) for name in names}, label=row.get("class"))
        for row in _value(source, FORECAST_FORMAT)["forecast"]
    )


def read_search(source: str | Path) -> SearchRead:
    """What ``report``, ``fit`` and ``describe`` print with ``--json``; of a report, its record."""
    return _search(_value(source, SEARCH_FORMAT, ""))


def read_report(source: str | Path) -> ReportRead:
    """A report that was written as ``.json``, by this version or those before (formats 1 and 2)."""
    value = _value(source, REPORT_FORMAT, "autostatistician report 2", "autostatistician report 1")
    axes = {name: _positions(values) for name, values in value.get("axes", {}).items()}
    sections = (*value["sections"], *value.get("found", ()))
    blocks = [*filter(None, [value.get("picture")]), *_blocks(sections)]
    figures = {block["id"]: _with_positions(block, axes) for block in blocks if "panels" in block}
    texts = (value["title"], value["subtitle"], value["abstract"])
    return ReportRead(*texts, sections, figures, tuple(value["warnings"]), value["record"])


def _search(value: Record) -> SearchRead:
    sentences = value.get("sentences") or [part["sentence"] for part in value["components"]]
    warnings, statements, function, facts = (
        tuple(value.get(name, ())) for name in ("warnings", "statements", "function", "facts")
    )
    return SearchRead(
        value["expression"], tuple(sentences), value["n"], value["nll"], value["bic"], value["search"]["complete"],
        warnings, statements, function, facts, value,
    )  # fmt: skip


def _value(source: str | Path, *formats: str) -> dict[str, Any]:
    """The object in a text or file, of one of some formats; "" is that of those that had none."""
    text = str(source) if _is_text(source) else _content(Path(source))
    try:
        value = json.loads(text)
    except ValueError:
        raise InputError.of("JSON", repr(text[:40]), "give what --json printed, or the path of its file") from None
    form = value.get("format", "") if isinstance(value, dict) else None
    if form not in formats:
        known = " or ".join(repr(name) for name in formats if name)
        raise InputError.of(f"an object of the format {known}", repr(form), "use the reader of that format")
    return dict(value)


def _is_text(source: str | Path) -> bool:
    return isinstance(source, str) and source.lstrip()[:1] == "{"


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError.of(f"a readable file '{path}'", str(error.strerror), "give its path") from None


def _positions(values: list[Any]) -> NDArray[Any]:
    """Positions of an axis: times as datetime64, else numbers."""
    if any(isinstance(value, str) for value in values):
        return np.array([value or "NaT" for value in values], dtype="datetime64[s]")
    return np.array(values, dtype=np.float64)


def _blocks(sections: Any) -> list[Any]:
    return [block for part in sections for block in (*part["blocks"], *_blocks(part["sections"]))]


def _with_positions(figure: Record, axes: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """A figure whose layers hold arrays, positions and all."""
    panels = []
    for panel in figure["panels"]:
        layers = [{key: _array(key, value, axes) for key, value in layer.items()} for layer in panel.get("layers", ())]
        panels.append({**panel, "layers": layers})
    return {**figure, "panels": panels}


def _array(key: str, value: Any, axes: Mapping[str, NDArray[Any]]) -> Any:
    if key == "x" and isinstance(value, str) and value in axes:
        return axes[value]
    if key == "x" and isinstance(value, list):  # format 1
        return _positions(value)
    return np.array(value, dtype=np.float64) if key in ("y", "lower", "upper") else value
