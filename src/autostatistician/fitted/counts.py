"""Counts in a model: the pseudo-targets of its best kernel, and what a search found with earlier ones, made anew.

A search has fixed pseudo-targets, those of a smooth first rate. Given what it found, they move a little; parameters
and scores follow until both settle: where they do, the evidence by expectation propagation is at its maximum, as its
sites stand still there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset, counted
from autostatistician.gp import Problem, Scales, fit
from autostatistician.gp.count_approximations import (
    SitedCounts,
    affords_expectation_propagation,
    at_mode,
    expectation_propagation,
    pseudo_data,
)
from autostatistician.gp.count_likelihoods import NormalSites, Sited
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.parameters import LearnedPriors
from autostatistician.kernels.kernel import Kernel
from autostatistician.search.scores.weights import weighted
from autostatistician.search.scoring import selected
from autostatistician.search.starting.standardisation import Standardisation, standard
from autostatistician.search.state import Candidate, SearchResult, StepInfo

__all__ = ["PseudoTargets", "fitted_law", "of_counts", "of_sites", "pseudo_targets", "renewed", "sited_counts"]

Array = NDArray[np.float64]
Step = TypeVar("Step", bound=StepInfo)
Targets = Callable[[Kernel], "PseudoTargets"]  # those of a kernel with its parameters

MOST_RENEWED, MANY_ROWS = 8, 5000  # candidates that are fitted anew; of more rows the best one alone
ROUNDS, STEPS = 2, 20  # of pseudo-targets for a candidate, and steps of its fits in each


@dataclass(frozen=True, eq=False)
class PseudoTargets:
    """Counts as nearly normal observations of a function, and what is added to log densities of these."""

    data: Dataset
    log_ratio: float


def pseudo_targets(counts: Dataset, likelihood: Sited, kernel: Kernel) -> PseudoTargets:
    """Those of a kernel with its parameters: by expectation, of very many rows about the mode."""
    raw = counted(counts)
    with one_thread():
        return of_sites(raw, sited_counts(kernel, raw, likelihood).sites)


def sited_counts(kernel: Kernel, raw: Dataset, law: Sited) -> SitedCounts:
    """The function of a kernel given counts, by expectation; of very many rows about the mode."""
    sited = expectation_propagation if affords_expectation_propagation(raw) else at_mode
    law = law.about(raw)
    return sited(kernel, Problem.of(raw), law, law.first(raw.y))


def fitted_law(counts: Dataset, law: Sited, kernel: Kernel) -> Sited:
    """The law of counts with its own numbers the most probable about the function of a kernel."""
    if not law.scatters:
        return law
    raw = counted(counts)
    with one_thread():
        for _ in range(ROUNDS):
            found = sited_counts(kernel, raw, law)
            law = replace(law.about(raw).fitted(raw.y, *found.without_own()), sizes=None)
    return law


def of_sites(counts: Dataset, sites: NormalSites) -> PseudoTargets:
    """Those that sites are."""
    return PseudoTargets(pseudo_data(counts, sites), sites.log_ratio)


def renewed(
    result: SearchResult, targets: Targets, before: PseudoTargets, criterion: str, priors: LearnedPriors | None
) -> SearchResult:
    """What a search with pseudo-targets found, as models of the data: each with its own, fitted and scored anew."""
    has_priors = CRITERIA[criterion].has_priors
    most = MOST_RENEWED if before.data.n <= MANY_ROWS else 1
    chosen = [candidate for candidate, _ in weighted(result.frontier, chance_is_charged=has_priors)][:most]
    place = _Renewing(targets, before, criterion, priors)
    with one_thread():
        made = [place.candidate(candidate) for candidate in chosen]
    moved = made[0].score - chosen[0].score, made[0].nll - chosen[0].nll
    rest = [
        replace(candidate, nll=candidate.nll + moved[1], score=candidate.score + moved[0])
        for candidate in result.frontier
        if candidate not in chosen
    ]
    ranked = sorted((*made, *rest), key=Candidate.rank)
    best = selected(ranked) if has_priors else min(made, key=Candidate.rank)
    frontier = (best, *(candidate for candidate in ranked if candidate is not best))
    trace = tuple(of_counts(step, before.log_ratio) for step in result.trace)
    return replace(result, best=best, frontier=frontier, trace=trace)


def of_counts(step: Step, log_ratio: float) -> Step:
    """A level of a search with the criteria of the counts for which pseudo-targets stood."""
    return replace(step, nll=step.nll - log_ratio, bic=step.bic - 2.0 * log_ratio, score=step.score - 2.0 * log_ratio)


@dataclass(frozen=True, eq=False)
class _Renewing:
    """What all candidates of a search share."""

    targets: Targets
    before: PseudoTargets
    criterion: str
    priors: LearnedPriors | None

    def candidate(self, candidate: Candidate) -> Candidate:
        """One candidate with parameters and scores by its own pseudo-targets; as it is where these cannot be had."""
        first = self._score(candidate.kernel, self.before)
        kernel, targets = candidate.kernel, self.before
        try:
            for _ in range(ROUNDS):
                targets = self.targets(kernel)
                maps, problem, scales = self._standard(targets)
                kernel = maps.to_data(fit(maps.to_standard(kernel), problem, scales, STEPS).kernel)
            targets = self.targets(kernel)
        except NotPositiveDefinite:
            kernel, targets = candidate.kernel, self.before
        nll, score = self._score(kernel, targets)
        more = score - first[1] if np.isfinite([score, first[1]]).all() else -2.0 * self.before.log_ratio
        return replace(candidate, kernel=kernel, nll=nll, score=candidate.score + more)

    def _score(self, kernel: Kernel, targets: PseudoTargets) -> tuple[float, float]:
        """Negative log probability and criterion of the counts; before they were renewed, of the pseudo-targets."""
        maps, problem, scales = self._standard(targets)
        standardised = maps.to_standard(kernel)
        nll = objective_of(standardised.expr, problem).value(standardised.values)
        score = CRITERIA[self.criterion].score(standardised, nll, problem, scales)
        ratio = 0.0 if targets is self.before else targets.log_ratio
        in_data = maps.nll_in_data_units(0.0, problem.n) - ratio
        return nll + in_data, score + 2.0 * in_data

    def _standard(self, targets: PseudoTargets) -> tuple[Standardisation, Problem, Scales]:
        return standard(targets.data, priors=self.priors)
