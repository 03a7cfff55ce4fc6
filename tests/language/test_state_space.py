"""What is asked of the terms of a leaf."""

from __future__ import annotations

import pytest

from autostatistician.language.state_space import Accuracy


def test_lags_are_in_lengthscales_and_never_shorter_than_is_of_use() -> None:
    assert Accuracy(1e-6, 1.0, 30.0).lags(10.0) == pytest.approx((0.1, 3.0))
    assert Accuracy(1e-6, 0.0, 30.0).lags(10.0) == pytest.approx((1e-3, 3.0))
    assert Accuracy(1e-6, 1.0, 30.0).lags(1e6) == pytest.approx((1e-3, 2e-3))
