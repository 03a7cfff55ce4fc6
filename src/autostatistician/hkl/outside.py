"""What subsets outside of a hull could have: the conditions that say which come in, and that none needs to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autostatistician.hkl.columns import PackedTriangle
from autostatistician.hkl.hull import Hull

__all__ = ["Outside"]

Array = NDArray[np.float64]

BLOCK = 8192  # numbers of a packed matrix at a time, so that all rows stay in the cache


class Outside:
    """The sources of a hull, the subsets outside all of whose own are inside, with what they could have.

    ``growth`` is the factor of the weight of a norm for every column more.
    """

    def __init__(self, hull: Hull, triangle: PackedTriangle, growth: float) -> None:
        self.hull, self.triangle, self.growth = hull, triangle, growth
        sources = hull.sources()
        self.sources = [source for _, _, source in sources]
        self._places, self._columns = (np.array([source[k] for source in sources], dtype=int) for k in (0, 1))

    def alone(self, weights: Array) -> Array:
        """For every source: ``weights' K weights`` over the square of its weight. Below the level of all: necessary."""
        outer = self.triangle.outer(weights)
        forms = np.zeros((len(self.hull), len(self.hull.columns)))
        for part in self._parts():
            forms += (self.hull.kernels[:, part] * outer[part]) @ self.hull.columns[:, part].T
        costs = self.growth ** (self.hull.sizes[self._places] + 1.0)
        return np.asarray(forms[self._places, self._columns] / costs**2)

    def with_all_above(self, weights: Array) -> Array:
        """For every source: a bound for it and all that contain it together. Below the level of all: sufficient.

        The sum over all that contain it of ``weights' K weights`` over the square of the summed weights between both
        (Bach 2009, section 5.3) is a product over the columns.
        """
        outer = self.triangle.outer(weights)
        bounds = np.zeros((len(self.hull), len(self.hull.columns)))
        for part in self._parts():
            bounds += self._bounds(part, outer[part])
        return np.asarray(bounds[self._places, self._columns])

    def _bounds(self, part: slice, outer: Array) -> Array:
        columns = self.hull.columns[:, part]
        free = 1.0 + columns / (1.0 + self.growth) ** 2
        free[np.abs(free) < 1e-9] = 1e-9  # divided by, and then multiplied with
        taken = columns / self.growth**2 / free
        products = np.empty((len(self.hull), len(outer)))
        products[0] = outer * np.prod(free, axis=0)
        for place, parent, column in self.hull.last_steps():
            np.multiply(products[parent], taken[column], out=products[place])
        return np.asarray(products @ taken.T)

    def _parts(self) -> Iterator[slice]:
        return (slice(start, start + BLOCK) for start in range(0, self.triangle.size, BLOCK))
