"""The course of a series whose model is a level that steps once, and that most models agree on."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.places import place, rows_around, until_place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.claim import WeighedClaim
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.judgement import LEANING
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.facts.part import ConstantLevel, NoiseLevel
from autostatistician.describe.words.amounts import levels
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import percent

__all__ = ["step_text"]


def step_text(parts: Sequence[Fact], claims: Sequence[WeighedClaim], units: Units) -> str:
    """That the level stepped once; "" where the ``parts`` (their heads) say more, or many models have no such change.

    Averaged over models that place it differently, and those without it, a step is a gradual course: none of them
    says that.
    """
    signal = [head for head in parts if not isinstance(head, NoiseLevel)]
    stepping = [head for head in signal if isinstance(head, ConstantLevel) and head.levels]
    changes = [claim.probability for claim in claims if claim.claim.kind is ClaimKind.CHANGE and claim.in_best]
    if len(signal) != 1 or not stepping or len(stepping[0].levels) != 2 or max(changes, default=0.0) < LEANING:
        return ""
    before, after = stepping[0].levels
    first, last = levels(before.value, after.value, units, 2)
    if first == last:
        return ""
    return say(
        "{it} stayed near {first} {until}, and has stayed near {last} since (a change that has a probability of "
        "{percent}).",
        it=units.it,
        first=first,
        until=until_place(place(rows_around(before.span[1], units)[0], units)),
        last=last,
        percent=percent(max(changes)),
    )
