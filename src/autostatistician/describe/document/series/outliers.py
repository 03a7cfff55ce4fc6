"""Values that stand out from a series: facts, and what is said of them before the parts."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.document.document import Block, Paragraph, Section, Table
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import HeavyTails, StandingOut
from autostatistician.describe.words.events import far_off, far_off_text
from autostatistician.describe.words.outliers import (
    aside_text,
    far_named,
    value_and_expected,
)
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.numbers import capital, count, percent

__all__ = ["outlier_section"]

NEXT = 1.5  # steps of the data


def outlier_section(facts: Sequence[Fact], units: Units, function: Sequence[Claim] = ()) -> tuple[Section, ...]:
    """What stands out, and what was done with it; no section where nothing does.

    Stretches of several values that lie far off are claims on the ``function``.
    """
    many = [fact for fact in facts if isinstance(fact, HeavyTails)]
    outliers = [fact for fact in facts if isinstance(fact, StandingOut)]
    lies = far_off_text(function, units)
    if not (many or outliers or lies):
        return ()
    blocks: list[Block] = []
    if many:
        blocks.append(Paragraph(_heavy_text(many[0], units), (many[0].id,)))
    if outliers:
        why = aside_text(outliers)
        blocks += [Paragraph(why, tuple(fact.id for fact in outliers))] if why else []
        blocks.append(_table(outliers, units))
    if lies:
        blocks.append(Paragraph(lies, tuple(claim.id for claim in far_off(function))))
        beside = _beside(outliers, function, units)
        blocks += [Paragraph(beside)] if beside else []
    return (Section("outliers", say("Outliers"), tuple(blocks)),)


def _beside(outliers: Sequence[StandingOut], function: Sequence[Claim], units: Units) -> str:
    """That values which were set aside stand right beside a stretch far off, to the same side; "" where none does."""
    near = NEXT * units.gap
    beside = [
        fact
        for fact in outliers
        for claim in far_off(function)
        if claim.at[1] - near <= fact.position <= claim["last"] + near
        and (fact.number > fact.expected) is claim.number.is_up
    ]
    if not beside:
        return ""
    return say_count(
        len(beside),
        "The value that was set aside right beside it, {values}, seems to belong to it.",
        "The values that were set aside right beside it, {values}, seem to belong to it.",
        values=far_named([(fact.position, fact.number) for fact in beside], units),
    )


def _heavy_text(fact: HeavyTails, units: Units) -> str:
    """That large deviations are common, so that none is an outlier."""
    told = {"n": capital(count(int(fact.number))), "target": units.target}
    if fact.far:
        lead = say_count(
            int(fact.number),
            "One value of '{target}' lies far from what the other values suggest: {values}.",
            "{n} values of '{target}' lie far from what the other values suggest: {values}.",
            values=far_named(fact.far, units),
            **told,
        )
        return " ".join((lead, say(_BUT_COMMON)))
    return say_count(
        int(fact.number),
        "One value of '{target}' lies far from what the other values suggest, but large deviations of all sizes are "
        "common here: that is noise with heavy tails, not a matter of outliers, so every value was kept.",
        "{n} values of '{target}' lie far from what the other values suggest, but large deviations of all sizes are "
        "common here: that is noise with heavy tails, not a matter of outliers, so every value was kept.",
        **told,
    )


_BUT_COMMON = message(
    "But large deviations of all sizes are common here: that is noise with heavy tails, not a matter of outliers, so "
    "every value was kept."
)


def _table(outliers: Sequence[StandingOut], units: Units) -> Table:
    rows = tuple(
        (stamp(fact.position, units), *value_and_expected(fact), _chance(fact), _done_with(fact)) for fact in outliers
    )
    header = (
        axis_title(units), units.target, say_as("in a table", "expected"), say("an outlier with a chance of"),
        say("what was done"),
    )  # fmt: skip
    caption = say("Values that stand out, and what the other values suggest there.")
    return Table("outliers", caption, header, rows, (False, True, True, True, False))


def _chance(fact: StandingOut) -> str:
    return "" if fact.chance is None else percent(fact.chance)


def _done_with(fact: StandingOut) -> str:
    if fact.ending:
        return say("open: it ends the data")
    if fact.aside:
        return say_as("a value", "set aside")
    return say_as("a value", "kept") if fact.chance is None else say("kept, as it stands at an end")
