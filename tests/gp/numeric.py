"""What the tests of inference compare with: differences of values, the misfit of one matrix, and data of a model."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import covariance
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse

__all__ = ["CENTRAL", "FOURTH_ORDER", "all_close", "begun_at", "differences", "drawn", "held", "misfit", "numbered"]
Array = NDArray[np.float64]

# Steps to either side, and their weights.
CENTRAL = {-1: -0.5, 1: 0.5}
FOURTH_ORDER = {-2: 1.0 / 12.0, -1: -2.0 / 3.0, 1: 2.0 / 3.0, 2: -1.0 / 12.0}


def held(kernel: Kernel) -> list[int]:
    """The places of numbers that the rows of their leaves hold, as where a walk begins."""
    every = enumerate(parameters(kernel.expr))
    return [k for k, at in every if isinstance(at.node, Leaf) and LEAVES[at.node.symbol].parameter(at.name).held]


def differences(
    value: Callable[[tuple[float, ...]], float],
    kernel: Kernel,
    step: float = 1e-5,
    weights: Mapping[int, float] = CENTRAL,
) -> Array:
    """The slopes (p,) of a value: by the logarithms of positive numbers, by others as they are; zero for held ones."""
    found, fixed = np.zeros(len(kernel.values)), held(kernel)
    for index, one in enumerate(parameters(kernel.expr)):
        for place, weight in weights.items() if index not in fixed else ():
            values, move = list(kernel.values), place * step
            values[index] = values[index] * np.exp(move) if one.role.positive else values[index] + move
            found[index] += weight * value(tuple(values)) / step
    return found


def misfit(K: Array, y: Array) -> float:
    """Minus the log density of normal data with one covariance matrix."""
    sign, logdet = np.linalg.slogdet(K)
    assert sign == 1.0
    return float(0.5 * (y @ np.linalg.solve(K, y) + logdet + len(y) * np.log(2.0 * np.pi)))


def numbered(expr: Expr | str, first: float = 0.6, step: float = 0.1) -> Kernel:
    """An expression with numbers in even steps."""
    expr = parse(expr) if isinstance(expr, str) else expr
    return Kernel(expr, tuple(first + step * index for index in range(len(parameters(expr)))))


def begun_at(kernel: Kernel, place: float) -> Kernel:
    """The kernel with what rows hold, as where walks begin, at a place."""
    fixed = held(kernel)
    return Kernel(kernel.expr, tuple(place if k in fixed else value for k, value in enumerate(kernel.values)))


def drawn(kernel: Kernel, x: Array) -> Problem:
    """Data of a model of one column."""
    K = covariance(kernel, x)
    return Problem(x, np.linalg.cholesky(K) @ np.random.default_rng(1).normal(size=len(x)))


def all_close(found: Iterable[Array], expected: Iterable[Array], rtol: float = 1e-7, atol: float = 0.0) -> None:
    """Whether arrays agree, each with its own."""
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=atol)
