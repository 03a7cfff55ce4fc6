"""From which probabilities and sizes on something is said, and how surely: rules on facts alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atanh, e, inf, log

from autostatistician.claims.claim import Claim, first, told
from autostatistician.claims.kinds import KINDS, LIMITS, Kind
from autostatistician.describe.facts.kinds import Manner
from autostatistician.forms import CourseKind

__all__ = [
    "ALARM", "BEYOND_DOUBT", "FEWEST_TESTED", "KNOWN", "LIKELY", "MAJORITY",
    "OFTEN", "SURE", "SURE_ODDS", "TENTHS", "acting_together", "clear_courses",
    "effect_of", "failed_checks", "has_odds", "is_likely", "is_witnessed", "leans", "manner_of", "may_be_codes",
    "odds_of", "pair_of", "scale_is_open",
]  # fmt: skip

# Of what the posterior of one model says.
SURE = 0.975  # probability from which something is said without reserve: 95 % ranges leave the other side out
LIKELY = 0.9  # from which it is said with "probably"
# Of what the models of a search say, by their weights.
KNOWN = 0.05  # probability from which a statement is kept
MAJORITY = 0.5  # from which it is told: what most models do not say is no finding
SURE_ODDS = 20.0  # from which on growth is told as straight or exponential
# Of tests.
ALARM = KINDS[Kind.CHECK].told  # adjusted p-values below are told
FEWEST_TESTED = 8  # rows that tell something about ranges

TENTHS = 2.0 * atanh(0.8)  # a sigmoid 0.5 + 0.5 tanh(z) goes from 10 % to 90 % over this length of z

OFTEN = 4.0  # cycles: one that is seen less often may be none, for the search as for the words

BEYOND_DOUBT = 1e-4  # p-value: by rows alone something acts, whatever models say

# Shares of a joint effect that are no sum of effects of each:


def failed_checks(checks: Iterable[Claim]) -> list[Claim]:
    """The checks that raise an alarm, the clearest first."""
    alarms = [check for check in checks if check["adjusted"] < ALARM]
    return sorted(alarms, key=lambda check: (check["adjusted"], check["part"] if "part" in check.more else check.value))


def manner_of(claims: Sequence[Claim]) -> Manner:
    """How the columns of an effect act."""
    effect, together, row = effect_of(claims), first(claims, Kind.TOGETHER), KINDS[Kind.TOGETHER]
    if len(effect.columns) == 1:
        return Manner.ALONE
    if together is not None and together.number.is_clear and together["share"] >= LIMITS["joint"]:
        return Manner.PAIR if is_witnessed(together) else Manner.OPEN
    if not clear_courses(claims):
        return Manner.VAGUE
    joint = together is not None and together.more["share"].low >= row.smallest
    if effect["beyond"] >= row.smallest and (joint or len(effect.columns) > 2):
        return Manner.MORE if together is None or is_witnessed(together) else Manner.OPEN
    return Manner.OPEN if together is not None and _changes_much(together, claims) else Manner.SUM


def _changes_much(together: Claim, claims: Sequence[Claim]) -> bool:
    """Whether the smaller of two effects may be quite another where the other column is high than where it is low."""
    sizes = [abs(course.value) for course in told(claims, Kind.COURSE) if course.columns[0] in together.columns]
    return len(sizes) == 2 and abs(together["last"] - together["first"]) > LIMITS["clearly_joint"] * min(sizes)


def is_witnessed(together: Claim) -> bool:
    """Whether models in which two columns act together, and products in a plain regression, have odds of 20 each."""
    p = together.get("plain_p")
    return p is not None and together.sure and has_odds(p)


def has_odds(p: float) -> bool:
    """Whether the odds against chance by a p-value (Sellke and others 2001) reach 20.

    >>> has_odds(0.01), has_odds(0.003), has_odds(0.0)
    (False, True, True)
    """
    return odds_of(p) >= SURE_ODDS


def leans(claim: Claim) -> bool:
    """Whether a column rather acts than not, or a test of it alone says so."""
    return is_likely(claim) or claim["p_single"] < ALARM


def is_likely(claim: Claim) -> bool:
    """Whether a column rather acts than not by models, or by its rows as one of all columns."""
    return (claim.probability or 0.0) >= KINDS[Kind.MATTERS].told


def odds_of(p: float) -> float:
    """How large the odds against chance by a p-value are at most; even ones of those that say nothing.

    >>> odds_of(0.5), round(odds_of(0.01))
    (1.0, 8)
    """
    if p <= 0.0:
        return inf
    return -1.0 / (e * p * log(p)) if p < 1.0 / e else 1.0


def acting_together(claims: Sequence[Claim]) -> tuple[str, ...]:
    """The columns of an effect that act together for all that was measured: two of many, all, or none."""
    match manner_of(claims):
        case Manner.PAIR:
            return told(claims, Kind.TOGETHER)[0].columns
        case Manner.MORE | Manner.VAGUE:
            return effect_of(claims).columns
    return ()


def pair_of(claims: Sequence[Claim]) -> tuple[str, ...]:
    """The two columns of an effect that act together, and by themselves say less; none of another effect."""
    return acting_together(claims) if manner_of(claims) is Manner.PAIR else ()


def effect_of(claims: Iterable[Claim]) -> Claim:
    """The claim that names the columns of an effect."""
    return told(claims, Kind.EFFECT)[0]


def clear_courses(claims: Iterable[Claim]) -> list[Claim]:
    """The courses of an effect that are clear of chance, the largest first."""
    clear = (claim for claim in told(claims, Kind.COURSE) if claim.form != CourseKind.UNCLEAR)
    return sorted(clear, key=lambda claim: -abs(claim.value))


def may_be_codes(course: Claim) -> bool:
    """Whether few whole numbers, along which a course goes up and down, may be codes of categories."""
    return len(course.of(Kind.TURN)) > 1 and bool(course.at) and all(place.is_integer() for place in course.at)


def scale_is_open(probability: float | None) -> bool:
    """Whether the values and their logarithm were compared, and the one that is modelled is not sure.

    >>> scale_is_open(0.7), scale_is_open(0.99), scale_is_open(None)
    (True, False, False)
    """
    return probability is not None and probability < SURE_ODDS * (1.0 - probability)
