"""Seasonal decomposition: a function of one column as a part that repeats with a period and a part that does not.

Durrande et al. (2016) project onto sines of the period in the inner product that belongs to the kernel. Sines have a
finite length in that of rough kernels alone: of a squared exponential nothing would repeat. Yet every function has a
mean cycle. Here the part that repeats has a value for each phase of the period, by least squares beside a broken line
(the course, which no cycle takes up), over places that are spread evenly. That is a linear map ``A`` of the function,
so both parts are normal where the function is, and they add up to it: of the covariance ``K`` the one has ``A K A'``,
the other ``(1 - A) K (1 - A)'``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.function import Estimate
from autostatistician.decompose.series.estimates import estimate
from autostatistician.decompose.series.parts import thinned_for_bands
from autostatistician.decompose.series.seasons import broken_lines, knots_of_course
from autostatistician.decompose.uncertainty import CURVES_DRAWN, ParameterDraws
from autostatistician.errors import InputError
from autostatistician.forms import Curve
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.kernel import Kernel

__all__ = ["Repeats", "repeats"]

Array = NDArray[np.float64]

MOST_PLACES = 600  # of which one matrix holds the covariances
FEWEST_PHASES, ENOUGH_PHASES = 2, 12  # in a cycle, and how many there are (of rows so close) however many cycles
ROUNDING = 1e-9  # singular values below it: the level, which phases and the broken line have in common


@dataclass(frozen=True, eq=False)
class Repeats:
    """A function as a curve that is the same in all cycles of a ``period`` and the ``rest``, which add up to it.

    ``share`` is the variance of the former over the places in that of both, with its range; the prior ``expected`` it
    (of the expected variances). All is on the scale of the model.
    """

    period: float
    share: Estimate
    expected: float
    cycle: Curve
    rest: Curve

    def columns(self, level: float) -> dict[str, Array]:
        """Both curves and the ends of their bands by name, the rest about a level."""
        return {
            name + end: getattr(curve, attribute) + added
            for name, curve, added in (("cycle", self.cycle, 0.0), ("rest", self.rest, level))
            for end, attribute in (("", "mean"), ("_lower", "lower"), ("_upper", "upper"))
        }


def repeats(
    members: ParameterDraws, indices: Sequence[int], period: float, gap: float, rng: np.random.Generator
) -> Repeats:
    """What repeats of the sum of some parts of a model, under the fit and under draws of its numbers.

    ``gap`` is the distance of neighbouring rows.
    """
    x, columns = members.fit.posterior.X[:, 0], members.fit.posterior.columns
    places, phases = _phases(float(x.min()), float(x.max()), period, gap)
    fold, at, some = _repeating_map(places, phases), places[:, None], thinned_for_bands(members)
    prior = covariance(Kernel.sum(tuple(members.fit.parts[index] for index in indices)), at, at, columns)
    mean, cov = some.component(indices, at)
    curves = some.curves(indices, at, rng, scale=float(prior.diagonal().max(initial=0.0)), count=CURVES_DRAWN)
    cyclic, rest = (part.var(axis=1) for part in (curves @ fold.T, curves - curves @ fold.T))
    maps = fold, np.eye(len(fold)) - fold
    # over the places, the variance that is expected of what a map makes of the function
    centred = [linear - linear.mean(axis=0) for linear in maps]
    expected = [np.einsum("ij,jk,ik->", each, prior, each, optimize=True) / len(fold) for each in centred]
    deviations = [np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", each, cov, each, optimize=True), 0.0)) for each in maps]
    return Repeats(
        period,
        estimate(_share(cyclic, rest)),
        float(_share(*map(np.asarray, expected))),
        *(Curve.normal(places, linear @ mean, sd) for linear, sd in zip(maps, deviations, strict=True)),
    )


def _phases(low: float, high: float, period: float, gap: float) -> tuple[Array, NDArray[np.intp]]:
    """Evenly spread places (m,) from ``low`` on, and the phase of each by number: the rows, where these are on a grid.

    Of very many cycles some are left out, evenly.

    >>> places, phases = _phases(0.0, 9.0, 4.0, 1.0)
    >>> places.tolist(), phases.tolist()
    ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [0, 1, 2, 3, 0, 1, 2, 3, 0, 1])
    """
    if not (FEWEST_PHASES * gap <= 1.01 * period and 2.0 * period <= high - low + 1.01 * gap):
        least, most = FEWEST_PHASES * gap, 0.5 * (high - low + gap)
        raise InputError.of(f"a period from {least:g} to {most:g}", f"{period:g}", "name one that the rows show twice")
    cycles = (high - low) / period
    steps = min(max(FEWEST_PHASES, round(period / gap)), max(ENOUGH_PHASES, int(MOST_PLACES / cycles)))
    index = np.arange(int((high - low) * steps / period * (1.0 + ROUNDING)) + 1)
    index = index[index // steps % -(-len(index) // MOST_PLACES) == 0]
    return low + index * (period / steps), (index % steps).astype(np.intp)


def _repeating_map(places: Array, phases: NDArray[np.intp]) -> Array:
    """The matrix (m, m) that takes values at places (m,) with such phases to the part of them that repeats.

    That has the mean zero over a cycle; it is the same in all cycles.

    >>> places, phases = _phases(0.0, 11.0, 4.0, 1.0)
    >>> week = np.array([3.0, -1.0, -1.0, -1.0])[phases]
    >>> (_repeating_map(places, phases) @ (week + 10.0 - 0.5 * places)).round(9).tolist()[:5]
    [3.0, -1.0, -1.0, -1.0, 3.0]
    """
    steps = int(phases.max()) + 1
    period = float(places[np.flatnonzero(phases == 0)[1]] - places[0])
    course = broken_lines(places, knots_of_course(places, period))
    design = np.hstack([course, np.eye(steps)[phases]])
    cycle = np.linalg.pinv(design, rcond=ROUNDING)[course.shape[1] :]
    return np.asarray((cycle - cycle.mean(axis=0))[phases])


def _share(cyclic: Array, rest: Array) -> Array:
    both = cyclic + rest
    return np.where(both > 0.0, cyclic / np.where(both > 0.0, both, 1.0), 0.0)
