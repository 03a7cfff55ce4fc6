"""Growth beyond the data, drawn from what a model carries on to the growth of the whole of the data.

A model carries on the slope of its last rows, or lets a curve fall back to the mean, as its covariances say. On series
of the corpus both went too far: most of the way to the straight line through all rows came nearer to what followed, and
on the logarithm, where growth by percentages soon goes too far, to three quarters of it (benchmarks/learn_ahead.py).
What a model is sure of stays: no value moves by more than twice its own doubt about the growth. A step from one level
to another is no growth: it came once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.inference.posterior import Posterior
from autostatistician.inference.posterior.places import Differences
from autostatistician.language.expr import ChangePoint
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import is_leaf_of

__all__ = ["drawn_to_past", "level_steps", "past_growth"]

Array = NDArray[np.float64]

SHARE_OF_PAST = 0.6  # of the growth of the whole; the rest is that of the model
GOES_ON_BY_PERCENT = 0.75  # of the growth of the whole on the scale of the logarithm; of that in units all does
MOST_SDS = 2.0  # of the growth by the model, by which a value moves at most


def past_growth(dataset: Dataset, steps: Sequence[float] = (), *, is_log: bool = False) -> float:
    """What of the slope of the straight line through all rows of a series (least squares) is expected to go on.

    It is that beside ``steps`` of the level at some positions.

    >>> rows = Dataset(np.array([[0.0], [1.0], [3.0]]), np.array([0.0, 2.0, 6.0]), ("x",), "y", None)
    >>> past_growth(rows), past_growth(rows, is_log=True)
    (2.0, 1.5)
    >>> round(past_growth(Dataset(rows.X, np.array([0.0, 2.0, 1.0]), ("x",), "y", None), (2.0,)), 9)
    2.0
    """
    x = dataset.x - dataset.x.mean()
    if steps:
        design = np.column_stack([x, np.ones_like(x), dataset.x[:, None] >= np.array(steps)])
        slope = float(np.linalg.lstsq(design, dataset.y)[0][0])
    else:
        slope = float(x @ dataset.y / max(x @ x, np.finfo(float).tiny))
    return GOES_ON_BY_PERCENT * slope if is_log else slope


def level_steps(kernel: Kernel) -> tuple[float, ...]:
    """Where a sum changes at a point from one constant level to another, whatever else changes there.

    >>> from autostatistician.language.kernel import leaf
    >>> level, noise = leaf("C", sd=3.0), leaf("WN", sd=1.0)
    >>> level_steps(noise + Kernel.change_point(level, level, location=4.0, steepness=9.0))
    (4.0,)
    >>> level_steps(level + Kernel.change_point(noise, leaf("WN", sd=2.0), location=4.0, steepness=9.0))
    ()
    """
    return tuple(
        term.named()["location"]
        for term in kernel.terms
        if isinstance(term.expr, ChangePoint) and all(map(_has_level, term.parts))
    )


def _has_level(side: Kernel) -> bool:
    return any(is_leaf_of(term.expr, LeafKind.CONSTANT) for term in side.terms)


def drawn_to_past(
    posterior: Posterior, X: Array, slope: float, share: float = SHARE_OF_PAST, most: float = MOST_SDS
) -> Array:
    """By how much the means of a model at rows (m, 1) move (m,); by nothing but after the last of its rows."""
    moved = np.zeros(len(X))
    last, trend = posterior.X[:, 0].max(), _trend(posterior)
    after = X[:, 0] > last
    if trend is None or not after.any():
        return moved
    growth = posterior.project(trend, Differences(X[after], np.full_like(X[after], last)))
    apart = slope * (X[after, 0] - last) - growth.mean
    moved[after] = np.clip(share * apart, -most * growth.sd, most * growth.sd)
    return moved


def _trend(posterior: Posterior) -> Kernel | None:
    """The terms of a model that are neither level nor noise nor have a cycle; None without any."""
    signal = posterior.halves[0]
    if signal is None:
        return None
    terms = [term for term in signal.terms if _may_grow(term)]
    return sum(terms[1:], terms[0]) if terms else None


def _may_grow(term: Kernel) -> bool:
    return not is_leaf_of(term.expr, LeafKind.CONSTANT) and all(
        parameter.name != "period" for parameter in parameters(term.expr)
    )
