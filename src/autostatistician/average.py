"""Predictions that average over what the data leave open: the structure of the model, and its numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform
from autostatistician.inference.evidence import Points
from autostatistician.inference.posterior import Conditioned, condition
from autostatistician.inference.scales import measure
from autostatistician.inference.uncertainty import draws
from autostatistician.language.kernel import Kernel
from autostatistician.model import Model
from autostatistician.search.frame import Frame
from autostatistician.search.weights import weighted

__all__ = ["Ensemble", "ensemble"]

Array = NDArray[np.float64]

# Members of an ensemble, shared among the structures by their weights; fewer where a factorisation takes long.
MEMBERS = 32
ROWS = 400  # with more rows there are fewer members
SEVERAL = 0.05  # weight from which the numbers of a structure are drawn, too
STRUCTURES = 8  # at most


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Models conditioned on the same data, with weights that add up to one."""

    members: tuple[Conditioned, ...]
    weights: Array

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels of the members."""
        return tuple(one.kernel for one in self.members)

    def observations(self, X: Array) -> tuple[Array, Array]:
        """Means and standard deviations (k, m) of new observations at ``X`` (m, d), by each member."""
        return _stacked([one.observations(X) for one in self.members])

    def joint(self, X: Array, transform: Transform, *, signal: bool) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) in the units of the data; of the function where ``signal``."""
        known = [(one.signal_joint if signal else one.observations_joint)(X) for one in self.members]
        means, covs = zip(*(transform.joint(*each) for each in known), strict=True)
        middle = self.weights @ np.array(means)
        apart = np.array(means) - middle
        return middle, np.tensordot(self.weights, np.array(covs), 1) + (apart.T * self.weights) @ apart

    def signal(self, X: Array) -> tuple[Array, Array]:
        """The same for the function behind the observations."""
        return _stacked([one.signal(X) for one in self.members])


def _stacked(found: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    return np.array([mean for mean, _ in found]), np.array([sd for _, sd in found])


def ensemble(model: Model) -> Ensemble:
    """The models that a search visited, by their posterior weights, each with draws of its numbers.

    The result depends on the model and its seed alone.
    """
    dataset = model.modelled
    room = MEMBERS if dataset.n <= ROWS else max(8, int(MEMBERS * (ROWS / dataset.n) ** 1.5))
    with threadpool_limits(limits=1):  # the same numbers on any machine
        chosen = list(_members(model, dataset, room))
        members = tuple(condition(kernel, dataset) for kernel, _ in chosen)
    weights = np.array([weight for _, weight in chosen])
    return Ensemble(members, weights / weights.sum())


def _members(model: Model, dataset: Dataset, room: int) -> list[tuple[Kernel, float]]:
    frame = Frame.of(dataset.X, dataset.y, dataset.columns)
    X, y = frame.points(dataset.X), frame.targets(dataset.y)
    points, scales = Points(X, y, dataset.columns), measure(X, y, dataset.columns)
    rng = np.random.default_rng(model.settings.seed)
    found = []
    for candidate, weight in weighted(model.search.frontier)[:STRUCTURES]:
        count = max(1, round(room * weight)) if weight >= SEVERAL else 1
        several = draws(frame.to_standard(candidate.kernel), points, scales, rng, count)
        found += [(frame.to_data(kernel), weight * size) for kernel, size in several]
    return found
