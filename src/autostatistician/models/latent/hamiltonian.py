"""Hamiltonian Monte Carlo with a step that learns, while it warms up, to be accepted four times of five."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.covariance import NotPositiveDefinite

__all__ = ["Density", "LeapfrogStep", "moved"]

Array = NDArray[np.float64]
Density = Callable[[Array], tuple[float, Array]]

WANTED = 0.8  # of the proposals are to be accepted
SHRINKAGE, STABILISING, FORGETTING = 0.05, 10.0, 0.75  # of dual averaging (Hoffman and Gelman 2014)
LONGEST = 100  # steps of a path; their number is drawn from 1 to this


@dataclass(frozen=True)
class LeapfrogStep:
    """The size of a leapfrog step and what was learnt about it; a value of its own, so it can be kept in a file."""

    size: float
    averaged: float  # what is used after the warm-up
    start: float
    surplus: float = 0.0  # of rejections over those wanted
    tried: int = 0

    @classmethod
    def beginning(cls, size: float) -> LeapfrogStep:
        """Nothing learnt yet."""
        return cls(size, size, size)

    def learnt(self, accepted: float) -> LeapfrogStep:
        """After a proposal with that probability of acceptance."""
        tried = self.tried + 1
        weight = 1.0 / (tried + STABILISING)
        surplus = (1.0 - weight) * self.surplus + weight * (WANTED - accepted)
        size = float(10.0 * self.start * np.exp(-np.sqrt(tried) / SHRINKAGE * surplus))
        share = tried**-FORGETTING
        averaged = float(np.exp(share * np.log(size) + (1.0 - share) * np.log(self.averaged)))
        return replace(self, size=size, averaged=averaged, surplus=surplus, tried=tried)


def moved(density: Density, start: Array, size: float, rng: np.random.Generator) -> tuple[Array, float, float]:
    """One proposal along a path of random length; where it ends, its log density, the probability of acceptance.

    Parameters
    ----------
    density : callable
        Log density and gradient at a place (p,); `NotPositiveDefinite` is a density of zero.
    size : float
        Of a step; a random part of it, at least half, is taken.

    Examples
    --------
    >>> rng, x = np.random.default_rng(0), np.zeros(1)
    >>> seen = []
    >>> for _ in range(2000):
    ...     x = moved(lambda u: (-0.5 * float(u @ u), -u), x, 0.3, rng)[0]
    ...     seen.append(x[0])
    >>> bool(abs(np.mean(seen)) < 0.1), bool(abs(np.std(seen) - 1.0) < 0.1)
    (True, True)
    """
    momentum = rng.standard_normal(start.shape)
    length, step, luck = int(rng.integers(1, LONGEST + 1)), size * (0.5 + 0.5 * rng.random()), np.log(rng.random())
    level, slope = density(start)
    energy = level - 0.5 * float(momentum @ momentum)
    place, reached = start, level
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # a path that leaves all bounds is one that is not accepted
            for _ in range(length):
                momentum = momentum + 0.5 * step * slope
                place = place + step * momentum
                reached, slope = density(place)
                momentum = momentum + 0.5 * step * slope
            gain = reached - 0.5 * float(momentum @ momentum) - energy
    except (NotPositiveDefinite, np.linalg.LinAlgError):
        return start, level, 0.0
    if not np.isfinite(gain):
        return start, level, 0.0
    accepted = float(np.exp(min(gain, 0.0)))
    return (place, reached, accepted) if luck < gain else (start, level, accepted)
