"""The models of a search that have a weight, scored by other data than it had: more rows, or rows without effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from autostatistician.fitted.model import Model
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.posterior import Posterior
from autostatistician.search.state import Candidate

__all__ = ["rescored", "with_weighed"]


def rescored(
    before: Model, after: Model, posteriors: Iterable[Posterior], jacobians: Sequence[float] | None = None
) -> list[Candidate]:
    """The candidates that have a weight, in their order, by their posteriors given the data of the model ``after``.

    Expressions stay; parameters are those of the posteriors. Where each has pseudo-targets of its own, ``jacobians``
    are what these add to log densities.
    """
    criterion = CRITERIA[before.settings.criterion]
    more_of = [after.log_jacobian] * len(before.structures) if jacobians is None else jacobians
    scored = []
    for (candidate, _), posterior, jacobian in zip(before.structures, posteriors, more_of, strict=True):
        nll = -posterior.log_evidence - jacobian
        if criterion.has_priors:
            more = 2.0 * (nll - candidate.nll)
        else:
            more = criterion.cheap(nll, candidate.kernel.expr, after.dataset.n)
            more -= criterion.cheap(candidate.nll, candidate.kernel.expr, before.dataset.n)
        scored.append(replace(candidate, kernel=posterior.kernel, nll=nll, score=candidate.score + more))
    return scored


def with_weighed(before: Model, after: Model, weighed: Sequence[Candidate]) -> Model:
    """The model ``after`` with the candidates that had a weight ``before`` scored anew, ahead of all others."""
    had_weight = {id(candidate) for candidate, _ in before.structures}
    others = [candidate for candidate in before.search.frontier if id(candidate) not in had_weight]
    return replace(after, search=replace(before.search, best=weighed[0], frontier=(*weighed, *others)))
