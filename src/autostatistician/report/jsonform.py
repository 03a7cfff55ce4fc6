"""A document as JSON: everything in it, figures as numbers, and the machine-readable record.

Every set of positions stands once, under ``axes``, and the layers of figures name theirs; curves have the digits that
their picture can show, points that were computed one more, and observations are as they were given.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Band, Document, Line, Marker, Panel, Points, Positions
from autostatistician.forms import REPORT_FORMAT
from autostatistician.report.svg import heights
from autostatistician.report.text import cleaned

__all__ = ["plain", "to_json"]

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
    return _written({"format": REPORT_FORMAT, **value, "axes": axes}, "") + "\n"


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
        rounded, finely = _rounding(panel), _rounding(panel, 1)
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


def _rounding(panel: Panel, finer: int = 0) -> Rounding:
    """How curves of a panel are written: with no more digits than can be seen in its picture, or some ``finer``.

    >>> ends = np.array([0.0, 1.0])
    >>> panel = Panel("", "", "", (Line(ends, np.array([1.23456, 31.0]), ""),))
    >>> _rounding(panel)(np.array([1.23456, 31.0])), _rounding(dataclasses.replace(panel, logarithmic=True))(ends + 1/3)
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
