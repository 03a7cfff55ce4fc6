"""The search over expressions: greedy descent on a criterion, one level of neighbours at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.inference.criteria import CRITERIA, bic
from autostatistician.inference.likelihoods.base import Likelihood
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN
from autostatistician.language.kernel import unset
from autostatistician.language.languages import Language
from autostatistician.search.budget import Budget
from autostatistician.search.checkpoint import Checkpoint, Progress
from autostatistician.search.levels import Levels, priors_for, strategy_for
from autostatistician.search.rounds import Rounds, Trial
from autostatistician.search.runner import Runner
from autostatistician.search.scoring import IMPROVEMENT, Scoring
from autostatistician.search.settings import Settings, resolved
from autostatistician.search.standardisation import standard
from autostatistician.search.starts import Context
from autostatistician.search.state import AT_DEPTH, OUT_OF_TIME, Candidate, SearchResult, SearchState, StepInfo, Watched
from autostatistician.search.tasks import Effort, Task
from autostatistician.search.workers import worker_count
from autostatistician.threads import one_thread

__all__ = ["Settings", "search"]

KEPT_PER_LEVEL = 12  # candidates that the frontier keeps
FIRST_EFFORT = Effort(20, 3, 100, integrated=True)


def search(
    dataset: Dataset,
    language: Language,
    settings: Settings,
    callback: Callable[[Watched], None] | None = None,
    checkpoint: str | Path | None = None,
    likelihood: Likelihood = GAUSSIAN,
) -> SearchResult:
    """Search a language for the model of a data set with the lowest criterion.

    A level ends with the best neighbour of the incumbent; the search ends when a level brings no improvement, at
    ``max_depth``, at ``time_budget``, or at KeyboardInterrupt: the best so far is returned in every case.

    With a ``checkpoint``, a path, every whole level is kept in that file, and the search goes on from what the file
    holds. The result is then that of a search in one go; the number of workers and the time budget (which counts
    from the start of each run) may differ between the runs. The callback hears of the last level of earlier runs.

    The ``likelihood`` says with what a search begins and which expressions it may visit.

    Raises
    ------
    InputError
        When the checkpoint is of another search (the message says what differs) or cannot be written.
    """
    settings = resolved(settings, dataset, language, likelihood)
    language = replace(language, start=likelihood.start(language.start))
    kept = None if checkpoint is None else Checkpoint(checkpoint, dataset, language, asdict(settings))
    with one_thread():
        return _Search(dataset, language, settings, callback, kept, likelihood).run()


class _Search:
    """One run of the loop: everything that stays the same from level to level."""

    def __init__(
        self,
        dataset: Dataset,
        language: Language,
        settings: Settings,
        callback: Callable[[Watched], None] | None,
        checkpoint: Checkpoint | None,
        likelihood: Likelihood,
    ) -> None:
        self.budget = Budget(settings.time_budget)
        self.checkpoint = checkpoint
        self.earlier = None if checkpoint is None else checkpoint.read()  # of an earlier run
        self.settings, self.language, self.callback = settings, language, callback
        depths = (settings.max_depth, language.max_depth)
        self.depth = min(depth for depth in depths if depth is not None)
        self.standardisation, self.problem, self.scales = standard(
            dataset, likelihood, priors_for(dataset.kind, settings.criterion, likelihood)
        )
        has_priors, series = CRITERIA[settings.criterion].has_priors, dataset.kind is Kind.SERIES
        seed = None if has_priors and series and not likelihood.is_latent else settings.seed  # None: in stretches
        self.runner = Runner(self.problem, seed, worker_count(settings.n_jobs))
        self.strategy = strategy_for(dataset, language, self.problem, self.scales, settings.criterion)
        self.levels = Levels(self.strategy, self.problem, self.scales)
        self.scoring = Scoring(settings.criterion, self.strategy, self.problem, self.scales)
        self.rounds = Rounds(
            self.runner,
            dataset.columns,
            settings.criterion,
            settings.restarts,
            settings.seed,
            lambda: self.budget.is_used_up,
            self.scoring.charge,
            has_priors and (series or likelihood.is_latent),
        )
        self.data_hints = self.levels.hints(self.problem.y, detrend=True)

    def run(self) -> SearchResult:
        stopped, interrupted = f"{AT_DEPTH} {self.depth}.", False
        trace = [] if self.earlier is None else list(self.earlier.trace)
        # takes milliseconds; before it there is nothing to return
        state = self._first() if self.earlier is None else self.earlier.state
        try:
            if self.earlier is None:
                self._tell(state, trace, 1)
            elif self.callback is not None and trace:
                kernel = self._in_data_units(state.incumbents[0]).kernel
                self.callback(Watched.of(trace[-1], kernel, self.settings.criterion))
            while not state.finished and state.level < self.depth and not self.budget.is_used_up:
                state, candidates = self._step(state)
                self._tell(state, trace, candidates)
            if self.budget.is_used_up:
                stopped = OUT_OF_TIME
            elif state.finished:
                stopped = "No neighbour of the last model improved on it."
        except KeyboardInterrupt:
            stopped, interrupted = "The search was interrupted; this is the best model until then.", True
        frontier = tuple(self._in_data_units(one) for one in self.scoring.ranked(state))
        spent = self._seconds()
        return SearchResult(frontier[0], frontier, tuple(trace), state.evaluations, spent, stopped, interrupted)

    def _first(self) -> SearchState:
        """The start expression of the language, fitted."""
        start = unset(self.language.start)
        context = Context(self.scales, self.data_hints, self.data_hints, self.budget.deadline)
        task = Task(start, FIRST_EFFORT, (self.settings.seed, 0))
        (fit,) = self.runner.fits([task], context, lambda: False)
        assert fit is not None
        first = self.scoring.candidate(Trial(fit.kernel, None, fit.nll, fit.loss), 0)
        return SearchState(0, (first,), (first,), frozenset([start.expr]), fit.evaluations, False)

    def _step(self, state: SearchState) -> tuple[SearchState, int]:
        """One level: propose from every incumbent, race, keep the best."""
        policy, leader = self.strategy.policy, state.incumbents[0]
        level = self.levels.after(state, self.data_hints, self.budget.deadline)
        trials, evaluations = self.strategy.race(self.rounds, level)
        found = self.scoring.candidates(trials, level.number, self.rounds)
        incumbents = tuple(sorted([*state.incumbents, *found], key=Candidate.rank)[: policy.beam])
        stalled = incumbents[0].score > leader.score - IMPROVEMENT
        at_end = stalled and (state.stalled or not policy.looks_again)
        seen = state.seen | {one.kernel.expr for one in (*level.proposals, *trials)}
        return SearchState(
            level=level.number,
            incumbents=state.incumbents if stalled and not policy.looks_again else incumbents,
            found=(*state.found, *found[:KEPT_PER_LEVEL]),
            seen=seen,
            evaluations=state.evaluations + evaluations,
            finished=at_end or self.budget.is_used_up,
            stalled=stalled,
        ), len(level.proposals) or len(level.from_above)

    def _seconds(self) -> float:
        """The time of all runs together."""
        return self.budget.spent + (0.0 if self.earlier is None else self.earlier.seconds)

    def _in_data_units(self, candidate: Candidate) -> Candidate:
        nll = self.standardisation.nll_in_data_units(candidate.nll, self.problem.n)
        score = candidate.score + 2.0 * (nll - candidate.nll)
        return replace(candidate, kernel=self.standardisation.to_data(candidate.kernel), nll=nll, score=score)

    def _tell(self, state: SearchState, trace: list[StepInfo], candidates: int) -> None:
        best = self._in_data_units(state.incumbents[0])
        seconds = self._seconds()
        info = StepInfo(
            level=state.level,
            max_depth=self.depth,
            expression=str(best.kernel),
            bic=bic(best.nll, best.kernel.expr, self.problem.n),
            nll=best.nll,
            evaluations=state.evaluations,
            candidates=candidates,
            seconds=seconds,
            score=best.score,
        )
        trace.append(info)
        if (
            self.checkpoint is not None and not self.budget.is_used_up
        ):  # a level cut short is not what a longer run would find
            self.checkpoint.write(Progress(state, tuple(trace), seconds))
        if self.callback is not None:
            self.callback(Watched.of(info, best.kernel, self.settings.criterion))
