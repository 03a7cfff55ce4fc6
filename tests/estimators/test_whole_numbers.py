"""Settings that are whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.estimators.whole_numbers import check_count


@pytest.mark.parametrize("value", [2, np.int32(2), np.uint8(2)])
def test_whole_numbers_of_any_library_are_taken(value: int) -> None:
    count = check_count("rank", value, 2)
    assert (count, type(count)) == (2, int)


@pytest.mark.parametrize("value", [1, 2.0, True, "2", None])
def test_all_else_is_refused_by_name(value: object) -> None:
    with pytest.raises(InputError, match="rank as a whole number from 2; found"):
        check_count("rank", value, 2)
