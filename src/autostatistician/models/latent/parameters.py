"""The kernel of a latent space: white noise apart from the rest, and its free parameters as a vector.

Latent coordinates have a standard normal prior and outputs standard units, so starts and bounds of all are
known before the data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, log

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.parameters import (
    FreeParameters,
    LearnedPriors,
    ParameterPrior,
    ParameterPriors,
    Scales,
    admissible,
    standard_scales,
)
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.traits import is_noise

__all__ = ["LatentKernel", "LatentParameters", "latent_names"]

Array = NDArray[np.float64]

LARGEST = 30.0  # of the deviation of a column
FIRST_NOISE = 0.3  # of the same: larger, and the first steps take all for noise


def latent_names(count: int) -> tuple[str, ...]:
    """The names of latent coordinates in expressions.

    >>> latent_names(2)
    ('z1', 'z2')
    """
    return tuple(f"z{number + 1}" for number in range(count))


@dataclass(frozen=True)
class LatentKernel:
    """What outputs are as functions of the coordinates, and the deviation of their white noise."""

    signal: Kernel
    noise_sd: float
    columns: tuple[str, ...]

    @property
    def kernel(self) -> Kernel:
        """Both together, the noise last."""
        return Kernel.sum((self.signal, Kernel(Leaf("WN"), (self.noise_sd,))))


class LatentParameters:
    """The free parameters of a kernel on latent coordinates, in the coordinates of their priors."""

    def __init__(self, kernel: Kernel, columns: tuple[str, ...], priors: LearnedPriors | None = None) -> None:
        self.columns, signal = columns, _signal_of(kernel)
        self.scales = standard_scales(columns, priors)
        self.whole = _begun(Kernel.sum((signal, _noise_of(kernel))), self.scales)
        every, free = parameters(self.whole.expr), FreeParameters.of(self.whole.expr, self.scales)
        usual = free.priors(self.whole.values)
        self.priors = ParameterPriors(_limited(prior, every[prior.index].role) for prior in usual)

    @property
    def start(self) -> Array:
        """Where the search begins (p,); the noise last."""
        return self.priors.coordinates(self.whole.values)

    @property
    def limits(self) -> list[tuple[float, float]]:
        """The bounds of each."""
        return [(prior.low, prior.high) for prior in self.priors]

    def kernel(self, u: Array) -> LatentKernel:
        """The kernel with the parameters at some coordinates."""
        values = self.priors.values(u, self.whole.values)
        *parts, _ = Kernel(self.whole.expr, values).parts
        return LatentKernel(Kernel.sum(tuple(parts)), values[-1], self.columns)

    def penalty(self, u: Array) -> float:
        """Minus the log density of the learned priors, up to a constant; 0 without these."""
        return 0.0 if self.scales.priors is None else self.priors.penalty(self.priors.values(u, self.whole.values))

    def penalised(self, value: float, u: Array, gradient: Array) -> tuple[float, Array]:
        """A value with that added, and its gradient by the coordinates.

        ``gradient`` is that of the value by all parameters, signal first and noise last.
        """
        if self.scales.priors is not None:
            values = self.priors.values(u, self.whole.values)
            value, gradient = self.priors.penalised(value, gradient, values)
        return value, self.priors.by_coordinates(gradient, u)


def _limited(prior: ParameterPrior, role: Role) -> ParameterPrior:
    """Sizes far beyond that of the outputs drown in rounding what there is to find."""
    return replace(prior, high=min(prior.high, log(LARGEST))) if role is Role.SD else prior


def _signal_of(kernel: Kernel) -> Kernel:
    terms = tuple(term for term in kernel.terms if not is_noise(term))
    if not terms:
        raise InputError.of("a kernel that depends on the coordinates", f"{kernel}", "add a term such as SE")
    return Kernel.sum(terms)


def _noise_of(kernel: Kernel) -> Kernel:
    """The one term of white noise.

    Raises
    ------
    InputError
        When there is none, several, or one inside of a product or a change.
    """
    noise = [term for term in kernel.terms if is_noise(term)]
    if [term.expr for term in noise] != [Leaf("WN")]:
        found = ", ".join(map(str, noise)) or f"none in {kernel}"
        raise InputError.of("white noise as one term of the kernel", found, "write the kernel as ... + WN")
    return noise[0]


def _begun(kernel: Kernel, scales: Scales) -> Kernel:
    """Open parameters filled with usual ones, all of them within their bounds."""
    *values, noise = FreeParameters.of(kernel.expr, scales).completed(kernel.values)
    if isnan(kernel.values[-1]):
        noise = FIRST_NOISE
    return admissible(Kernel(kernel.expr, (*values, noise)), scales)
