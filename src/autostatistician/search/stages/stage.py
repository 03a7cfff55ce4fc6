"""What a search does on the rows of one stage: how it begins there, how it takes a step, what it has found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.gp import Problem, Scales
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.parameters import learned_priors
from autostatistician.kernels.grammar import Language
from autostatistician.kernels.kernel import Kernel, open_names, unset
from autostatistician.kernels.traits import has_structure
from autostatistician.search.budget import Budget
from autostatistician.search.levels import Levels, strategy_for
from autostatistician.search.racing.race import ScheduleSizes, run_race
from autostatistician.search.racing.rounds import Proposal, Rounds, Trial
from autostatistician.search.racing.tasks import Effort, Parts, Task
from autostatistician.search.racing.workers import Runner, worker_count
from autostatistician.search.scoring import Scoring
from autostatistician.search.series.schedules import OBJECTIONS
from autostatistician.search.settings import Settings
from autostatistician.search.stages.plan import StagePlan, stage_plans
from autostatistician.search.starting.hints import ColumnHints
from autostatistician.search.starting.period_detection import cycles
from autostatistician.search.starting.starts import Context
from autostatistician.search.state import Candidate, SearchState
from autostatistician.search.strategy import Level

__all__ = ["MOST_CRITICISED", "Stage", "Stages"]

Rows = NDArray[np.intp]

MOST_CRITICISED = 3  # times that a model is told and the data are asked what they object to it
KEPT_PER_LEVEL = 12  # candidates that the frontier keeps
FIRST_EFFORT = Effort(20, 3, 100, integrated=True)
AS_IT_IS = Effort(1, 0, 0)


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
    likely_sums: tuple[Kernel, ...] = ()  # in standard units, where they were fitted before

    @cached_property
    def plans(self) -> tuple[StagePlan, ...]:
        """What is done on each."""
        rows = tuple(map(len, self.rows))
        return stage_plans(self.dataset, self.language, self.settings, self.problem.likelihood, rows)

    def stage(self, number: int) -> Stage:
        """The one of a number."""
        plan = self.plans[number]
        problem = self.problem if number == self.last else self.problem.rows(self.rows[number])
        criterion, series = CRITERIA[plan.criterion], self.dataset.kind is Kind.SERIES
        knows = criterion.has_priors and self._learned_scales is not None
        scales = self._learned_scales if knows and self._learned_scales is not None else self.scales
        in_stretches = criterion.has_priors and series and not self.problem.likelihood.is_latent
        strategy = strategy_for(
            self.dataset, self.language, problem, scales, plan.criterion, self._cycles, self.likely_sums
        )
        seed = None if in_stretches else self.settings.seed
        runner = Runner(
            problem, seed, worker_count(self.settings.n_jobs), None if plan.samples else self._parts(number)
        )
        scoring = Scoring(plan.criterion, strategy, problem, scales)
        columns, seed = self.dataset.columns, self.settings.seed
        rounds = Rounds(runner, columns, plan.criterion, seed, self.budget, scoring.penalty, plan.integrates)
        levels = Levels(strategy, problem, scales, self._learned_scales)
        return Stage(number, plan, problem, scales, self.budget, levels, scoring, rounds, self.data_hints)

    @cached_property
    def _learned_scales(self) -> Scales | None:
        """The scales with learned priors, where the first stage alone goes by evidence."""
        begins_otherwise = self.plans[0].criterion != self.settings.criterion
        return replace(self.scales, priors=learned_priors()) if begins_otherwise else None

    @cached_property
    def _cycles(self) -> tuple[float, ...]:
        """The cycles that all rows show, where a first stage does not have them."""
        if self._learned_scales is None:
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
    plan: StagePlan
    problem: Problem
    scales: Scales
    budget: Budget
    levels: Levels
    scoring: Scoring
    rounds: Rounds
    data_hints: ColumnHints

    @property
    def context(self) -> Context:
        """What fits are made from where nothing is left to explain."""
        return Context(self.scales, self.data_hints, self.data_hints)

    def first(self, language: Language) -> SearchState:
        """The start expression of the language, fitted."""
        start = unset(language.start)
        task = Task(start, FIRST_EFFORT, (self.rounds.seed, 0))
        (fit,) = self.rounds.runner.fits([task], self.context)
        assert fit is not None
        first = self.scoring.candidate(Trial(fit.kernel, None, fit.nll, fit.loss), 0)
        return SearchState(0, (first,), (first,), frozenset([start.expr]), fit.evaluations, False)

    def entered(self, before: SearchState) -> SearchState:
        """The best of the stage before, fitted on the rows of this one."""
        candidates = self._taken_along(before)
        proposals = [Proposal(candidate.kernel, candidate.parent) for candidate in candidates]
        level = Level(before.level, proposals, [], self.context)
        trials, spent = run_race(self.plan.entry, self.rounds, level)
        if not trials:
            return self.evaluated(before)
        best = self._ranked(trials, candidates)
        return replace(
            before,
            incumbents=best[:1],
            found=best,
            evaluations=before.evaluations + spent,
            finished=self.budget.is_used_up,
            stalled=True,
            stage=self.number,
        )

    def evaluated(self, before: SearchState) -> SearchState:
        """The best of a stage before on the rows of this one, their parameters as they are."""
        candidates = self._taken_along(before)
        tasks = [Task(candidate.kernel, AS_IT_IS, ()) for candidate in candidates]
        fits = self.rounds.runner.fits(tasks, self.context)
        done = zip(candidates, fits, strict=True)
        trials = [
            Trial(candidate.kernel, candidate.parent, fit.nll, fit.loss) for candidate, fit in done if fit is not None
        ]
        best = self._ranked(trials, candidates)
        spent = before.evaluations + len(best)
        return replace(before, incumbents=best[:1], found=best, evaluations=spent, finished=True, stage=self.number)

    def _ranked(self, trials: Sequence[Trial], candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """Those found as candidates of the levels where they were known, best first."""
        levels = {candidate.kernel.expr: candidate.level for candidate in candidates}
        return tuple(
            sorted((self.scoring.candidate(trial, levels[trial.kernel.expr]) for trial in trials), key=Candidate.rank)
        )

    def _taken_along(self, before: SearchState) -> list[Candidate]:
        """The best of the stage before, and the best of those without structure."""
        worst_first = sorted(before.found, key=Candidate.rank, reverse=True)
        ranked = list({candidate.kernel.expr: candidate for candidate in worst_first}.values())[::-1]
        most = self.plan.taken_along
        plain = [candidate for candidate in ranked[most:] if not has_structure(candidate.kernel.expr)]
        if any(not has_structure(candidate.kernel.expr) for candidate in ranked[:most]):
            plain = []
        return [*ranked[:most], *plain[:1]]

    def step(self, state: SearchState) -> tuple[SearchState, int]:
        """One level: propose from every incumbent, race, keep the best."""
        plan, leader = self.plan, state.incumbents[0]
        level = self.levels.after(state, self.data_hints)
        trials, evaluations = run_race(plan.schedule(self.sizes(level)), self.rounds, level)
        candidates = self.scoring.candidates(trials, level.number, self.rounds)
        incumbents = self._leading(state, candidates)
        stalled = incumbents[0].score > leader.score - plan.improvement
        at_end = stalled and (state.stalled or plan.patience == 1)
        seen = state.seen | {proposal.kernel.expr for proposal in (*level.proposals, *trials)}
        return SearchState(
            level=level.number,
            incumbents=state.incumbents if stalled and plan.patience == 1 else incumbents,
            found=(*state.found, *candidates[:KEPT_PER_LEVEL]),
            seen=seen,
            evaluations=state.evaluations + evaluations,
            finished=at_end or self.budget.is_used_up,
            stalled=stalled,
            stage=self.number,
        ), len(level.proposals) or len(level.complete_kernels)

    def _leading(self, state: SearchState, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
        """The best of the incumbents and of a level, as many as are expanded."""
        best, *others = sorted([*state.incumbents, *candidates], key=Candidate.rank)[: self.plan.beam]
        return best, *(other for other in others if other.score < best.score + self.plan.reach)

    def criticised(self, state: SearchState) -> tuple[SearchState, int] | None:
        """A level about what the data object to the model that would be told; None where they do not object.

        That model need not be one whose neighbours were looked at: a simpler one is told where the odds allow it.
        Where the level improves on all that was found, the search goes on from there.
        """
        leader, told = state.incumbents[0], self.scoring.ranked(state)[0]
        level = self.levels.objections(state.level + 1, told.kernel, self.data_hints)
        if not level.proposals:
            return None
        trials, evaluations = run_race(OBJECTIONS, self.rounds, level)
        others = [trial for trial in trials if trial.kernel.expr != told.kernel.expr]
        candidates = self.scoring.candidates(others, level.number, self.rounds)
        incumbents = self._leading(state, candidates)
        improved = incumbents[0].score <= leader.score - self.plan.improvement
        return replace(
            state,
            level=level.number,
            incumbents=incumbents if improved else state.incumbents,
            found=(*state.found, *candidates[:KEPT_PER_LEVEL]),
            evaluations=state.evaluations + evaluations,
            finished=not improved or self.budget.is_used_up,
            stalled=False,
            criticised=state.criticised + 1 if improved else MOST_CRITICISED,
        ), len(level.proposals) - 1

    def sizes(self, level: Level) -> ScheduleSizes:
        """What a schedule is made for."""
        subsets = self.rounds.runner.subsets
        rows = (subsets.few.n, subsets.more.n, subsets.whole.n)
        drawn = sum(bool(open_names(proposal.kernel)) for proposal in level.proposals)
        return ScheduleSizes(drawn, len(level.complete_kernels), *rows, self.plan.restarts)
