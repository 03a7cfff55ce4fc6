"""Names that have moved are found at their old place for one more version."""

from __future__ import annotations

import inspect
import pkgutil
import warnings
from collections.abc import Mapping
from importlib import import_module
from types import ModuleType

import pytest

import autostatistician
from autostatistician.moved import moved


def _forwarded() -> list[tuple[str, str, str]]:
    """Every name that some module of the package forwards: the old module, the name, the new module."""
    found = []
    for info in pkgutil.walk_packages(autostatistician.__path__, "autostatistician."):
        if info.name.endswith("__main__"):
            continue
        find = vars(import_module(info.name)).get("__getattr__")
        if find is not None and find.__qualname__ == "moved.<locals>.find":
            homes: Mapping[str, str] = inspect.getclosurevars(find).nonlocals["homes"]
            found += [(info.name, name, home) for name, home in homes.items()]
    return found


FORWARDED = _forwarded()


def test_there_are_such_names() -> None:
    assert ("autostatistician.additive", "AdditiveGPRegressor", "autostatistician") in FORWARDED


@pytest.mark.parametrize(("old", "name", "home"), FORWARDED, ids=[f"{old}.{name}" for old, name, _ in FORWARDED])
def test_every_moved_name_is_the_one_of_its_new_place_and_warns(old: str, name: str, home: str) -> None:
    with pytest.warns(FutureWarning, match=f"'{name}' has moved from {old} to {home}"):
        value = getattr(import_module(old), name)
    assert value is getattr(import_module(home), name)


def test_other_names_are_missing_as_ever() -> None:
    with pytest.raises(AttributeError, match="module 'here' has no attribute 'tau'"):
        moved("here", {"pi": "math"})("tau")


def test_the_warning_points_at_the_line_that_asks() -> None:
    module = ModuleType("here")
    vars(module)["__getattr__"] = moved("here", {"pi": "math"})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert module.pi > 3.0
    assert [one.filename for one in caught] == [__file__]
