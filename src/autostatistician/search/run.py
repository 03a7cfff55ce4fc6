"""The search over expressions: greedy descent on a criterion, one level of neighbours at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.inference.criteria import bic
from autostatistician.inference.engines.choice import condition
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, unset
from autostatistician.language.languages import Language
from autostatistician.language.traits import has_structure
from autostatistician.search.checkpoint import Checkpoint, Progress
from autostatistician.search.hints import ColumnHints, hints
from autostatistician.search.noise import GAUSSIAN_NOISE, NoiseRules
from autostatistician.search.rounds import Proposal, Rounds, Trial
from autostatistician.search.runner import Runner
from autostatistician.search.scoring import IMPROVEMENT, Scoring
from autostatistician.search.series.strategy import SeriesStrategy
from autostatistician.search.settings import Settings
from autostatistician.search.standardisation import standard
from autostatistician.search.starts import Context
from autostatistician.search.state import AT_DEPTH, OUT_OF_TIME, Candidate, SearchResult, SearchState, StepInfo, Watched
from autostatistician.search.strategy import Level, Strategy
from autostatistician.search.tables.proposals import TableGrammar
from autostatistician.search.tables.strategy import TableStrategy
from autostatistician.search.tasks import Data, Effort, Task
from autostatistician.search.workers import worker_count
from autostatistician.threads import one_thread

__all__ = ["Settings", "search"]

LARGEST_CONSTANT_SPREAD = 1e-12  # relative: below, a target counts as constant
KEPT_PER_LEVEL = 12  # candidates that the frontier keeps
MOST_VARIANTS = 2  # kernels of one expression that enter a level, with other numbers known
FIRST_EFFORT = Effort(20, 3, 100)


def search(
    dataset: Dataset,
    language: Language,
    settings: Settings,
    callback: Callable[[Watched], None] | None = None,
    checkpoint: str | Path | None = None,
    noise: NoiseRules = GAUSSIAN_NOISE,
) -> SearchResult:
    """Search a language for the model of a data set with the lowest criterion.

    A level ends with the best neighbour of the incumbent; the search ends when a level brings no improvement, at
    ``max_depth``, at ``time_budget``, or at KeyboardInterrupt: the best so far is returned in every case.

    With a ``checkpoint``, a path, every whole level is kept in that file, and the search goes on from what the file
    holds. The result is then that of a search in one go; the number of workers and the time budget (which counts
    from the start of each run) may differ between the runs. The callback hears of the last level of earlier runs.

    The ``noise`` of the likelihood says with what a search begins and which expressions it may visit.

    Raises
    ------
    InputError
        When the checkpoint is of another search (the message says what differs) or cannot be written.
    """
    language = replace(language, start=noise.start(language.start))
    kept = None if checkpoint is None else Checkpoint(checkpoint, dataset, language, asdict(settings))
    with one_thread():
        return _Search(dataset, language, settings, callback, kept, noise).run()


class _Search:
    """One run of the loop: everything that stays the same from level to level."""

    def __init__(
        self,
        dataset: Dataset,
        language: Language,
        settings: Settings,
        callback: Callable[[Watched], None] | None,
        checkpoint: Checkpoint | None,
        noise: NoiseRules,
    ) -> None:
        self.began = time.perf_counter()
        self.checkpoint = checkpoint
        self.earlier = None if checkpoint is None else checkpoint.read()  # of an earlier run
        self.settings, self.language, self.callback = settings, language, callback
        depths = (settings.max_depth, language.max_depth)
        self.depth = min(depth for depth in depths if depth is not None)
        self.columns, self.noise = dataset.columns, noise
        self.standardisation, X, y, self.scales = standard(dataset)
        self.runner = Runner(Data(X, y, dataset.columns, settings.seed), worker_count(settings.n_jobs))
        self.points = self.runner.arena.whole
        self.strategy = self._strategy(dataset)
        self.scoring = Scoring(settings.criterion, self.strategy, noise, self.points, dataset.columns, self.scales)
        self.rounds = Rounds(
            self.runner,
            dataset.columns,
            settings.criterion,
            settings.restarts,
            settings.seed,
            self._late,
            self.scoring.charge,
        )
        self.data_hints = self._hints(y, detrend=True)

    def _strategy(self, dataset: Dataset) -> Strategy:
        """The strategy for the kind of the data."""
        if dataset.kind is Kind.SERIES:
            return SeriesStrategy(self.language, self.points)
        has_noise = self.noise.admits(Leaf("WN"))
        grammar = TableGrammar(self.language, dataset.columns, frozenset(dataset.levels), has_noise)
        return TableStrategy(grammar, self.points, self.scales)

    def run(self) -> SearchResult:
        stopped, interrupted = f"{AT_DEPTH} {self.depth}.", False
        trace = [] if self.earlier is None else list(self.earlier.trace)
        # takes milliseconds; before it there is nothing to return
        state = self._first() if self.earlier is None else self.earlier.state
        try:
            if self.earlier is None:
                self._tell(state, trace, 1)
            elif self.callback is not None and trace:
                self.callback(Watched.of(trace[-1], self._in_data_units(state.incumbents[0]).kernel))
            while not state.finished and state.level < self.depth and not self._late():
                state, candidates = self._step(state)
                self._tell(state, trace, candidates)
            if self._late():
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
        context = Context(self.scales, self.data_hints, self.data_hints, self._deadline())
        task = Task(start, FIRST_EFFORT, (self.settings.seed, 0))
        (fit,) = self.runner.fits([task], context, lambda: False)
        assert fit is not None
        first = self.scoring.candidate(Trial(fit.kernel, None, fit.nll), 0)
        return SearchState(0, (first,), (first,), frozenset([start.expr]), fit.evaluations, False)

    def _step(self, state: SearchState) -> tuple[SearchState, int]:
        """One level: propose from every incumbent, race, keep the best."""
        policy, leader = self.strategy.policy, state.incumbents[0]
        level = self._level(state)
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
            finished=at_end or self._late(),
            stalled=stalled,
        ), len(level.proposals)

    def _level(self, state: SearchState) -> Level:
        """What the next level is about."""
        residual = self._hints(self._residual(state.incumbents[0].kernel), detrend=False)
        finest = self.strategy.policy.finest
        context = Context(self.scales, self.data_hints, residual, self._deadline(), finest)
        wide = self.strategy.from_above() if state.level == 0 else ()
        from_above = [Proposal(kernel, kernel.expr) for kernel in wide if self._is_sensible(kernel.expr)]
        return Level(state.level + 1, self._proposals(state), from_above, context)

    def _proposals(self, state: SearchState) -> list[Proposal]:
        """The neighbours of the incumbents that were never fitted, those of the leader first.

        Where the last level improved nothing: all neighbours of the leader, which will be drawn anew. Only then is it
        likely that none of them is better.
        """
        proposed: dict[Expr, list[Proposal]] = {}
        for incumbent in state.incumbents[:1] if state.stalled else state.incumbents:
            for kernel in self.strategy.neighbours(incumbent.kernel):
                if (state.stalled or kernel.expr not in state.seen) and self._is_sensible(kernel.expr):
                    variants = proposed.setdefault(kernel.expr, [])
                    if len(variants) < MOST_VARIANTS:
                        variants.append(Proposal(kernel, incumbent.kernel.expr))
        return [one for variants in proposed.values() for one in variants]

    def _is_sensible(self, expr: Expr) -> bool:
        """Whether the likelihood admits an expression, and data like these could show what it says."""
        if not self.noise.admits(expr):
            return False
        is_constant = self.scales.y_sd < LARGEST_CONSTANT_SPREAD * self.scales.y_rms
        return not has_structure(expr) if is_constant else self.strategy.is_showable(expr)

    def _residual(self, kernel: Kernel) -> np.ndarray:
        """What the noise of a model has to explain: the data minus the posterior mean of its signal."""
        return condition(kernel, self.points).residual()

    def _hints(self, series: np.ndarray, *, detrend: bool) -> ColumnHints:
        most = self.strategy.policy.frequencies
        places = zip(self.columns, self.points.X.T, strict=True)
        return ColumnHints({name: hints(x, series, detrend=detrend, frequencies=most) for name, x in places})

    def _late(self) -> bool:
        budget = self.settings.time_budget
        return budget is not None and time.perf_counter() - self.began > budget

    def _deadline(self) -> float | None:
        """When the budget is used up, on the clock of the wall, which workers share."""
        budget = self.settings.time_budget
        return None if budget is None else time.time() + budget - (time.perf_counter() - self.began)

    def _seconds(self) -> float:
        """The time of all runs together."""
        return time.perf_counter() - self.began + (0.0 if self.earlier is None else self.earlier.seconds)

    def _in_data_units(self, candidate: Candidate) -> Candidate:
        nll = self.standardisation.nll_in_data_units(candidate.nll, self.points.n)
        score = candidate.score + 2.0 * (nll - candidate.nll)
        return replace(candidate, kernel=self.standardisation.to_data(candidate.kernel), nll=nll, score=score)

    def _tell(self, state: SearchState, trace: list[StepInfo], candidates: int) -> None:
        best = self._in_data_units(state.incumbents[0])
        criterion = bic(best.nll, best.kernel.expr, self.points.n)
        seconds = self._seconds()
        text = str(best.kernel)
        info = StepInfo(state.level, self.depth, text, criterion, best.nll, state.evaluations, candidates, seconds)
        trace.append(info)
        if self.checkpoint is not None and not self._late():  # a level cut short is not what a longer run would find
            self.checkpoint.write(Progress(state, tuple(trace), seconds))
        if self.callback is not None:
            self.callback(Watched.of(info, best.kernel))
