"""The chances of classes along columns by all models that are believed: those over which predictions average.

The model that is told has left out what few rows did not show, and a straight line of it is far surer than the data
are that there is one. Ranges of its chances alone held too few of the truths (`benchmarks/classes.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.transform import Transform
from autostatistician.decompose.records.classes import Chances
from autostatistician.decompose.statistics import typical
from autostatistician.decompose.uncertainty import CURVES_DRAWN, ParameterDraws
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior import Means, Posterior, Projection, repeated, total
from autostatistician.gp.predictive import ENDS_OF_95, Predictive
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import columns_of, is_noise

__all__ = ["AveragedChances", "on_rows"]

Array = NDArray[np.float64]

BACKGROUND_ROWS, DRAWN_BACKGROUND_ROWS = 40, 12  # of the data that a point is averaged over


@dataclass(frozen=True, eq=False)
class AveragedChances:
    """Models of classes given the same data, with weights (k,) that sum to one."""

    members: tuple[Posterior, ...]
    weights: Array

    @classmethod
    def of_draws(cls, uncertainty: ParameterDraws) -> AveragedChances:
        """One model under draws of its parameters; without these, under those of its fit."""
        members = uncertainty.others or (uncertainty.fit,)
        return cls(tuple(member.posterior for member in members), np.full(len(members), 1.0 / len(members)))

    def chances(self, columns: Sequence[int], axes: Sequence[Array]) -> Chances:
        """The chances (m,) at every combination of values of some columns, all else as on average over the data."""
        latent = list(self._latent(columns, axes, BACKGROUND_ROWS, self.members))
        means, sds = (np.array(moments) for moments in zip(*((each.mean, each.sd) for each in latent), strict=True))
        limits = Predictive(means, sds, self.weights, Transform()).quantiles(ENDS_OF_95)
        averaged = [self.likelihood.averaged(each.mean, each.variance) for each in latent]
        lower, upper = self.likelihood.math.probability(limits).T
        # of a very skew distribution near 0 or 1 the mean may lie beyond its range
        return Chances(np.clip(self.weights @ np.array(averaged), lower, upper), lower, upper)

    def joint_chances(
        self, columns: Sequence[int], axes: Sequence[Array], rng: np.random.Generator
    ) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) of the same, from draws."""
        ends = np.round(CURVES_DRAWN * np.cumsum(self.weights)).astype(int)
        counts = np.diff(ends, prepend=0).tolist()
        asked = [member for member, count in zip(self.members, counts, strict=True) if count]
        latent = self._latent(columns, axes, DRAWN_BACKGROUND_ROWS, asked)
        drawn = [each.draws(rng, count) for each, count in zip(latent, filter(None, counts), strict=True)]
        chances = self.likelihood.math.probability(np.concatenate(drawn))
        return chances.mean(axis=0), np.atleast_2d(np.cov(chances, rowvar=False))

    @property
    def likelihood(self) -> Bernoulli:
        """That of all members."""
        likelihood = self.members[0].problem.likelihood
        assert isinstance(likelihood, Bernoulli)
        return likelihood

    def _latent(
        self, columns: Sequence[int], axes: Sequence[Array], background: int, members: Sequence[Posterior]
    ) -> Iterator[Projection]:
        """The function by each of some members."""
        names = {self.members[0].columns[column] for column in columns}
        for member in members:
            parts = [part for part in components(member.kernel) if not is_noise(part)]
            held = [columns_of(part.expr, member.columns[0] if len(member.columns) == 1 else None) for part in parts]
            own = [part for part, of_part in zip(parts, held, strict=True) if of_part & names]
            rest = [part for part, of_part in zip(parts, held, strict=True) if not of_part & names]
            among = frozenset().union(*(of_part for of_part in held if of_part & names)) - names
            others = [member.columns.index(name) for name in sorted(among, key=str)]
            rows = typical(member.X[:, others], background) if others else np.zeros(1, dtype=np.intp)
            yield _among_the_rest(member, own, rest, on_rows(member.X[rows], columns, axes))


def on_rows(rows: Array, columns: Sequence[int], axes: Sequence[Array]) -> Array:
    """Every combination of values of some columns on each of the rows (b, d): (m, b, d).

    >>> on_rows(np.array([[0.0, 7.0], [0.0, 8.0]]), (0,), (np.array([1.0, 2.0]),)).tolist()
    [[[1.0, 7.0], [1.0, 8.0]], [[2.0, 7.0], [2.0, 8.0]]]
    """
    mesh = np.meshgrid(*axes, indexing="ij")
    points = np.tile(rows, (mesh[0].size, 1, 1))
    for column, values in zip(columns, mesh, strict=True):
        points[:, :, column] = values.reshape(-1, 1)
    return points


def _among_the_rest(posterior: Posterior, own: Sequence[Kernel], rest: Sequence[Kernel], points: Array) -> Projection:
    """Some parts at points (m, b, d), as means over b rows each, with the mean of the ``rest`` over the data."""
    made = [posterior.project(Kernel.sum(tuple(own)), Means(points, posterior.columns))] if own else []
    if rest:
        level = posterior.project(Kernel.sum(tuple(rest)), Means(posterior.X[None], posterior.columns))
        made.append(repeated(level, len(points)))
    return total(made)
