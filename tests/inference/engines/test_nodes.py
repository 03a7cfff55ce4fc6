"""Nodes of an expression on the smallest domain there is: one lag, whose values are pairs of numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.engines.nodes import Compiler
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.lag_functions import LagFunction
from autostatistician.language.text import parse

Array = NDArray[np.float64]
LAG = np.array([0.8])


@dataclass
class OneLag:
    """Values at one lag and, apart, the noise where a point meets itself (which it never does here)."""

    values: tuple[float, ...]
    gradient: list[float] = field(default_factory=list)
    with_gradient: bool = True

    def lags(self, column: str | None) -> Array:
        return LAG

    def evaluated(
        self, function: LagFunction, lags: Array, own: tuple[float, ...], skipped: int | None
    ) -> tuple[Array, tuple[Array, ...]]:
        return function.value_and_derivatives(lags, *own)

    def zero(self) -> Array:
        return np.zeros(1)

    def stationary(self, value: Array | float, noise: float) -> Array:
        return np.zeros(1) + value

    def by_stationary(self, adjoint: Array) -> tuple[Array, float]:
        return adjoint, 0.0

    def added(self, parts: list[Array]) -> Array:
        return np.sum(parts, axis=0)

    def by_term(self, term: Array, adjoint: Array) -> Array:
        return adjoint

    def multiplied(self, left: Array, right: Array) -> Array:
        return left * right

    def by_factor(self, target: Array, other: Array, adjoint: Array) -> Array:
        return adjoint * other

    def total(self, adjoint: Array | float) -> float:
        return float(np.sum(adjoint))

    def inner(self, adjoint: Array, derivative: Array) -> float:
        return float(adjoint @ derivative)


@pytest.mark.parametrize("text", ["SE * Per + C", "(C + RQ) * Matern32 * SE", "WN + SE", "0 + Cos * (C + Deep)"])
def test_values_and_gradient_of_sums_and_products(text: str) -> None:
    expr = parse(text)
    values = tuple(0.7 + 0.1 * index for index in range(len(parameters(expr))))

    def value(at: tuple[float, ...]) -> float:
        return float(covariance(Kernel(expr, at), LAG, np.zeros(1))[0, 0])

    domain, root = OneLag(values, [0.0] * len(values)), Compiler().node(expr)
    assert root.forward(domain)[0] == pytest.approx(value(values))
    root.backward(domain, np.ones(1))
    for index, slope in enumerate(domain.gradient):
        ends = [tuple(v * np.exp(step * (i == index)) for i, v in enumerate(values)) for step in (-1e-6, 1e-6)]
        assert slope == pytest.approx((value(ends[1]) - value(ends[0])) / 2e-6, abs=1e-8)


def test_what_is_not_stationary_needs_evaluators_of_its_own() -> None:
    for text in ("Lin", "Wiener", "CP(C, SE)"):
        with pytest.raises(NotImplementedError):
            Compiler().node(parse(text))
