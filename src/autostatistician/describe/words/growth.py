"""How the size of a part changes along the data: as a clause, and in a sentence of its own.

Tables hold a message in five forms: for one thing and several, both sure and probable, and the possible one of both.
"""

from __future__ import annotations

from autostatistician.describe.axis.lengths import along
from autostatistician.describe.axis.places import around_place, place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.quantity import FROM_NOTHING
from autostatistician.describe.facts.judgement import LIKELY
from autostatistician.describe.facts.kinds import Growth
from autostatistician.describe.facts.part import (
    AmplitudeChange,
    ConstantLevel,
    Head,
    NoiseLevel,
    SwingGrowth,
    Wandering,
)
from autostatistician.describe.words.ranges import hedged, is_sure, places_text, ratio_text
from autostatistician.wording.messages import message, say, say_as
from autostatistician.wording.numbers import amount, in_percent, percent

__all__ = ["change_clause", "change_text", "grown_clause", "grown_text", "swings"]

Forms = tuple[str, str, str, str, str]

MOST_PLACES = 2  # that are named where a size has several minima
_TWICE = 1.995  # a ratio of sizes from which it is told as such
_NOTED = 1.1  # a ratio of swings from which their growth is told

_GROW: Forms = (
    message("whose {noun} grows {how}"), message("whose {noun} grow {how}"),
    message("whose {noun} probably grows {how}"), message("whose {noun} probably grow {how}"),
    message("whose {noun} may grow {how}"),
)  # fmt: skip
_SHRINK: Forms = (
    message("whose {noun} shrinks {how}"), message("whose {noun} shrink {how}"),
    message("whose {noun} probably shrinks {how}"), message("whose {noun} probably shrink {how}"),
    message("whose {noun} may shrink {how}"),
)  # fmt: skip
_AWAY: Forms = (
    message("whose {noun} is smallest {where} and grows on both sides of it"),
    message("whose {noun} are smallest {where} and grow on both sides of it"),
    message("whose {noun} is probably smallest {where} and grows on both sides of it"),
    message("whose {noun} are probably smallest {where} and grow on both sides of it"),
    message("whose {noun} may be smallest {where} and grow on both sides of it"),
)
_SMALLEST: Forms = (
    message("whose {noun} is smallest {where}"), message("whose {noun} are smallest {where}"),
    message("whose {noun} is probably smallest {where}"), message("whose {noun} are probably smallest {where}"),
    message("whose {noun} may be smallest {where}"),
)  # fmt: skip
_GROW_TOLD: Forms = (
    message("{what} grows {how}: {ratio}."), message("{what} grow {how}: {ratio}."),
    message("{what} probably grows {how}: {ratio}."), message("{what} probably grow {how}: {ratio}."),
    message("{what} may grow {how}: {ratio}."),
)  # fmt: skip
_SHRINK_TOLD: Forms = (
    message("{what} shrinks {how}: {ratio}."), message("{what} shrink {how}: {ratio}."),
    message("{what} probably shrinks {how}: {ratio}."), message("{what} probably shrink {how}: {ratio}."),
    message("{what} may shrink {how}: {ratio}."),
)  # fmt: skip
_AWAY_TOLD: Forms = (
    message("{what} is smallest {where} and grows in a straight line with the distance from there."),
    message("{what} are smallest {where} and grow in a straight line with the distance from there."),
    message("{what} is probably smallest {where} and grows in a straight line with the distance from there."),
    message("{what} are probably smallest {where} and grow in a straight line with the distance from there."),
    message("{what} may be smallest {where} and grow in a straight line with the distance from there."),
)
_SMALLEST_TOLD: Forms = (
    message("{what} is smallest {where}, and larger on both sides."),
    message("{what} are smallest {where}, and larger on both sides."),
    message("{what} is probably smallest {where}, and larger on both sides."),
    message("{what} are probably smallest {where}, and larger on both sides."),
    message("{what} may be smallest {where}, and larger on both sides."),
)
# Ratios of a size at the end of the data, of that of noise in the last third, and of several things.
_NOTHING_FIRST = {"end": message("at first it is almost nothing"), "ends": message("at first they are almost nothing")}
_NOTHING_LAST = {
    "end": message("in the end it is almost nothing"), "ends": message("in the end they are almost nothing"),
}  # fmt: skip
_AS_LARGE = {
    "end": message("at the end it is {times} as large as at the start"),
    "ends": message("at the end they are {times} as large as at the start"),
    "third": message("in the last third it is {times} as large as in the first"),
}
_LARGER = {
    "end": message("at the end it is {share} larger than at the start"),
    "ends": message("at the end they are {share} larger than at the start"),
    "third": message("in the last third it is {share} larger than in the first"),
}
_SMALLER = {
    "end": message("at the end it is {share} smaller than at the start"),
    "ends": message("at the end they are {share} smaller than at the start"),
    "third": message("in the last third it is {share} smaller than in the first"),
}


def swings(head: Head) -> str:
    """What grows or shrinks with the size of a component: "size", "steps" or "swings"."""
    if isinstance(head, NoiseLevel | ConstantLevel):
        return "size"
    return "steps" if isinstance(head, Wandering) and head.rough else "swings"


def _said(forms: Forms, kind: str, sure: float | None, **values: object) -> str:
    several = kind != "size"
    return say(hedged(sure, forms[several], forms[2 + several], forms[4]), **values)


# --- clauses ------------------------------------------------------------------------------------------------------


def grown_clause(fact: SwingGrowth | None, least: float, units: Units) -> str:
    """That swings have certainly grown or shrunk by the factor ``least`` or more; "" where they have not."""
    if fact is None or not _has_grown(fact, least):
        return ""
    grows = fact.number > 1.0
    if units.axis.is_calendar:
        return say("whose swings have grown") if grows else say("whose swings have shrunk")
    if grows:
        return say("whose swings grow {along}", along=along(units))
    return say("whose swings shrink {along}", along=along(units))


def _has_grown(fact: SwingGrowth, least: float) -> bool:
    """Whether swings have certainly grown or shrunk, by the factor ``least`` or more."""
    if fact.interval is None or fact.interval[0] <= 1.0 <= fact.interval[1]:
        return False
    return fact.number >= least or fact.number <= 1.0 / least


def change_clause(fact: AmplitudeChange, head: Head, units: Units) -> str:
    """How a size changes: "whose swings grow steadily"."""
    kind, sure = swings(head), fact.probability
    noun = _whose(kind)
    match fact.kind:
        case Growth.GROWS:
            how = say("steadily") if fact.degree == 1 else say("faster and faster")
            return _said(_GROW, kind, sure, noun=noun, how=how)
        case Growth.SHRINKS:
            how = say("steadily") if fact.degree == 1 else say("more and more slowly")
            return _said(_SHRINK, kind, sure, noun=noun, how=how)
        case Growth.AWAY:
            assert fact.location is not None
            return _said(_AWAY, kind, sure, noun=noun, where=around_place(place(fact.location, units)))
        case _ if 0 < len(fact.places) <= MOST_PLACES:
            return _said(_SMALLEST, kind, sure, noun=noun, where=places_text(fact.places, units))
        case _ if kind == "size":
            return say("whose {noun} changes {along}", noun=noun, along=along(units))
        case _:
            return say("whose {noun} change {along}", noun=noun, along=along(units))


def _whose(kind: str) -> str:
    if kind == "size":
        return say_as("whose", "size")
    return say_as("whose", "steps") if kind == "steps" else say_as("whose", "swings")


# --- sentences ----------------------------------------------------------------------------------------------------


def grown_text(fact: SwingGrowth | None, limited: bool) -> str:
    """How the swings of a cycle came out whose model says nothing about their growth; ``limited`` to a stretch."""
    if fact is None or not _has_grown(fact, _NOTED):
        return ""
    times = ratio_text(fact.number, fact.interval)
    if limited:
        return say("In the last third of its stretch its swings are {times} as large as in the first.", times=times)
    return say("In the last third of the data its swings are {times} as large as in the first.", times=times)


def change_text(change: AmplitudeChange, head: Head, units: Units) -> str:
    """How a size changes along the data, in one sentence."""
    kind, sure = swings(head), change.probability
    what = _subject(kind)
    match change.kind:
        case Growth.GROWS | Growth.SHRINKS:
            forms = _GROW_TOLD if change.kind is Growth.GROWS else _SHRINK_TOLD
            return _said(forms, kind, sure, what=what, how=_how(change, units), ratio=_best(change, head))
        case Growth.AWAY:
            assert change.location is not None
            return _said(_AWAY_TOLD, kind, sure, what=what, where=around_place(place(change.location, units)))
        case _ if 0 < len(change.places) <= MOST_PLACES:
            return _said(_SMALLEST_TOLD, kind, sure, what=what, where=places_text(change.places, units))
        case _ if kind == "size":
            return say("{what} changes {along}.", what=what, along=along(units))
        case _:
            return say("{what} change {along}.", what=what, along=along(units))


def _subject(kind: str) -> str:
    if kind == "size":
        return say("Its size")
    return say("The steps") if kind == "steps" else say("The swings")


def _how(change: AmplitudeChange, units: Units) -> str:
    if change.degree == 1:
        return say("in a straight line {along}", along=along(units))
    if change.kind is Growth.GROWS:
        return say("faster and faster {along}", along=along(units))
    return say("more and more slowly {along}", along=along(units))


def _best(change: AmplitudeChange, head: Head) -> str:
    """The ratio of the sizes at the ends, with its reserve where the growth itself is in doubt."""
    ratio = _ratio(change, head)
    doubtful = change.probability is not None and change.probability < LIKELY
    return say("in the best fit, {ratio}", ratio=ratio) if doubtful else ratio


def _ratio(change: AmplitudeChange, head: Head) -> str:
    ends = "end" if swings(head) == "size" else "ends"
    ratio, where = change.number, "third" if isinstance(head, NoiseLevel) else ends
    if ratio > FROM_NOTHING:
        return say(_NOTHING_FIRST[ends])
    if ratio < 1 / FROM_NOTHING:
        return say(_NOTHING_LAST[ends])
    if ratio >= _TWICE:
        has_range = is_sure(change.probability) and change.interval and change.interval[1] < FROM_NOTHING
        return say(_AS_LARGE[where], times=ratio_text(ratio, change.interval if has_range else None))
    table = _LARGER if ratio >= 1.0 else _SMALLER
    return say(table[where], share=_about(abs(ratio - 1.0)))


def _about(share: float) -> str:
    return percent(share) if share < 0.01 else in_percent(amount(100.0 * share, 2))
