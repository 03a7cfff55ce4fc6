"""Names are found at their old home for one more version."""

from __future__ import annotations

import pytest

import autostatistician
from autostatistician import structure


@pytest.mark.parametrize("name", ["MultiOutputGPRegressor", "SemiParametricGPRegressor"])
def test_estimators_are_forwarded_with_a_warning(name: str) -> None:
    with pytest.warns(FutureWarning, match=f"'{name}' has moved from autostatistician.structure to autostatistician"):
        found = getattr(structure, name)
    assert found is getattr(autostatistician, name)


def test_what_was_never_there_is_not_found() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Bridge'"):
        structure.Bridge  # noqa: B018
