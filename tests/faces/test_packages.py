"""What is said where a library is absent."""

from __future__ import annotations

import sys

import pytest

from autostatistician.faces.packages import not_installed


def test_the_error_is_one_of_imports_and_names_the_package() -> None:
    error = not_installed("gluonts")
    assert error.name == "gluonts"
    assert str(error).endswith("pip install gluonts")


@pytest.mark.parametrize("package", ["sktime", "gluonts"])
def test_a_face_without_its_library_says_what_to_install(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package or name.endswith(f"faces.{package}")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError, match=rf"pip install {package}"):
        __import__(f"autostatistician.faces.{package}")
