"""What the data leave open about a model: its parts under the fitted parameters, and under others that fit too.

Given the parameters, the posterior of a part is normal. But with these held, it is too narrow: a line whose zero is
held, for one, looks almost exactly known, however few and noisy the data are. What a report states therefore has the
variance about the fit that the part has over draws of the parameters from their posterior (`uncertainty.sampling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.rows import evenly_spaced
from autostatistician.gp import Scales, condition
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.choice import expected_seconds
from autostatistician.gp.parameters import FreeParameters, LearnedPriors, balanced
from autostatistician.gp.posterior import Posterior, draw
from autostatistician.gp.problem import scales_of
from autostatistician.gp.sampling import normal_draws, walk
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.rewrite import components

__all__ = [
    "CURVES_DRAWN",
    "FEWEST_MEMBERS",
    "MOST_MEMBERS",
    "ConditionedModel",
    "ParameterDraws",
    "fixed_parameters",
    "uncertainty_of",
    "variance_about_fit",
]

Array = NDArray[np.float64]

MOST_ROWS = 2000  # of more data, the posterior of the parameters is taken to be normal
MOST_SECONDS = 15.0  # that its curvature may take, as expected of the engine, and that members may
EVALUATIONS_OF_A_MEMBER = 60  # that conditioning on the data, and asking that for all parts, is about worth
EVALUATIONS_BY_POINTS = 5  # the same where inducing points stand for the rows
NORMAL_DRAWS = 200
MOST_FACTOR_ENTRIES = 24_000_000  # in the factors of the covariances of all members
FEWEST_MEMBERS = 8
CURVES_DRAWN = 400
MOST_MEMBERS = 60  # of sizes, slopes and bands more would hardly tell more


@dataclass(frozen=True, eq=False)
class ConditionedModel:
    """A model conditioned on the data, and its additive parts."""

    posterior: Posterior
    parts: tuple[Kernel, ...]

    def component(self, indices: Sequence[int], Xs: Array) -> tuple[Array, Array]:
        """Posterior mean (m,) and covariance (m, m) of the sum of some parts."""
        projection = self.posterior.project(Kernel.sum(tuple(self.parts[index] for index in indices)), Xs)
        return projection.mean, projection.covariance()


@dataclass(frozen=True, eq=False)
class ParameterDraws:
    """A model with the numbers of its fit, and with draws of them; without draws, the parameters are held."""

    fit: ConditionedModel
    others: tuple[ConditionedModel, ...] = ()  # under some of the draws
    parameters: tuple[
        Array | None, ...
    ] = ()  # of every part, all k draws of its p parameters (k, p); None without draws

    def thinned(self, most: int) -> ParameterDraws:
        """The same with at most so many of the others."""
        return replace(self, others=tuple(self.others[row] for row in evenly_spaced(len(self.others), most)))

    def reordered(self, indices: Sequence[int]) -> ParameterDraws:
        """The same with the parts in another order."""

        def reordered(member: ConditionedModel) -> ConditionedModel:
            return replace(member, parts=tuple(member.parts[index] for index in indices))

        others = tuple(reordered(member) for member in self.others)
        return ParameterDraws(reordered(self.fit), others, tuple(self.parameters[index] for index in indices))

    def component(self, indices: Sequence[int], Xs: Array) -> tuple[Array, Array]:
        """Mean (m,) of the sum of some parts under the fit, and its covariance (m, m) about that."""
        moments = [member.component(indices, Xs) for member in (self.fit, *self.others)]
        return moments[0][0], variance_about_fit(moments)

    def curves(self, indices: Sequence[int], Xs: Array, rng: np.random.Generator, *, scale: float, count: int) -> Array:
        """Joint draws (count, m) of the sum of some parts, from all the others in turn (from the fit without any).

        ``scale`` is the prior variance of the sum, relative to which its covariance is rounded.
        """
        members = self.others or (self.fit,)
        counts = np.bincount(np.arange(count) % len(members), minlength=len(members)).tolist()
        drawn = [
            draw(*member.component(indices, Xs), rng, scale=scale, count=of_member)
            for member, of_member in zip(members, counts, strict=True)
            if of_member
        ]
        return np.concatenate(drawn)


def variance_about_fit(moments: Sequence[tuple[Array, Array]]) -> Array:
    """The (co)variance, about the mean of the first member, of a draw from one of the others; without others its own.

    ``moments`` are mean (m,) and variances (m,) or covariances (m, m) of every member, the fit first.

    >>> one, zero = np.ones(1), np.zeros(1)
    >>> variance_about_fit([(zero, one)]), variance_about_fit([(zero, one), (zero, 3.0 * one), (2.0 * one, one)])
    (array([1.]), array([4.]))
    """
    mean, fit_variance = moments[0]
    if len(moments) == 1:
        return fit_variance
    shifts = np.array([other - mean for other, _ in moments[1:]])
    within = np.mean([variance for _, variance in moments[1:]], axis=0)
    between = np.mean(shifts**2, axis=0) if fit_variance.ndim == 1 else shifts.T @ shifts / len(shifts)
    return np.asarray(within + between)


def fixed_parameters(posterior: Posterior) -> ParameterDraws:
    """The model with all its parameters held."""
    parts = components(posterior.kernel)
    return ParameterDraws(ConditionedModel(posterior, parts), (), (None,) * len(parts))


def uncertainty_of(
    posterior: Posterior,
    rng: np.random.Generator,
    natural_periods: tuple[float, ...] = (),
    most: int | None = None,
    priors: LearnedPriors | None = None,
) -> ParameterDraws:
    """The model with what the data leave open about its parameters.

    Of more than `MOST_ROWS` data they are drawn from a normal distribution where the engine is quick enough for its
    curvature, and the others (at most ``most``) are left out where it is not quick enough for them. The parameters are
    held where neither can be, where some part has the size zero (which no fit leaves), and where under most draws the
    parts are of other forms than under the fit. ``priors`` are those of the fit.
    """
    held = fixed_parameters(posterior)
    kernel, y = posterior.kernel, posterior.y
    pairs = zip(parameters(kernel.expr), kernel.values, strict=True)
    if any(parameter.role.positive and not value > 0.0 for parameter, value in pairs):
        return held
    scales, forms = scales_of(posterior.problem, natural_periods, priors), [part.expr for part in held.fit.parts]
    room, undrawn = max(FEWEST_MEMBERS, MOST_FACTOR_ENTRIES // len(y) ** 2), frozenset[int]()
    if len(y) <= MOST_ROWS:
        draws = walk(kernel, posterior.problem, scales, rng)
    else:
        seconds = expected_seconds(posterior)
        if seconds is None or 2.0 * seconds * len(kernel.values) > MOST_SECONDS:
            return held
        evaluations = EVALUATIONS_OF_A_MEMBER if posterior.points is None else EVALUATIONS_BY_POINTS
        room = FEWEST_MEMBERS if FEWEST_MEMBERS * evaluations * seconds <= MOST_SECONDS else 0
        draws, drawn = normal_draws(kernel, posterior.problem, scales, rng, NORMAL_DRAWS)
        undrawn = _parts_with_others(kernel, scales, drawn)
    with_parts = [(sample, components(sample)) for sample in draws]
    alike = [(sample, parts) for sample, parts in with_parts if [part.expr for part in parts] == forms]
    if 2 * len(alike) < len(draws):
        return held
    kept = evenly_spaced(len(alike), room)
    kept = kept if most is None else kept[evenly_spaced(len(kept), most)]
    members = [_member(posterior, *alike[index]) for index in kept]
    drawn_parameters = tuple(
        None if index in undrawn else np.array([parts[index].values for _, parts in alike])
        for index in range(len(forms))
    )
    return ParameterDraws(held.fit, tuple(member for member in members if member is not None), drawn_parameters)


def _parts_with_others(kernel: Kernel, scales: Scales, drawn: frozenset[int]) -> frozenset[int]:
    """The parts that hang on free parameters besides those that are drawn."""
    kernel = balanced(kernel, scales)
    others = set(FreeParameters.of(kernel.expr, scales).indices) - drawn
    moved = [1.001 * value + 1e-3 if index in others else value for index, value in enumerate(kernel.values)]
    pairs = zip(components(kernel), components(Kernel(kernel.expr, tuple(moved))), strict=True)
    return frozenset(index for index, (part, part_moved) in enumerate(pairs) if part != part_moved)


def _member(posterior: Posterior, kernel: Kernel, parts: tuple[Kernel, ...]) -> ConditionedModel | None:
    """The model with other parameters, given the same data; None where arithmetic fails on them."""
    try:
        return ConditionedModel(condition(kernel, posterior.problem), parts)
    except NotPositiveDefinite:
        return None
