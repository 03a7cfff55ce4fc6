"""What the columns of a table do: effects of single columns, surfaces of two, partial residuals, relevance.

The parts of a model are gathered by the columns that they hold. An effect is told as the difference from its own
mean over the data, because the level of an additive part says nothing by itself; its uncertainty is that of the
difference (Duvenaud 2014, section 2.4.5, for the posterior of a part).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset
from autostatistician.inference.covariance import covariance, is_noise, prior_variance
from autostatistician.inference.posterior import Conditioned, condition
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf
from autostatistician.language.kernel import Kernel, operands
from autostatistician.language.rewrite import components

__all__ = ["Drawn", "Effect", "Effects", "columns_of", "effects"]

Array = NDArray[np.float64]

CURVE_POINTS = 100
SURFACE_POINTS = 30  # along each side


@dataclass(frozen=True, eq=False)
class Drawn:
    """An effect on a grid over the range of the data, in the units of the target."""

    axes: tuple[Array, ...]  # one for a curve, two for a surface
    mean: Array  # (m,) or (m, m), the first axis along the rows
    sd: Array


@dataclass(frozen=True, eq=False)
class Effect:
    """What some columns do together, beyond what they do in smaller sets; at the data, less its mean there."""

    columns: tuple[str, ...]
    mean: Array  # (n,)
    sd: Array  # (n,)
    share: float  # variance of `mean` relative to that of the target
    residuals: Array  # (n,) partial residuals: what is left of the target when all other effects are taken away
    drawn: Drawn | None  # None for more than two columns


@dataclass(frozen=True, eq=False)
class Effects:
    """All effects of a model, the largest first."""

    effects: tuple[Effect, ...]
    relevance: dict[str, float]  # per column: variance of all effects that hold it, relative to that of the target
    unused: tuple[str, ...]  # columns that the model does not hold


def columns_of(expr: Expr) -> frozenset[str]:
    """The names of the columns that an expression depends on.

    >>> sorted(columns_of(Leaf("SE", "age") * Leaf("Lin", "water") + Leaf("WN")))
    ['age', 'water']
    """
    own = expr.column if isinstance(expr, Leaf | ChangePoint | ChangeWindow) else None
    below = [columns_of(part) for part in operands(expr)]
    return frozenset(() if own is None else (own,)).union(*below)


def effects(kernel: Kernel, dataset: Dataset) -> Effects:
    """The effects of the columns under a model with its numbers in the units of the data set.

    Raises
    ------
    NotPositiveDefinite
        When the covariance of the data cannot be factorised.
    """
    posterior = condition(kernel, dataset)
    groups = _groups(kernel)
    left = dataset.y - posterior.signal()[0]
    spread = float(dataset.y.var()) or 1.0
    found = [_effect(posterior, names, parts, left, spread) for names, parts in groups.items() if names]
    ordered = tuple(sorted(found, key=lambda effect: (-effect.share, effect.columns)))
    relevance = {column: _relevance(column, ordered, spread) for column in dataset.columns}
    unused = tuple(column for column in dataset.columns if not any(column in effect.columns for effect in ordered))
    return Effects(ordered, relevance, unused)


def _groups(kernel: Kernel) -> dict[tuple[str, ...], list[Kernel]]:
    """The parts that are not noise, by their columns."""
    found: dict[tuple[str, ...], list[Kernel]] = {}
    for part in components(kernel):
        if not is_noise(part):
            found.setdefault(tuple(sorted(columns_of(part.expr))), []).append(part)
    return found


def _relevance(column: str, found: Sequence[Effect], spread: float) -> float:
    held = [effect.mean for effect in found if column in effect.columns]
    return float(np.var(np.sum(held, axis=0)) / spread) if held else 0.0


def _effect(
    posterior: Conditioned, names: tuple[str, ...], parts: Sequence[Kernel], left: Array, spread: float
) -> Effect:
    centred = _Centred(posterior, parts)
    mean, sd = centred.at(posterior.X)
    drawn = _drawn(centred, names) if len(names) <= 2 else None
    return Effect(names, mean, sd, float(np.var(mean)) / spread, mean + left, drawn)


def _drawn(centred: _Centred, names: tuple[str, ...]) -> Drawn:
    """On a grid; the columns that the parts do not hold stay where they are, because they change nothing."""
    X, columns = centred.posterior.X, centred.posterior.columns
    places = [columns.index(name) for name in names]
    points = CURVE_POINTS if len(names) == 1 else SURFACE_POINTS
    axes = tuple(np.linspace(X[:, place].min(), X[:, place].max(), points) for place in places)
    mesh = np.meshgrid(*axes, indexing="ij")
    grid = np.tile(X[0], (mesh[0].size, 1))
    for place, values in zip(places, mesh, strict=True):
        grid[:, place] = values.ravel()
    mean, sd = centred.at(grid)
    return Drawn(axes, mean.reshape(mesh[0].shape), sd.reshape(mesh[0].shape))


class _Centred:
    """The posterior of a sum of parts less its own mean over the data: a difference, with the sd of a difference."""

    def __init__(self, posterior: Conditioned, parts: Sequence[Kernel]) -> None:
        self.posterior, self.parts = posterior, parts
        K = sum((self._cross(part, posterior.X) for part in parts), np.zeros((len(posterior.X),) * 2))
        self.level = K.mean(axis=0)  # covariance of the mean over the data with each datum
        self.level_prior = float(self.level.mean())

    def at(self, Xs: Array) -> tuple[Array, Array]:
        """Mean and standard deviation (m,) at inputs (m, d)."""
        cross = sum((self._cross(part, Xs) for part in self.parts), np.zeros((len(Xs), len(self.posterior.X))))
        prior = sum((prior_variance(part, Xs, self.posterior.columns) for part in self.parts), np.zeros(len(Xs)))
        apart = cross - self.level  # covariance of the difference with each datum
        reduced = self.posterior.factor.half_solve(apart.T)
        variance = prior - 2.0 * cross.mean(axis=1) + self.level_prior - np.einsum("ij,ij->j", reduced, reduced)
        return apart @ self.posterior.alpha, np.sqrt(np.maximum(variance, 0.0))

    def _cross(self, part: Kernel, Xs: Array) -> Array:
        return covariance(part, Xs, self.posterior.X, self.posterior.columns)
