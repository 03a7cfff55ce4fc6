"""What is said where the library of a face is not installed."""

from __future__ import annotations

__all__ = ["not_installed"]


def not_installed(package: str) -> ModuleNotFoundError:
    """The error to raise instead of the one that the import of a library gave.

    >>> str(not_installed("sktime"))
    'expected the package sktime; found none; pip install sktime'
    """
    text = f"expected the package {package}; found none; pip install {package}"
    return ModuleNotFoundError(text, name=package)
