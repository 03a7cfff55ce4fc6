"""What columns beside a series of counts add to the logarithm of their rate, or to that of the odds of their share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

__all__ = ["Added"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Added:
    """Amounts at increasing positions (n,) of a series, on the scale of a logarithm.

    Values without them are rates or shares as they would be with the columns at their usual values.

    Examples
    --------
    >>> law = Added(np.array([0.0, 1.0]), np.log([1.0, 2.0]))
    >>> rates = law.without(np.array([0.0, 1.0]), np.array([3.0, 3.0]), is_share=False)
    >>> rates.tolist(), law.with_it(np.array([0.0, 1.0]), rates, is_share=False).tolist()
    ([3.0, 1.5], [3.0, 3.0])
    """

    x: Floats
    values: Floats

    @classmethod
    def of_rows(cls, x: Floats, values: Floats) -> Added:
        """Of rows (n,) in any order, several of which may have one position."""
        places, rows = np.unique(x, return_index=True)
        return cls(places, np.asarray(values[rows]))

    def at(self, x: Floats) -> Floats:
        """Amounts (m,) at positions: of rows their own, elsewhere those in between."""
        return np.interp(x, self.x, self.values)

    def with_it(self, x: Floats, y: Floats, *, is_share: bool) -> Floats:
        """Rates or shares (m,) as they were, of those with the columns at their usual values."""
        return _moved(y, self.at(x), is_share=is_share)

    def without(self, x: Floats, y: Floats, *, is_share: bool) -> Floats:
        """Rates or shares (m,) with the columns at their usual values, of those as they were."""
        return _moved(y, -self.at(x), is_share=is_share)

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""
        return {"x": self.x.tolist(), "values": self.values.tolist()}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Added:
        """What `to_json` wrote."""
        x, values = (np.array(record[name], dtype=np.float64) for name in ("x", "values"))
        if x.ndim != 1 or x.shape != values.shape or not np.isfinite([x, values]).all() or (np.diff(x) <= 0.0).any():
            raise ValueError("amounts of columns that are not along an axis")
        return cls(x, values)


def _moved(y: Floats, by: Floats, *, is_share: bool) -> Floats:
    """Rates times a factor, or shares whose odds are; none and all stay what they are."""
    if not is_share:
        return np.asarray(y * np.exp(by))
    with np.errstate(divide="ignore"):
        return np.asarray(expit(np.log(y) - np.log1p(-y) + by))
