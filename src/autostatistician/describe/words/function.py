"""What the function behind a series does, in words that hold whatever model it is told by: claims in a few words."""

from __future__ import annotations

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import SUDDEN, Claim
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.words.amounts import ranged_text, size_text
from autostatistician.describe.words.course import hardly
from autostatistician.describe.words.events import at, between_rows, since, span_of
from autostatistician.wording.messages import message, say

__all__ = ["claim_text"]

UNSEEN, ROUNDED = 0.01, 1e-7  # of the range of a rise and of its level: a smaller one is nothing

# By the kind, or the form of stretches far off, and whether it goes upwards.
_CLAIMED = {
    (Kind.RISE, True): message("It lies higher at the end than at the start (by {size})"),
    (Kind.RISE, False): message("It lies lower at the end than at the start (by {size})"),
    (Kind.RECORD, True): message("It ends higher than at any turn before (by {size})"),
    (Kind.RECORD, False): message("It ends lower than at any turn before (by {size})"),
    (Kind.RUN, True): message("Rises {span}"), (Kind.RUN, False): message("Falls {span}"),
    ("far off", True): message("Lies far above the rest {span}"),
    ("far off", False): message("Lies far below the rest {span}"),
}  # fmt: skip


def _told_of(claim: Claim, units: Units) -> dict[str, str]:
    """What messages on a claim need to know of it."""
    if claim.kind is Kind.SCATTER:
        if claim.form == "between":
            return {"since": say("since some time {between}", between=between_rows(claim, units))}
        return {"since": since(claim.at[0], units)}
    is_span = claim.kind is Kind.RUN or claim.form == "far off"
    return {"span": span_of(claim, units)} if is_span else {"size": size_text(claim.number, units)}


def claim_text(claim: Claim, units: Units) -> str:
    """A claim in a few words for a table; "" of those that are no claims."""
    number = claim.number
    nothing = max(UNSEEN * max(map(abs, number.interval)), ROUNDED * abs(claim.get("last") or 0.0))
    if claim.kind is Kind.RISE and abs(number.value) <= nothing:
        return ""
    text = _CLAIMED.get((claim.form if claim.form == "far off" else claim.kind, number.is_up))
    if text is not None:
        return f"{say(text, **_told_of(claim, units))}{hardly(claim, units) if claim.kind is Kind.RUN else ''}"
    if claim.kind in SUDDEN:
        when = at(claim.at[1], units)
        if not number.is_clear:
            return say("Changes suddenly {when}", when=when)
        by, low, high = ranged_text(number, units)
        return say(
            "Changes suddenly {when} (by {size}; 95% range: {least} to {most})",
            when=when, size=by, least=low, most=high,
        )  # fmt: skip
    if claim.kind is Kind.SEASON:
        return say("Repeats {often}", often=cycle(claim["period"], units).repeats)
    if claim.kind is Kind.SCATTER:
        return say("Single values scatter differently {since}", **_told_of(claim, units))
    return ""
