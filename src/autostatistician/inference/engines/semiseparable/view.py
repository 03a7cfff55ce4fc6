"""Values in the stretch of one block: covariances with the blocks before, with the block, and with those after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

from autostatistician.inference.engines.semiseparable.chain import ChainSection

__all__ = ["ValuesGivenBefore", "View"]

Array = NDArray[np.float64]
Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Some k values in the stretch of one block."""

    block: int
    rows: Index  # (k,): which of the values that were asked for
    p: Array  # (k, r)
    q: Array  # (k, m)
    r: Array  # (k, r)

    def plus(self, other: View) -> View:
        """That of the sums with other values at the same places."""
        p, r = (np.concatenate(both, axis=1) for both in ((self.p, other.p), (self.r, other.r)))
        return View(self.block, self.rows, p, self.q + other.q, r)


@dataclass(frozen=True, slots=True, eq=False)
class ValuesGivenBefore:
    """Values of one block given all before it, and what is left of them for the blocks after it."""

    XP: Array  # (R, k): what blocks before tell of the columns, along p
    half: Array  # (m, k)
    D: Array  # (k, R): the covariance with the columns that is left

    @classmethod
    def of(cls, view: View, section: ChainSection, columns: Index) -> ValuesGivenBefore:
        """Values by their view."""
        b = view.block - section.first
        U, phi, L, A = section.U[b], section.phi[b], section.L[b], section.A[b]
        XP = _columns_times(section.X[b], columns, view.p.T)
        s = view.q.T - U @ XP
        half = lapack.dtrtrs(L, s, lower=1)[0]
        D = -(phi[:, None] * XP + A.T @ s).T
        D[:, columns] += view.r
        return cls(XP, half, D)


def _columns_times(X: Array, columns: Index, values: Array) -> Array:
    """``X[:, columns] @ values``; columns side by side are not copied."""
    if len(columns) and columns[-1] - columns[0] + 1 == len(columns):
        return np.asarray(X[:, columns[0] : columns[-1] + 1] @ values)
    return np.asarray(X[:, columns] @ values)
