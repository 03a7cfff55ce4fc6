"""Settings of estimators, checked."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.estimators.checks import check_choice, check_count, check_levels, check_positive, ends_of


@pytest.mark.parametrize("value", [2, np.int32(2), np.uint8(2)])
def test_whole_numbers_of_any_library_are_taken(value: int) -> None:
    count = check_count("rank", value, 2)
    assert (count, type(count)) == (2, int)


@pytest.mark.parametrize("value", [1, 2.0, True, "2", None])
def test_all_else_is_refused_by_name(value: object) -> None:
    with pytest.raises(InputError, match="rank as a whole number from 2; found"):
        check_count("rank", value, 2)


def test_choices_and_sizes_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="link='probit' or link='logistic'; found 'log'"):
        check_choice("link", "log", ("probit", "logistic"))
    for value in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(InputError, match="growth above zero"):
            check_positive("growth", value)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.5])
def test_levels_lie_between_zero_and_one(level: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        check_levels((0.5, level))
    with pytest.raises(InputError, match="between 0 and 1"):
        ends_of(level)
