"""The record of what chains over partitions have found."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from tests.describe.cluster_cases import found


def test_it_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        found().sweeps = 7  # type: ignore[misc]
    assert len(found().labels) == len(found().rows) == len(found().numbers)
