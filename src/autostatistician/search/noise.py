"""What a Gaussian likelihood asks of the noise in an expression, and what its shapes cost.

The noise is a part of the expression: its white-noise leaves. Another likelihood has no such leaves; then these
questions have other answers.
"""

from __future__ import annotations

from math import log
from typing import Protocol

import numpy as np

from autostatistician.inference.averages import ColumnPrior
from autostatistician.inference.covariance import signal_and_noise
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.factor import NotPositiveDefinite
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import always_noisy, noise_shapes

__all__ = ["GAUSSIAN_NOISE", "GaussianNoise", "NoiseRules"]

ROWS_PER_SIZE = 10  # that carry a size of the noise: from these it is known to a fifth
CHOICE_OF_SHAPES = 10  # among which one is chosen: lines, windows and changes, around one part or around all


class NoiseRules(Protocol):
    """What a search asks a likelihood about noise."""

    def start(self, expr: Expr) -> Expr:
        """The expression that a search begins with, in a language that begins with ``expr``."""
        ...

    def admits(self, expr: Expr) -> bool:
        """Whether an expression can be a model with this likelihood."""
        ...

    def charge(self, expr: Expr) -> float:
        """What is added to the BIC of an expression for the choice of its noise."""
        ...

    def excess(self, kernel: Kernel, points: Problem, columns: tuple[str, ...], floor: float) -> float:
        """What a fitted kernel owes, in deviance, to noise below what rows, or a noise ``floor``, can show."""
        ...


class GaussianNoise:
    """Noise is everywhere, of a size that enough rows carry."""

    def start(self, expr: Expr) -> Expr:
        """The start of the language itself, which holds noise."""
        return expr

    def admits(self, expr: Expr) -> bool:
        """Whether there is noise wherever the model applies."""
        return always_noisy(expr)

    def charge(self, expr: Expr) -> float:
        """Each shape of the noise costs ``2 log`` of the shapes that it is the best of.

        >>> from autostatistician.language.text import parse
        >>> [round(GAUSSIAN_NOISE.charge(parse(text)), 1) for text in ("Lin + WN", "Lin + Lin * WN")]
        [0.0, 4.6]
        """
        return 2.0 * noise_shapes(expr) * log(CHOICE_OF_SHAPES)

    def excess(self, kernel: Kernel, points: Problem, columns: tuple[str, ...], floor: float) -> float:
        """What a kernel owes, in deviance, to noise that is smaller at a few rows than rows can show.

        Noise that vanishes at one row lets the likelihood grow without end there. The smallest sizes are judged as if
        they were that of the `ROWS_PER_SIZE`-th row, and at least the noise ``floor``.
        """
        noise = signal_and_noise(kernel)[1]
        if noise is None or not noise_shapes(kernel.expr):
            return 0.0
        sizes = ColumnPrior(points.columns).variance(noise, points.X)
        least = max(float(np.sort(sizes)[min(ROWS_PER_SIZE, len(sizes)) - 1]), floor**2)
        try:
            before = condition(kernel, points)
            after = before.noisier(np.maximum(least - sizes, 0.0))
        except NotPositiveDefinite:
            return 0.0
        return max(2.0 * (before.log_evidence - after.log_evidence), 0.0)


GAUSSIAN_NOISE = GaussianNoise()
