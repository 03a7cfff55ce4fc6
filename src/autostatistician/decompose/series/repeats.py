"""A function of one column as a part that repeats with a period and a part that does not, whatever its kernel.

Durrande et al. (2016) project onto sines of the period in the inner product that belongs to the kernel. Sines have a
finite length in that of rough kernels alone: of a squared exponential nothing would repeat. Yet every function has a
mean cycle. Here the part that repeats has a value for each phase of the period, by least squares beside a broken line
(the course, which no cycle takes up), over places that are spread evenly. That is a linear map ``A`` of the function,
so both parts are normal where the function is, and they add up to it: of the covariance ``K`` the one has ``A K A'``,
the other ``(1 - A) K (1 - A)'``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.records.series import Repeats
from autostatistician.decompose.series.bands import thinned_for_bands
from autostatistician.decompose.series.estimates import estimate
from autostatistician.decompose.series.seasons import broken_lines, knots_of_course
from autostatistician.decompose.uncertainty import ParameterDraws
from autostatistician.errors import InputError
from autostatistician.forms import Curve
from autostatistician.inference.covariance import covariance
from autostatistician.language.kernel import Kernel

__all__ = ["phases_of_rows", "repeating_map", "repeats"]

Array = NDArray[np.float64]
Phases = NDArray[np.intp]

DRAWS = 400
MOST_PLACES = 600  # of which one matrix holds the covariances
FEWEST_PHASES, ENOUGH_PHASES = 2, 12  # in a cycle, and how many there are (of rows so close) however many cycles
ROUNDING = 1e-9  # singular values below it: the level, which phases and the broken line have in common


def repeats(
    members: ParameterDraws, indices: Sequence[int], period: float, gap: float, rng: np.random.Generator
) -> Repeats:
    """What repeats of the sum of some parts of a model, under the fit and under draws of its numbers.

    Parameters
    ----------
    members : ParameterDraws
        A model of one column, given its data.
    indices : sequence of int
        Which of its parts, none of them noise.
    period, gap : float
        The period, and the distance of neighbouring rows.
    rng : Generator
        Of the draws behind the range of the share.

    Raises
    ------
    InputError
        When the rows do not show the period twice, or lie too far apart for it.
    """
    x = members.fit.posterior.X[:, 0]
    places, phases = phases_of_rows(float(x.min()), float(x.max()), period, gap)
    fold, at, some = repeating_map(places, phases), places[:, None], thinned_for_bands(members)
    prior = _prior(Kernel.sum(tuple(members.fit.parts[index] for index in indices)), at, members)
    mean, cov = some.component(indices, at)
    scale = float(prior.diagonal().max(initial=0.0))
    curves = some.curves(indices, at, rng, scale=scale, count=DRAWS)
    cyclic, rest = _variances(curves @ fold.T), _variances(curves - curves @ fold.T)
    return Repeats(
        period,
        estimate(_share(cyclic, rest)),
        float(_share(_trace(fold, prior), _trace(np.eye(len(fold)) - fold, prior))),
        _curve(places, fold, mean, cov),
        _curve(places, np.eye(len(fold)) - fold, mean, cov),
    )


def phases_of_rows(low: float, high: float, period: float, gap: float) -> tuple[Array, Phases]:
    """Evenly spread places (m,) from ``low`` on, and the phase of each by number: the rows, where these are on a grid.

    Of very many cycles some are left out, evenly.

    >>> places, phases = phases_of_rows(0.0, 9.0, 4.0, 1.0)
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


def repeating_map(places: Array, phases: Phases) -> Array:
    """The matrix (m, m) that takes values at places (m,) with such phases to the part of them that repeats.

    That has the mean zero over a cycle; it is the same in all cycles.

    >>> places, phases = phases_of_rows(0.0, 11.0, 4.0, 1.0)
    >>> week = np.array([3.0, -1.0, -1.0, -1.0])[phases]
    >>> (repeating_map(places, phases) @ (week + 10.0 - 0.5 * places)).round(9).tolist()[:5]
    [3.0, -1.0, -1.0, -1.0, 3.0]
    """
    steps = int(phases.max()) + 1
    period = float(places[np.flatnonzero(phases == 0)[1]] - places[0])
    course = broken_lines(places, knots_of_course(places, period))
    design = np.hstack([course, np.eye(steps)[phases]])
    cycle = np.linalg.pinv(design, rcond=ROUNDING)[course.shape[1] :]
    return np.asarray((cycle - cycle.mean(axis=0))[phases])


def _prior(part: Kernel, at: Array, members: ParameterDraws) -> Array:
    return covariance(part, at, at, members.fit.posterior.columns)


def _variances(curves: Array) -> Array:
    return np.asarray(curves.var(axis=1))


def _trace(linear: Array, cov: Array) -> Array:
    """The expected variance over the places of what a linear map makes of a function with this covariance."""
    centred = linear - linear.mean(axis=0)
    return np.asarray(np.einsum("ij,jk,ik->", centred, cov, centred, optimize=True) / len(linear))


def _share(cyclic: Array, rest: Array) -> Array:
    both = cyclic + rest
    return np.where(both > 0.0, cyclic / np.where(both > 0.0, both, 1.0), 0.0)


def _curve(places: Array, linear: Array, mean: Array, cov: Array) -> Curve:
    variances = np.einsum("ij,jk,ik->i", linear, cov, linear, optimize=True)
    return Curve.normal(places, linear @ mean, np.sqrt(np.maximum(variances, 0.0)))
