"""How values were measured: known errors, and limits of detection that they lie below or above."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

__all__ = ["ABOVE", "BELOW", "LEAST_ERROR", "Measured", "first_sites", "has_marks", "read_marks", "truncated"]

Floats = NDArray[np.float64]

BELOW, ABOVE = -1.0, 1.0  # where a value lies from its limit; zero where it was measured
LEAST_ERROR = 1e-3  # of a row, in standard deviations of the values: less is as good as none
LEAST_TOLD = 1e-4  # share of its variance that a limit takes off what is known; less says nothing of a row
ROUNDS = 30  # of expectation and maximisation

_BELOW, _ABOVE = "<\N{LESS-THAN OR EQUAL TO}", ">\N{GREATER-THAN OR EQUAL TO}"
_MARKED = re.compile(rf"^\s*([{_BELOW}{_ABOVE}])=?\s*(.*\d.*)$")


@dataclass(frozen=True, eq=False)
class Measured:
    """Of the rows (n,) of a column: on which ``sides`` of limits they lie, and standard deviations of their errors."""

    sides: Floats
    errors: Floats | None = None
    by: str = ""  # name of the column of the errors

    def at(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Measured:
        """The same of some rows."""
        return Measured(self.sides[rows], None if self.errors is None else self.errors[rows], self.by)


def read_marks(cells: Sequence[str | None]) -> tuple[tuple[str | None, ...], Floats]:
    """Cells without the marks of limits, and on which sides of these the values lie.

    >>> read_marks(("<0.5", "2", "> 100", None))
    (('0.5', '2', '100', None), array([-1.,  0.,  1.,  0.]))
    """
    found = [_MARKED.match(cell or "") for cell in cells]
    sides = [0.0 if match is None else BELOW if match[1] in _BELOW else ABOVE for match in found]
    return tuple(match[2] if match else cell for match, cell in zip(found, cells, strict=True)), np.array(sides)


def has_marks(cells: Iterable[str | None]) -> bool:
    """Whether any cell begins as limits of detection do.

    >>> has_marks(("2", "<0.5")), has_marks(("2", None))
    (True, False)
    """
    return any(cell and cell.strip()[:1] in _BELOW + _ABOVE for cell in cells)


def truncated(
    sides: Floats, limits: Floats, mean: Floats, variance: Floats, noise: Floats
) -> tuple[Floats, Floats, Floats]:
    """The chance (n,) that normal values lie on their sides of limits, as a logarithm, and their moments given that.

    ``noise`` are variances of errors of measurement, which decide with the value on which side it is seen (Rasmussen
    and Williams 2006, section 3.9).

    >>> log_chance, mean, variance = truncated(*(np.array([value]) for value in (-1.0, 0.0, 0.0, 1.0, 0.0)))
    >>> log_chance.round(3).tolist(), mean.round(3).tolist(), variance.round(3).tolist()
    ([-0.693], [-0.798], [0.363])
    """
    spread = np.sqrt(variance + noise)
    z = sides * (mean - limits) / spread
    log_chance = log_ndtr(z)
    ratio = np.exp(-0.5 * z**2 - 0.5 * np.log(2.0 * np.pi) - log_chance)
    share = variance / (variance + noise) * ratio * (z + ratio)
    return log_chance, mean + sides * variance / spread * ratio, variance * (1.0 - share)


def normal_sites(
    sides: Floats, limits: Floats, mean: Floats, variance: Floats, noise: Floats
) -> tuple[Floats, Floats, Floats]:
    """Normal observations, with variances, that say of values what their sides say; and logarithms of their ratio.

    The product of a normal ``mean`` and ``variance`` with either has the same moments and, with the ratio, the same
    integral: a site of expectation propagation (Minka 2001).
    """
    log_chance, middle, left = truncated(sides, limits, mean, variance, noise)
    told = np.clip(1.0 - left / variance, LEAST_TOLD, 1.0 - LEAST_TOLD)
    own = variance * (1.0 - told) / told
    value = mean + (middle - mean) / told
    spread = variance + own
    normal = -0.5 * np.log(2.0 * np.pi * spread) - 0.5 * (value - mean) ** 2 / spread
    return value, own, log_chance - normal


def first_sites(values: Floats, sides: Floats, noise: Floats) -> tuple[Floats, Floats, float]:
    """Values and variances (n,) with sites in the place of limits, as if all rows were draws of one normal.

    Its mean and variance are the most probable ones (Tobin 1958), by expectation and maximisation.

    >>> y = np.random.default_rng(0).normal(size=400)
    >>> found, variances, _ = first_sites(np.maximum(y, -0.5), np.where(y < -0.5, -1.0, 0.0), np.full(400, 1e-6))
    >>> bool(found[y < -0.5].max() < -0.5), bool(variances[y < -0.5].min() > 0.1)
    (True, True)
    """
    beyond = sides != 0.0
    mean, variance = float(values.mean()), float(values.var())
    rows, count = (sides[beyond], values[beyond]), np.count_nonzero(beyond)
    for _ in range(ROUNDS):
        _, middle, left = truncated(*rows, np.full(count, mean), np.full(count, variance), noise[beyond])
        filled = values.copy()
        filled[beyond] = middle
        mean, variance = float(filled.mean()), float(filled.var()) + float(left.sum()) / len(values)
    own, variances = values.copy(), noise.copy()
    found = normal_sites(*rows, np.full(count, mean), np.full(count, variance), noise[beyond])
    own[beyond], variances[beyond], ratios = found
    return own, variances, float(ratios.sum())
