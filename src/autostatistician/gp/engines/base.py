"""What an engine is: a way of computing that can bear some models and some sizes of data."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel

__all__ = ["Engine", "Objective"]

Array = NDArray[np.float64]


class Objective(Protocol):
    """The negative log marginal likelihood of one expression, a function of its parameters; it owns its work space."""

    evaluations: int = 0  # so far

    def value(self, values: tuple[float, ...]) -> float:
        """The value at some parameters (natural units, preorder); infinite where there is none."""

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """The same with its derivatives (p,), by the logarithm of positive parameters, by others as they are."""

    def renewed(self, values: tuple[float, ...]) -> Objective | None:
        """The same with what it chose at its first parameters chosen anew at these; None where that changes nothing."""
        return None


class Engine(Protocol):
    """A way of computing."""

    @property
    def name(self) -> str:
        """By which it can be preferred, and is told in reports."""

    @property
    def is_exact(self) -> bool:
        """Whether its values are those of the model itself, but for rounding."""

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """Seconds that an evaluation takes, expected from expression and sizes alone; None where it cannot."""

    def objective(self, expr: Expr, problem: Problem) -> Objective:
        """The negative log marginal likelihood of an expression."""

    def condition(self, kernel: Kernel, problem: Problem) -> Posterior:
        """The posterior of a kernel."""
