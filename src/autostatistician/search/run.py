"""The search over expressions: greedy descent on a criterion, one level of neighbours at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from math import log
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from autostatistician.data.dataset import Dataset
from autostatistician.inference.criteria import CRITERIA, bic
from autostatistician.inference.optimise import Fit
from autostatistician.inference.posterior import condition_arrays
from autostatistician.language.expr import Expr
from autostatistician.language.grammar import Language, neighbours
from autostatistician.language.kernel import Kernel, parameters, unset
from autostatistician.language.showable import showable
from autostatistician.language.traits import always_noisy, has_structure
from autostatistician.search.checkpoint import Checkpoint, Progress
from autostatistician.search.doubts import doubt, named_alone
from autostatistician.search.effort import Heats
from autostatistician.search.hints import ColumnHints, distinct_frequencies, hints
from autostatistician.search.race import Data, Heat, Task
from autostatistician.search.rows import charge, excess
from autostatistician.search.runner import Runner
from autostatistician.search.series import series_race
from autostatistician.search.standardisation import standard
from autostatistician.search.starts import Context
from autostatistician.search.state import AT_DEPTH, OUT_OF_TIME, Candidate, SearchResult, SearchState, StepInfo, Watched
from autostatistician.search.steps import stepped
from autostatistician.search.tables import Table, table_race
from autostatistician.search.workers import worker_count

__all__ = ["Settings", "search"]

IMPROVEMENT = 0.1  # of the criterion: less is no reason to go on
BEAM = 3  # incumbents whose neighbours are looked at
BEAM_OF_TABLES = 1  # where they are many
FINEST = 0.1  # lengthscale from which a smooth function along one of several columns begins, in ranges
FREQUENCIES_OF_TABLES = 400  # of a periodogram along one of several columns
VARIANTS = 2  # starting points of one expression that come from different rewritings
CONSTANT = 1e-12  # relative spread below which a target counts as constant
FINALISTS = 8  # candidates of a level that a costly criterion looks at
KEPT = 12  # candidates of every level that the frontier keeps


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search may do.

    Parameters
    ----------
    max_depth : int
        Levels of neighbours at most.
    restarts : int
        Starts looked at for every candidate in the first heat.
    criterion : str
        A key of `CRITERIA`: "bic", "aic", "laplace" or "loo".
    time_budget : float or None
        Seconds after which the best so far is returned: those of the search. What is made of the result afterwards
        (averages, a report) takes its own.
    n_jobs : int or None
        Workers; None is one per core, and more there never are.
    seed : int
        Start of all random draws.
    transform : str
        The scale of the target: "none", "log", or "auto" for the better of those that the language allows. The data
        that `search` gets are on that scale already.
    outliers : str
        Whether outliers of a series are set aside before ("auto") or kept ("keep"); `search` gets the rows that stay.
    """

    max_depth: int = 10
    restarts: int = 10
    criterion: str = "bic"
    time_budget: float | None = None
    n_jobs: int | None = None
    seed: int = 0
    transform: str = "auto"
    outliers: str = "auto"


def search(
    dataset: Dataset,
    language: Language,
    settings: Settings,
    callback: Callable[[Watched], None] | None = None,
    checkpoint: str | Path | None = None,
) -> SearchResult:
    """Search a language for the model of a data set with the lowest criterion.

    A level ends with the best neighbour of the incumbent; the search ends when a level brings no improvement, at
    ``max_depth``, at ``time_budget``, or at KeyboardInterrupt: the best so far is returned in every case.

    With a ``checkpoint``, a path, every whole level is kept in that file, and the search goes on from what the file
    holds. The result is then that of a search in one go; the number of workers and the time budget (which counts
    from the start of each run) may differ between the runs. The callback hears of the last level of earlier runs.

    Raises
    ------
    InputError
        When the checkpoint is of another search (the message says what differs) or cannot be written.
    """
    kept = None if checkpoint is None else Checkpoint(checkpoint, dataset, language, asdict(settings))
    with threadpool_limits(limits=1):  # as in the workers: the same numbers on any machine
        return _Search(dataset, language, settings, callback, kept).run()


class _Search:
    """One run of the loop: everything that stays the same from level to level."""

    def __init__(
        self,
        dataset: Dataset,
        language: Language,
        settings: Settings,
        callback: Callable[[Watched], None] | None,
        checkpoint: Checkpoint | None,
    ) -> None:
        self.began = time.perf_counter()
        self.checkpoint = checkpoint
        self.earlier = None if checkpoint is None else checkpoint.read()  # of an earlier run
        self.settings, self.language, self.callback = settings, language, callback
        depths = (settings.max_depth, language.max_depth)
        self.depth = min(depth for depth in depths if depth is not None)
        self.columns = dataset.columns
        self.frame, X, y, self.scales = standard(dataset)
        self.runner = Runner(Data(X, y, dataset.columns, settings.seed), worker_count(settings.n_jobs))
        self.points = self.runner.arena.whole
        self.data_hints = self._hints(y, detrend=True)
        self.names: tuple[str | None, ...] = (None,) if len(dataset.columns) == 1 else dataset.columns
        alone = dataset.levels and len(dataset.columns) == 1
        self.categories: tuple[str | None, ...] = (None,) if alone else tuple(dataset.levels)
        several = len(dataset.columns) > 1
        self.table = self._table(frozenset(dataset.levels)) if several else None
        self.heats = Heats(
            self.runner, self.columns, settings.criterion, settings.restarts, settings.seed, self._late, self._charge
        )

    def _table(self, categories: frozenset[str]) -> Table:
        numeric = [x for x, name in zip(self.points.X.T, self.columns, strict=True) if name not in categories]
        frequencies = sum(distinct_frequencies(x, FREQUENCIES_OF_TABLES) for x in numeric)
        return Table(self.language, self.columns, categories, frequencies)

    def _charge(self, kernel: Kernel) -> float:
        """What the choices made cost beside their numbers, and cycles that are seen a few times only."""
        expr = kernel.expr
        choices = charge(expr, self.points.n) if self.table is None else self.table.charge(expr)
        return choices + doubt(kernel, self.scales)

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
        frontier = tuple(self._in_data_units(one) for one in self._ranked(state))
        spent = self._seconds()
        return SearchResult(frontier[0], frontier, tuple(trace), state.evaluations, spent, stopped, interrupted)

    def _first(self) -> SearchState:
        """The start expression of the language, fitted."""
        start = unset(self.language.start)
        context = Context(self.scales, self.data_hints, self.data_hints, self._deadline())
        task = Task(start, Heat(20, 3, 100), (self.settings.seed, 0))
        (fit,) = self.runner.fits([task], context, lambda: False)
        assert fit is not None
        first = self._candidate(fit, 0)
        return SearchState(0, (first,), (first,), frozenset([start.expr]), fit.evaluations, False)

    def _ranked(self, state: SearchState) -> list[Candidate]:
        """All candidates, best first; on pure noise those without structure lead."""
        ranked = sorted(state.found, key=Candidate.rank)
        if self.table is not None:  # its leader gave way to nothing that is better by less than a reason to go on
            leading = state.incumbents[0].kernel.expr
            ranked.sort(key=lambda one: one.kernel.expr != leading)
        plain = [one for one in ranked if not has_structure(one.kernel.expr)]
        structured = [one for one in ranked if has_structure(one.kernel.expr)]
        if plain and all(plain[0].score - one.score < self._by_chance(one, len(state.seen)) for one in structured):
            return plain + structured
        return ranked

    def _by_chance(self, candidate: Candidate, candidates: int) -> float:
        """What the best of many candidates gains that all fit nothing: about twice the logarithm of their number.

        Likewise a period, the best of many frequencies, under a criterion that charges it no more than any number.
        Cycles that the calendar named before anyone looked, and nothing else, are the best of themselves alone.
        """
        expr = candidate.kernel.expr
        if self.settings.criterion == "bic" and named_alone(candidate.kernel, self.scales):
            return IMPROVEMENT
        gain = 2.0 * log(max(candidates, 1))
        if self.table is None and CRITERIA[self.settings.criterion].cheap is not bic:
            periods = sum(parameter.name == "period" for parameter in parameters(expr))
            gain += 2.0 * periods * log(max(distinct_frequencies(self.points.X[:, 0]), 1.0))
        return gain

    def _step(self, state: SearchState) -> tuple[SearchState, int]:
        """One level: propose from every incumbent, race, keep the best."""
        level, leader = state.level + 1, state.incumbents[0]
        proposals = self._proposals(state)
        residual = self._hints(self._residual(leader.kernel), detrend=False)
        finest = 0.0 if self.table is None else FINEST
        context = Context(self.scales, self.data_hints, residual, self._deadline(), finest)
        fits, evaluations = self._race(proposals, context, level)
        sound = [fit for fit in fits if not self.heats.idle(fit.kernel)]
        found = sorted((self._candidate(fit, level) for fit in self._finalists(sound)), key=Candidate.rank)
        incumbents = tuple(
            sorted([*state.incumbents, *found], key=Candidate.rank)[: BEAM if self.table is None else BEAM_OF_TABLES]
        )
        stalled = incumbents[0].score > leader.score - IMPROVEMENT
        finished = (stalled and (state.stalled or self.table is not None)) or self._late()
        incumbents = state.incumbents if stalled and self.table is not None else incumbents
        seen = state.seen | {kernel.expr for kernel in proposals} | {fit.kernel.expr for fit in fits}
        spent = state.evaluations + evaluations
        known = (*state.found, *found[:KEPT])
        return SearchState(level, incumbents, known, seen, spent, finished, stalled), len(proposals)

    def _proposals(self, state: SearchState) -> list[Kernel]:
        """The neighbours of the incumbents that were never fitted, those of the leader first.

        Where the last level improved nothing: all neighbours of the leader, which will be drawn anew. Only then is it
        likely that none of them is better.
        """
        found: dict[Expr, list[Kernel]] = {}
        for incumbent in state.incumbents[:1] if state.stalled else state.incumbents:
            for kernel in self._neighbours(incumbent.kernel):
                if (state.stalled or kernel.expr not in state.seen) and self._sensible(kernel.expr):
                    known = found.setdefault(kernel.expr, [])
                    if len(known) < VARIANTS:
                        known.append(kernel)
        return [kernel for kernels in found.values() for kernel in kernels]

    def _neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        if self.table is not None:
            return self.table.proposals(kernel)
        known = neighbours(kernel, self.language, self.names, VARIANTS, self.categories)
        if None in self.categories:  # the only column holds categories, which have no order
            return known
        return [*stepped(kernel, self.points, self.language), *known]

    def _sensible(self, expr: Expr) -> bool:
        """Whether data like these could show what the expression says, with noise everywhere."""
        if self.scales.y_sd < CONSTANT * self.scales.y_rms:
            return always_noisy(expr) and not has_structure(expr)
        return always_noisy(expr) and showable(expr, self.points.n, series=self.table is None)

    def _race(self, proposals: list[Kernel], context: Context, level: int) -> tuple[list[Fit], int]:
        if self.table is not None:
            wide = [kernel for kernel in self.table.wide(self.scales) if level == 1 and self._sensible(kernel.expr)]
            return table_race(self.heats, proposals, wide, context, level)
        return series_race(self.heats, proposals, context, level)

    def _finalists(self, fits: list[Fit]) -> list[Fit]:
        """Those that are scored exactly: all where that is cheap."""
        return fits if CRITERIA[self.settings.criterion].exact is None else self.heats.best(fits, FINALISTS)

    def _candidate(self, fit: Fit, level: int) -> Candidate:
        score = CRITERIA[self.settings.criterion].score(fit.kernel, fit.nll, self.points, self.scales)
        # The exact ones see what choices cost: in the prior of the numbers, or by predicting.
        exact = CRITERIA[self.settings.criterion].exact is not None
        cost = doubt(fit.kernel, self.scales) if exact else self._charge(fit.kernel)
        cost += excess(fit.kernel, self.points, self.names, self.scales.noise_floor)
        return Candidate(fit.kernel, fit.nll, score + cost, level)

    def _residual(self, kernel: Kernel) -> np.ndarray:
        """What the noise of a model has to explain: the data minus the posterior mean of its signal."""
        points = self.points
        conditioned = condition_arrays(kernel, points.X, points.y, self.names)
        return points.y - conditioned.signal(points.X)[0]

    def _hints(self, series: np.ndarray, *, detrend: bool) -> ColumnHints:
        most = {} if len(self.columns) == 1 else {"frequencies": FREQUENCIES_OF_TABLES}
        places = zip(self.columns, self.points.X.T, strict=True)
        return ColumnHints({name: hints(x, series, detrend=detrend, **most) for name, x in places})

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
        nll = self.frame.nll_in_data_units(candidate.nll, self.points.n)
        score = candidate.score + 2.0 * (nll - candidate.nll)
        return replace(candidate, kernel=self.frame.to_data(candidate.kernel), nll=nll, score=score)

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
