"""Records of columns beside a series."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from tests.describe.covariate_cases import PRICE, PROMO, beside


def test_a_record_holds_columns_and_the_series_with_them() -> None:
    record = beside(PROMO, PRICE)
    assert [effect.name for effect in record.effects] == ["promo", "price"]
    assert record.y.shape == record.fit.x.shape
    assert record.effects[0].added.x.size == record.y.size + record.forecast.x.size


def test_a_record_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        PROMO.lag = 2  # type: ignore[misc]
