"""Several values of the parameters from which fits begin: the centres of their priors, and draws around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, log

import numpy as np

from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.priors import ParameterPrior
from autostatistician.gp.parameters.scales import Scales
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel, Parameter, parameters
from autostatistician.kernels.leaf_row import Role, Unit
from autostatistician.kernels.leaves import LEAVES

__all__ = ["starts"]

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
    columns = {getattr(parameter.node, "column", None) for parameter in every if parameter.name == "lengthscale"}
    reach = SHORTEST_START * len(columns) * scales.column(getattr(every[prior.index].node, "column", None)).range
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
