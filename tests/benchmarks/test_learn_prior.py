"""Learning of priors on series: shares add up to one."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def learn(folder: Path) -> Any:
    return import_module("learn_prior")


def test_shares_add_up_to_one_and_keep_what_was_never_seen(learn: Any) -> None:
    found = learn.smoothed({"a": 3.0}, {"a": 0.5, "b": 0.5})
    assert sum(found.values()) == pytest.approx(1.0)
    assert 0.0 < found["b"] < 0.5 < found["a"]
