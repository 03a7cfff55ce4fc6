"""What models of several classes, each against the rest, say together, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.classes import ForeseenClasses
from autostatistician.decompose.records.table import TableDecomposition

__all__ = ["ForeseenOfSeveral", "SeveralClasses"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class ForeseenOfSeveral(ForeseenClasses):
    """Several classes foreseen."""

    came: NDArray[np.intp]  # (n,) place of the class of each row
    taken: NDArray[np.intp]  # (classes, classes) rows of each class, by what they are taken for

    @property
    def given(self) -> Array:
        """The chance (n,) that was given to what came."""
        return self.chance[np.arange(len(self.came)), self.came]


@dataclass(frozen=True, eq=False)
class SeveralClasses:
    """A model of each class against the rest taken apart, and how well they foresee together."""

    name: str
    target: str
    classes: tuple[str, ...]
    each: tuple[TableDecomposition, ...]  # in the order of the classes
    foreseen: ForeseenOfSeveral
    warnings: tuple[str, ...] = ()
    choice: str = ""
