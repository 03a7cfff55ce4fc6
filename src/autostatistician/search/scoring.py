"""Which of the fitted expressions is the best: the criterion, what choices cost beside it, and what chance gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log

from autostatistician.inference import Problem, Scales
from autostatistician.inference.criteria import CRITERIA, Criterion
from autostatistician.inference.uncertainty import MOST_ROWS
from autostatistician.language.count import effective_parameters
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import has_structure, leaf_columns
from autostatistician.search.cycles import cycle_charge, is_one_named_cycle
from autostatistician.search.noise import excess, shape_charge
from autostatistician.search.rounds import Rounds, Trial
from autostatistician.search.state import Candidate, SearchState
from autostatistician.search.strategy import Strategy
from autostatistician.search.structure_prior import terms_of
from autostatistician.search.weights import distinct, shares

__all__ = ["IMPROVEMENT", "Scoring"]

IMPROVEMENT = 0.1  # of the criterion: less is no reason to go on
# A false claim is worse than one not made: of two models the one with a further number is told only from these odds,
# counting two numbers of a part at most, but none that the likeliest one has more than `ODDS_AGAINST` against.
# Forecasts weigh all models by their probabilities alone.
ODDS_FOR_NUMBERS, MOST_NUMBERS_OF_PART = 40.0, 2
ODDS_AGAINST = 5.0
MOST_SCORED_EXACTLY = 8  # candidates of a level that a costly criterion looks at


@dataclass(frozen=True, eq=False)
class Scoring:
    """How the candidates of one search are scored and ranked; problem and scales are in standard units."""

    criterion: str
    strategy: Strategy
    problem: Problem
    scales: Scales

    def charge(self, kernel: Kernel) -> float:
        """What the choices made cost beside their numbers, and cycles that are seen a few times only."""
        choices = self.strategy.charge(kernel.expr)
        if not self._criterion.has_priors:
            choices += shape_charge(kernel.expr)
        return choices + cycle_charge(kernel, self.scales)

    def candidate(self, trial: Trial, level: int) -> Candidate:
        """A trial with its exact criterion."""
        kernel, criterion = trial.kernel, self._criterion
        if trial.log_evidence is not None and criterion.has_priors and self.problem.n > MOST_ROWS:
            score = -2.0 * trial.log_evidence  # that is not looked at more closely
        else:
            score = criterion.score(kernel, trial.nll, self.problem, self.scales)
        # Exact ones without a prior of structures see what choices cost: in the prior of the numbers, or by predicting.
        whole = criterion.exact is None or criterion.has_priors
        cost = self.charge(kernel) if whole else cycle_charge(kernel, self.scales)
        cost += excess(kernel, self.problem, self.scales.noise_floor)
        return Candidate(kernel, trial.nll, score + cost, level, trial.parent)

    def candidates(self, trials: Sequence[Trial], level: int, rounds: Rounds) -> list[Candidate]:
        """The candidates of a level, best first: all trials where the criterion is cheap, else the better ones."""
        sound = [one for one in trials if not rounds.is_idle(one.kernel)]
        scored = sound if self._criterion.exact is None else rounds.best(sound, MOST_SCORED_EXACTLY)
        return sorted((self.candidate(one, level) for one in scored), key=Candidate.rank)

    def ranked(self, state: SearchState) -> list[Candidate]:
        """All candidates, best first; on pure noise those without structure lead."""
        ranked = sorted(state.found, key=Candidate.rank)
        ranked = [one for one in ranked if isfinite(one.score)] or ranked  # a score that failed is none
        if self._criterion.has_priors:
            odds = self.strategy.policy.odds_for_leaf
            told = _told(ranked) if odds is None else _told_of_columns(ranked, odds)
            return [told, *(one for one in ranked if one is not told)]
        if not self.strategy.policy.looks_again:  # the leader stayed before others that are better by next to nothing
            leading = state.incumbents[0].kernel.expr
            ranked.sort(key=lambda one: one.kernel.expr != leading)
        plain = [one for one in ranked if not has_structure(one.kernel.expr)]
        structured = [one for one in ranked if has_structure(one.kernel.expr)]
        if plain and all(plain[0].score - one.score < self._by_chance(one, len(state.seen)) for one in structured):
            return plain + structured
        return ranked

    def _by_chance(self, candidate: Candidate, candidates: int) -> float:
        """What the best of many candidates gains that all fit nothing: about twice the logarithm of their number.

        Cycles that the calendar named before anyone looked, and nothing else, are the best of themselves alone.
        """
        if self.criterion == "bic" and is_one_named_cycle(candidate.kernel, self.scales):
            return IMPROVEMENT
        return 2.0 * log(max(candidates, 1)) + self.strategy.gained_by_chance(candidate.kernel.expr, self.criterion)

    @property
    def _criterion(self) -> Criterion:
        return CRITERIA[self.criterion]


def _told(ranked: Sequence[Candidate]) -> Candidate:
    """The one that is told: without structure only where all others together are not more probable than the odds."""
    functions = distinct(ranked, chance_is_charged=True)
    weights = zip(functions, shares([one.score for one in functions]), strict=True)
    plain = sum(weight for one, weight in weights if not has_structure(one.kernel.expr))
    structured = [one for one in ranked if has_structure(one.kernel.expr)]
    simplest = min(structured if plain * ODDS_FOR_NUMBERS < 1.0 - plain else ranked, key=_score_when_told)
    if not has_structure(simplest.kernel.expr):
        return simplest
    best = min(one.score for one in structured)
    return min((one for one in structured if one.score <= best + 2.0 * log(ODDS_AGAINST)), key=_score_when_told)


def _told_of_columns(ranked: Sequence[Candidate], odds: float) -> Candidate:
    """The one that is told of a table: a further leaf on a column, and with it a claim, needs such odds.

    >>> from autostatistician.language.kernel import leaf
    >>> level, line = leaf("C", sd=1.0), leaf("Lin", "a", sd=1.0, location=0.0)
    >>> likely = [Candidate(level + line, 0.0, 10.0, 1), Candidate(level, 0.0, 14.0, 0)]
    >>> _told_of_columns(likely, 10.0).level, _told_of_columns(likely, 2.0).level
    (0, 1)
    """
    return min(ranked, key=lambda one: one.score + 2.0 * log(odds) * len(leaf_columns(one.kernel.expr)))


def _score_when_told(candidate: Candidate) -> float:
    numbers = (min(effective_parameters(term), MOST_NUMBERS_OF_PART) for term in terms_of(candidate.kernel.expr))
    return candidate.score + 2.0 * log(ODDS_FOR_NUMBERS) * sum(numbers)
