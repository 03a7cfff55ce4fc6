"""Races as data: which candidates of a level are fitted on which rows with how much effort, and how many go on.

A `Schedule` is a sequence of legs. The heats of a leg start side by side, each from its own candidates; what survives
them runs the next leg together. `run_race` runs a schedule and counts the evaluations of the likelihood.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from typing import Protocol

from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel, open_names, unset
from autostatistician.kernels.traits import leaf_columns
from autostatistician.search.racing.rounds import Proposal, Rounds, Trial, Trials, merged
from autostatistician.search.racing.tasks import Effort, Rows, Task
from autostatistician.search.scores.structure_prior import summands
from autostatistician.search.strategy import Level

__all__ = [
    "Again",
    "Heat",
    "Keep",
    "Leg",
    "Race",
    "Round",
    "Schedule",
    "Simplify",
    "ScheduleSizes",
    "Source",
    "adds_leaf",
    "entrants",
    "further",
    "run_race",
]

MOST_DRAWN_AT_ONCE = 8  # parameters that can all be drawn at once with some luck
SAME_OPTIMUM = 0.3  # in deviance, between fits of one expression from several starts: less is one optimum twice


class Source(Enum):
    """The candidates that a heat starts from; the number seeds its draws."""

    PROPOSALS = "proposals", 1
    OPEN = "proposals with open parameters", 1
    SUGGESTED = "proposals that come with their parameters", 1
    ADDED = "proposals that add one leaf", 1
    OTHERS = "other proposals", 1
    SWAPPED = "proposals on other columns that come with their parameters", 1
    COMPLETE = "complete kernels", 1
    SURVIVORS = "survivors", 1
    AGAIN = "survivors as they were proposed", 3
    FROM_NOTHING = "small survivors without their parameters", 4


class Again(Enum):
    """With which parameters the candidates that are kept go on."""

    AS_FITTED = "with the parameters that were fitted"
    AS_PROPOSED = "as they were proposed"
    ALL_AS_PROPOSED = "all proposals of their expressions"


class Simplify(Enum):
    """Which trials are tried in a simpler form, where a part is indistinguishable from it."""

    NONE = "none"
    IDLE = "those with a change beyond the data"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Keep:
    """How many candidates go on: so many, or one in so many if these are more; none that is out of ``reach``.

    The reach is a deviance from the best: the steps that remain will not make up for more.
    """

    fewest: float = inf
    one_in: int | None = None
    reach: float = inf
    again: Again = Again.AS_FITTED

    def of(self, count: int) -> int:
        """How many of so many go on, as far as their number decides it.

        >>> [Keep(30, one_in=8).of(count) for count in (10, 400)], Keep(reach=20.0).of(10)
        ([10, 50], 10)
        """
        return int(min(max(self.fewest, count // self.one_in if self.one_in else 0), count))


class HeatStep(Protocol):
    """A step of a heat: a round, or what a kind of data has in its place."""

    @property
    def rows(self) -> Rows:
        """On which candidates are judged."""

    def run(self, race: Race, candidates: Sequence[Proposal], salt: int) -> list[Trial]:
        """The trials of the candidates that go on."""

    def asked(self, candidates: int) -> tuple[list[tuple[int, Effort]], int]:
        """About how many candidates get which effort, and how many of them go on."""


@dataclass(frozen=True, slots=True)
class Round:
    """Every candidate gets the same effort, and the best go on.

    Parameters
    ----------
    rows : Rows
        On which candidates are judged, and fitted unless ``on_few``.
    starts : int
        Starting points that are evaluated for each; known parameters are one.
    fits, steps : int
        How many of the best starting points are fitted (none: the best starting point counts), in how many steps.
    keep : Keep, optional
        Which go on; by default all.
    more_starts : tuple of (name, factor)
        Candidates with an open parameter of this name get so many times the starts; the first name that fits counts.
    integrated : bool
        Whether the loss is minus the log evidence where parameters have priors and the stage integrates.
    simplify : Simplify
        Which trials are fitted in a simpler form, too.
    counts : bool
        Whether the trials are among those of the level, as far as they are of all rows.
    """

    rows: Rows
    starts: int = 1
    fits: int = 1
    steps: int = 0
    keep: Keep | None = None
    on_few: bool = False
    more_starts: tuple[tuple[str, int], ...] = ()
    integrated: bool = False
    simplify: Simplify = Simplify.NONE
    counts: bool = False

    def run(self, race: Race, candidates: Sequence[Proposal], salt: int) -> list[Trial]:
        """The trials of the candidates, the better ones where some are kept."""
        key = race.key(salt)
        tasks = [
            Task(candidate.kernel, self._effort(race, candidate.kernel), key, candidate.parent)
            for candidate in candidates
        ]
        trials = race.run(tasks, fresh=salt == Source.FROM_NOTHING.value[1])
        count = len(trials)
        if self.simplify is not Simplify.NONE:
            every = self.simplify is Simplify.ALL
            able = [trial for trial in trials if every or race.rounds.is_idle(trial.kernel)]
            trials = trials + race.counted(race.rounds.simplified(able, self.steps, race.level.context))
        if self.counts:
            race.count_in(trials, self.rows)
        if self.keep is None:
            return trials
        if self.fits and self.keep.again is Again.AS_FITTED:
            trials = race.merged(trials)
        return race.best(trials, self.keep, self.rows, count)

    def _effort(self, race: Race, kernel: Kernel) -> Effort:
        opened = open_names(kernel) if self.more_starts else set()
        factor = next((factor for name, factor in self.more_starts if name in opened), 1)
        integrated = self.integrated and race.rounds.by_evidence
        return Effort(factor * self.starts, self.fits, self.steps, self.on_few, self.rows, integrated)

    def asked(self, candidates: int) -> tuple[list[tuple[int, Effort]], int]:
        """About how many candidates get which effort, and how many of them go on."""
        effort = Effort(self.starts, self.fits, self.steps, self.on_few, self.rows)
        return [(candidates, effort)], candidates if self.keep is None else self.keep.of(candidates)


def further(
    rows: Rows, steps: int, keep: Keep | None = None, simplify: Simplify = Simplify.NONE, *, counts: bool = False
) -> Round:
    """A round that goes on from known parameters."""
    return Round(rows, steps=steps, keep=keep, integrated=True, simplify=simplify, counts=counts)


@dataclass(frozen=True, slots=True)
class Heat:
    """Rounds one after another, from a source of candidates on; of survivors the best ``most`` may start."""

    source: Source
    steps: tuple[HeatStep, ...]
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Leg:
    """Heats side by side; those who survived the leg before ``stay`` beside them, or give way."""

    heats: tuple[Heat, ...]
    keep: Keep | None = None
    stay: bool = False

    @property
    def rows(self) -> Rows:
        """On which all that go on have been judged."""
        return self.heats[0].steps[-1].rows


@dataclass(frozen=True, slots=True)
class Schedule:
    """The legs of a race; with ``variants`` several optima of one expression go on beside each other."""

    legs: tuple[Leg, ...]
    variants: bool = False

    @staticmethod
    def of(*steps: HeatStep, source: Source = Source.PROPOSALS, variants: bool = False) -> Schedule:
        """One heat, and nothing after it."""
        return Schedule((Leg((Heat(source, steps),)),), variants)


@dataclass(frozen=True, slots=True)
class ScheduleSizes:
    """What a schedule is made for: candidates of a level, rows, starting points per candidate that settings ask for.

    Of the ``proposals`` those with open parameters count: the others have one starting point, and one fit, each.
    """

    proposals: int
    complete_kernels: int
    few: int
    more: int
    whole: int
    restarts: int


class Race:
    """A race that is run: what its rounds share, the trials that count, the evaluations so far."""

    def __init__(self, rounds: Rounds, level: Level, *, variants: bool) -> None:
        self.rounds, self.level, self.variants = rounds, level, variants
        self.evaluations = 0
        self.results: list[Trial] = []

    def key(self, salt: int) -> tuple[int, ...]:
        """What seeds the draws of a round."""
        return self.rounds.seed, self.level.number, salt

    def counted(self, trials: Trials) -> list[Trial]:
        """Some trials, whose evaluations are counted."""
        self.evaluations += trials[1]
        return trials[0]

    def run(self, tasks: Sequence[Task], *, fresh: bool = False) -> list[Trial]:
        """The trials of tasks; ``fresh`` ones start from what the data suggest, not from what a model leaves."""
        context = self.level.context
        return self.counted(self.rounds.run(tasks, replace(context, residual=context.data) if fresh else context))

    def continued(self, candidates: Sequence[Proposal], steps: int, rows: Rows) -> list[Trial]:
        """Trials from known parameters on."""
        return self.counted(self.rounds.continued(candidates, steps, self.level.context, rows))

    def count_in(self, trials: Sequence[Trial], rows: Rows) -> None:
        """Let trials be among the results where they are of all rows, in the place of those that they go on from."""
        subsets = self.rounds.runner.subsets
        if subsets.rows(rows) is subsets.whole:
            began = {id(trial.began) for trial in trials}
            self.results = [trial for trial in self.results if id(trial.kernel) not in began] + list(trials)

    def merged(self, trials: Sequence[Trial]) -> list[Trial]:
        """The best trial of every expression; of variants those, too, that came to another optimum."""
        return merged(trials, self.rounds.penalty, SAME_OPTIMUM if self.variants else inf)

    def best(self, trials: Sequence[Trial], keep: Keep, rows: Rows, count: int | None = None) -> list[Trial]:
        """The trials to keep, best first; of ``count`` candidates where some of them gave no trial."""
        count = keep.of(len(trials) if count is None else count)
        ranked = self.rounds.best(trials, count, rows)
        if keep.reach < inf:
            limit = min((self.rounds.score(trial, rows) for trial in trials), default=0.0) + keep.reach
            ranked = [candidate for candidate in ranked if self.rounds.score(candidate, rows) < limit]
        return ranked


def run_race(schedule: Schedule, rounds: Rounds, level: Level) -> Trials:
    """The trials of a level that are worth keeping, and the evaluations that all of its fits took."""
    race = Race(rounds, level, variants=schedule.variants)
    survivors: list[Trial] = []
    for leg in schedule.legs:
        trials = [trial for heat in leg.heats for trial in _run_heat(race, heat, survivors)]
        survivors = [*survivors, *trials] if leg.stay else trials
        survivors = race.merged(survivors)
        if leg.keep is not None:
            survivors = race.best(survivors, leg.keep, leg.rows)
    return race.merged(race.results), race.evaluations


def _run_heat(race: Race, heat: Heat, survivors: Sequence[Trial]) -> list[Trial]:
    candidates, trials = _candidates(race, heat, survivors), list[Trial]()
    for step in heat.steps:
        trials = step.run(race, candidates, heat.source.value[1])
        keep = step.keep if isinstance(step, Round) else None
        candidates = trials if keep is None else _going_on(race.level.proposals, trials, keep.again)
    return trials


def _going_on(proposals: Sequence[Proposal], trials: list[Trial], again: Again) -> Sequence[Proposal]:
    match again:
        case Again.AS_FITTED:
            return trials
        case Again.AS_PROPOSED:
            began = {id(trial.began) for trial in trials}
            return [proposal for proposal in proposals if id(proposal.kernel) in began]
        case Again.ALL_AS_PROPOSED:
            return _proposals_of(proposals, trials)


def _proposals_of(proposals: Sequence[Proposal], trials: Sequence[Trial]) -> list[Proposal]:
    """The proposals with the expressions of some trials, in their own order."""
    expressions = {trial.kernel.expr for trial in trials}
    return [proposal for proposal in proposals if proposal.kernel.expr in expressions]


def _candidates(race: Race, heat: Heat, survivors: Sequence[Trial]) -> Sequence[Proposal]:
    best = race.rounds.best(survivors, len(survivors) if heat.most is None else heat.most)
    match heat.source:
        case Source.SURVIVORS:
            return best
        case Source.AGAIN:
            return _proposals_of(race.level.proposals, best)
        case Source.FROM_NOTHING:
            small = (trial for trial in best if len(trial.kernel.values) <= MOST_DRAWN_AT_ONCE)
            return [Proposal(unset(trial.kernel.expr), trial.parent) for trial in small]
        case _:
            return entrants(race.level, heat.source)


def entrants(level: Level, source: Source) -> Sequence[Proposal]:
    """The candidates of a source that a level has from the beginning."""
    if source is Source.COMPLETE:
        return level.complete_kernels
    belongs, wanted = _OF_PROPOSALS.get(source, (lambda proposal: True, True))
    return [proposal for proposal in level.proposals if belongs(proposal) is wanted]


def _is_open(proposal: Proposal) -> bool:
    return bool(open_names(proposal.kernel))


def adds_leaf(proposal: Proposal) -> bool:
    """Whether an expression is its parent and one more leaf."""
    if proposal.parent is None:
        return False
    terms, before = Counter[Expr](summands(proposal.kernel.expr)), Counter[Expr](summands(proposal.parent))
    return not before - terms and [type(part) for part in (terms - before).elements()] == [Leaf]


def _is_swapped(proposal: Proposal) -> bool:
    """Whether an expression is on columns that its parent has not, and comes with its parameters."""
    if proposal.parent is None or _is_open(proposal):
        return False
    return not set(leaf_columns(proposal.kernel.expr)) <= set(leaf_columns(proposal.parent))


_OF_PROPOSALS: dict[Source, tuple[Callable[[Proposal], bool], bool]] = {
    Source.OPEN: (_is_open, True),
    Source.SUGGESTED: (_is_open, False),
    Source.ADDED: (adds_leaf, True),
    Source.OTHERS: (adds_leaf, False),
    Source.SWAPPED: (_is_swapped, True),
}
