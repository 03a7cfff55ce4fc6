"""What models claim, in words, and how the probabilities of statements are to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.places import around_place, place_of_change
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import MAJORITY
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import article, capital, joined, percent

__all__ = ["Statement", "Told", "statements", "sureness_text"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, its probability, and whether the best model makes it; ``doubtful``: of a cycle seen too rarely."""

    text: str
    probability: float
    in_best: bool
    doubtful: bool = False


Told = Fact | Claim | Statement


def statements(claims: Sequence[Claim], units: Units | None = None) -> tuple[Statement, ...]:
    """Claims in words, those of the best model first; ``units`` are those of a series.

    >>> from autostatistician.claims.claim import shown, weighed
    >>> statements([weighed(shown(Kind.MATTERS, columns=("age",)), 0.75, in_best=True)])
    (Statement(text="'age' matters", probability=0.75, in_best=True, doubtful=False),)
    """
    worded = [
        Statement(_text(claim, units), claim.probability or 0.0, claim.in_best, "doubtful" in claim.marks)
        for claim in claims
    ]
    return tuple(sorted(worded, key=lambda claim: (not claim.in_best, -claim.probability, "" if units else claim.text)))


def _text(claim: Claim, units: Units | None) -> str:
    return _of_columns(claim) if units is None else capital(_of_series(claim, units))


def _of_series(claim: Claim, units: Units) -> str:
    around, noun = "", ""
    if claim.kind is Kind.CHANGE:
        around = around_place(place_of_change(claim.number.value, units))
    elif claim.kind in (Kind.CYCLE, Kind.GROWING_CYCLE):
        words = cycle(claim.number.value, units)
        named = bool(words.adjective)
        noun = article(sentence("claim.cycle", named=named, adjective=words.adjective, period=words.every))
    return sentence("claim.of_series", kind=claim.kind, cycle=noun, around=around)


def _of_columns(claim: Claim) -> str:
    names = [quoted(name) for name in claim.columns]
    return sentence("claim.of_columns", kind=claim.kind, column=names[0], columns=joined(names))


def sureness_text(
    weight: float, among: str, most: float = 0.0, *, nearly: bool = True, of_columns: bool = False
) -> str:
    """How the probabilities of statements are to be read; ``among`` says of which models, ``most`` of the likeliest.

    Where a simpler model is told, it is ``nearly`` as likely, or it was told for other reasons.

    >>> sureness_text(0.3, "that the search looked at")[:72]
    'No model among those that the search looked at has half of the probabili'
    """
    model = "most_probable" if weight >= MAJORITY else "likeliest"
    if most > weight:
        model = "of_columns" if of_columns else "nearly" if nearly else "simple"
    return sentence("sureness.lead", model=model, among=among, percent=percent(weight), most=percent(most))
