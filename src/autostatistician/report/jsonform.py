"""A document as JSON: everything in it, figures as numbers, and the machine-readable record."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.document.document import Document
from autostatistician.report.text import cleaned

__all__ = ["to_json", "plain"]

_DIGITS = 6  # significant digits of the numbers in figures


def to_json(document: Document) -> str:
    """Everything in the document, figures as numbers of 6 significant digits, keys sorted, short lists on one line."""
    value = plain(cleaned(document))
    assert isinstance(value, dict)
    return _written({"format": "autostatistician report 1", **value}, "") + "\n"


def plain(value: object) -> object:
    """A value of plain data as JSON has it: records with their kind, arrays rounded, times in ISO 8601, no NaN.

    >>> plain((np.array([1/3, np.nan]), np.array(["2020-01-01"], "M8[D]"), float("inf")))
    [[0.333333, None], ['2020-01-01'], None]
    """
    match value:
        case np.ndarray():
            return _array(value)
        case np.generic():
            return plain(value.item())
        case float():
            return value if math.isfinite(value) else None
        case tuple() | list():
            return [plain(item) for item in value]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"kind": type(value).__name__.lower(), **fields}
    assert value is None or isinstance(value, bool | int | str), f"{type(value)} is not plain data"
    return value


def _array(values: NDArray[np.generic]) -> list[object]:
    if values.dtype.kind == "M":
        return [None if np.isnat(moment) else str(moment) for moment in values]
    return [_rounded(float(number)) for number in values.tolist()]


def _rounded(number: float) -> float | None:
    return float(f"{number:.{_DIGITS}g}") if math.isfinite(number) else None


def _written(value: object, indent: str) -> str:
    deeper = indent + "  "
    if isinstance(value, dict) and value:
        lines = [f"{deeper}{_line(key)}: {_written(value[key], deeper)}" for key in sorted(value)]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return "[\n" + ",\n".join(deeper + _written(item, deeper) for item in value) + f"\n{indent}]"
    return _line(value)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
