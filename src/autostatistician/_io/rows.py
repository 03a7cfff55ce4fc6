"""Results as plain values for JSON, and a few rows that stand for all."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.forms import json_format

__all__ = ["evenly_spaced", "finite_only", "forecast_json", "plain_rows"]


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
    notes = list(frame.attrs.get("notes", []))
    said = {"notes": notes} if notes else {}
    written = None if output is None else str(output)
    return {"format": json_format("forecast"), "forecast": plain_rows(frame), **said, "output": written}


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
