"""Inputs that are turned before an additive kernel sees them, by an orthogonal map that is learned with its parameters.

What is a sum of functions of few columns depends on which columns there are: ``x1 x2`` needs both, yet it is the sum
of ``(x1 + x2)^2 / 4`` and ``-(x1 - x2)^2 / 4``. The map is in Cayley's form ``R = (I + A)^-1 (I - A)`` with A
antisymmetric: every rotation without an angle of 180 degrees, of which mirror images add nothing for kernels of lags.
An axis of so many columns leaves its place by about as much whatever their number: the numbers in A are normal with
deviation ``1 / sqrt(columns)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from autostatistician.additive.evidence import (
    RACE_ROUNDS,
    TOLERANCE,
    AdditiveFit,
    given,
    limits,
    observed,
    penalised,
    started,
)
from autostatistician.additive.integrated import Mixture, drawn_parameters
from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.inference.fitting import lowest
from autostatistician.inference.parameters import Together
from autostatistician.inference.posterior import misfit

__all__ = [
    "ROWS_OF_ROTATION",
    "Turns",
    "learned_rotation",
    "negative_log_evidence_turned",
    "principal_rotation",
    "turnable",
    "turned_mixture",
]

Array = NDArray[np.float64]

ROWS_OF_ROTATION = 1000  # at most, on which a rotation is learned
MOST_TURN = 4.0  # of a number in A: an angle of 152 degrees


@dataclass(frozen=True, eq=False)
class Turns:
    """The rotations of some of D columns, one number for each pair of them.

    Parameters
    ----------
    columns : int
        All columns.
    places : tuple of int
        Those that turn; the others stay.

    Examples
    --------
    >>> Turns(2, (0, 1)).rotation(np.array([1.0])).round(3).tolist()  # by 90 degrees
    [[0.0, -1.0], [1.0, 0.0]]
    """

    columns: int
    places: tuple[int, ...]

    @property
    def size(self) -> int:
        """Numbers that say a rotation."""
        return len(self.places) * (len(self.places) - 1) // 2

    @property
    def width(self) -> float:
        """The deviation of these numbers before the data."""
        return 1.0 / sqrt(max(len(self.places), 1))

    def rotation(self, turns: Array) -> Array:
        """The orthogonal matrix (D, D) that rows are multiplied with."""
        A, unit = self._antisymmetric(turns), np.eye(len(self.places))
        return self._embedded(np.asarray(np.linalg.solve(unit + A, unit - A), dtype=np.float64))

    def gradient(self, turns: Array, by_rotation: Array) -> Array:
        """The gradient by the numbers, from that by the entries of the rotation (D, D).

        ``(I + A) R = I - A`` gives ``dR = -(I + A)^-1 dA (R + I)``.
        """
        A, unit = self._antisymmetric(turns), np.eye(len(self.places))
        R = np.linalg.solve(unit + A, unit - A)
        by_A = -np.linalg.solve((unit + A).T, by_rotation[np.ix_(self.places, self.places)] @ (R + unit).T)
        return np.asarray((by_A - by_A.T)[np.triu_indices(len(unit), 1)])

    def turns(self, rotation: Array) -> Array:
        """The numbers of the rotation to axes (q, q) of the columns that turn, named and mirrored to turn least."""
        axes = linear_sum_assignment(-np.abs(rotation))[1]
        return self.numbers(rotation[:, axes] * np.sign(rotation[:, axes].diagonal()))

    def numbers(self, rotation: Array) -> Array:
        """The numbers of a rotation (q, q) of the columns that turn: ``A = (I - R) (I + R)^-1``."""
        unit = np.eye(len(rotation))
        A = np.linalg.solve((unit + rotation).T, (unit - rotation).T).T
        return np.asarray(0.5 * (A - A.T)[np.triu_indices(len(unit), 1)])

    def _antisymmetric(self, turns: Array) -> Array:
        A = np.zeros((len(self.places), len(self.places)))
        A[np.triu_indices(len(A), 1)] = turns
        return A - A.T

    def _embedded(self, R: Array) -> Array:
        whole = np.eye(self.columns)
        whole[np.ix_(self.places, self.places)] = R
        return whole


def turnable(layout: Layout) -> Turns:
    """The columns that may turn: those whose kernels depend on lags alone."""
    return Turns(len(layout.bases), tuple(d for d, base in enumerate(layout.bases) if base.slope is not None))


def principal_rotation(turns: Turns, X: Array) -> Array:
    """The rotation (D, D) to the principal axes of the columns (n, D) that turn, each named as the nearest column."""
    return turns.rotation(_principal_turns(turns, X))


def _principal_turns(turns: Turns, X: Array) -> Array:
    """The numbers of this rotation."""
    _, axes = np.linalg.eigh(np.cov(X[:, list(turns.places)], rowvar=False))
    return turns.turns(axes)


def negative_log_evidence_turned(layout: Layout, turns: Turns, v: Array, X: Array, y: Array) -> tuple[float, Array]:
    """The negative log marginal likelihood with turned inputs and its gradient, by parameters, then turns."""
    u, numbers = v[: layout.size], v[layout.size :]
    kernel, R = AdditiveKernel(layout, u), turns.rotation(numbers)
    turned = X @ R
    value, by_matrix = misfit(observed(kernel, turned), y)
    slopes, by_inputs = kernel.gradient_by_all(turned, by_matrix)
    by_noise = 2.0 * kernel.noise_variance * float(np.trace(by_matrix))
    return value, np.concatenate([slopes, [by_noise], turns.gradient(numbers, X.T @ by_inputs)])


def learned_rotation(
    layout: Layout, turns: Turns, X: Array, y: Array, restarts: int, rng: np.random.Generator, prior: Together | None
) -> tuple[Array, Array]:
    """The numbers of the rotation and the parameters that are most probable together, on some of many rows.

    Of the starts one has the columns as they are, one their principal axes, the others are drawn.
    """
    some = np.sort(rng.choice(len(X), min(len(X), ROWS_OF_ROTATION), replace=False))
    first = [np.zeros(turns.size), _principal_turns(turns, X)]
    drawn = [rng.normal(0.0, turns.width, turns.size) for _ in range(restarts - len(first))]
    numbers = [np.clip(each, -MOST_TURN, MOST_TURN) for each in [*first, *drawn][:restarts]]
    starts = [np.append(started(layout, number, rng), each) for number, each in enumerate(numbers)]

    def objective(v: Array) -> tuple[float, Array]:
        value, slopes = negative_log_evidence_turned(layout, turns, v, X[some], y[some])
        off = v[layout.size :] / turns.width
        turned = value + 0.5 * float(off @ off), slopes[: layout.size]
        value, by_parameters = penalised(turned, prior, v[: layout.size])
        return value, np.append(by_parameters, slopes[layout.size :] + off / turns.width)

    best = lowest(objective, starts, _between(layout, turns), RACE_ROUNDS, TOLERANCE)
    return best[layout.size :], best[: layout.size]


def _between(layout: Layout, turns: Turns) -> list[tuple[float, float]]:
    return [*limits(layout), *[(-MOST_TURN, MOST_TURN)] * turns.size]


def turned_mixture(
    fitted: AdditiveFit,
    turns: Turns,
    numbers: Array,
    X: Array,
    y: Array,
    prior: Together,
    rng: np.random.Generator,
    count: int,
) -> Mixture:
    """A fit as the first of several whose parameters and rotations are drawn from their posterior together.

    Parameters
    ----------
    fitted : AdditiveFit
        The most probable one.
    turns, numbers : Turns and array (q,)
        Its rotation.
    X, y : arrays (n, D) and (n,)
        The rows as they were before.
    prior : Together
        Of the parameters.
    rng, count : Generator and int
        Of the draws, and fits in all.
    """
    layout, optimum, first = fitted.kernel.layout, np.append(fitted.kernel.u, numbers), turns.rotation(numbers)
    still = np.zeros(turns.size)
    both = Together(
        np.append(prior.mean, still),
        np.append(prior.width, still + turns.width),
        np.append(prior.alike, still > 0.0),
        prior.common_width,
    )
    negative = partial(negative_log_evidence_turned, layout, turns, X=X, y=y)
    places, weights = drawn_parameters(optimum, negative, both, _between(layout, turns), rng, count)
    rotations = [turns.rotation(v[layout.size :]) for v in places[1:]]
    fits = [
        given(AdditiveKernel(layout, v[: layout.size]), X @ rotation, y)
        for v, rotation in zip(places[1:], rotations, strict=True)
    ]
    return Mixture((fitted, *fits), weights, tuple(first.T @ each for each in [first, *rotations]))
