"""What a series answers with: single claims in a sentence each, and all that happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autostatistician.claims.claim import LEVEL_CHANGES, Claim
from autostatistician.claims.kinds import Kind
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Paragraph
from autostatistician.describe.document.series.outliers import outlier_section, tails_text
from autostatistician.describe.facts.covariates import CovariateFindings
from autostatistician.describe.words.covariates import course_alone
from autostatistician.describe.words.events import change_text, happened_text, scatter_text
from autostatistician.describe.words.function import claim_text
from autostatistician.describe.words.outliers import day_text, ending_text, outliers_named, returning_text
from autostatistician.describe.words.seasons import season_text
from autostatistician.i18n.numbers import capital

__all__ = ["claim_sentence", "events_texts"]

# Kinds that have sentences of their own; others are told in a few words.
_WHOLE: dict[Kind, Callable[[Claim, Units], str]] = {
    **dict.fromkeys(LEVEL_CHANGES, change_text), Kind.SCATTER: scatter_text, Kind.RETURNING: day_text,
    Kind.TAILS: tails_text, Kind.ENDING: lambda claim, units: ending_text([claim], units),
}  # fmt: skip


def claim_sentence(claim: Claim, units: Units) -> str:
    """A claim in a sentence; "" of those that have none."""
    if claim.kind in _WHOLE:
        return _WHOLE[claim.kind](claim, units)
    match claim.kind:
        case Kind.SEASON:
            text = capital(season_text(claim, units))
        case Kind.OUTLIER:
            text = outliers_named([claim], units)
        case _:
            text = claim_text(claim, units)
    return text and f"{text}."


def events_texts(claims: Sequence[Claim], beside: CovariateFindings | None, units: Units) -> list[str]:
    """What happened, and values that stand out; of these each, where nothing is said of all."""
    sections = outlier_section(claims, units)
    of_values = [block.text for section in sections for block in section.blocks if isinstance(block, Paragraph)]
    happened = course_alone(happened_text(claims, units), beside)
    texts = [happened, ending_text(claims, units), returning_text(claims, units), *of_values]
    return list(filter(None, texts)) or [claim_sentence(claim, units) for claim in claims]
