"""What a deep process has learned is plain values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from tests.describe.deep_cases import CASES


def test_records_stay_as_they_are() -> None:
    with pytest.raises(FrozenInstanceError):
        CASES["deep"].chosen = 3  # type: ignore[misc]
    assert len(CASES["deep"].bends) == CASES["deep"].chosen - 1
