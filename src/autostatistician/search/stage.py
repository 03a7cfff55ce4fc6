"""What a search does on the rows of one stage: how it begins there, how it takes a step, what it has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.inference import Problem, Scales
from autostatistician.inference.criteria import CRITERIA
from autostatistician.inference.parameters import learned_priors
from autostatistician.language.kernel import unset
from autostatistician.language.languages import Language
from autostatistician.language.traits import has_structure
from autostatistician.search.budget import Budget
from autostatistician.search.folding import cycles
from autostatistician.search.hints import ColumnHints
from autostatistician.search.levels import Levels, strategy_for
from autostatistician.search.onwards import onwards
from autostatistician.search.rounds import Found, Proposal, Rounds, Trial, merged
from autostatistician.search.runner import Runner
from autostatistician.search.scoring import IMPROVEMENT, Scoring
from autostatistician.search.settings import Settings
from autostatistician.search.starts import Context
from autostatistician.search.state import Candidate, SearchState
from autostatistician.search.strategy import Level, Policy, Strategy
from autostatistician.search.tasks import Effort, Parts, Task
from autostatistician.search.workers import worker_count

__all__ = ["Stage", "Stages"]

Rows = NDArray[np.intp]

KEPT_PER_LEVEL = 12  # candidates that the frontier keeps
# What a part of the rows shows need not be sure yet: later stages look again.
SHARE_OF_RESTARTS, MOST_ROWS_LOOKED_AT_AGAIN = 0.5, 2000
IMPROVEMENT_ON_A_PART = 6.0
# By less a later stage takes the second look at once: odds hardly worth a mention (Kass and Raftery 1995).
LATE_IMPROVEMENT = 2.0
FITTED_AT_ENTRY, STEPS_AT_ENTRY = 5, 12  # of those that a stage of a series takes along
LEADERS_AT_ENTRY, STEPS_OF_LEADERS = 2, 30
FIRST_EFFORT = Effort(20, 3, 100, integrated=True)


@dataclass(frozen=True, eq=False)
class Stages:
    """What all stages of a search share: the data in standard units, the rules, the time."""

    dataset: Dataset
    language: Language
    settings: Settings
    problem: Problem  # all rows
    scales: Scales
    rows: tuple[Rows, ...]  # of every stage
    budget: Budget

    def stage(self, number: int) -> Stage:
        """The one of a number."""
        problem = self.problem if number == self.last else self.problem.rows(self.rows[number])
        name, scales = self.criterion(number), self.scales
        criterion, likelihood = CRITERIA[name], self.problem.likelihood
        if criterion.has_priors and self._known_scales is not None:
            scales = self._known_scales
        series = self.dataset.kind is Kind.SERIES
        seed = None if criterion.has_priors and series and not likelihood.is_latent else self.settings.seed
        strategy = strategy_for(self.dataset, self.language, problem, scales, name, self._cycles)
        parts = None if series and strategy.policy.races_on else self._parts(number)
        runner = Runner(problem, seed, worker_count(self.settings.n_jobs), parts)  # without a seed: in stretches
        scoring = Scoring(name, strategy, problem, scales)
        rounds = Rounds(
            runner,
            self.dataset.columns,
            name,
            max(round((SHARE_OF_RESTARTS if self.last and series else 1.0) * self.settings.restarts), 1),
            self.settings.seed,
            lambda: self.budget.is_used_up,
            scoring.charge,
            criterion.has_priors and (series or likelihood.is_latent),
        )
        levels, hints = Levels(strategy, problem, scales, self._known_scales), self.data_hints
        return Stage(number, len(self.rows), problem, scales, self.budget, strategy, levels, scoring, rounds, hints)

    def criterion(self, number: int) -> str:
        """By which a stage searches: the first of a long series by evidence, where the language knows priors."""
        by_evidence = number == 0 and self._known_scales is not None
        return self.language.criterion if by_evidence else self.settings.criterion

    @cached_property
    def _known_scales(self) -> Scales | None:
        """Of a search in stages by BIC, whose language knows priors: the scales with these."""
        usual = self.dataset.kind is Kind.SERIES and not self.problem.likelihood.is_latent
        knows = self.settings.criterion == "bic" and CRITERIA[self.language.criterion].has_priors
        return replace(self.scales, priors=learned_priors()) if self.last and usual and knows else None

    @cached_property
    def _cycles(self) -> tuple[float, ...]:
        """The cycles that all rows show, where a first stage does not have them."""
        if self._known_scales is None:
            return ()
        return cycles(self.problem.X[:, 0], self.problem.y, self.scales.only.seasons)

    @cached_property
    def data_hints(self) -> ColumnHints:
        """What all rows suggest, at whatever stage."""
        strategy = strategy_for(self.dataset, self.language, self.problem, self.scales, self.settings.criterion)
        return Levels(strategy, self.problem, self.scales).hints(self.problem.y, detrend=True)

    def _parts(self, number: int) -> Parts | None:
        """Of the rows of a stage those of the first and of the one before; of a table half of the latter, and all."""
        if not number:
            return None
        before = np.flatnonzero(np.isin(self.rows[number], self.rows[number - 1]))
        if self.dataset.kind is Kind.TABLE:
            return before[::2], before
        return np.flatnonzero(np.isin(self.rows[number], self.rows[0])), before

    @property
    def last(self) -> int:
        """The number of the last stage."""
        return len(self.rows) - 1


@dataclass(frozen=True, eq=False)
class Stage:
    """One stage: the first searches a language, later ones go on from what is known on more rows."""

    number: int
    count: int  # of stages
    problem: Problem
    scales: Scales
    budget: Budget
    strategy: Strategy
    levels: Levels
    scoring: Scoring
    rounds: Rounds
    data_hints: ColumnHints

    @property
    def is_first(self) -> bool:
        """Whether nothing is known before it."""
        return self.number == 0

    @property
    def is_only(self) -> bool:
        """Whether all rows take part from the beginning."""
        return self.count == 1

    @property
    def is_last(self) -> bool:
        """Whether all rows take part."""
        return self.number == self.count - 1

    @property
    def looks_again(self) -> bool:
        """Whether what improves nothing is looked at more closely: on all rows, unless these are many."""
        may = self.is_only or (self.is_last and self.problem.n <= MOST_ROWS_LOOKED_AT_AGAIN)
        return may and self.strategy.policy.looks_again

    @property
    def context(self) -> Context:
        """What fits are made from where nothing is left to explain."""
        return Context(self.scales, self.data_hints, self.data_hints, self.budget.deadline)

    def first(self, language: Language) -> SearchState:
        """The start expression of the language, fitted."""
        start = unset(language.start)
        task = Task(start, FIRST_EFFORT, (self.rounds.seed, 0))
        (fit,) = self.rounds.runner.fits([task], self.context, lambda: False)
        assert fit is not None
        first = self.scoring.candidate(Trial(fit.kernel, None, fit.nll, fit.loss), 0)
        return SearchState(0, (first,), (first,), frozenset([start.expr]), fit.evaluations, False)

    def entered(self, before: SearchState) -> SearchState:
        """The best of the stage before, fitted on the rows of this one."""
        known = self._taken_along(before)
        proposals = [Proposal(one.kernel, one.parent) for one in known]
        found, spent = self._entries(proposals)
        if not found:
            return self.looked_at(before)
        best = self._ranked(found, known)
        return replace(
            before,
            incumbents=best[:1],
            found=best,
            evaluations=before.evaluations + spent,
            finished=self.budget.is_used_up,
            stalled=True,
            stage=self.number,
        )

    def _entries(self, proposals: Sequence[Proposal]) -> Found:
        """What is known, fitted on these rows; of a series the better ones, and the best to the end."""
        policy = self.strategy.policy
        if policy.races_on:
            return self.rounds.continued(proposals, policy.steps_taken_along, self.context)
        tasks = [Task(one.kernel, Effort(1, 0, 0), (), one.parent) for one in proposals]
        looks, spent = self.rounds.run(tasks, self.context)
        first, more = self.rounds.continued(self.rounds.best(looks, FITTED_AT_ENTRY), STEPS_AT_ENTRY, self.context)
        leaders = self.rounds.best(first, LEADERS_AT_ENTRY)
        last, extra = self.rounds.continued(leaders, STEPS_OF_LEADERS, self.context)
        return merged([*looks, *first, *last], self.rounds.charge), spent + more + extra

    def looked_at(self, before: SearchState) -> SearchState:
        """The best of a stage before on the rows of this one, their numbers as they are."""
        known = self._taken_along(before)
        tasks = [Task(one.kernel, Effort(1, 0, 0), ()) for one in known]
        fits = self.rounds.runner.fits(tasks, replace(self.context, deadline=None), lambda: False)
        done = zip(known, fits, strict=True)
        found = [Trial(one.kernel, one.parent, fit.nll, fit.loss) for one, fit in done if fit is not None]
        best = self._ranked(found, known)
        spent = before.evaluations + len(best)
        return replace(before, incumbents=best[:1], found=best, evaluations=spent, finished=True, stage=self.number)

    def _ranked(self, found: Sequence[Trial], known: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Those found as candidates of the levels where they were known, best first."""
        levels = {one.kernel.expr: one.level for one in known}
        return tuple(
            sorted((self.scoring.candidate(one, levels[one.kernel.expr]) for one in found), key=Candidate.rank)
        )

    def _taken_along(self, before: SearchState) -> list[Candidate]:
        """The best of the stage before, and the best of those without structure."""
        ranked = list({one.kernel.expr: one for one in sorted(before.found, key=Candidate.rank, reverse=True)}.values())
        ranked.reverse()
        most = self.strategy.policy.taken_along
        plain = [one for one in ranked[most:] if not has_structure(one.kernel.expr)]
        if any(not has_structure(one.kernel.expr) for one in ranked[:most]):
            plain = []
        return [*ranked[:most], *plain[:1]]

    def step(self, state: SearchState) -> tuple[SearchState, int]:
        """One level: propose from every incumbent, race, keep the best."""
        policy, leader = self.strategy.policy, state.incumbents[0]
        level = self.levels.after(state, self.data_hints, self.budget.deadline)
        level = replace(level, thorough=state.stalled or not self.looks_again, goes_on=not self.is_first)
        trials, evaluations = self._race(level)
        found = self.scoring.candidates(trials, level.number, self.rounds)
        incumbents = tuple(sorted([*state.incumbents, *found], key=Candidate.rank)[: self._beam(policy)])
        looks_again = self.looks_again  # else the next stage looks again, at more rows
        stalled = incumbents[0].score > leader.score - self._improvement
        at_end = stalled and (state.stalled or not looks_again)
        seen = state.seen | {one.kernel.expr for one in (*level.proposals, *trials)}
        return SearchState(
            level=level.number,
            incumbents=state.incumbents if stalled and not looks_again else incumbents,
            found=(*state.found, *found[:KEPT_PER_LEVEL]),
            seen=seen,
            evaluations=state.evaluations + evaluations,
            finished=at_end or self.budget.is_used_up,
            stalled=stalled,
            stage=self.number,
        ), len(level.proposals) or len(level.from_above)

    @property
    def _improvement(self) -> float:
        """By how much a level is better after which the search goes on at once."""
        if not self.is_last:
            return IMPROVEMENT_ON_A_PART
        return LATE_IMPROVEMENT if self.looks_again and not self.is_only else IMPROVEMENT

    def _beam(self, policy: Policy) -> int:
        return policy.beam if self.is_only else 1

    def _race(self, level: Level) -> Found:
        races = self.is_first or self.strategy.policy.races_on
        return self.strategy.race(self.rounds, level) if races else onwards(self.rounds, level)
