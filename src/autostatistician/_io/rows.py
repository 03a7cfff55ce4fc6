"""Results as plain values for JSON, and a few rows that stand for all."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.forms import Format, json_format

__all__ = ["csv_text", "evenly_spaced", "finite_only", "forecast_json", "plain_rows"]

FORMULA = re.compile(r"[=+\-@\t\r](?![\d.]*(?:e[+-]\d+)?$)")  # how cells begin that spreadsheets compute; not numbers


def plain_rows(frame: Any) -> Any:
    """The rows of a frame as plain values: dates as ISO 8601 texts, numbers as they are.

    >>> import pandas as pd
    >>> plain_rows(pd.DataFrame({"time": pd.to_datetime(["2020-01-01"]), "mean": [0.1]}))
    [{'time': '2020-01-01', 'mean': 0.1}]
    """
    dates = {name: column.astype(str) for name, column in frame.items() if column.dtype.kind == "M"}
    return json.loads(frame.assign(**dates).to_json(orient="records", double_precision=15))


def forecast_json(frame: Any, output: Path | None = None) -> dict[str, object]:
    """A forecast as its schema has it."""
    said = {"notes": list(notes)} if (notes := frame.attrs.get("notes")) else {}
    written = None if output is None else str(output)
    return {"format": json_format(Format.FORECAST), "forecast": plain_rows(frame), **said, "output": written}


def csv_text(frame: Any, *, header: bool = True) -> str:
    """The rows of a frame as CSV; text that a spreadsheet would take for a formula begins with an apostrophe.

    >>> import pandas as pd
    >>> print(csv_text(pd.DataFrame({"-a": ["=A1", "a=b", "-3.5"], "b": [-1.0, 2.0, 3.0]})), end="")
    '-a,b
    '=A1,-1.0
    a=b,2.0
    -3.5,3.0
    """
    texts = {name: column.map(_inert) for name, column in frame.items() if column.dtype.kind == "O"}
    table: str = frame.assign(**texts).rename(columns=_inert).to_csv(index=False, header=header, lineterminator="\n")
    return table


def _inert(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell


def finite_only(value: Any) -> Any:
    """The same value with NaN and infinities, which JSON lacks, as None.

    >>> finite_only({"mean": float("nan"), "rows": (1, 2)})
    {'mean': None, 'rows': [1, 2]}
    """
    match value:
        case dict():
            return {str(key): finite_only(item) for key, item in value.items()}
        case list() | tuple():
            return [finite_only(item) for item in value]
        case float() if not math.isfinite(value):
            return None
    return value


def evenly_spaced(n: int, most: int) -> NDArray[np.intp]:
    """The indices of at most ``most`` of n rows, evenly spaced, the first and the last among them.

    >>> evenly_spaced(9, 3).tolist(), evenly_spaced(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))
