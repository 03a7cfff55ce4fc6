"""Public rooms under the names of version 0.1."""

import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("language", "kernels", "Kernel"), ("language.expr", "kernels.expr", "Sum"),
        ("symmetry", "models.symmetry", "Group"), ("deep", "models.deep", "composition"),
    ],
)  # fmt: skip
def test_a_renamed_room_is_the_room_of_today(old: str, new: str, name: str) -> None:
    sys.modules.pop(f"autostatistician.{old}", None)
    with pytest.warns(FutureWarning, match=f"autostatistician.{old} is now autostatistician.{new}"):
        room = import_module(f"autostatistician.{old}")
    today = import_module(f"autostatistician.{new}")
    assert getattr(room, name) is getattr(today, name)
    assert today.__spec__ is not None
    assert today.__spec__.name == f"autostatistician.{new}"


def test_other_names_are_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("autostatistician.tongues")
