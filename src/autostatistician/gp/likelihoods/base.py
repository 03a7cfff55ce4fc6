"""What a likelihood must be able to say, so that searches, reports and forecasts need not know which one it is."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.transform import Transform
from autostatistician.gp.predictive import Predictive
from autostatistician.gp.predictive.predictive import NO_LIMITS
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel

__all__ = ["LatentLikelihood", "Likelihood"]

Array = NDArray[np.float64]


class Likelihood(Protocol):
    """The distribution of observations, given a function on the scale of the model."""

    @property
    def is_latent(self) -> bool:
        """Whether observations are of another kind than the function, as classes are.

        Then they say nothing of its size by themselves: parameters are fitted with weak priors about a unit of its own.
        """

    def admits(self, expr: Expr) -> bool:
        """Whether data of this kind may come from a model: of Gaussian data one with noise everywhere."""

    def start(self, expr: Expr) -> Expr:
        """Where the search of a language begins whose own start, for Gaussian data, is ``expr``."""

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        """The function and the noise in a kernel, either of which may be absent (None)."""

    def variance(self, X: Array) -> Array:
        """Variances (n,) of observations about the function that no leaf of the kernel stands for."""

    def standardised(self, y: Array) -> tuple[float, Likelihood]:
        """The unit by which a search divides targets (n,), and the likelihood of targets in that unit."""

    def mapped(self, transform: Transform) -> Likelihood:
        """The same about a map of the target."""

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = NO_LIMITS
    ) -> Predictive:
        """Distributions of m observations in the units of the data, from k members' moments (k, m)."""


class LatentLikelihood(Likelihood, Protocol):
    """One that is not normal, whose function is known by an approximation alone; it must be log-concave."""

    def log_density(self, y: Array, f: Array) -> Array:
        """Log densities (n,) of observations at values (n,) of the function."""

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Their first, second and third derivatives (n,) by the function."""

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log densities (n,) averaged over a normal function, and their two derivatives by its mean."""
