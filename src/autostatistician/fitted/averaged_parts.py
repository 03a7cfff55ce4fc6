"""The parts of a model with what the data leave open about its parameters, as its predictions have that.

Given the parameters a part is normal, but with those of the fit alone it is known too well: a line whose zero is held
looks almost exact. Parts are therefore those of all members of the average that have the structure of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from autostatistician.decompose.uncertainty import ConditionedModel
from autostatistician.fitted.ensemble import Ensemble, mixed_moments
from autostatistician.fitted.model import Model
from autostatistician.gp import Problem, condition
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.rewrite import components

__all__ = ["AveragedParts", "averaged_parts"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class AveragedParts:
    """The ``parts`` of a model under several of its parameters, with weights (k,) that add up to one."""

    parts: tuple[Kernel, ...]  # with the parameters of the fit
    members: tuple[ConditionedModel, ...]  # with theirs, in the same order
    weights: Array

    def moments(self, index: int, at: Array) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) of a part at points (m, d)."""
        return self.mixed([member.component([index], at) for member in self.members])

    def signal(self, at: Array) -> tuple[Array, Array]:
        """The same of all parts but noise."""
        return self.mixed([member.posterior.signal_joint(at) for member in self.members])

    def mixed(self, moments: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
        """Mean (m,) and covariance (m, m) of what has these moments by each member."""
        return mixed_moments(self.weights, moments)

    def given(self, problem: Problem) -> AveragedParts:
        """The same parameters with other data, by which they are weighed anew."""
        members = tuple(replace(each, posterior=condition(each.posterior.kernel, problem)) for each in self.members)
        pairs = zip(members, self.members, strict=True)
        gained = np.array([new.posterior.log_evidence - old.posterior.log_evidence for new, old in pairs])
        with np.errstate(divide="ignore"):
            return replace(self, members=members, weights=softmax(np.log(self.weights) + gained))


def averaged_parts(model: Model, averaged: Ensemble, parts: Sequence[Kernel]) -> AveragedParts:
    """The ``parts`` of the kernel of a model, in any order, by the members of an average."""
    told = components(model.kernel)
    order = [told.index(part) for part in parts]
    members, weights = [], []
    for posterior, weight in zip(averaged.members, averaged.weights.tolist(), strict=True):
        own = components(posterior.kernel)
        if [part.expr for part in own] == [part.expr for part in told]:
            members.append(ConditionedModel(posterior, tuple(own[place] for place in order)))
            weights.append(weight)
    if not members:
        members, weights = [ConditionedModel(model.posterior, tuple(parts))], [1.0]
    return AveragedParts(tuple(parts), tuple(members), np.array(weights) / sum(weights))
