"""The search over expressions: greedy descent on a criterion, one level of neighbours at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from autostatistician.data.dataset import Dataset
from autostatistician.errors import InputError
from autostatistician.inference.criteria import bic
from autostatistician.inference.likelihoods.base import Likelihood
from autostatistician.inference.likelihoods.gaussian import GAUSSIAN
from autostatistician.language.kernel import Kernel
from autostatistician.language.languages import Language
from autostatistician.search.budget import Budget
from autostatistician.search.checkpoint import Checkpoint, Progress
from autostatistician.search.levels import priors_for
from autostatistician.search.scores.calendar import on_the_calendar
from autostatistician.search.settings import Settings, resolved
from autostatistician.search.stages.rows import rows_of_stages
from autostatistician.search.stages.stage import Stages
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import AT_DEPTH, OUT_OF_TIME, Candidate, SearchResult, SearchState, StepInfo, Watched
from autostatistician.threads import one_thread
from autostatistician.wording.messages import message, note

__all__ = ["Settings", "search"]

NOTHING_KNOWN = message(
    "the search was stopped before the end of its first level, so nothing is known yet; start it again, and let it go "
    "on for longer"
)


def search(
    dataset: Dataset,
    language: Language,
    settings: Settings,
    callback: Callable[[Watched], None] | None = None,
    checkpoint: str | Path | None = None,
    likelihood: Likelihood = GAUSSIAN,
    likely_sums: tuple[Kernel, ...] = (),
) -> SearchResult:
    """Search a language for the model of a data set with the lowest criterion.

    A level ends with the best neighbour of the incumbent; the search ends when a level brings no improvement, at
    ``max_depth``, at ``time_budget``, or at KeyboardInterrupt: the best so far is returned in every case. The first
    level is finished whatever the budget; an interruption before its end is raised, for nothing is known then.

    With a ``checkpoint``, a path, every whole level is kept in that file, and the search goes on from what the file
    holds. The result is then that of a search in one go; the number of workers and the time budget (which counts
    anew in each run) may differ between the runs. The callback hears of the last level of earlier runs.

    The ``likelihood`` says with what a search begins and which expressions it may visit. A search by evidence begins
    with the ``likely_sums``, in data units, instead of all; some of their parameters may be open.

    Raises
    ------
    InputError
        When the checkpoint is of another search (the message says what differs) or cannot be written, or the target
        has not the classes that the likelihood wants.
    KeyboardInterrupt
        At one before the end of the first level.
    """
    if likelihood.is_latent and not dataset.classes:
        numbers = f"numbers in column {dataset.target!r}"
        raise InputError.of("a data set of classes", numbers, "load it with task='class'")
    settings = resolved(settings, dataset, language, likelihood)
    language = replace(language, start=likelihood.start(language.start))
    kept = None if checkpoint is None else Checkpoint(checkpoint, dataset, language, asdict(settings))
    with one_thread():
        return _Search(dataset, language, settings, callback, kept, likelihood, likely_sums).run()


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
        likely_sums: tuple[Kernel, ...],
    ) -> None:
        self.began = time.perf_counter()
        self.budget = Budget(settings.time_budget)
        self.checkpoint = checkpoint
        self.earlier = None if checkpoint is None else checkpoint.read()  # of an earlier run
        self.settings, self.language, self.callback = settings, language, callback
        depths = (settings.max_depth, language.max_depth)
        self.depth = min(depth for depth in depths if depth is not None)
        self.standardisation, problem, scales = standard(
            dataset, likelihood, priors_for(dataset.kind, settings.criterion, likelihood)
        )
        rows = rows_of_stages(dataset, language, settings.seed)
        begun = tuple(map(self.standardisation.to_standard, likely_sums))
        self.stages = Stages(dataset, language, settings, problem, scales, rows, self.budget, begun)
        self.stage = self.stages.stage(0 if self.earlier is None else self.earlier.state.stage)

    def run(self) -> SearchResult:
        stopped, interrupted = f"{AT_DEPTH} {self.depth}.", False
        trace = [] if self.earlier is None else list(self.earlier.trace)
        # takes milliseconds; before it there is nothing to return
        state = self.stage.first(self.language) if self.earlier is None else self.earlier.state
        self.budget.start(binds=state.level > 0)
        try:
            if self.earlier is None:
                self._tell(state, trace, 1)
            elif self.callback is not None and trace:
                kernel = self._in_data_units(state.incumbents[0]).kernel
                self.callback(Watched.of(trace[-1], kernel, self.settings.criterion))
            while not self.budget.is_used_up:
                if self._goes_on(state, trace):
                    state, candidates = self.stage.step(state)
                elif self.stage.number < self.stages.last:
                    state, candidates = self._next_stage(state)
                else:
                    break
                self._tell(state, trace, candidates)
                self.budget.binds = True
            if self.budget.is_used_up:
                stopped = OUT_OF_TIME
            elif state.finished:
                stopped = "No neighbour of the last model improved on it."
        except KeyboardInterrupt:
            if not state.level:
                raise KeyboardInterrupt(note(NOTHING_KNOWN)) from None
            stopped, interrupted = "The search was interrupted; this is the best model until then.", True
        state = self._on_all_rows(state)
        ranked = on_the_calendar(self.stage.scoring.ranked(state), self.stage.problem, self.stage.scales)
        frontier = tuple(map(self._in_data_units, ranked))
        spent, seconds = self.budget.spent, self._seconds()
        return SearchResult(
            frontier[0], frontier, tuple(trace), state.evaluations, seconds, stopped, interrupted, spent
        )

    def _goes_on(self, state: SearchState, trace: list[StepInfo]) -> bool:
        """Whether another level is looked at on the rows of this stage."""
        most = self.stage.plan.most_levels
        if most is not None and sum(step.rows == self.stage.problem.n for step in trace) > most:  # one is the entry
            return False
        return not state.finished and state.level < self.depth

    def _next_stage(self, state: SearchState) -> tuple[SearchState, int]:
        """What is known on more rows, and how many models that is."""
        self.stage = self.stages.stage(state.stage + 1)
        state = self.stage.entered(state)
        return state, len(state.found)

    def _on_all_rows(self, state: SearchState) -> SearchState:
        """The state where a search that was ended early had all rows: nothing is reported of a part of them."""
        if state.stage == self.stages.last:
            return state
        self.stage = self.stages.stage(self.stages.last)
        return self.stage.evaluated(state)

    def _seconds(self) -> float:
        """The time of all runs together."""
        return time.perf_counter() - self.began + (0.0 if self.earlier is None else self.earlier.seconds)

    def _in_data_units(self, candidate: Candidate) -> Candidate:
        nll = self.standardisation.nll_in_data_units(candidate.nll, self.stage.problem.n)
        score = candidate.score + 2.0 * (nll - candidate.nll)
        return replace(candidate, kernel=self.standardisation.to_data(candidate.kernel), nll=nll, score=score)

    def _tell(self, state: SearchState, trace: list[StepInfo], candidates: int) -> None:
        best = self._in_data_units(state.incumbents[0])
        seconds = self._seconds()
        info = StepInfo(
            level=state.level,
            max_depth=self.depth,
            expression=str(best.kernel),
            bic=bic(best.nll, best.kernel.expr, self.stage.problem.n),
            nll=best.nll,
            evaluations=state.evaluations,
            candidates=candidates,
            seconds=seconds,
            score=best.score,
            rows=None if self.stage.number == self.stages.last else self.stage.problem.n,
        )
        trace.append(info)
        if (
            self.checkpoint is not None and not self.budget.is_used_up
        ):  # a level cut short is not what a longer run would find
            self.checkpoint.write(Progress(state, tuple(trace), seconds))
        if self.callback is not None:
            self.callback(Watched.of(info, best.kernel, self.settings.criterion))
