"""From which probabilities and sizes on something is said, and how surely: rules on facts alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import e, log

from autostatistician.describe.claims.kinds import KINDS, Kind
from autostatistician.describe.facts.effect import Dependence, EffectCourse, EffectShare, ErrorCheck
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Manner
from autostatistician.describe.facts.whole import ModelCheck
from autostatistician.forms import CourseKind

__all__ = [
    "ALARM", "BEYOND_DOUBT", "CLEARLY_OFF", "FEWEST_TESTED", "KNOWN", "LEANING", "LIKELY", "MAJORITY",
    "OFTEN", "SURE", "SURE_ODDS", "SURE_SCALE", "acting_together", "clear_courses",
    "effect_share", "failed_checks", "has_odds", "is_witnessed", "manner_of", "pair_of", "scale_is_open",
]  # fmt: skip

TOGETHER = KINDS[Kind.TOGETHER]

# Of what the posterior of one model says.
SURE = 0.975  # probability from which something is said without reserve: 95 % ranges leave the other side out
LIKELY = 0.9  # from which it is said with "probably"
# Of what the models of a search say, by their weights.
KNOWN = 0.05  # probability from which a statement is kept
MAJORITY = 0.5  # from which it is told: what most models do not say is no finding
LEANING = 0.8  # from which it is not called nothing
SURE_ODDS = 20.0
SURE_SCALE = SURE_ODDS / (
    1.0 + SURE_ODDS
)  # of the values or their logarithm: from odds of 20 on growth is told as straight or exponential
# Of tests.
ALARM = 0.05  # adjusted p-values below are told
FEWEST_TESTED = 8  # rows that tell something about ranges

CLEARLY_OFF = 1.96  # standard deviations by which chances differ from what came

OFTEN = 4.0  # cycles: one that is seen less often may be none, for the search as for the words

BEYOND_DOUBT = 1e-4  # p-value: by rows alone something acts, whatever models say

# Shares of a joint effect that are no sum of effects of each:
LEAST_JOINT = 0.01  # less is none, unless two places of both columns show it for sure
CLEARLY_JOINT = 0.5  # of the smaller of both effects: by so much it may change with the other and be read by itself


def failed_checks(facts: Iterable[Fact]) -> tuple[ModelCheck | ErrorCheck, ...]:
    """The checks that raise an alarm, the clearest first."""
    alarms = [fact for fact in facts if isinstance(fact, ModelCheck | ErrorCheck) and fact.adjusted < ALARM]
    return tuple(sorted(alarms, key=_clearness))


def _clearness(check: ModelCheck | ErrorCheck) -> tuple[float, float]:
    return check.adjusted, check.part if isinstance(check, ModelCheck) else check.number


def manner_of(facts: Sequence[Fact]) -> Manner:
    """How the columns of an effect act."""
    dependence = next((fact for fact in facts if isinstance(fact, Dependence)), None)
    effect = effect_share(facts)
    if len(effect.columns) == 1:
        return Manner.ALONE
    if dependence is not None and _differs(dependence) and dependence.share >= LEAST_JOINT:
        return Manner.PAIR if is_witnessed(dependence) else Manner.OPEN
    if not clear_courses(facts):
        return Manner.VAGUE
    joint = dependence is not None and dependence.share_interval[0] >= TOGETHER.smallest
    if effect.beyond >= TOGETHER.smallest and (joint or len(effect.columns) > 2):
        return Manner.MORE if dependence is None or is_witnessed(dependence) else Manner.OPEN
    return Manner.OPEN if dependence is not None and _changes_much(dependence, facts) else Manner.SUM


def _changes_much(fact: Dependence, facts: Sequence[Fact]) -> bool:
    """Whether the smaller of two effects may be quite another where the other column is high than where it is low."""
    sizes = [
        abs(course.number)
        for course in facts
        if isinstance(course, EffectCourse) and course.column in (fact.along, fact.by)
    ]
    return len(sizes) == 2 and abs(fact.last - fact.first) > CLEARLY_JOINT * min(sizes)


def is_witnessed(fact: Dependence) -> bool:
    """Whether models in which two columns act together, and products in a plain regression, have odds of 20 each."""
    return fact.plain_p is not None and fact.probability >= TOGETHER.sure and has_odds(fact.plain_p)


def has_odds(p: float) -> bool:
    """Whether the odds against chance by a p-value, at most -1 / (e p log p), reach 20 (Sellke and others 2001).

    >>> has_odds(0.01), has_odds(0.003), has_odds(0.0)
    (False, True, True)
    """
    return p <= 0.0 or (p < 1.0 / e and -1.0 / (e * p * log(p)) >= SURE_ODDS)


def acting_together(facts: Sequence[Fact]) -> tuple[str, ...]:
    """The columns of an effect that act together for all that was measured: two of many, all, or none."""
    match manner_of(facts):
        case Manner.PAIR:
            dependence = next(fact for fact in facts if isinstance(fact, Dependence))
            return dependence.along, dependence.by
        case Manner.MORE | Manner.VAGUE:
            return effect_share(facts).columns
    return ()


def pair_of(facts: Sequence[Fact]) -> tuple[str, ...]:
    """The two columns of an effect that act together, and by themselves say less; none of another effect."""
    return acting_together(facts) if manner_of(facts) is Manner.PAIR else ()


def effect_share(facts: Iterable[Fact]) -> EffectShare:
    """The fact that names the columns of an effect."""
    return next(fact for fact in facts if isinstance(fact, EffectShare))


def clear_courses(facts: Iterable[Fact]) -> list[EffectCourse]:
    """The courses of an effect that are clear of chance."""
    return [fact for fact in facts if isinstance(fact, EffectCourse) and fact.kind is not CourseKind.UNCLEAR]


def _differs(fact: Dependence) -> bool:
    return fact.interval is not None and fact.interval[0] * fact.interval[1] > 0.0


def scale_is_open(probability: float | None) -> bool:
    """Whether the values and their logarithm were compared, and the one that is modelled is not sure.

    >>> scale_is_open(0.7), scale_is_open(0.99), scale_is_open(None)
    (True, False, False)
    """
    return probability is not None and probability < SURE_SCALE
