"""Values that are no finite numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autostatistician.data.missing import checked_finite, checked_target, unmasked
from autostatistician.errors import InputError


@pytest.mark.parametrize(
    ("values", "nothing"),
    [
        (np.array([1.5, 2.5]), "nan"),
        (np.array([1, 2]), "nan"),
        (np.array([True, False]), "nan"),
        (np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"), "NaT"),
        (np.array(["a", "b"], dtype=object), "None"),
    ],
)
def test_what_is_masked_becomes_nothing_of_its_kind(values: Any, nothing: str) -> None:
    masked = np.ma.masked_array(values, mask=[False, True])
    seen = unmasked(masked)
    assert not isinstance(seen, np.ma.MaskedArray)
    assert (seen[0] == values[0], str(seen[1])) == (True, nothing)
    assert unmasked(values) is values


def test_the_first_cell_that_is_no_number_is_named_and_the_other_rows_counted() -> None:
    X = np.array([[1.0, 2.0], [np.inf, np.nan], [1.0, 2.0], [np.nan, 1.0]])
    with pytest.raises(InputError, match=r"column 'a' of every row; found infinity in row 2 and .* in 1 other row"):
        checked_finite(X, ("a", "b"))
    with pytest.raises(InputError, match="column 'x2' of every row; found NaN in row 1; fill"):
        checked_finite(np.array([[0.0, np.nan]]))
    whole = X[[0, 2]]
    assert checked_finite(whole) is whole


def test_targets_without_a_number_are_counted_and_other_kinds_left_to_others() -> None:
    with pytest.raises(InputError, match="found NaN in row 2 and in 1 other row; leave such rows out"):
        checked_target([1.0, np.nan, np.nan])
    for fine in ([1.0, np.inf], ["a", "b"], [1, 2], np.full((2, 2), np.nan)):
        checked_target(fine)


def test_nothing_as_a_target_is_refused_like_nan() -> None:
    with pytest.raises(InputError, match="nothing in row 2 and in 1 other row"):
        checked_target([1.0, None, float("nan")])
    checked_target(["a", "b"])
