"""What of a function of any kernel repeats: what is refused (the parts themselves: `decompose/series`)."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician import split_by_period
from autostatistician.errors import InputError

X, Y = np.arange(50.0), np.sin(np.arange(50.0))


def test_the_same_number_gives_the_same_range() -> None:
    first, again, other = (split_by_period("SE(lengthscale=3, sd=1) + WN(sd=0.3)", X, Y, 12.0, random_state=seed)
                           for seed in (0, 0, 1))  # fmt: skip
    assert first.share == again.share
    assert first.share != other.share


@pytest.mark.parametrize(("kernel", "period"), [("SE(lengthscale=1, sd=1)", 1.0), ("SE(lengthscale=1, sd=1)", 26.0)])
def test_a_period_must_be_seen(kernel: str, period: float) -> None:
    with pytest.raises(InputError, match="period"):
        split_by_period(kernel, X, Y, period)


def test_noise_and_tables_have_no_such_parts() -> None:
    with pytest.raises(InputError, match="no noise"):
        split_by_period("WN(sd=1)", X, Y, 12.0)
    with pytest.raises(InputError, match="one column"):
        split_by_period("SE[x1](lengthscale=1, sd=1)", np.ones((50, 2)), Y, 12.0)
