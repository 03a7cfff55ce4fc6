"""Predictions that average over what the data leave open: the structure of the model, and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.transform import Transform
from autostatistician.fitted.baseline_models import with_baseline_models
from autostatistician.fitted.growth_curves import Pool, pool
from autostatistician.fitted.model import Model
from autostatistician.gp import Problem, condition
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.sampling import draws
from autostatistician.kernels.kernel import Kernel
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import Candidate

__all__ = ["Ensemble", "ensemble", "mixed_moments"]

Array = NDArray[np.float64]

# Members of an ensemble, shared among the structures by their weights; fewer where a factorisation takes long.
MOST_MEMBERS, FEWEST_MEMBERS = 32, 8

MANY_ROWS = 400  # with more of them there are fewer members

MOST_ROWS_OF_DRAWS = 20_000  # with more of them, what they leave open about parameters is far less than the noise

LEAST_DRAWN_WEIGHT = 0.05  # of a structure of which several sets of parameters are drawn

MOST_STRUCTURES = 8


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Models conditioned on the same data, with weights that add up to one."""

    members: tuple[Posterior, ...]
    weights: Array
    growth: Pool | None = None  # the growth curves of all rows, pooled with every member

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels of the members."""
        return tuple(member.kernel for member in self.members)

    def observations(self, X: Array) -> tuple[Array, Array]:
        """Means and standard deviations (k, m) of new observations at ``X`` (m, d), by each member."""
        return self._separately(X, [member.observations(X) for member in self.members], signal=False)

    def joint(
        self, X: Array, transform: Transform, limit: Callable[[Array, Array], tuple[Array, Array]], *, signal: bool
    ) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) in the units of the data; of the function where ``signal``.

        ``limit`` is applied to the moments of every member on the scale of the model.
        """
        moments = self.moments_jointly(X, signal=signal)
        return mixed_moments(self.weights, [transform.joint(*limit(*each)) for each in moments])

    def moments_jointly(self, X: Array, *, signal: bool) -> list[tuple[Array, Array]]:
        """Mean (m,) and covariance (m, m) by each member, on the scale of the model."""
        moments = [(member.signal_joint if signal else member.observations_joint)(X) for member in self.members]
        return self._pooled(X, moments, signal=signal)

    def given(self, X: Array, y: Array) -> Ensemble:
        """The same members, given further observations ``y`` (m,) at ``X`` (m, d) as well."""
        growth = None if self.growth is None else self.growth.given(X, y)
        return replace(self, members=tuple(member.updated(X, y) for member in self.members), growth=growth)

    def signal(self, X: Array) -> tuple[Array, Array]:
        """The same for the function behind the observations."""
        return self._separately(X, [member.signal(X) for member in self.members], signal=True)

    def _separately(self, X: Array, moments: list[tuple[Array, Array]], *, signal: bool) -> tuple[Array, Array]:
        means, sds = zip(*self._pooled(X, moments, signal=signal), strict=True)
        return np.array(means), np.array(sds)

    def _pooled(self, X: Array, moments: list[tuple[Array, Array]], *, signal: bool) -> list[tuple[Array, Array]]:
        return moments if self.growth is None else self.growth.pooled(X, moments, signal=signal)


def ensemble(model: Model) -> Ensemble:
    """The models that a search visited, by their posterior weights, each with draws of its parameters.

    The seed is that of the model.
    """
    return model.once("ensemble", lambda: _ensemble(model))


def _ensemble(model: Model) -> Ensemble:
    dataset, structures = model.modelled, model.structures
    crowded = (MANY_ROWS / max(dataset.n, MANY_ROWS)) ** 1.5
    with one_thread():
        problem = Problem.of(dataset, model.problem.likelihood)
        chosen = _members(model, dataset, max(FEWEST_MEMBERS, int(MOST_MEMBERS * crowded)), structures)
        members = tuple(
            model.posterior if _is_fit(kernel, model) else condition(kernel, problem) for kernel, _ in chosen
        )
        sizes = np.array([weight for _, weight in chosen])
        if dataset.kind is Kind.TABLE and problem.likelihood.is_latent:
            best = -0.5 * min(candidate.score for candidate, _ in structures)
            members, sizes = with_baseline_models(best, members, sizes, dataset, problem.likelihood)
    is_series = dataset.kind is Kind.SERIES and not model.problem.likelihood.is_latent
    # A share cannot grow on and on, and pseudo-targets of zeros tell a line little: with it forecasts of intermittent
    # demand were worse, and those of other counts no better.
    has_growth = is_series and not model.transform.is_odds and model.counted is None
    with one_thread():
        growth = pool(model.posterior, is_log=model.transform.is_log) if has_growth else None
    return Ensemble(members, sizes / sizes.sum(), growth)


def _is_fit(kernel: Kernel, model: Model) -> bool:
    """Whether a member is the best model with the numbers of its fit, which came back from other units."""
    same = kernel.expr == model.kernel.expr
    return same and np.allclose(kernel.values, model.kernel.values, rtol=1e-12, atol=0.0)


def mixed_moments(weights: Array, moments: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Mean (m,) and covariance (m, m) of what has these moments by each member of a mixture."""
    means, covs = map(np.array, zip(*moments, strict=True))
    middle = weights @ means
    apart = means - middle
    return middle, np.tensordot(weights, covs, 1) + (apart.T * weights) @ apart


def _members(
    model: Model, dataset: Dataset, room: int, structures: list[tuple[Candidate, float]]
) -> list[tuple[Kernel, float]]:
    maps, problem, scales = standard(dataset, model.problem.likelihood, model.priors)
    rng = np.random.default_rng(model.settings.seed)
    drawn = []
    for candidate, weight in structures[:MOST_STRUCTURES]:
        several = weight >= LEAST_DRAWN_WEIGHT and problem.n <= MOST_ROWS_OF_DRAWS
        count = max(1, round(room * weight)) if several else 1
        kernels = draws(maps.to_standard(candidate.kernel), problem, scales, rng, count)
        drawn += [(maps.to_data(kernel), weight * size) for kernel, size in kernels]
    return drawn
