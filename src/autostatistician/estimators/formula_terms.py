"""The parametric terms of a kernel as functions with coefficients, and what the data say about these.

A constant is ``w``, a line ``w (x - location)``, a pure wave ``v cos + w sin``, and a product of them the products of
these functions, with independent normal coefficients (Rasmussen and Williams 2006, section 2.1): the kernel
in weight space.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference import condition
from autostatistician.inference.covariance import covariance
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Leaf, Product
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.rewrite import sum_of_products
from autostatistician.language.traits import column_index, is_noise

__all__ = ["Coefficients", "Monomial", "coefficients", "round_centre", "values", "with_periods"]

Array = NDArray[np.float64]

PARAMETRIC = ("C", "Lin", "Cos")


@dataclass(frozen=True, order=True)
class Monomial:
    """A product of powers of columns, and of waves of them; columns are places, measured from their centres."""

    powers: tuple[tuple[int, int], ...] = ()  # column, power
    waves: tuple[tuple[int, float, str], ...] = ()  # column, period, "cos" or "sin"

    def times(self, other: Monomial) -> Monomial:
        """The product of two.

        >>> Monomial(((0, 1),)).times(Monomial(((0, 2), (1, 1))))
        Monomial(powers=((0, 3), (1, 1)), waves=())
        """
        powers: dict[int, int] = defaultdict(int)
        for column, power in (*self.powers, *other.powers):
            powers[column] += power
        return Monomial(tuple(sorted(powers.items())), tuple(sorted((*self.waves, *other.waves))))


Combined = dict[Monomial, float]


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Posterior means (m,) and covariances (m, m) of coefficients of monomials, and the terms that have no formula."""

    monomials: tuple[Monomial, ...]
    mean: Array
    covariance: Array
    remainder: tuple[Kernel, ...]
    remainder_size: float  # root mean square of these at the data


def coefficients(kernel: Kernel, problem: Problem, centres: Array) -> Coefficients:
    """What data say about the coefficients of a kernel's constants, lines and waves, given its parameters."""
    terms = sum_of_products(kernel).terms
    formed = [term for term in terms if _is_parametric(term)]
    left = [term for term in terms if not _is_parametric(term)]
    features = [feature for term in formed for feature in _features(term, problem.columns, centres)]
    monomials = tuple(sorted({monomial for feature in features for monomial in feature}))
    mixing = np.array([[feature.get(monomial, 0.0) for feature in features] for monomial in monomials])
    shown = values(monomials, problem.X - centres) @ mixing if features else np.zeros((problem.n, 0))
    posterior = condition(kernel, problem)
    whitened, target = posterior.whitened(shown), posterior.whitened(problem.y)
    rest = tuple(term for term in left if not is_noise(term))
    size = 0.0
    if rest:
        remainder = covariance(Kernel.sum(rest), problem.X, problem.X, problem.columns)
        remainder = posterior.whitened(remainder).T @ target
        size = float(np.sqrt(np.mean(remainder**2)))
    spread = np.eye(len(features)) - whitened.T @ whitened
    mixing = mixing.reshape(len(monomials), len(features))
    return Coefficients(monomials, mixing @ (whitened.T @ target), mixing @ spread @ mixing.T, rest, size)


def with_periods(kernel: Kernel, of: Kernel) -> Kernel:
    """A kernel with the periods of another one of the same structure.

    >>> from autostatistician.language.kernel import leaf
    >>> with_periods(leaf("Cos", period=3.0, sd=2.0), leaf("Cos", period=4.0, sd=1.0)).named()
    {'period': 4.0, 'sd': 2.0}
    """
    named = zip(parameters(kernel.expr), kernel.values, of.values, strict=True)
    return Kernel(kernel.expr, tuple(there if each.name == "period" else own for each, own, there in named))


def values(monomials: tuple[Monomial, ...], apart: Array) -> Array:
    """Monomials (n, m) at rows (n, d) of distances from the centres."""
    shown = np.ones((len(apart), len(monomials)))
    for place, monomial in enumerate(monomials):
        for column, power in monomial.powers:
            shown[:, place] *= apart[:, column] ** power
        for column, period, wave in monomial.waves:
            turn = 2.0 * np.pi * apart[:, column] / period
            shown[:, place] *= np.cos(turn) if wave == "cos" else np.sin(turn)
    return shown


def round_centre(column: Array) -> float:
    """A round number in the middle of a column that lies far from zero, else zero.

    >>> round_centre(np.array([1949.0, 1961.0])), round_centre(np.array([-1.0, 2.0]))
    (1960.0, 0.0)
    """
    middle, span = 0.5 * float(column.min() + column.max()), float(np.ptp(column))
    if span == 0.0 or abs(middle) <= span:
        return 0.0
    return round(middle, -floor(log10(span)))


def _factors(term: Kernel) -> tuple[Kernel, ...]:
    return term.parts if isinstance(term.expr, Product) else (term,)


def _is_parametric(term: Kernel) -> bool:
    return all(isinstance(factor.expr, Leaf) and factor.expr.symbol in PARAMETRIC for factor in _factors(term))


def _features(term: Kernel, columns: tuple[str, ...], centres: Array) -> list[Combined]:
    """The functions of a term whose coefficients are standard normal beforehand."""
    features: list[Combined] = [{Monomial(): 1.0}]
    for factor in _factors(term):
        features = [_product(one, other) for one in features for other in _of_leaf(factor, columns, centres)]
    return features


def _of_leaf(factor: Kernel, columns: tuple[str, ...], centres: Array) -> list[Combined]:
    assert isinstance(factor.expr, Leaf)
    number = factor.named()
    if factor.expr.symbol == "C":
        return [{Monomial(): number["sd"]}]
    column = column_index(factor.expr.column, columns)
    if factor.expr.symbol == "Lin":
        beyond = number["sd"] * (float(centres[column]) - number["location"])
        return [{Monomial(((column, 1),)): number["sd"], Monomial(): beyond}]
    return [{Monomial(waves=((column, number["period"], wave),)): number["sd"]} for wave in ("cos", "sin")]


def _product(one: Combined, other: Combined) -> Combined:
    product: Combined = defaultdict(float)
    for first, size in one.items():
        for second, factor in other.items():
            product[first.times(second)] += size * factor
    return dict(product)
