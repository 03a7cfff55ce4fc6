"""Classes that are known of some rows, as scikit-learn's semi-supervised estimators are given them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import type_of_target

from autostatistician.errors import InputError

__all__ = ["GAP", "coded"]

GAP = -1  # stands for "not known", as in scikit-learn


def coded(y: Any, rows: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The classes in their order (C,), and the class of each row (N,) as a number from 0 on, -1 where not known.

    Parameters
    ----------
    y : array-like (N,)
        Names or whole numbers; -1, NaN and None say that the class is not known.

    Raises
    ------
    InputError
        When they are not as many as rows, or numbers that are not whole.

    Examples
    --------
    >>> classes, codes = coded(["b", None, "a", "b"], 4)
    >>> classes.tolist(), codes.tolist()
    (['a', 'b'], [1, -1, 0, 1])
    """
    import pandas as pd

    y = column_or_1d(y, dtype=object)
    if len(y) != rows:
        raise InputError.of(f"a class or a gap for each of {rows} rows", f"{len(y)} of them", "give `y` as long as `X`")
    there = np.array([not (pd.isna(value) or (_is_number(value) and value == GAP)) for value in y], dtype=bool)
    labels = np.array(y[there].tolist())
    if len(labels) and type_of_target(labels).startswith("continuous"):
        raise InputError.of("classes in `y`, with gaps", "numbers with fractions", "leave `y` out, or give classes")
    classes, inverse = np.unique(labels, return_inverse=True)
    codes = np.full(rows, GAP, dtype=np.intp)
    codes[there] = inverse.reshape(-1)
    return classes, codes


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))
