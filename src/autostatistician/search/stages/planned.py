"""What a search is going to do, before it does it: stages, rounds of a level, and about how long they take.

The candidates of later levels are not known yet. They are counted for a model of the size that most searches meet:
the start of the language and two leaves more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import Dataset
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.engines.choice import engine_for
from autostatistician.gp.likelihoods import GAUSSIAN, Bernoulli
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel, unset
from autostatistician.search.budget import Budget
from autostatistician.search.levels import priors_for
from autostatistician.search.racing.race import Schedule, Source, adds_leaf, entrants
from autostatistician.search.racing.rounds import Proposal
from autostatistician.search.racing.tasks import Effort, Rows
from autostatistician.search.racing.workers import worker_count
from autostatistician.search.settings import Settings, resolved
from autostatistician.search.stages.rows import rows_of_stages
from autostatistician.search.stages.stage import Stage, Stages
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import draws
from autostatistician.search.state import Candidate, SearchState
from autostatistician.search.strategy import Level

__all__ = ["PlannedRace", "PlannedRound", "PlannedStage", "SearchPlan", "planned"]

LEAVES_OF_TYPICAL = 2  # beside the start
SECONDS_OF_CALL = 2e-4  # of an evaluation, beside its algebra


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """So many candidates on so many rows: starting points of each, how many of these are fitted, in how many steps."""

    candidates: int
    of: str
    rows: int
    starts: int
    fits: int
    steps: int

    @property
    def text(self) -> str:
        """In words.

        >>> PlannedRound(30, "proposals", 200, 4, 1, 6).text
        '30 proposals on 200 rows: 4 starting points, 1 fit of 6 steps each'
        """
        starts = [f"{self.starts} starting points"] if self.starts > 1 or not self.fits else []
        starts = [start.removesuffix("s") if self.starts == 1 else start for start in starts]
        fits = [f"{self.fits} fit{'s' * (self.fits > 1)} of {self.steps} steps"] if self.fits else []
        return f"{self.candidates:,} {self.of} on {self.rows:,} rows: {', '.join([*starts, *fits])} each"


@dataclass(frozen=True, slots=True)
class PlannedRace:
    """A race, and about how long it takes."""

    name: str
    rounds: tuple[PlannedRound, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """The races on the rows of one stage; ``levels`` is how many there are at most, ``patience`` that of its plan."""

    rows: int
    criterion: str
    levels: int
    patience: int
    races: tuple[PlannedRace, ...]


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """The stages of a search, with so many workers."""

    workers: int
    stages: tuple[PlannedStage, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """In words, line by line."""
        many = len(self.stages) > 1
        lines = [f"The search has {len(self.stages)} stages." if many else "The search has one stage."]
        for number, stage in enumerate(self.stages, 1):
            ends = "a level" if stage.patience == 1 else f"{stage.patience} levels"
            lines.append(
                f"Stage {number}: {stage.rows:,} rows, by {stage.criterion}, up to {stage.levels} levels; "
                f"ends after {ends} without improvement."
            )
            for race in stage.races:
                lines.append(f"  {race.name}, about {_duration(race.seconds)}:")
                lines += [f"    {fitting.text}" for fitting in race.rounds]
        return (*lines, f"Times are for {self.workers} worker{'s' * (self.workers > 1)}, and rough.")

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)


def planned(dataset: Dataset, language: str, settings: Settings) -> SearchPlan:
    """The plan of a search; ``dataset`` is that of a table that was read, of numbers or of classes.

    >>> from autostatistician.data.load import load
    >>> planned(load("nile"), "extended", Settings(n_jobs=1)).lines[1]
    'Stage 1: 100 rows, by evidence, up to 10 levels; ends after a level without improvement.'
    """
    likelihood = Bernoulli.of(dataset) if dataset.classes else GAUSSIAN
    grammar = LANGUAGES[language]
    settings = resolved(settings, dataset, grammar, likelihood)
    if CRITERIA[settings.criterion].has_priors and not likelihood.is_latent:
        grammar = grammar.with_priors
    grammar = replace(grammar, start=likelihood.start(grammar.start))
    priors = priors_for(dataset.kind, settings.criterion, likelihood)
    workers = worker_count(settings.n_jobs)
    with one_thread():
        _, problem, scales = standard(dataset, likelihood, priors)
        rows = rows_of_stages(dataset, grammar, settings.seed)
        stages = Stages(dataset, grammar, settings, problem, scales, rows, Budget(None))
        start = _drawn(unset(grammar.start), stages.stage(0))
        every = [_stage(stages.stage(number), start, workers) for number in range(len(rows))]
    depth = min(limit for limit in (settings.max_depth, grammar.max_depth) if limit is not None)
    return SearchPlan(workers, tuple(replace(stage, levels=min(stage.levels, depth)) for stage in every))


def _stage(stage: Stage, start: Kernel, workers: int) -> PlannedStage:
    """The races of a stage: that of the first level, or of what enters; and that of a later level."""
    level = _level(stage, _typical(stage, start), number=2)
    later = _race("A later level", stage, stage.plan.schedule(stage.sizes(level)), level, workers)
    if stage.number == 0:
        first = _level(stage, [start], number=0)
        races = (_race("First level", stage, stage.plan.schedule(stage.sizes(first)), first, workers), later)
    else:
        entering = [Proposal(start, start.expr)] * stage.plan.taken_along
        entry = Level(1, entering, [], stage.context)
        races = (_race("The best of the stage before", stage, stage.plan.entry, entry, workers), later)
    most = stage.plan.most_levels
    return PlannedStage(
        stage.problem.n, stage.plan.criterion, 10**6 if most is None else most, stage.plan.patience, races
    )


def _race(name: str, stage: Stage, schedule: Schedule, level: Level, workers: int) -> PlannedRace:
    rounds: list[PlannedRound] = []
    seconds, survivors = 0.0, 0
    first_ones = [*level.proposals, *level.complete_kernels]
    if not first_ones:  # a language that has nothing to add
        return PlannedRace(name, (), 0.0)
    expr = first_ones[0].kernel.expr
    for leg in schedule.legs:
        through = survivors if leg.stay else 0
        for heat in leg.heats:
            again = heat.source in (Source.SURVIVORS, Source.AGAIN, Source.FROM_NOTHING)
            count = survivors if again else len(entrants(level, heat.source))
            count = count if heat.most is None else min(count, heat.most)
            for number, step in enumerate(heat.steps):
                efforts, kept = step.asked(count)
                for candidates, effort in efforts:
                    if candidates:
                        rounds.append(_round(stage, candidates, "of these" if number else heat.source.value[0], effort))
                        seconds += candidates * _seconds(stage, expr, effort)
                count = kept
            through += count
        survivors = through if leg.keep is None else leg.keep.of(through)
    return PlannedRace(name, tuple(rounds), seconds / workers)


def _round(stage: Stage, candidates: int, of: str, effort: Effort) -> PlannedRound:
    rows = Rows.FEW if effort.on_few else effort.rows
    n = stage.rounds.runner.subsets.rows(rows).n
    return PlannedRound(candidates, of, n, effort.starts, effort.fits, effort.steps)


def _seconds(stage: Stage, expr: Expr, effort: Effort) -> float:
    """About what an effort takes for one candidate."""
    subsets = stage.rounds.runner.subsets
    fitted = subsets.few if effort.on_few else subsets.rows(effort.rows)
    evaluations = effort.starts + effort.fits * effort.steps
    return evaluations * (SECONDS_OF_CALL + (engine_for(expr, fitted, often=True).cost(expr, fitted) or 0.0))


def _drawn(kernel: Kernel, stage: Stage) -> Kernel:
    """The kernel with parameters that are good enough to make proposals from."""
    return draws(kernel, stage.context, np.random.default_rng(stage.rounds.seed), 1)[0]


def _typical(stage: Stage, kernel: Kernel) -> list[Kernel]:
    """As many incumbents as a later level has."""
    kernels = [kernel]
    for _ in range(LEAVES_OF_TYPICAL):
        longer = [
            neighbour
            for neighbour in stage.levels.strategy.neighbours(kernels[0])
            if adds_leaf(Proposal(neighbour, kernels[0].expr))
        ]
        kernels = [_drawn(neighbour, stage) for neighbour in longer[: stage.plan.beam]] or kernels
    return kernels


def _level(stage: Stage, incumbents: Sequence[Kernel], number: int) -> Level:
    """The level that follows one of this number, with these incumbents."""
    candidates = tuple(Candidate(kernel, 0.0, float(rank), number) for rank, kernel in enumerate(incumbents))
    state = SearchState(number, candidates, candidates, frozenset(), 0, finished=False)
    return stage.levels.after(state, stage.data_hints)


def _duration(seconds: float) -> str:
    """A time in one digit or two.

    >>> [_duration(seconds) for seconds in (0.02, 4.4, 42.0, 400.0)]
    ['a second', '4 seconds', '40 seconds', '7 minutes']
    """
    if seconds < 1.5:
        return "a second"
    if seconds < 90.0:
        return f"{round(seconds) if seconds < 10.0 else round(seconds, -1):.0f} seconds"
    return f"{seconds / 60.0:.0f} minutes"
