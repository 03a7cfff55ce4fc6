"""What a search does on each of its stages, chosen once by kind, criterion, stage and rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.likelihoods import Likelihood
from autostatistician.kernels.grammar import Language
from autostatistician.search.constants import (
    ENTRIES_OF_TABLES,
    IMPROVEMENT,
    IMPROVEMENT_ON_A_PART,
    LATE_IMPROVEMENT,
    MOST_LEVELS_BETWEEN,
    MOST_RACED,
    REACH_OF_INCUMBENTS,
    SHARE_OF_RESTARTS,
    TAKEN_ALONG,
)
from autostatistician.search.racing.race import Schedule, ScheduleSizes, further
from autostatistician.search.racing.tasks import Rows
from autostatistician.search.series import schedules
from autostatistician.search.settings import Settings
from autostatistician.search.tables.schedules import of_classes, of_table

__all__ = ["StagePlan", "stage_plans"]


@dataclass(frozen=True)
class StagePlan:
    """What a search does on the rows of one stage.

    Parameters
    ----------
    rows : int
        Of the stage.
    criterion : str
        By which candidates are scored.
    integrates : bool
        Whether parameters are integrated out on the way, too, and not of the last few candidates alone.
    schedule : callable
        The race of a level, for the sizes of the level.
    entry : Schedule
        The race of what the stage before found; none in a first stage.
    taken_along : int
        Candidates of the stage before that enter it.
    beam : int
        Incumbents whose neighbours are proposed, at most.
    reach : float
        How far from the best of them, in deviance, the others are.
    improvement : float
        By how much a level is better after which the search goes on at once.
    patience : int
        Levels without improvement after which the stage ends. With 1 the leader gives way to nothing that is better
        by less than an improvement; with 2 the second of them draws all neighbours of the leader anew.
    most_levels : int, optional
        Levels at most.
    restarts : int
        Starting points per candidate that the schedule counts in.
    samples : bool
        Whether the few rows of a race are a sample of these rows, and not the rows of earlier stages.
    """

    rows: int
    criterion: str
    integrates: bool
    schedule: Callable[[ScheduleSizes], Schedule]
    entry: Schedule
    taken_along: int
    beam: int
    reach: float
    improvement: float
    patience: int
    most_levels: int | None
    restarts: int
    samples: bool


def stage_plans(
    dataset: Dataset, language: Language, settings: Settings, likelihood: Likelihood, rows: tuple[int, ...]
) -> tuple[StagePlan, ...]:
    """The plan of every stage, whose rows are so many each; the criterion of the settings is resolved.

    The first stage of a long series searches by evidence where the language knows priors.
    """
    is_series, last = dataset.kind is Kind.SERIES, len(rows) - 1
    begins_by_evidence = (
        last > 0
        and is_series
        and not likelihood.is_latent
        and settings.criterion == "bic"
        and CRITERIA[language.criterion].has_priors
    )
    names = [language.criterion if begins_by_evidence else settings.criterion] + [settings.criterion] * last
    plan = _plan_of_series if is_series else _plan_of_table
    return tuple(
        plan(_Conditions(number, last, n, name, likelihood.is_latent, settings.restarts))
        for number, (n, name) in enumerate(zip(rows, names, strict=True))
    )


@dataclass(frozen=True)
class _Conditions:
    """What the plan of a stage depends on beside the kind of the data."""

    number: int
    last: int
    rows: int
    criterion: str
    is_latent: bool
    restarts: int

    @property
    def has_priors(self) -> bool:
        return CRITERIA[self.criterion].has_priors


def _plan_of_series(at: _Conditions) -> StagePlan:
    is_first, is_only, is_last = at.number == 0, at.last == 0, at.number == at.last
    by_evidence = at.has_priors and not at.is_latent
    races = is_first or (not by_evidence and at.rows <= MOST_RACED)
    if is_first:
        schedule = schedules.by_evidence if by_evidence else schedules.from_scratch
    else:
        schedule = schedules.by_starts if races else schedules.onwards
    improvement = IMPROVEMENT if is_only or by_evidence else LATE_IMPROVEMENT
    return StagePlan(
        rows=at.rows,
        criterion=at.criterion,
        integrates=at.has_priors,
        schedule=schedule,
        entry=schedules.ENTRY,
        taken_along=TAKEN_ALONG,
        beam=1 if not is_only else 2 if by_evidence else 3,
        reach=REACH_OF_INCUMBENTS if by_evidence else inf,
        improvement=improvement if is_last else IMPROVEMENT_ON_A_PART,
        patience=2 if is_only and not by_evidence else 1,
        most_levels=None if is_first or is_last else MOST_LEVELS_BETWEEN,
        restarts=at.restarts if is_only else max(round(SHARE_OF_RESTARTS * at.restarts), 1),
        samples=races,
    )


def _plan_of_table(at: _Conditions) -> StagePlan:
    is_last, usual = at.number == at.last, LATE_IMPROVEMENT if at.is_latent else IMPROVEMENT
    taken_along, steps = next(kept for most, *kept in ENTRIES_OF_TABLES if most is None or at.rows <= most)
    return StagePlan(
        rows=at.rows,
        criterion=at.criterion,
        integrates=at.has_priors and at.is_latent,
        schedule=of_classes if at.is_latent else of_table,
        entry=Schedule.of(further(Rows.ALL, steps, counts=True)),
        taken_along=taken_along,
        beam=1,
        reach=inf,
        improvement=usual if is_last else IMPROVEMENT_ON_A_PART,
        patience=1,
        most_levels=None if at.number in (0, at.last) else MOST_LEVELS_BETWEEN,
        restarts=max(at.restarts, 1),
        samples=at.number == 0,
    )
