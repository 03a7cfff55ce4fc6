"""What models claim, in words, and how the probabilities of statements are to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.places import around_place, place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Claim, WeighedClaim
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.wording.messages import message, say
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import article, capital, joined, percent

__all__ = ["Statement", "statements", "sureness_text"]

_NOUNS = {
    ClaimKind.WANDERING: message("a level or a slope that wanders freely"),
    ClaimKind.TREND: message("a straight line or a slow curve"),
    ClaimKind.IRREGULAR: message("an irregular variation"),
}


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, its probability, and whether the best model makes it; ``doubtful``: of a cycle seen too rarely."""

    text: str
    probability: float
    in_best: bool
    doubtful: bool = False


def statements(claims: Sequence[WeighedClaim], units: Units | None = None) -> tuple[Statement, ...]:
    """Claims in words, those of the best model first; ``units`` are those of a series.

    >>> one = Claim(ClaimKind.MATTERS, columns=("age",))
    >>> statements([WeighedClaim(one, 0.75, True)])
    (Statement(text="'age' matters", probability=0.75, in_best=True, doubtful=False),)
    """
    worded = [
        Statement(_text(claim.claim, units), claim.probability, claim.in_best, claim.doubtful) for claim in claims
    ]
    return tuple(sorted(worded, key=lambda claim: (not claim.in_best, -claim.probability, "" if units else claim.text)))


def _text(claim: Claim, units: Units | None) -> str:
    return _of_columns(claim) if units is None else capital(_of_series(claim, units))


def _of_series(claim: Claim, units: Units) -> str:
    match claim.kind:
        case ClaimKind.CYCLE | ClaimKind.GROWING_CYCLE:
            words = cycle(claim.number, units)
            noun = article(
                say("{adjective} cycle", adjective=words.adjective)
                if words.adjective
                else say("cycle with a period of {period}", period=words.every)
            )
            if claim.kind is ClaimKind.GROWING_CYCLE:
                return say("{cycle} whose swings grow or shrink", cycle=noun)
            return noun
        case ClaimKind.CHANGE:
            return say("a change {around}", around=around_place(place(claim.number, units)))
        case _:
            return say(_NOUNS[claim.kind])


def _of_columns(claim: Claim) -> str:
    names = [quoted(name) for name in claim.columns]
    match claim.kind:
        case ClaimKind.SCATTER:
            return say("The scatter changes with {column}", column=names[0])
        case ClaimKind.TOGETHER:
            return say("{columns} act together", columns=joined(names))
        case _:
            return say("{column} matters", column=names[0])


def sureness_text(
    weight: float, among: str, most: float = 0.0, *, nearly: bool = True, of_columns: bool = False
) -> str:
    """How the probabilities of statements are to be read; ``among`` says of which models, ``most`` of the likeliest.

    Where a simpler model is told, it is ``nearly`` as likely, or it was told for other reasons.

    >>> sureness_text(0.3, "that the search looked at")[:72]
    'No model among those that the search looked at has half of the probabili'
    """
    told = {"among": among, "percent": percent(weight), "most": percent(most)}
    if most > weight:
        return say(_OF_SIMPLE_COLUMNS if of_columns else _NEARLY if nearly else _SIMPLE, **told)
    if weight >= MAJORITY:
        return say(
            "This report describes the most probable model, which has a probability of {percent} among those {among}.",
            **told,
        )
    return say("No model among those {among} has half of the probability; this report describes the likeliest.", **told)


_SIMPLE = message(
    "This report describes a simple model, which has a probability of {percent} among those {among}. The likeliest has "
    "one of {most}, but is more complicated; forecasts average over all."
)
_NEARLY = message(
    "This report describes a simple model, which has a probability of {percent} among those {among}. The likeliest has "
    "one of {most}, but is more complicated, and of models that are nearly as likely the simpler one is told; "
    "forecasts average over all."
)
_OF_SIMPLE_COLUMNS = message(
    "This report describes a simple model, which has a probability of {percent} among those {among}. The likeliest has "
    "one of {most}, but is more complicated, and a further effect of a column needs odds of about ten to one; "
    "predictions average over all."
)
