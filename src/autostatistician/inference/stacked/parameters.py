"""The free parameters of one expression for a stack of members, each on data of its own scales."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.parameters import FreeParameters, ParameterPriors, Scales
from autostatistician.inference.parameters.bounds import shortest_shapes
from autostatistician.language.kernel import Kernel

__all__ = ["StackedParameters", "StackedPriors"]

Array = NDArray[np.float64]
Members = NDArray[np.intp]


class StackedParameters:
    """`FreeParameters` of every member, about the values of its kernel: arrays with a row for each.

    Examples
    --------
    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> stack = StackedParameters([leaf("SE", lengthscale=length, sd=1.0) for length in (1.0, 2.0)], [scales] * 2)
    >>> stack.start.round(3).tolist(), stack.values(stack.start, np.arange(2)).round(3).tolist()
    ([[0.0, 0.0], [0.693, 0.0]], [[1.0, 1.0], [2.0, 1.0]])
    """

    def __init__(self, kernels: Sequence[Kernel], scales: Sequence[Scales]) -> None:
        free = [FreeParameters.of(kernel.expr, each) for kernel, each in zip(kernels, scales, strict=True)]
        self._indices = list(free[0].indices)
        self._positive = np.array(free[0].positive, dtype=bool)
        self._cycles = [(place, index) for place, index, _ in free[0].cycles]
        self._shortest = np.array([[spot.column.shortest_period for spot in each.cycles] for each in free])
        self._longest = np.array([[each.bounds[spot.value][1] for spot in each.cycles] for each in free])
        self._others = np.array([kernel.values for kernel in kernels])
        self.low = np.array([each.low for each in free])
        self.high = np.array([each.high for each in free])
        pairs = zip(free, kernels, strict=True)
        self.start = np.array([each.coordinates(kernel.values) for each, kernel in pairs]).reshape(len(free), -1)

    def values(self, u: Array, members: Members) -> Array:
        """All values (b, parameters) of some members at coordinates ``u`` (b, p)."""
        values = self._others[members]
        values[:, self._indices] = np.where(self._positive, np.exp(np.where(self._positive, u, 0.0)), u)
        for cycle, (_, index) in enumerate(self._cycles):
            shortest, _ = shortest_shapes(values[:, index + 1], self._shortest[members, cycle])
            values[:, index] = np.minimum(values[:, index] * np.exp(shortest), self._longest[members, cycle])
        return values

    def by_coordinates(self, gradient: Array, values: Array, members: Members) -> Array:
        """The gradients (b, p) by the coordinates, from those by the logarithms (others as they are) of all values."""
        slopes = gradient[:, self._indices]
        for cycle, (place, index) in enumerate(self._cycles):
            _, slope = shortest_shapes(values[:, index + 1], self._shortest[members, cycle])
            slopes[:, place + 1] += gradient[:, index] * slope
        return slopes


class StackedPriors:
    """`ParameterPriors` of every member: of parameters of the same indices."""

    def __init__(self, priors: Sequence[ParameterPriors]) -> None:
        self.indices = [prior.index for prior in priors[0]]
        self._is_place = np.array([prior.column is not None for prior in priors[0]], dtype=bool)
        columns = [[prior.column for prior in each] for each in priors]
        shape = len(priors), len(self.indices)
        self._low = np.array([[0.0 if column is None else column.low for column in row] for row in columns])
        self._range = np.array([[1.0 if column is None else column.range for column in row] for row in columns])
        self.mean = np.array([[prior.mean for prior in each] for each in priors]).reshape(shape)
        self.width = np.array([[prior.width for prior in each] for each in priors]).reshape(shape)
        self.low = np.array([[prior.low for prior in each] for each in priors]).reshape(shape)
        self.high = np.array([[prior.high for prior in each] for each in priors]).reshape(shape)

    def penalties(self, values: Array, members: Members) -> tuple[Array, Array]:
        """Minus the log densities (b,) of values (b, parameters), up to constants, and the gradients by the parameters.

        Derivatives (b, p) are by the logarithm of positive parameters, by locations as they are.
        """
        coordinates, slopes = self._coordinates(values, members)
        z = (coordinates - self.mean[members]) / self.width[members]
        return 0.5 * (z * z).sum(axis=1), z / (self.width[members] * slopes)

    def coordinates(self, values: Array, members: Members) -> Array:
        """The coordinates (b, p) of the parameters among all values."""
        return self._coordinates(values, members)[0]

    def _coordinates(self, values: Array, members: Members) -> tuple[Array, Array]:
        """The coordinates, and the derivatives by them of what objectives differentiate by."""
        chosen = values[:, self.indices]
        if not self._is_place.any():
            return np.log(chosen), np.ones_like(chosen)
        span = self._range[members]
        places = np.arcsinh((chosen - self._low[members]) / span - 0.5)
        logs = np.log(np.where(self._is_place, 1.0, chosen))
        return np.where(self._is_place, places, logs), np.where(self._is_place, span * np.cosh(places), 1.0)

    def values(self, u: Array, others: Array, members: Members) -> Array:
        """All values (b, parameters), the parameters at coordinates ``u`` (b, p), the rest as in ``others``."""
        values, places = np.array(others), np.where(self._is_place, u, 0.0)
        along = self._low[members] + self._range[members] * (0.5 + np.sinh(places))
        values[:, self.indices] = np.where(self._is_place, along, np.exp(np.where(self._is_place, 0.0, u)))
        return values

    def by_coordinates(self, gradient: Array, u: Array, members: Members) -> Array:
        """The gradients (b, p) by the coordinates from those by the logarithms (locations as they are)."""
        slopes = np.where(self._is_place, self._range[members] * np.cosh(np.where(self._is_place, u, 0.0)), 1.0)
        return np.asarray(gradient[:, self.indices] * slopes)
