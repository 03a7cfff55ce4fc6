"""The misfit of numbers together with how unlikely they were before the data: minus the log of their posterior density.

Its lowest place is the most probable one (maximum a posteriori). Without priors it is the misfit itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.beliefs import Belief, beliefs
from autostatistician.inference.engines.base import Objective
from autostatistician.inference.scales import Scales
from autostatistician.language.kernel import Kernel

__all__ = ["Penalised", "penalised", "penalty"]

Array = NDArray[np.float64]


class Penalised:
    """An objective plus half the squared distances of the numbers from their centres, in widths of their priors."""

    def __init__(self, objective: Objective, known: Sequence[Belief]) -> None:
        self._objective, self._known = objective, known
        self.evaluations = 0

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some numbers (natural units, preorder); infinite where there is none."""
        self.evaluations += 1
        return self._objective.value(values) + penalty(self._known, values)

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """The same with its derivatives (p,), by the logarithm of positive numbers, by others as they are."""
        self.evaluations += 1
        value, gradient = self._objective.value_and_gradient(values)
        total, found = 0.0, gradient.copy()
        for one in self._known:
            z, slope = one.score(values[one.index])
            total += z * z
            found[one.index] += z * slope
        return value + 0.5 * total, found

    def renewed(self, values: tuple[float, ...]) -> Penalised | None:
        """The same about the renewed objective."""
        objective = self._objective.renewed(values)
        return None if objective is None else Penalised(objective, self._known)


def penalised(objective: Objective, kernel: Kernel, scales: Scales) -> Objective:
    """The objective of a kernel with the priors of its numbers, if scales have any.

    >>> from autostatistician.inference.engines.choice import objective_of
    >>> from autostatistician.inference.problem import Problem
    >>> from autostatistician.inference.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> noise, scales = leaf("WN", sd=1.0), measure(x, y, ("x",))
    >>> objective = objective_of(noise.expr, Problem(x, y, ("x",)))
    >>> penalised(objective, noise, scales) is objective
    True
    """
    if scales.priors is None:
        return objective
    return Penalised(objective, beliefs(kernel.expr, scales, kernel.values))


def penalty(known: Sequence[Belief], values: Sequence[float]) -> float:
    """Half the squared distances of numbers from their centres, in widths.

    >>> penalty([Belief(0, None, 0.0, 2.0, -9.0, 9.0)], [1.0])
    0.0
    """
    return 0.5 * sum(one.score(values[one.index])[0] ** 2 for one in known)
