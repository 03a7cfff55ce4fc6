"""Values that stand out from a series: facts, and what is said of them before the parts."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.claims.claim import Claim, first, told
from autostatistician.claims.kinds import Kind
from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Block, Paragraph, Section, Table
from autostatistician.describe.words.events import far_off, far_off_text
from autostatistician.describe.words.outliers import aside_text, far_named, value_and_expected
from autostatistician.i18n.messages import message, say, say_as, say_count
from autostatistician.i18n.numbers import capital, count, percent

__all__ = ["outlier_section", "tails_text"]


def outlier_section(claims: Sequence[Claim], units: Units) -> tuple[Section, ...]:
    """What stands out, single values and stretches, and what was done with it; no section where nothing does."""
    many, outliers = first(claims, Kind.TAILS), told(claims, Kind.OUTLIER, Kind.ENDING)
    lies = far_off_text(claims, units)
    if not (many or outliers or lies):
        return ()
    blocks: list[Block] = []
    if many:
        blocks.append(Paragraph(tails_text(many, units), (many.id,)))
    if outliers:
        why = aside_text(outliers)
        blocks += [Paragraph(why, tuple(claim.id for claim in outliers))] if why else []
        blocks.append(_table(outliers, units))
    if lies:
        blocks.append(Paragraph(lies, tuple(claim.id for claim in far_off(claims))))
    return (Section("outliers", say("Outliers"), tuple(blocks)),)


def tails_text(claim: Claim, units: Units) -> str:
    """That large deviations are common, so that none is an outlier."""
    rows = round(claim.number.value)
    said = {"n": capital(count(rows)), "target": units.target}
    if claim.parts:
        lead = say_count(
            rows,
            "One value of '{target}' lies far from what the other values suggest: {values}.",
            "{n} values of '{target}' lie far from what the other values suggest: {values}.",
            values=far_named([(part.at[0], part["value"]) for part in claim.parts], units),
            **said,
        )
        return " ".join((lead, say(_BUT_COMMON)))
    return say_count(
        rows,
        "One value of '{target}' lies far from what the other values suggest, but large deviations of all sizes are "
        "common here, so every value was kept.",
        "{n} values of '{target}' lie far from what the other values suggest, but large deviations of all sizes are "
        "common here, so every value was kept.",
        **said,
    )


_BUT_COMMON = message("But large deviations of all sizes are common here, so every value was kept.")


def _table(outliers: Sequence[Claim], units: Units) -> Table:
    rows = tuple(
        (stamp(claim.at[0], units), *value_and_expected(claim), _chance(claim), _done_with(claim)) for claim in outliers
    )
    header = (
        axis_title(units), units.target, say_as("in a table", "expected"), say("an outlier with a chance of"),
        say("what was done"),
    )  # fmt: skip
    caption = say("Values that stand out, and what the other values suggest there.")
    return Table("outliers", caption, header, rows, (False, True, True, True, False))


def _chance(claim: Claim) -> str:
    return "" if claim.probability is None else percent(claim.probability)


def _done_with(claim: Claim) -> str:
    if claim.kind is Kind.ENDING:
        return say("open: it ends the data")
    if "aside" in claim.marks:
        return say_as("a value", "set aside")
    return say_as("a value", "kept") if claim.probability is None else say("kept, as it stands at an end")
