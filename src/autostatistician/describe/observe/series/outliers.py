"""Values that stand out from a series, as facts."""

from __future__ import annotations

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.facts.whole import HeavyTails, StandingOut

__all__ = ["EVIDENCE", "outlier_facts"]


EVIDENCE = "prediction from all other values by reference models, with Bonferroni's correction for their number"


def outlier_facts(d: Decomposition) -> tuple[StandingOut | HeavyTails, ...]:
    """A fact for every value that stands out, or one for many."""
    if d.screening.heavy:
        return (HeavyTails(id="outliers/many", number=d.screening.heavy, unit="1", evidence=EVIDENCE),)
    return tuple(
        StandingOut(
            id=f"outliers/{number}", number=one.y, unit="target", evidence=EVIDENCE, position=one.x,
            expected=one.expected, aside=one.aside, gain=d.screening.gain, values=int(d.x.size),
            ending=one.ending, lasting=d.screening.lasting if one.ending else 0.0,
        )
        for number, one in enumerate(d.screening.rows, 1)
    )  # fmt: skip
