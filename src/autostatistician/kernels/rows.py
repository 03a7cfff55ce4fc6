"""Rows that kernels are asked about: arrays or frames, whose columns the leaves name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError

__all__ = ["columns_of", "rows_of"]

Array = NDArray[np.float64]


def rows_of(X: Any) -> Array:
    """Rows (n, d) of finite numbers; an array (n,) is one column."""
    rows = np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not np.isfinite(rows).all():
        raise InputError.of("rows of finite numbers", f"an array of shape {rows.shape}", "clean them")
    return rows


def columns_of(X: Any, count: int) -> tuple[str, ...]:
    """The names of the latent columns: those of the frame, unless a view changes how many there are."""
    if hasattr(X, "columns") and len(X.columns) == count:
        return tuple(str(name) for name in X.columns)
    return ("x",) if count == 1 else tuple(f"x{index + 1}" for index in range(count))
