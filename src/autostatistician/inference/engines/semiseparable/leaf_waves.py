"""Leaves as sums of damped waves, with the derivatives of weights and rates by (the logarithms of) their numbers.

What is no finite sum of waves is one up to a part ``error`` of its variance: squared exponentials by a table (made by
`benchmarks/fit_damped_waves.py`), the periodic leaf by its harmonics (Solin and Sarkka 2014), rational quadratic
and deep ones by a fit.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.semiseparable.fitted import fit
from autostatistician.inference.engines.semiseparable.waves import NONE, Waves, joined, waves
from autostatistician.language.leaves import lag_function
from autostatistician.language.periodic import harmonics

__all__ = ["FINEST", "LEAF_WAVES", "Accuracy", "LeafWaves", "Moved", "is_short"]

FINEST = 1e-11  # error of leaves that can be asked for; of squared exponentials of short lags any
ROUNDING, FACTORIALS = 1e-16, np.cumprod([1.0, *range(1, 24)])

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Moved = tuple[Complex, Complex]  # derivatives of weight and rate by one number
LeafWaves = tuple[Waves, list[Moved]]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What is asked of a leaf: the largest error, as a part of its variance, over lags between two lengths."""

    error: float
    shortest: float
    longest: float

    def lags(self, lengthscale: float) -> tuple[float, float]:
        """The two lengths in units of a lengthscale, none below a thousandth: there all leaves are plain."""
        longest = max(self.longest / lengthscale, 2e-3)
        return min(max(self.shortest / lengthscale, 1e-3), 0.5 * longest), longest


@lru_cache(maxsize=1)
def _table() -> list[tuple[float, float, int, Waves]]:
    """Longest lag, error, number of columns and waves of ``exp(-t^2 / 2)``, fewest columns first."""
    text = (resources.files(__package__) / "damped_waves.csv").read_text()
    groups: dict[tuple[float, ...], list[list[float]]] = {}
    for row in list(csv.reader(text.splitlines()))[1:]:
        longest, columns, error, *own = map(float, row)
        groups.setdefault((columns, error, longest), []).append(own)
    found = []
    for (columns, error, longest), lines in sorted(groups.items()):
        rate, weight = (np.array(lines) @ part for part in ([[1], [1j], [0], [0]], [[0], [0], [1], [1j]]))
        steady = rate[:, 0].imag == 0.0
        unit = Waves(weight, rate[:, 0], steady, np.zeros(len(lines), dtype=np.intp))
        found.append((longest, error, int(columns), unit))
    return found


def _smooth(error: float, longest: float) -> Waves:
    """The fewest waves of ``exp(-t^2 / 2)`` that are good enough up to a lag, else the best ones."""
    serving = [one for one in _table() if longest <= one[0]]
    return next((one for one in serving if one[1] <= error), serving[-1])[3]


def _se(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    lengthscale, sd = own
    if accuracy.error < FINEST and is_short(own, accuracy.longest):
        return _short_se(own, accuracy)
    unit = _smooth(accuracy.error, accuracy.longest / lengthscale)
    found = replace(unit, weight=unit.weight * sd**2, rate=unit.rate / lengthscale)
    return found, [(0.0 * found.weight, -found.rate), (2.0 * found.weight, 0.0 * found.rate)]


def is_short(own: tuple[float, ...], longest: float) -> bool:
    """Whether all lags are within the lengthscale of a squared exponential: then a few of its powers are exact."""
    return longest <= own[0]


def _short_se(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    """As the powers of the lag that a double sees: ``exp(-t^2 / 2)`` is the sum of ``(-t^2 / 2)^k / k!``."""
    lengthscale, sd = own
    half = 0.5 * (accuracy.longest / lengthscale) ** 2
    shares = half ** np.arange(FACTORIALS.size) / FACTORIALS
    k = np.arange(int(np.argmax(shares < max(accuracy.error, ROUNDING))))
    weight, by_lengthscale = np.zeros((2, 1, 2 * len(k) - 1))
    weight[0, ::2] = sd**2 * (-0.5 / lengthscale**2) ** k / FACTORIALS[k]
    by_lengthscale[0, ::2] = -2.0 * k * weight[0, ::2]
    found = waves(weight, [0.0], real=True)
    return found, [(by_lengthscale.astype(complex), 0.0 * found.rate), (2.0 * found.weight, 0.0 * found.rate)]


def _fitted(symbol: str) -> Callable[[tuple[float, ...], Accuracy], LeafWaves]:
    """Of a leaf with a lengthscale, an sd, and shapes, which has no other form."""

    def leaf(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
        lengthscale, sd, *shapes = own
        chosen = fit(symbol, tuple(shapes), *accuracy.lags(lengthscale), accuracy.error)
        value, by = lag_function(symbol).value_and_derivatives(chosen.lags, 1.0, sd, *shapes)
        steady = waves(chosen.weights(value)[: chosen.real], chosen.rates[: chosen.real] / lengthscale, real=True)
        turning = waves(chosen.weights(value)[chosen.real :], chosen.rates[chosen.real :] / lengthscale, real=False)
        found = joined([steady, turning])
        by_shapes = [(chosen.weights(one)[:, None], 0.0 * found.rate) for one in by[2:]]
        return found, [(0.0 * found.weight, -found.rate), (2.0 * found.weight, 0.0 * found.rate), *by_shapes]

    return leaf


def _matern12(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    lengthscale, sd = own
    found = waves([sd**2], [1.0 / lengthscale], real=True)
    return found, [(0.0 * found.weight, -found.rate), (2.0 * found.weight, 0.0 * found.rate)]


def _matern32(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    lengthscale, sd = own
    rate = sqrt(3.0) / lengthscale
    found = waves([[sd**2, sd**2 * rate]], [rate], real=True)
    return found, [(found.weight * [0.0, -1.0], -found.rate), (2.0 * found.weight, 0.0 * found.rate)]


def _cos(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    period, sd = own
    found = waves([sd**2], [2j * pi / period], real=False)
    return found, [(0.0 * found.weight, -found.rate), (2.0 * found.weight, 0.0 * found.rate)]


def _per(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    lengthscale, period, sd = own
    share, by_lengthscale = harmonics(lengthscale, accuracy.error)
    found = waves(share * sd**2, 2j * pi / period * np.arange(1, len(share) + 1), real=False)
    zero = 0.0 * found.rate
    return found, [
        ((by_lengthscale * sd**2).astype(complex)[:, None], zero),
        (0.0 * found.weight, -found.rate),
        (2.0 * found.weight, zero),
    ]


def _wiener(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    """What depends on the lag, ``-g``; the rest are profiles."""
    found = waves([[0.0, -0.5 * own[0] ** 2]], [0.0], real=True)
    return found, [(2.0 * found.weight, 0.0 * found.rate)]


def _iou(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    lengthscale, sd = own
    size = (lengthscale * sd) ** 2
    line = waves([[size, -size / lengthscale]], [0.0], real=True)
    found = joined([line, waves([-size], [1.0 / lengthscale], real=True)])
    by_lengthscale = found.weight * np.array([[2.0, 1.0], [2.0, 0.0]])
    return found, [(by_lengthscale, -found.rate), (2.0 * found.weight, 0.0 * found.rate)]


def _nothing(own: tuple[float, ...], accuracy: Accuracy) -> LeafWaves:
    return NONE, [(NONE.weight, NONE.rate)] * len(own)


LEAF_WAVES: dict[str, Callable[[tuple[float, ...], Accuracy], LeafWaves]] = {
    "SE": _se,
    "RQ": _fitted("RQ"),
    "Deep2": _fitted("Deep2"),
    "Deep3": _fitted("Deep3"),
    "Deep": _fitted("Deep"),
    "Matern12": _matern12,
    "Matern32": _matern32,
    "Cos": _cos,
    "Per": _per,
    "Wiener": _wiener,
    "IOU": _iou,
    "WN": _nothing,
    "0": _nothing,
}
