"""The columns in which a cluster differs from all other rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from autostatistician.describe.facts.clusters import Trait, TraitSide

__all__ = ["traits_of"]

Array = NDArray[np.float64]

MIDDLE = (0.05, 0.95)  # quantiles of a cluster (outwards to the next row) that are told as its range
CLEAR = 0.8  # share of pairs in one order, or of other rows outside, from which a column is worth telling
MOST_TRAITS = 4


def traits_of(rows: Array, columns: tuple[str, ...], inside: NDArray[np.bool_]) -> tuple[Trait, ...]:
    """The traits of the rows that are ``inside`` (n,), the clearest first; none where there are no others.

    >>> rows = np.array([[1.0, 5.0], [2.0, 6.0], [8.0, 5.5], [9.0, 4.5]])
    >>> [(one.column, one.side.value, one.clear) for one in traits_of(rows, ("a", "b"), np.arange(4) < 2)]
    [('a', 'lower', 1.0)]
    """
    if inside.all():
        return ()
    traits = (_trait(values, name, inside) for values, name in zip(rows.T, columns, strict=True))
    clear = [trait for trait in traits if trait.clear >= CLEAR]
    order = {name: place for place, name in enumerate(columns)}
    clear.sort(key=lambda trait: (trait.side is TraitSide.AMONG, -trait.clear, order[trait.column]))
    return tuple(clear[:MOST_TRAITS])


def _trait(values: Array, column: str, inside: NDArray[np.bool_]) -> Trait:
    members, others = values[inside], values[~inside]
    ranks = rankdata(values)[inside]
    above = float((ranks.sum() - 0.5 * len(members) * (len(members) + 1)) / (len(members) * len(others)))
    low, high = (
        float(np.quantile(members, MIDDLE[0], method="lower")),
        float(np.quantile(members, MIDDLE[1], method="higher")),
    )
    outside = float(np.mean((others < low) | (others > high)))
    if max(above, 1.0 - above) >= CLEAR or len(members) < 3:
        side = TraitSide.ABOVE if above > 0.5 else TraitSide.BELOW
        return Trait(column=column, low=low, high=high, side=side, clear=max(above, 1.0 - above))
    return Trait(column=column, low=low, high=high, side=TraitSide.AMONG, clear=outside)
