"""What the function behind a series does, in words that hold whatever model it is told by: claims in a few words."""

from __future__ import annotations

from autostatistician.claims.claim import LEVEL_CHANGES, Claim
from autostatistician.claims.kinds import Kind
from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.units import ROUNDING, Units
from autostatistician.describe.words.amounts import ranged_text, size_text
from autostatistician.describe.words.course import hardly
from autostatistician.describe.words.events import at, between_rows, since, span_of
from autostatistician.i18n.messages import sentence

__all__ = ["claim_text"]

UNSEEN = 0.01  # of the range of a rise: a smaller one is nothing

_TOLD = (Kind.RISE, Kind.RUN, Kind.SEASON, Kind.SCATTER, *LEVEL_CHANGES)


_APART = {Kind.EVENT: "level_apart", Kind.SCATTER: "scatter_apart"}  # of stretches that lie, or vary, apart


def claim_text(claim: Claim, units: Units) -> str:
    """A claim in a few words for a table; "" of those that are no claims."""
    number = claim.number
    nothing = max(UNSEEN * max(map(abs, number.interval)), ROUNDING * abs(claim.get("last") or 0.0))
    if claim.kind is Kind.RISE and abs(number.value) <= nothing:
        return ""
    if claim.kind not in _TOLD:
        return ""
    kind: str = claim.kind
    told: dict[str, str] = {}
    if claim.form in ("far off", "stretch") or claim.kind is Kind.RUN:
        kind = (_APART[claim.kind] if claim.form == "stretch" else claim.form) or kind
        told = {"span": span_of(claim, units), "hardly": hardly(claim, units)}
    elif claim.kind in LEVEL_CHANGES:
        size, least, most = ranged_text(number, units)
        kind = "sized" if number.is_clear else "sudden"
        told = {"when": at(claim.at[1], units), "size": size, "least": least, "most": most}
    elif claim.kind is Kind.SEASON:
        told = {"often": cycle(claim["period"], units).repeats}
    elif claim.kind is Kind.SCATTER and claim.form == "between":
        kind, told = "between", {"between": between_rows(claim.at[0], claim.at[-1], units)}
    elif claim.kind is Kind.SCATTER:
        told = {"since": since(claim.at[0], units)}
    else:
        told = {"size": size_text(number, units)}
    return sentence("claim.short", kind=kind, direction=number.direction, **told)
