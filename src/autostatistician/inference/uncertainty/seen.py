"""The parameters of a fitted model with their units and uncertainty, as other series may learn from them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.parameters import Scales
from autostatistician.inference.parameters.learned import Place
from autostatistician.inference.parameters.moments import Moments
from autostatistician.inference.parameters.priors import parameter_units, places
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.curvature import curvature
from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import Kernel, parameters

__all__ = ["Key", "seen_parameters"]

Array = NDArray[np.float64]
Key = tuple[str, str, Place]

LEAST_CURVATURE = -0.5  # of the log likelihood, in prior widths: a fit that was stopped on its way has less


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
