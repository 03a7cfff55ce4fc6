"""Normal noise, whose leaves are parts of the kernel, about a function or about a map of the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.transform import Transform
from autostatistician.gp.covariance import signal_and_noise
from autostatistician.gp.predictive import Predictive
from autostatistician.gp.predictive.predictive import NO_LIMITS
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import always_noisy

__all__ = ["GAUSSIAN", "Gaussian"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Gaussian:
    """Observations with normal noise on the scale of the model: of the data, or of their logarithm.

    Examples
    --------
    >>> from autostatistician.kernels.text import parse
    >>> [GAUSSIAN.admits(parse(text)) for text in ("SE + WN", "SE", "CP(SE + WN, SE)")]
    [True, False, False]
    """

    transform: Transform = field(default_factory=Transform)  # from the data to the scale of the model
    is_latent: ClassVar[bool] = False
    distribution: ClassVar[type[Predictive]] = Predictive  # of observations

    def admits(self, expr: Expr) -> bool:
        """Whether an expression has noise everywhere: without it no observation may differ from the function."""
        return always_noisy(expr)

    def start(self, expr: Expr) -> Expr:
        """The start of the language as it is."""
        return expr

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        """The parts without white noise and those with it."""
        return signal_and_noise(kernel)

    def variance(self, X: Array) -> Array:
        """None: all noise is in the kernel."""
        return np.zeros(len(X))

    def standardised(self, y: Array) -> tuple[float, Gaussian]:
        """The root mean square of the targets (n,), in units of which normal noise stays normal.

        >>> GAUSSIAN.standardised(np.array([3.0, -3.0]))[0]
        3.0
        """
        largest = float(np.abs(y).max())
        # The largest value is divided out first: squares of very large or small targets would not be finite.
        return largest * float(np.sqrt(np.mean((y / largest) ** 2))) if largest else 1.0, Gaussian()

    def mapped(self, transform: Transform) -> Gaussian:
        """Normal noise about a map of the target."""
        return Gaussian(transform)

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = NO_LIMITS
    ) -> Predictive:
        """Normal distributions, or lognormal ones, or mixtures of such.

        >>> GAUSSIAN.predictive(np.zeros((1, 1)), np.ones((1, 1)), np.ones(1)).quantiles([0.5]).tolist()
        [[0.0]]
        """
        return self.distribution(means, sds, weights, self.transform, offset, *limits, **self._beside)

    @property
    def _beside(self) -> dict[str, Any]:
        """What a kind of distribution takes beside moments, map and limits."""
        return {}


GAUSSIAN = Gaussian()
