"""Which of the fitted expressions is the best: the criterion, what choices cost beside it, and what chance gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log

from autostatistician.gp import Problem, Scales
from autostatistician.gp.criteria import CRITERIA, Criterion
from autostatistician.gp.evidence import MOST_ROWS
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import effective_parameters, has_structure, leaf_columns
from autostatistician.search.constants import (
    IMPROVEMENT,
    MOST_PARAMETERS_OF_PART,
    MOST_SCORED_EXACTLY,
    ODDS_AGAINST,
    ODDS_FOR_PARAMETERS,
)
from autostatistician.search.racing.rounds import Rounds, Trial
from autostatistician.search.scores.cycles import cycle_penalty, is_one_named_cycle
from autostatistician.search.scores.noise_penalties import excess, shape_penalty
from autostatistician.search.scores.structure_prior import terms_of
from autostatistician.search.scores.weights import distinct, shares
from autostatistician.search.state import Candidate, SearchState
from autostatistician.search.strategy import Strategy

__all__ = ["Scoring", "selected"]


@dataclass(frozen=True, eq=False)
class Scoring:
    """How the candidates of one search are scored and ranked; problem and scales are in standard units."""

    criterion: str
    strategy: Strategy
    problem: Problem
    scales: Scales

    def penalty(self, kernel: Kernel) -> float:
        """What the choices made cost beside their parameters, and cycles that are seen a few times only."""
        choices = self.strategy.penalty(kernel.expr)
        if not self._criterion.has_priors:
            choices += shape_penalty(kernel.expr)
        return choices + cycle_penalty(kernel, self.scales)

    def candidate(self, trial: Trial, level: int) -> Candidate:
        """A trial with its exact criterion."""
        kernel, criterion = trial.kernel, self._criterion
        if trial.log_evidence is not None and criterion.has_priors and self.problem.n > MOST_ROWS:
            score = -2.0 * trial.log_evidence  # that is not looked at more closely
        else:
            score = criterion.score(kernel, trial.nll, self.problem, self.scales)
        # Exact ones without a prior of structures see what choices cost: in the prior of parameters, or by predicting.
        whole = criterion.exact is None or criterion.has_priors
        cost = self.penalty(kernel) if whole else cycle_penalty(kernel, self.scales)
        cost += excess(kernel, self.problem, self.scales.noise_floor)
        return Candidate(kernel, trial.nll, score + cost, level, trial.parent)

    def candidates(self, trials: Sequence[Trial], level: int, rounds: Rounds) -> list[Candidate]:
        """The candidates of a level, best first: all trials where the criterion is cheap, else the better ones."""
        sound = [trial for trial in trials if not rounds.is_idle(trial.kernel)]
        scored = sound if self._criterion.exact is None else rounds.best(sound, MOST_SCORED_EXACTLY)
        return sorted((self.candidate(trial, level) for trial in scored), key=Candidate.rank)

    def ranked(self, state: SearchState) -> list[Candidate]:
        """All candidates, best first; on pure noise those without structure lead."""
        ranked = sorted(state.found, key=Candidate.rank)
        ranked = [candidate for candidate in ranked if isfinite(candidate.score)] or ranked  # one that failed is none
        if self._criterion.has_priors:
            odds = self.strategy.policy.odds_for_leaf
            best = selected(ranked) if odds is None else _selected_of_columns(ranked, odds)
            return [best, *(candidate for candidate in ranked if candidate is not best)]
        if self.strategy.policy.leader_stays:
            leading = state.incumbents[0].kernel.expr
            ranked.sort(key=lambda candidate: candidate.kernel.expr != leading)
        plain = [candidate for candidate in ranked if not has_structure(candidate.kernel.expr)]
        structured = [candidate for candidate in ranked if has_structure(candidate.kernel.expr)]
        if plain and all(
            plain[0].score - candidate.score < self._by_chance(candidate, len(state.seen)) for candidate in structured
        ):
            return plain + structured
        return ranked

    def _by_chance(self, candidate: Candidate, candidates: int) -> float:
        """What a candidate, the best of many, gains where there is nothing.

        Cycles that the calendar named before anyone looked, and nothing else, are the best of themselves alone.
        """
        if self.criterion == "bic" and is_one_named_cycle(candidate.kernel, self.scales):
            return IMPROVEMENT
        return self.strategy.gained_by_chance(candidate.kernel.expr, self.criterion, candidates)

    @property
    def _criterion(self) -> Criterion:
        return CRITERIA[self.criterion]


def selected(ranked: Sequence[Candidate]) -> Candidate:
    """The one that is selected: without structure only where all others together do not have the odds."""
    functions = distinct(ranked, chance_is_charged=True)
    weights = zip(functions, shares([candidate.score for candidate in functions]), strict=True)
    plain = sum(weight for function, weight in weights if not has_structure(function.kernel.expr))
    structured = [candidate for candidate in ranked if has_structure(candidate.kernel.expr)]
    simplest = min(structured if plain * ODDS_FOR_PARAMETERS < 1.0 - plain else ranked, key=_score_of_selection)
    if not has_structure(simplest.kernel.expr):
        return simplest
    best = min(candidate.score for candidate in structured)
    return min(
        (candidate for candidate in structured if candidate.score <= best + 2.0 * log(ODDS_AGAINST)),
        key=_score_of_selection,
    )


def _selected_of_columns(ranked: Sequence[Candidate], odds: float) -> Candidate:
    """The one that is selected of a table: a further leaf on a column, and with it a claim, needs such odds.

    The first leaf on a column has them where all models with the column together do.

    >>> from autostatistician.kernels.kernel import leaf
    >>> level, a, b = leaf("C", sd=1.0), *(leaf("Lin", name, sd=1.0, location=0.0) for name in "ab")
    >>> likely = [Candidate(level + a, 0.0, 10.0, 1), Candidate(level, 0.0, 14.0, 0)]
    >>> _selected_of_columns(likely, 10.0).level, _selected_of_columns(likely, 2.0).level
    (0, 1)
    >>> both = [Candidate(level + a + b, 0.0, 10.0, 2), Candidate(level + a * b, 0.0, 10.1, 3), likely[1]]
    >>> _selected_of_columns(both, 10.0).level
    2
    """
    functions = distinct(ranked)
    weights = shares([candidate.score for candidate in functions])
    columns = [set(leaf_columns(candidate.kernel.expr)) for candidate in functions]
    with_column = {name: sum(weight for weight, held in zip(weights, columns, strict=True) if name in held)
                   for name in set().union(*columns)}  # fmt: skip
    sure = {name for name, weight in with_column.items() if weight >= odds * (1.0 - weight)}

    def charged(candidate: Candidate) -> int:
        leaves = leaf_columns(candidate.kernel.expr)
        return len(leaves) - len(sure.intersection(leaves))

    return min(ranked, key=lambda candidate: candidate.score + 2.0 * log(odds) * charged(candidate))


def _score_of_selection(candidate: Candidate) -> float:
    counts = (min(effective_parameters(term), MOST_PARAMETERS_OF_PART) for term in terms_of(candidate.kernel.expr))
    return candidate.score + 2.0 * log(ODDS_FOR_PARAMETERS) * sum(counts)
