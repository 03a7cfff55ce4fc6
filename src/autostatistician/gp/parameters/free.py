"""The free parameters of a structure: which they are, in what coordinates fits move them, and how far.

Several values of the parameters from which fits begin: the centres of their priors, and draws around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp, isnan, log, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.parameters.bounds import balanced, bounds, cycles_of, nearest, shortest_shape
from autostatistician.gp.parameters.priors import ParameterPrior, ParameterPriors, near_the_calendar, priors_of
from autostatistician.gp.parameters.scales import ColumnScale, Scales
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel, Parameter, parameters
from autostatistician.kernels.leaf_row import Role, Unit
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.traits import held_values

__all__ = ["FreeParameters", "admissible", "starts"]


Array = NDArray[np.float64]


class _Spot(NamedTuple):
    """Where a parameter stands that takes part in a cycle, and the column of the cycle."""

    place: int  # among the free parameters
    value: int  # among all values
    column: ColumnScale


@dataclass(frozen=True, eq=False)
class FreeParameters:
    """The parameters of a structure that fits may change, on data of some scales; ask `of` for them.

    Fits move the logarithms of positive parameters and all others as they are. The lengthscale of a cycle is counted
    from the shortest that its period allows (see `bounds.shortest_shape`), so that the bounds are a box. The priors
    have coordinates of their own, in which posteriors are nearly normal (see `ParameterPrior`).

    Examples
    --------
    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.text import parse
    >>> free = FreeParameters.of(parse("SE + WN"), measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",)))
    >>> u = free.coordinates((2.0, 1.0, 0.5))
    >>> u.round(3).tolist(), tuple(round(value, 3) for value in free.values(u, (2.0, 1.0, 0.5)))
    ([0.693, 0.0, -0.693], (2.0, 1.0, 0.5))
    """

    expr: Expr
    scales: Scales
    indices: tuple[int, ...]  # of the free among all values
    positive: tuple[bool, ...]  # for each of them
    cycles: tuple[_Spot, ...]  # lengthscales of cycles, which the periods follow
    periods: tuple[_Spot, ...]
    bounds: tuple[tuple[float, float], ...]  # of all values, in their own units
    low: Array  # (p,) the bounds of the coordinates
    high: Array  # (p,)
    usual: tuple[float, ...]  # all values where fits begin: at the centres of the priors
    _priors: ParameterPriors  # as far as they hang on no values

    @staticmethod
    def of(expr: Expr, scales: Scales) -> FreeParameters:
        """Those of an expression on data of these scales; the same object when asked again."""
        return _of(expr, scales)

    def inside(self, values: Sequence[float]) -> tuple[float, ...]:
        """The nearest values that the data can show; lengthscales of cycles follow their periods."""
        clipped = list(map(nearest, values, self.bounds))
        for place, index, column in self.cycles:
            clipped[index] = max(clipped[index], exp(shortest_shape(clipped[index + 1], column)[0] + self.low[place]))
        return tuple(clipped)

    def completed(self, values: Sequence[float]) -> tuple[float, ...]:
        """Some values with `usual` ones in the place of those that are open (NaN)."""
        return tuple(usual if isnan(value) else value for value, usual in zip(values, self.usual, strict=True))

    def coordinates(self, values: Sequence[float]) -> Array:
        """The coordinates (p,) of values that are inside of the bounds."""
        pairs = zip(self.indices, self.positive, strict=True)
        u = [log(values[index]) if positive else values[index] for index, positive in pairs]
        for place, index, column in self.cycles:
            u[place] = max(u[place] - shortest_shape(values[index + 1], column)[0], self.low[place])
        return np.array(u)

    def values(self, u: Array, others: Sequence[float]) -> tuple[float, ...]:
        """All values at coordinates ``u`` (p,); those that are not free are as in ``others``."""
        changed = list(others)
        for index, positive, coordinate in zip(self.indices, self.positive, u.tolist(), strict=True):
            changed[index] = exp(coordinate) if positive else coordinate
        for _, index, column in self.cycles:
            changed[index] *= exp(shortest_shape(changed[index + 1], column)[0])
            changed[index] = min(changed[index], self.bounds[index][1])  # beyond it nothing changes
        return tuple(changed)

    def by_coordinates(self, gradient: Array, values: Sequence[float]) -> Array:
        """The gradient (p,) by the coordinates from that by the logarithms (others as they are) of all values."""
        slopes = gradient[list(self.indices)]
        for place, index, column in self.cycles:
            slopes[place + 1] += gradient[index] * shortest_shape(values[index + 1], column)[1]
        return slopes

    def priors(self, values: Sequence[float] | None = None) -> ParameterPriors:
        """The priors of the free parameters, in their order.

        With ``values`` they are those beside these: lengthscales of cycles have a bound that hangs on the period, and
        a learned prior of a period near one of the calendar says that it is that one.
        """
        if values is None or not self.periods:
            return self._priors
        every = list(self._priors)
        for place, index, column in self.periods if self.scales.priors is not None else ():
            every[place] = near_the_calendar(every[place], column.named(values[index]))
        for place, index, column in self.cycles:
            shortest, _ = shortest_shape(values[index + 1], column)
            every[place] = replace(every[place], low=max(every[place].low, shortest))
        return ParameterPriors(every)

    def of_the_calendar(self, values: Sequence[float]) -> ParameterPriors:
        """The priors of periods that the data cannot tell from one of the calendar, which need no learning."""
        near = [(self._priors[place], column.indistinct(values[index])) for place, index, column in self.periods]
        return ParameterPriors(near_the_calendar(prior, named) for prior, named in near if named is not None)

    def penalty(self, values: Sequence[float]) -> float:
        """Minus the log density of the learned priors at some values, up to a constant; 0 where none was learned."""
        return 0.0 if self.scales.priors is None else self.priors(values).penalty(values)


@lru_cache(maxsize=4096)
def _of(expr: Expr, scales: Scales) -> FreeParameters:
    every, held = parameters(expr), held_values(expr)
    given = scales.given or (nan,) * len(every)
    between = tuple(_reaching(parameter, value, scales) for parameter, value in zip(every, given, strict=True))
    indices = tuple(index for index in range(len(every)) if index not in held)
    positive = tuple(every[index].role.positive for index in indices)
    pairs = zip(indices, positive, strict=True)
    box = [[log(end) for end in between[index]] if by_log else list(between[index]) for index, by_log in pairs]
    cycles = [_Spot(indices.index(index), index, scales.column(column)) for index, column in cycles_of(expr)]
    periods = [
        _Spot(place, index, scales.column(every[index].column))
        for place, index in enumerate(indices)
        if every[index].name == "period"
    ]
    for place, index, column in cycles:
        length, period = given[index], given[index + 1]
        above = log(length) - shortest_shape(period, column)[0] if length > 0.0 and period > 0.0 else 0.0
        box[place] = [min(above, 0.0), box[place][1] - shortest_shape(between[index + 1][1], column)[0]]
    low, high = np.array(box).reshape(-1, 2).T
    priors = priors_of(expr, scales)
    usual = [1.0 if row.role.positive else nan for row in every]  # a scale that is held multiplies by one
    for prior in priors:
        usual[prior.index] = prior.value(prior.mean)
    return FreeParameters(
        expr, scales, indices, positive, tuple(cycles), tuple(periods), between, low, high, tuple(usual), priors
    )


def _reaching(parameter: Parameter, given: float, scales: Scales) -> tuple[float, float]:
    """The bounds of a parameter, widened to a value that was given for it; what its row holds has none."""
    low, high = bounds(parameter, scales)
    if low == high or isnan(given) or (parameter.role.positive and given <= 0.0):
        return low, high
    return min(low, given), max(high, given)


def admissible(kernel: Kernel, scales: Scales) -> Kernel:
    """The kernel balanced, with every value moved to the nearest one that the data can show: what fits begin from."""
    kernel = balanced(kernel, scales)
    return Kernel(kernel.expr, FreeParameters.of(kernel.expr, scales).inside(kernel.values))


SPREAD_OF_STARTS = 0.6  # of further starts around the first, in widths of the priors
# Lengthscales begin no shorter than so many ranges for each column that has one: in several, points are far apart.
SHORTEST_START = 0.1


def starts(kernel: Kernel, scales: Scales, rng: np.random.Generator, count: int) -> list[Kernel]:
    """The centres of the priors first, draws around them next; the first keeps the parameters that are given.

    >>> from autostatistician.gp.parameters.scales import measure
    >>> from autostatistician.kernels.kernel import leaf
    >>> scales = measure(np.arange(9.0)[:, None], np.arange(-4.0, 5.0), ("x",))
    >>> kernel = leaf("SE", lengthscale=2.0) + leaf("WN")
    >>> [round(value, 2) for value in starts(kernel, scales, np.random.default_rng(0), 1)[0].values]
    [2.0, 2.58, 0.77]
    """
    free, every = FreeParameters.of(kernel.expr, scales), parameters(kernel.expr)
    priors = [_not_too_short(prior, every, scales) for prior in free.priors()]
    kernels = []
    for number in range(count):
        values = list(free.usual)
        for prior in priors:
            values[prior.index] = _drawn(prior, every[prior.index], number, rng)
        if number == 0:
            values = [drawn if isnan(value) else value for value, drawn in zip(kernel.values, values, strict=True)]
        kernels.append(Kernel(kernel.expr, tuple(values)))
    return kernels


def _not_too_short(prior: ParameterPrior, every: Sequence[Parameter], scales: Scales) -> ParameterPrior:
    """The prior of a lengthscale about one that reaches from row to row of a table."""
    if every[prior.index].name != "lengthscale" or scales.has_order:
        return prior
    columns = {parameter.column for parameter in every if parameter.name == "lengthscale"}
    reach = SHORTEST_START * len(columns) * scales.column(every[prior.index].column).range
    return replace(prior, mean=max(prior.mean, log(reach)))


def _drawn(prior: ParameterPrior, parameter: Parameter, number: int, rng: np.random.Generator) -> float:
    """Loadings begin alike, not at zero, where their gradient vanishes; noise begins well below the rest.

    From noise as large as the data the first steps overshoot, into places where a short function has taken its part.
    """
    middle = prior.mean
    if parameter.role is Role.WEIGHT:
        middle += 0.15
    elif _is_noise(parameter):
        middle += log(0.3)
    step = float(rng.standard_normal()) * SPREAD_OF_STARTS * prior.width if number else 0.0
    return prior.value(min(max(middle + step, prior.low), prior.high))


def _is_noise(parameter: Parameter) -> bool:
    """Whether a parameter is a size of noise: of white noise, or of the categories that it is multiplied by."""
    node = parameter.node
    return isinstance(node, Leaf) and LEAVES[node.symbol].parameter(parameter.name).lowest.unit is Unit.NOISE_FLOOR
