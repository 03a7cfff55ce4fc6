"""Leaves as sums of exponential terms, with the derivatives of weights and rates by (logarithms of) their parameters.

What is no finite sum is one up to a part ``error`` of its variance: squared exponentials by a table (made by
`benchmarks/fit_exponential_terms.py`), the periodic leaf by its harmonics (Solin and Sarkka 2014), rational quadratic
and deep ones by a fit.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from math import pi, sqrt

import numpy as np

from autostatistician.kernels.fitted_terms import fit
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.periodic import harmonics
from autostatistician.kernels.state_space import (
    NO_TERMS,
    Accuracy,
    Complex,
    Derivative,
    Exponentials,
    LeafTerms,
    StateSpace,
    Values,
    joined,
)

__all__ = [
    "ALIKE", "COSINE_TERMS", "INTEGRATED_OU_TERMS", "MATERN_12_TERMS", "MATERN_32_TERMS", "NOTHING",
    "PERIODIC_TERMS", "SQUARED_EXPONENTIAL_TERMS", "WIENER_TERMS", "fitted",
]  # fmt: skip

FINEST = 1e-11  # error of leaves that can be asked for; of squared exponentials of short lags any
FINEST_FITTED = 1e-8
ROUNDING, FACTORIALS = 1e-16, np.cumprod([1.0, *range(1, 24)])


@lru_cache(maxsize=1)
def _table() -> list[tuple[float, float, int, Exponentials]]:
    """Longest lag, error, number of columns and terms of ``exp(-t^2 / 2)``, fewest columns first."""
    text = (resources.files(__package__) / "squared_exponential_terms.csv").read_text()
    groups: dict[tuple[float, ...], list[list[float]]] = {}
    for row in list(csv.reader(text.splitlines()))[1:]:
        longest, columns, error, *row_terms = map(float, row)
        groups.setdefault((columns, error, longest), []).append(row_terms)
    terms = []
    for (columns, error, longest), lines in sorted(groups.items()):
        rate, weight = (np.array(lines) @ part for part in ([[1], [1j], [0], [0]], [[0], [0], [1], [1j]]))
        steady = rate[:, 0].imag == 0.0
        unit = Exponentials(weight, rate[:, 0], steady, np.zeros(len(lines), dtype=np.intp))
        terms.append((longest, error, int(columns), unit))
    return terms


def _smooth(error: float, longest: float) -> Exponentials:
    """The fewest terms of ``exp(-t^2 / 2)`` that are good enough up to a lag, else the best ones."""
    serving = [entry for entry in _table() if longest <= entry[0]]
    return next((entry for entry in serving if entry[1] <= error), serving[-1])[3]


def _by_length_and_size(terms: Exponentials, by_length: Complex | float = 0.0) -> list[Derivative]:
    """Derivatives by the logarithms of a length that all rates are measured in, and of the sd."""
    return [(by_length + 0.0 * terms.weight, -terms.rate), (2.0 * terms.weight, 0.0 * terms.rate)]


def _se(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    if accuracy.error < FINEST and _is_short(values, accuracy.longest):
        return _short_se(values, accuracy.longest)
    unit = _smooth(accuracy.error, accuracy.longest / lengthscale)
    terms = replace(unit, weight=unit.weight * sd**2, rate=unit.rate / lengthscale)
    return terms, _by_length_and_size(terms)


def _is_short(values: Values, longest: float) -> bool:
    """Whether all lags are within the lengthscale of a squared exponential: then a few of its powers are exact."""
    return longest <= values[0]


def _short_se(values: Values, longest: float) -> LeafTerms:
    """As the powers of the lag that a double sees: ``exp(-t^2 / 2)`` is the sum of ``(-t^2 / 2)^k / k!``."""
    lengthscale, sd = values
    half = 0.5 * (longest / lengthscale) ** 2
    shares = half ** np.arange(FACTORIALS.size) / FACTORIALS
    k = np.arange(int(np.argmax(shares < ROUNDING)))
    weight, by_lengthscale = np.zeros((2, 1, 2 * len(k) - 1))
    weight[0, ::2] = sd**2 * (-0.5 / lengthscale**2) ** k / FACTORIALS[k]
    by_lengthscale[0, ::2] = -2.0 * k * weight[0, ::2]
    terms = Exponentials.of(weight, [0.0], real=True)
    return terms, [(by_lengthscale.astype(complex), 0.0 * terms.rate), (2.0 * terms.weight, 0.0 * terms.rate)]


def fitted(function: LagFunction, columns: int = 13) -> StateSpace:
    """Of a leaf with a lengthscale, an sd, and shapes, which has no other form."""

    def of_leaf(values: Values, accuracy: Accuracy) -> LeafTerms:
        lengthscale, sd, *shapes = values
        chosen = fit(function, tuple(shapes), *accuracy.lags(lengthscale), accuracy.error)
        value, by = function.value_and_derivatives(chosen.lags, 1.0, sd, *shapes)
        weights, rates = chosen.weights(value), chosen.rates / lengthscale
        steady = Exponentials.of(weights[: chosen.real], rates[: chosen.real], real=True)
        terms = joined([steady, Exponentials.of(weights[chosen.real :], rates[chosen.real :], real=False)])
        by_shapes = [(chosen.weights(slope)[:, None], 0.0 * terms.rate) for slope in by[2:]]
        return terms, [*_by_length_and_size(terms), *by_shapes]

    return StateSpace(of_leaf, columns, lambda values, longest: FINEST_FITTED)


def _alike(values: Values, accuracy: Accuracy) -> LeafTerms:
    """The same at all lags: constants, and what stands between two positions along a line."""
    terms = Exponentials.of([values[0] ** 2], [0.0], real=True)
    return terms, [(2.0 * terms.weight, terms.rate)]


def _matern12(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    terms = Exponentials.of([sd**2], [1.0 / lengthscale], real=True)
    return terms, _by_length_and_size(terms)


def _matern32(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    rate = sqrt(3.0) / lengthscale
    terms = Exponentials.of([[sd**2, sd**2 * rate]], [rate], real=True)
    return terms, _by_length_and_size(terms, terms.weight * [0.0, -1.0])


def _cos(values: Values, accuracy: Accuracy) -> LeafTerms:
    period, sd = values
    terms = Exponentials.of([sd**2], [2j * pi / period], real=False)
    return terms, _by_length_and_size(terms)


def _per(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, period, sd = values
    share, by_lengthscale = harmonics(lengthscale, accuracy.error)
    terms = Exponentials.of(share * sd**2, 2j * pi / period * np.arange(1, len(share) + 1), real=False)
    return terms, [((by_lengthscale * sd**2).astype(complex)[:, None], 0.0 * terms.rate), *_by_length_and_size(terms)]


def _wiener(values: Values, accuracy: Accuracy) -> LeafTerms:
    """What depends on the lag, ``-g``; the rest are profiles."""
    terms = Exponentials.of([[0.0, -0.5 * values[0] ** 2]], [0.0], real=True)
    return terms, [(2.0 * terms.weight, 0.0 * terms.rate)]


def _iou(values: Values, accuracy: Accuracy) -> LeafTerms:
    lengthscale, sd = values
    size = (lengthscale * sd) ** 2
    line = Exponentials.of([[size, -size / lengthscale]], [0.0], real=True)
    terms = joined([line, Exponentials.of([-size], [1.0 / lengthscale], real=True)])
    by_lengthscale = terms.weight * np.array([[2.0, 1.0], [2.0, 0.0]])
    return terms, _by_length_and_size(terms, by_lengthscale)


def _nothing(values: Values, accuracy: Accuracy) -> LeafTerms:
    return NO_TERMS, [(NO_TERMS.weight, NO_TERMS.rate)] * len(values)


def _finest_se(values: Values, longest: float) -> float:
    return 0.0 if _is_short(values, longest) else FINEST


SQUARED_EXPONENTIAL_TERMS = StateSpace(_se, 7, _finest_se)
MATERN_12_TERMS = StateSpace(_matern12, 1)
MATERN_32_TERMS = StateSpace(_matern32, 2)
COSINE_TERMS = StateSpace(_cos, 2)
PERIODIC_TERMS = StateSpace(_per, 14, lambda own, longest: FINEST, harmonics=True)
WIENER_TERMS = StateSpace(_wiener, 3)
INTEGRATED_OU_TERMS = StateSpace(_iou, 4)
ALIKE = StateSpace(_alike, 1)
NOTHING = StateSpace(_nothing, 0)
