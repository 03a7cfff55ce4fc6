"""A document as JSON: everything in it, figures as numbers, and the machine-readable record.

Every set of positions stands once, under ``axes``, and the layers of figures name theirs; curves have the digits that
their picture can show, points that were computed one more, and observations are as they were given.

What the library prints and writes as JSON, read back as typed values, and the schemas that it follows.

>>> read_answer('{"format": "autostatistician answer 1", "question": "trend", "target": "y", "sentences": ["It rose."],'
...             ' "numbers": [], "facts": []}').sentences
('It rose.',)
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Document, Line, Marker, Panel, Points, Positions
from autostatistician.errors import InputError
from autostatistician.forms import FORMATS, Format, json_format
from autostatistician.report.svg import heights
from autostatistician.report.text import cleaned

__all__ = [
    "SCHEMAS", "AnswerRead", "ForecastRow", "NumberRead", "ReportRead", "SearchRead", "plain", "read_answer",
    "read_forecast", "read_report", "read_search", "rounding", "schema", "to_json",
]  # fmt: skip


_DIGITS = 6  # significant digits of numbers in figures that are neither curves nor observations
_EXACT_DIGITS = 10  # of observations and positions
_FINENESS = 5e-4  # of the height of a panel at most: a quarter of a pixel of its picture

Array = NDArray[np.float64]
Rounding = Callable[[Array], list[object]]

_NOWHERE = np.empty(0)  # in the place of positions that are written elsewhere


def to_json(document: Document) -> str:
    """Everything in the document as JSON, keys sorted, short lists on one line."""
    axes: dict[str, object] = {}
    value = _Writer(axes).plain(cleaned(document))
    assert isinstance(value, dict)
    return _written({"format": json_format(Format.REPORT), **value, "axes": axes}, "") + "\n"


def plain(value: object) -> object:
    """A value of plain data as JSON has it: records with their kind, arrays rounded, times in ISO 8601, no NaN.

    >>> plain((np.array([1/3, np.nan]), np.array(["2020-01-01"], "M8[s]"), float("inf")))
    [[0.333333, None], ['2020-01-01'], None]
    """
    return _Writer(None).plain(value)


class _Writer:
    """Makes plain values of records; with ``axes`` it puts positions there, each set of them once."""

    def __init__(self, axes: dict[str, object] | None) -> None:
        self.axes, self.names = axes, dict[bytes, str]()

    def plain(self, value: object) -> object:
        match value:
            case np.ndarray():
                return _array(value, _DIGITS)
            case np.generic():
                return self.plain(value.item())
            case float():
                return value if math.isfinite(value) else None
            case tuple() | list():
                return [self.plain(item) for item in value]
            case dict():
                return {str(key): self.plain(item) for key, item in value.items()}
            case Panel() if self.axes is not None:
                return self._panel(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._record(value)
        assert value is None or isinstance(value, bool | int | str), f"{type(value)} is not plain data"
        return value

    def _record(self, value: object) -> dict[str, object]:
        assert dataclasses.is_dataclass(value)
        fields = {field.name: self.plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"kind": type(value).__name__.lower(), **fields}

    def _panel(self, panel: Panel) -> dict[str, object]:
        rounded, finely = rounding(panel), rounding(panel, 1)
        layers = [self._layer(layer, finely if isinstance(layer, Points) else rounded) for layer in panel.layers]
        return self._record(dataclasses.replace(panel, layers=())) | {"layers": layers}

    def _layer(self, layer: Points | Line | Band | Marker, rounded: Rounding) -> dict[str, object]:
        match layer:
            case Marker():
                return self._record(layer)
            case Points():
                heights = {"y": _array(layer.y, _EXACT_DIGITS) if _are_given(layer.y) else rounded(layer.y)}
            case Line():
                heights = {"y": rounded(layer.y)}
            case Band():
                heights = {"lower": rounded(layer.lower), "upper": rounded(layer.upper)}
        return self._record(dataclasses.replace(layer, x=_NOWHERE)) | heights | {"x": self._axis(layer.x)}

    def _axis(self, x: Positions) -> str:
        """The name under which positions stand."""
        assert self.axes is not None
        key = f"{x.dtype}{x.shape}".encode() + x.tobytes()
        if key not in self.names:
            self.names[key] = f"axis-{len(self.axes) + 1}"
            self.axes[self.names[key]] = _array(x, _EXACT_DIGITS)
        return self.names[key]


def _array(values: NDArray[np.generic], digits: int) -> list[object]:
    if values.dtype.kind == "M":
        return _moments(values)
    return [_short(float(f"{number:.{digits}g}")) for number in values.tolist()]


def _moments(values: NDArray[np.generic]) -> list[object]:
    """Times in ISO 8601, without the clock where all are midnights."""
    days = values.astype("M8[D]")
    told = days if np.all((days == values) | np.isnat(values)) else values
    return [None if np.isnat(moment) else str(moment) for moment in told]


def _short(number: float) -> float | int | None:
    """A number as short as it can be; None of what is none.

    >>> _short(112.0), _short(0.5), _short(math.nan)
    (112, 0.5, None)
    """
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) < 10**_DIGITS else number


def _are_given(values: Array) -> bool:
    """Whether numbers are as somebody wrote them, rather than computed: none has more than ten digits.

    >>> _are_given(np.array([1.1, 2000.25])), _are_given(np.array([1.1, 1 / 3]))
    (True, False)
    """
    return all(float(f"{number:.{_EXACT_DIGITS}g}") == number for number in values[np.isfinite(values)].tolist())


def rounding(panel: Panel, finer: int = 0) -> Rounding:
    """How curves of a panel are written: with no more digits than can be seen in its picture, or some ``finer``.

    >>> ends = np.array([0.0, 1.0])
    >>> panel = Panel("", "", "", (Line(ends, np.array([1.23456, 31.0]), ""),))
    >>> rounding(panel)(np.array([1.23456, 31.0])), rounding(dataclasses.replace(panel, logarithmic=True))(ends + 1/3)
    ([1.23, 31], [0.3333, 1.333])
    """
    drawn = [values for layer in panel.layers for values in heights(layer)]
    numbers = np.concatenate([*drawn, np.empty(0)])
    numbers = numbers[np.isfinite(numbers)]
    if panel.logarithmic:
        numbers = np.log(numbers[numbers > 0.0])
    height = float(np.ptp(numbers)) if numbers.size else 0.0
    if height == 0.0:
        return lambda values: _array(values, _EXACT_DIGITS)
    places = finer - math.floor(math.log10(_FINENESS * height))
    if panel.logarithmic:
        return lambda values: _array(values, 1 + max(places, 0))
    return lambda values: [_short(round(number, places)) for number in values.tolist()]


def _written(value: object, indent: str) -> str:
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        lines = [f"{deeper}{_line(key)}: {_written(value[key], deeper)}" for key in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return "[\n" + ",\n".join(deeper + _written(item, deeper) for item in value) + f"\n{indent}]"
    return _line(value)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ": "))


SCHEMAS = ("facts-1", *(f"{name}-{number}" for name, number in FORMATS.items()))

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
    value = _value(source, json_format(Format.ANSWER))
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
        for row in _value(source, json_format(Format.FORECAST))["forecast"]
    )


def read_search(source: str | Path) -> SearchRead:
    """What ``report``, ``fit`` and ``describe`` print with ``--json``; of a report, its record."""
    return _search(_value(source, json_format(Format.SEARCH), ""))


def read_report(source: str | Path) -> ReportRead:
    """A report that was written as ``.json``, by this version or those before (formats 1 and 2)."""
    value = _value(source, json_format(Format.REPORT), "autostatistician report 2", "autostatistician report 1")
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
        layers = [
            {key: _array_read(key, value, axes) for key, value in layer.items()} for layer in panel.get("layers", ())
        ]
        panels.append({**panel, "layers": layers})
    return {**figure, "panels": panels}


def _array_read(key: str, value: Any, axes: Mapping[str, NDArray[Any]]) -> Any:
    if key == "x" and isinstance(value, str) and value in axes:
        return axes[value]
    if key == "x" and isinstance(value, list):  # format 1
        return _positions(value)
    return np.array(value, dtype=np.float64) if key in ("y", "lower", "upper") else value
