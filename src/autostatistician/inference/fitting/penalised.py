"""The negative log posterior density of parameters, lowest where they are most probable (maximum a posteriori)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.base import Objective
from autostatistician.inference.parameters import FreeParameters, ParameterPriors, Scales
from autostatistician.language.kernel import Kernel

__all__ = ["Penalised", "penalised"]

Array = NDArray[np.float64]


class Penalised:
    """An objective plus half the squared distances of the parameters from their centres, in widths of their priors."""

    def __init__(self, objective: Objective, priors: ParameterPriors) -> None:
        self._objective, self._priors = objective, priors
        self.evaluations = 0

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some parameters (natural units, preorder); infinite where there is none."""
        self.evaluations += 1
        return self._objective.value(values) + self._priors.penalty(values)

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """The same with its derivatives (p,), by the logarithm of positive parameters, by others as they are."""
        self.evaluations += 1
        return self._priors.penalised(*self._objective.value_and_gradient(values), values)

    def renewed(self, values: tuple[float, ...]) -> Penalised | None:
        """The same about the renewed objective."""
        objective = self._objective.renewed(values)
        return None if objective is None else Penalised(objective, self._priors)


def penalised(objective: Objective, kernel: Kernel, scales: Scales, calendar: bool = False) -> Objective:
    """The objective of a kernel with the priors that were learned for its parameters, if scales have any.

    Else, with ``calendar``, with those of periods that the data cannot tell from one of the calendar.

    >>> from autostatistician.inference.engines.choice import objective_of
    >>> from autostatistician.inference.problem import Problem
    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> noise, scales = leaf("WN", sd=1.0), measure(x, y, ("x",))
    >>> objective = objective_of(noise.expr, Problem(x, y, ("x",)))
    >>> penalised(objective, noise, scales) is objective
    True
    """
    if scales.priors is None and not calendar:
        return objective
    free = FreeParameters.of(kernel.expr, scales)
    priors = free.of_the_calendar(kernel.values) if scales.priors is None else free.priors(kernel.values)
    return Penalised(objective, priors) if priors else objective
