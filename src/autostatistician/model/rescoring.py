"""The models of a search that have a weight, scored by other data than it had: more rows, or rows without effects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from autostatistician.inference.criteria import CRITERIA
from autostatistician.inference.posterior import Posterior
from autostatistician.model.fitted import Model
from autostatistician.search.state import Candidate

__all__ = ["rescored"]


def rescored(before: Model, after: Model, posteriors: Iterable[Posterior]) -> list[Candidate]:
    """The candidates that have a weight, in their order, by their posteriors given the data of the model ``after``.

    Expressions stay; parameters are those of the posteriors.
    """
    criterion = CRITERIA[before.settings.criterion]
    jacobian = after.log_jacobian
    scored = []
    for (candidate, _), posterior in zip(before.structures, posteriors, strict=True):
        nll = -posterior.log_evidence - jacobian
        if criterion.has_priors:
            more = 2.0 * (nll - candidate.nll)
        else:
            more = criterion.cheap(nll, candidate.kernel.expr, after.dataset.n)
            more -= criterion.cheap(candidate.nll, candidate.kernel.expr, before.dataset.n)
        scored.append(replace(candidate, kernel=posterior.kernel, nll=nll, score=candidate.score + more))
    return scored
