"""The bound of one expression of which every evaluation sees some rows: an unbiased estimate with its gradient."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.covariance import NotPositiveDefinite
from autostatistician.inference.engines.inducing.bound import root_of_points, scaled_rows
from autostatistician.inference.engines.inducing.objective import InducingObjective
from autostatistician.inference.engines.inducing.stochastic import Belief, SomeRows, vague
from autostatistician.inference.engines.variances import variances

__all__ = ["Minibatches"]

Array = NDArray[np.float64]

ROWS = 1000  # of an estimate
SHORTEST_STEP = 0.1  # of a natural gradient; the first ones are longer, so that the prior is soon forgotten


class Minibatches:
    """Minus the bound of one expression; every estimate improves the belief about the inducing variables for the next.

    The rows of the estimates are the same for the same data. A value is always that of all rows, at the best belief.

    Parameters
    ----------
    whole : InducingObjective
        The bound of all rows.
    rows : int
        How many an estimate sees.
    """

    def __init__(self, whole: InducingObjective, rows: int = ROWS) -> None:
        self.whole, self.evaluations, self.steps = whole, 0, 0
        self.belief: Belief | None = None
        self._batches = _batches(whole.problem.n, rows)

    def value(self, values: tuple[float, ...]) -> float:
        """Minus the bound of all rows; infinite where there is none."""
        self.evaluations += 1
        return self.whole.value(values)

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        """An estimate of minus the bound at the belief, with its derivatives, from the next rows."""
        self.evaluations += 1
        try:
            found = self.estimate(values, next(self._batches))
        except NotPositiveDefinite:
            found = None
        return (inf, np.zeros(len(values))) if found is None else found

    def renewed(self, values: tuple[float, ...]) -> Minibatches | None:
        """The same with inducing points chosen at these numbers, where they say more about the data."""
        whole = self.whole.renewed(values)
        return None if whole is None else Minibatches(whole)

    def estimate(self, values: tuple[float, ...], rows: NDArray[np.intp]) -> tuple[float, Array] | None:
        """The same from given rows; None where covariances are not finite or there is no noise."""
        problem, cross = self.whole.problem, self.whole.cross
        X = problem.X[rows]
        known = variances(self.whole.expr, values, X, problem.columns)
        signal, noise = (np.full(len(rows), 0.0) + one for one in (known.signal, known.noise))
        if not (np.isfinite(signal).all() and np.isfinite(noise).all() and noise.min() > 0.0):
            return None
        Z = self.whole.points_for(values)
        lower = root_of_points(cross.filled(values, Z, Z))
        scaled = scaled_rows(cross.filled(values, X, Z), lower, noise)
        some = SomeRows(problem.y[rows], signal, noise, lower, scaled, problem.n / len(rows))
        belief = some.moved(vague(len(Z)), 1.0) if self.belief is None else self.belief
        by_cross, by_points = some.by_cross_and_points(belief)
        slopes = [0.0] * len(values)
        known.back(some.by_signal(), some.by_noise(belief), slopes)
        gradient = np.array(slopes) + cross.gradient(values, X, Z, by_cross) + cross.gradient(values, Z, Z, by_points)
        self.steps += 1
        self.belief = some.moved(belief, max(SHORTEST_STEP, 1.0 / (self.steps + 1)))
        return -some.value(belief), -gradient


def _batches(n: int, count: int) -> Iterator[NDArray[np.intp]]:
    """All rows in random order, so many at a time, again and again; those that are left over sit out until then."""
    rng, count = np.random.default_rng(0), min(count, n)
    while True:
        order = rng.permutation(n)
        for start in range(0, n - count + 1, count):
            yield np.sort(order[start : start + count])
