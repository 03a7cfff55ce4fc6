"""What a leaf is as a function of the lag: its values with their derivatives, and its exponential terms.

Every leaf that depends on the lag has three functions with the same arguments: the lags (any shape, any sign) and the
parameters in the order of its row. The first returns the covariances, the second also their derivatives with respect to
the *logarithm* of each parameter, the third the derivatives of the covariances with respect to the lag. Where a
covariance has a kink at lag zero, its slope there is zero, the mean of both sides.

A function with stationary increments that is zero at an origin o has ``g(x - o) + g(x' - o) - g(x - x')``, with half
the variance g of an increment as a function of its length: its three functions are those of g.

Engines whose cost grows with n want a leaf as a sum of exponential terms, with the derivatives of weights and rates by
(logarithms of) its parameters. What is no finite sum is one up to a part ``error`` of its variance.

Leaves without exponential terms of their own: few chosen from many, their weights by least squares. In units of the
lengthscale a leaf is a function of the lag and of its shapes. Terms of many rates and a few angles are offered;
orthogonal matching pursuit (Pati, Rezaiifar and Krishnaprasad 1993) takes those that serve the leaf, at shapes around
the wanted ones. This choice is made once for rounded shapes, lags and error; the weights follow the shapes themselves,
so that they have derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, log

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ALIKE", "NOTHING", "NO_TERMS", "Accuracy", "Complex", "Derivative", "Derivatives", "Exponentials", "FittedTerms",
    "LagFunction", "LeafTerms", "StateSpace", "Values", "by_length_and_size", "fit", "fitted", "joined",
]  # fmt: skip


Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Derivatives = tuple[Array, tuple[Array, ...]]


@dataclass(frozen=True, slots=True)
class LagFunction:
    """The functions of one leaf: ``value(lag, *parameters)``, the same with derivatives, and the slope by the lag."""

    value: Callable[..., Array]
    value_and_derivatives: Callable[..., Derivatives]
    slope: Callable[..., Array]


# --- Sums of exponential terms --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exponentials:
    """A terms: ``weight`` (A, D) of the powers of t below D, ``rate`` (A,) with its frequency as imaginary part.

    ``real`` (A,) says which have neither frequency nor phase, whatever the parameters; ``degree`` (A,) is that of P.
    """

    weight: Complex
    rate: Complex
    real: NDArray[np.bool_]
    degree: NDArray[np.intp]

    @classmethod
    def of(cls, weight: object, rate: object, *, real: bool) -> Exponentials:
        """Terms of degree zero from weights (A,), or of one degree from (A, D)."""
        rates = np.atleast_1d(np.asarray(rate, dtype=complex))
        weights = np.asarray(weight, dtype=complex)
        weights = weights[:, None] if weights.ndim == 1 else weights
        A, D = weights.shape
        return cls(weights, rates, np.full(A, real), np.full(A, D - 1, dtype=np.intp))

    @property
    def columns(self) -> int:
        """In how many columns they can be written."""
        return int(((self.degree + 1) * np.where(self.real, 1, 2)).sum())

    def at(self, lags: Array) -> Array:
        """The sum at lags of any shape.

        >>> Exponentials.of([1.0], [1.0], real=True).at(np.array([0.0, 1.0])).round(4).tolist()
        [1.0, 0.3679]
        """
        powers = lags[..., None, None] ** np.arange(self.weight.shape[1])
        return np.asarray(((powers * self.weight).sum(-1) * np.exp(-lags[..., None] * self.rate)).sum(-1).real)


NO_TERMS = Exponentials(np.zeros((0, 1), complex), np.zeros(0, complex), np.zeros(0, bool), np.zeros(0, np.intp))


def joined(parts: list[Exponentials]) -> Exponentials:
    """The sum."""
    if len(parts) == 1:
        return parts[0]
    D = max(part.weight.shape[1] for part in parts)
    return Exponentials(
        np.concatenate([_widened(part.weight, D) for part in parts]),
        np.concatenate([part.rate for part in parts]),
        np.concatenate([part.real for part in parts]),
        np.concatenate([part.degree for part in parts]),
    )


def _widened(weight: Complex, D: int) -> Complex:
    """With zeros for the powers that it lacks."""
    if weight.shape[1] == D:
        return weight
    widened = np.zeros((len(weight), D), complex)
    widened[:, : weight.shape[1]] = weight
    return widened


Values = tuple[float, ...]


Derivative = tuple[Complex, Complex]  # of weights and rates by one parameter, or by its logarithm where it is positive


LeafTerms = tuple[Exponentials, list[Derivative]]


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


@dataclass(frozen=True, slots=True)
class StateSpace:
    """A leaf as a sum of exponential terms at lags above zero, for engines whose cost grows with n.

    Parameters
    ----------
    terms : callable
        From the parameters of the leaf (but for a location) and an `Accuracy` to the terms, and their derivatives by
        each of these parameters.
    columns : int
        In how many columns they are written with moderate numbers and noise.
    finest : callable, optional
        Of a leaf that is no finite sum: the smallest error to be asked for, by its parameters and the longest lag.
        None: there are as many terms, and exact ones, whatever is asked.
    harmonics : bool
        Whether the terms are cosines of which small ones are left out. An error of such a series moves the evidence in
        full, that of a fit changes its sign from lag to lag.
    """

    terms: Callable[[Values, Accuracy], LeafTerms]
    columns: int
    finest: Callable[[Values, float], float] | None = None
    harmonics: bool = False


def by_length_and_size(terms: Exponentials, by_length: Complex | float = 0.0) -> list[Derivative]:
    """Derivatives by the logarithms of a length that all rates are measured in, and of the sd."""
    return [(by_length + 0.0 * terms.weight, -terms.rate), (2.0 * terms.weight, 0.0 * terms.rate)]


def _alike(values: Values, accuracy: Accuracy) -> LeafTerms:
    """The same at all lags: constants, and what stands between two positions along a line."""
    terms = Exponentials.of([values[0] ** 2], [0.0], real=True)
    return terms, [(2.0 * terms.weight, terms.rate)]


def _nothing(values: Values, accuracy: Accuracy) -> LeafTerms:
    return NO_TERMS, [(NO_TERMS.weight, NO_TERMS.rate)] * len(values)


ALIKE = StateSpace(_alike, 1)


NOTHING = StateSpace(_nothing, 0)


# --- Leaves without terms of their own: few chosen from many, their weights by least squares ------------------------


RATIO = 1.25  # of neighbouring rates; lags are rounded to its powers too


ANGLES = np.radians([0.0, 15.0, 30.0, 45.0, 58.0])


FASTEST = 6.0  # rate, times the lengthscale


SAMPLES = 250, 150  # lags by their logarithms, and as they are


SHAPE_STEP = 0.2  # of the logarithms of shapes


RESERVE = 0.7  # of the error, for what lies between the samples


MOST = 40  # terms


WITHOUT_GAIN = 6  # further terms after which none helps any more


LEAST = 1e-14  # singular values below this part of the largest one are rounding


NEGLIGIBLE = 1e-12  # part of a term that others leave of it, below which it is rounding


@dataclass(frozen=True, slots=True, eq=False)
class FittedTerms:
    """Terms for a leaf at about some shapes: rates in units of the lengthscale, those without frequency first."""

    lags: Array  # (T,)
    rates: Complex  # (A,)
    real: int  # how many have no frequency
    left: Array  # (k, T) and
    right: Array  # (columns, k): from the leaf at the lags to the weights of cosines, then sines; their product is not
    # made, for it is large where terms are alike

    def weights(self, values: Array) -> Complex:
        """The weights (A,) of what has these values (T,) at the lags."""
        of_columns = self.right @ (self.left @ values)
        weights = of_columns[: len(self.rates)].astype(complex)
        weights[self.real :] += 1j * of_columns[len(self.rates) :]
        return weights


def fit(leaf: LagFunction, shapes: tuple[float, ...], shortest: float, longest: float, error: float) -> FittedTerms:
    """The fit of a leaf between two lags in units of its lengthscale.

    >>> from autostatistician.kernels.leaves import lag_function
    >>> found = fit(lag_function("RQ"), (1.0,), 0.1, 50.0, 1e-6)
    >>> values = 1.0 / (1.0 + found.lags**2 / 2.0)
    >>> terms = np.exp(-np.outer(found.lags, found.rates)) @ found.weights(values)
    >>> len(found.rates) < 25, bool(np.abs(terms.real - values).max() < 1e-6)
    (True, True)
    """
    cells = tuple(round(log(shape) / SHAPE_STEP) for shape in shapes)
    ends = floor(log(shortest) / log(RATIO)), ceil(log(longest) / log(RATIO))
    return _fit(leaf, cells, ends, ceil(-4.0 * np.log10(RESERVE * error)))


@lru_cache(maxsize=256)
def _fit(leaf: LagFunction, cells: tuple[int, ...], ends: tuple[int, int], digits: int) -> FittedTerms:
    low, high = RATIO ** ends[0], RATIO ** max(ends[1], ends[0] + 1)
    lags = np.unique(np.concatenate([np.geomspace(low, high, SAMPLES[0]), np.linspace(low, high, SAMPLES[1])]))
    offered = _offered(high)
    targets, error = _targets(leaf, cells, lags), 10.0 ** (-0.25 * digits)
    chosen = _chosen(targets, offered, lags, error)
    rates = np.concatenate([offered[chosen][offered[chosen].imag == 0.0], offered[chosen][offered[chosen].imag > 0.0]])
    real = int((rates.imag == 0.0).sum())
    terms = np.exp(-np.outer(lags, rates))
    # Re((a + i b)(cos - i sin)) = a cos + b sin
    columns = np.concatenate([terms.real, -terms.imag[:, real:]], axis=1)
    left, sizes, right = np.linalg.svd(columns, full_matrices=False)
    kept = slice(_directions(targets, left, sizes, error))
    return FittedTerms(lags, rates, real, left[:, kept].T, right[kept].T / sizes[kept])


def _directions(targets: Array, left: Array, sizes: Array, error: float) -> int:
    """The fewest singular directions that reach the error: each further one makes weights larger, and digits fewer."""
    rest, most = targets.copy(), int((sizes > LEAST * sizes.max(initial=0.0)).sum())
    for count in range(most):
        if np.abs(rest).max() <= error:
            return count
        rest -= np.outer(left[:, count], left[:, count] @ rest)
    return most


def _targets(leaf: LagFunction, cells: tuple[int, ...], lags: Array) -> Array:
    """The leaf at the ends and in the middle of the cell of its shapes (T, 3), or as it is (T, 1)."""
    shifts = (-0.5, 0.0, 0.5) if cells else (0.0,)
    shapes = [[np.exp(SHAPE_STEP * (cell + shift)) for cell in cells] for shift in shifts]
    return np.stack([leaf.value(lags, 1.0, 1.0, *shape) for shape in shapes], axis=1)


def _offered(longest: float) -> Complex:
    slowest = 0.3 / longest
    count = ceil(log(max(FASTEST / slowest, 4.0)) / log(RATIO)) + 1
    sizes = slowest * RATIO ** np.arange(count)
    return np.concatenate([[0j], np.outer(np.exp(1j * ANGLES), sizes).ravel()])


def _chosen(targets: Array, rates: Complex, lags: Array, error: float) -> list[int]:
    """Which of the rates, in the order of their use, until the largest residual is below the error."""
    terms, residual = np.exp(-np.outer(lags, rates)), targets.copy()
    cosines, sines = terms.real.copy(), terms.imag.copy()
    chosen: list[int] = []
    largest = [float(np.abs(residual).max())]
    while largest[-1] > error and len(chosen) < MOST and int(np.argmin(largest)) > len(chosen) - WITHOUT_GAIN:
        best = _most_useful(cosines, sines, residual, chosen)
        chosen.append(best)
        for direction in (cosines[:, best].copy(), sines[:, best].copy()):
            norm = float(np.linalg.norm(direction))
            if norm > NEGLIGIBLE * len(lags) ** 0.5:
                unit = direction / norm
                for what in (residual, cosines, sines):
                    what -= np.outer(unit, unit @ what)
                sines[:, best] -= unit * (unit @ sines[:, best])
        largest.append(float(np.abs(residual).max()))
    return chosen[: int(np.argmin(largest))]


def _most_useful(cosines: Array, sines: Array, residual: Array, chosen: list[int]) -> int:
    """The term that takes most of the residual for each of its columns."""
    tiny = NEGLIGIBLE**2 * len(residual)
    norms = (cosines**2).sum(0) + tiny
    across = sines - cosines * ((cosines * sines).sum(0) / norms)
    others = (across**2).sum(0)
    turning = others > tiny
    gain = ((cosines.T @ residual) ** 2).sum(1) / norms + ((across.T @ residual) ** 2).sum(1) / (others + tiny)
    gain /= np.where(turning, 2.0**0.5, 1.0)
    gain[chosen] = -1.0
    return int(gain.argmax())


FINEST, FINEST_FITTED = 1e-11, 1e-8  # errors of leaves that can be asked for


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
        return terms, [*by_length_and_size(terms), *by_shapes]

    return StateSpace(of_leaf, columns, lambda values, longest: FINEST_FITTED)
