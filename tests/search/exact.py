"""A likelihood without noise, for the tests of searches: its expressions hold no noise leaf."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.likelihoods import Gaussian
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

__all__ = ["Exact"]


@dataclass(frozen=True)
class Exact(Gaussian):
    """Values that are those of the function itself, in a unit of their own; what is left is rounding."""

    unit: float = 1.0

    def admits(self, expr: Expr) -> bool:
        """Whether there is no noise in an expression."""
        return not is_noise(expr)

    def start(self, expr: Expr) -> Expr:
        """A constant."""
        return Leaf("C")

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        """All of the kernel, and no noise."""
        return kernel, None

    def standardised(self, y: NDArray[np.float64]) -> tuple[float, "Exact"]:
        """As they are, but for the unit."""
        return self.unit, Exact()
