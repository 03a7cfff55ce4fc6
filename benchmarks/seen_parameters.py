"""The parameters of fitted models with their units and uncertainty: sums over them, from which priors follow.

A parameter counts with the weight of its model, and with its own uncertainty: what data do not know is no evidence of a
narrow prior. Sums add up over series.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.parameters import Scales
from autostatistician.inference.parameters.learned import LearnedPrior, Place
from autostatistician.inference.parameters.priors import parameter_units, places
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.curvature import curvature
from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Kernel, parameters

__all__ = ["NO_MOMENTS", "Key", "Moments", "seen_parameters"]

Array = NDArray[np.float64]
Key = tuple[str, str, Place]

LEAST_CURVATURE = -0.5  # of the log likelihood, in prior widths: a fit that was stopped on its way has less
NARROWEST = 0.35  # other series of a kind differ more than this
LEAST_WEIGHT = 1e-6  # of all that was seen: below, it says nothing
SETS_OF_NO_SHARE = 10.0  # that a share of zero counts as much as


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over parameters of one kind, with their weights.

    With r the logarithm of a parameter in units of a step, v its variance, and u the logarithm of the unit of the whole
    in that of a step (see `learned`): the sums of 1, u, r, u^2, u r, and r^2 + v.

    >>> one = Moments.of(of_step=0.0, of_whole=2.0, mean=1.0, variance=0.5, weight=1.0)
    >>> one.added(one, 2.0).weight
    3.0
    """

    weight: float = 0.0
    u: float = 0.0
    r: float = 0.0
    uu: float = 0.0
    ur: float = 0.0
    rr: float = 0.0

    @classmethod
    def of(cls, *, of_step: float, of_whole: float, mean: float, variance: float, weight: float) -> Moments:
        """Those of one parameter: the logarithms of its units, its posterior mean and variance as a logarithm."""
        u, r = of_whole - of_step, mean - of_step
        return cls(*(weight * each for each in (1.0, u, r, u * u, u * r, r * r + variance)))

    def added(self, other: Moments, times: float = 1.0) -> Moments:
        """With those of others, so many times."""
        return Moments(*(mine + times * its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    def prior(self, before: LearnedPrior, sets: float) -> LearnedPrior:
        """Mean, share and width by weighted regression, drawn to the prior before, which counts as so many ``sets``.

        >>> NO_MOMENTS.prior(LearnedPrior(1.0, 0.25, 0.5), 5.0)
        LearnedPrior(mean=1.0, share=0.25, width=0.5)
        """
        total = self.weight
        if total < LEAST_WEIGHT:
            return before
        centre = self.u / total
        share = before.share
        if total > 1.0:
            share = (self.ur - self.u * self.r / total) / (self.uu - self.u * centre + SETS_OF_NO_SHARE)
            share = min(max(share, 0.0), 1.0)
        guess = before.mean + (before.share - share) * centre
        mean = (self.r - share * self.u + sets * guess) / (total + sets)
        apart = self.rr + total * mean**2 + share**2 * self.uu
        apart += 2.0 * (mean * share * self.u - mean * self.r - share * self.ur)
        square = (max(apart, 0.0) + sets * before.width**2) / (total + sets)
        return LearnedPrior(mean, share, max(square**0.5, NARROWEST))


NO_MOMENTS = Moments()


def seen_parameters(fitted: Kernel, problem: Problem, scales: Scales, weight: float) -> Iterator[tuple[Key, Moments]]:
    """Every free positive parameter of a leaf but periods, which the calendar says, with the weight of its model.

    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> scales = measure(x, y, ("x",))
    >>> [(key, moments)] = seen_parameters(leaf("WN", sd=1.0), Problem(x, y, ("x",)), scales, 0.5)
    >>> key[:2], moments.weight
    (('WN', 'sd'), 0.5)
    """
    around = curvature(fitted, problem, scales)
    values, axes = np.linalg.eigh(around.hessian)
    variances = np.sum(axes**2 / (1.0 + np.maximum(values, LEAST_CURVATURE)), axis=1)
    every, where = parameters(around.kernel.expr), places(around.kernel.expr)
    for one, variance in zip(around.free, variances, strict=True):
        parameter = every[one.index]
        if isinstance(parameter.node, Leaf) and parameter.role.positive and parameter.name != "period":
            of_step, of_whole = parameter_units(parameter, scales)
            mean = one.coordinate(around.kernel.values[one.index])
            found = Moments.of(
                of_step=of_step, of_whole=of_whole, mean=mean, variance=float(variance) * one.width**2, weight=weight
            )
            yield (parameter.node.symbol, parameter.name, where[one.index]), found
