"""Which problems have a matrix that is constant along its diagonals, but for columns of a known form."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.geometry import cells_in_order
from autostatistician.inference.engines.semiseparable.products import PlacedFactor, distributed
from autostatistician.inference.likelihoods.gaussian import Gaussian
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import LEAVES

__all__ = ["MOST_EMPTY", "cells_of", "is_bordered"]

ALIKE = {LeafKind.CONSTANT, LeafKind.LINE, LeafKind.ZERO}  # the same at all lags
MOST_EMPTY = 100  # cells of the grid


def cells_of(expr: Expr, problem: Problem) -> tuple[NDArray[np.intp], float] | None:
    """The cells (n,) of a grid in which rows stand, in order, and its step; None where the matrix has another form.

    >>> from autostatistician.language.text import parse
    >>> even, uneven = (Problem(np.arange(4.0) ** power, np.zeros(4)) for power in (1.0, 1.5))
    >>> cells, step = cells_of(parse("SE + WN"), even)
    >>> cells.tolist(), float(step), cells_of(parse("SE + WN"), uneven), cells_of(parse("Wiener + WN"), even)
    ([0, 1, 2, 3], 1.0, None, None)
    """
    plain = isinstance(problem.likelihood, Gaussian) and problem.basis is None and problem.noise is None
    if not plain or problem.X.shape[1] != 1 or not is_bordered(expr):
        return None
    cells = cells_in_order(problem.X[:, 0])
    return cells if cells is not None and int(cells[0][-1]) + 1 - problem.n <= MOST_EMPTY else None


def is_bordered(expr: Expr) -> bool:
    """Whether a covariance is one of lags alone, but for some columns of a known form.

    >>> from autostatistician.language.text import parse
    >>> [is_bordered(parse(text)) for text in ("SE * Per + WN", "Lin * Lin + SE", "Lin * SE", "CP(SE, C)", "Wiener")]
    [True, True, False, False, False]
    """
    return all(map(_is_bordered, distributed(expr, 0)))


def _is_bordered(factors: list[PlacedFactor]) -> bool:
    """The same of a product."""
    kinds = {LEAVES[factor.expr.symbol].kind if isinstance(factor.expr, Leaf) else None for factor in factors}
    if LeafKind.LINE in kinds:
        return kinds <= ALIKE
    return None not in kinds and LeafKind.UNBOUNDED not in kinds
