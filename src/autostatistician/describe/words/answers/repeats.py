"""How much of a series repeats with a period, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.units import Units
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import percent

__all__ = ["repeats_texts"]


def repeats_texts(part: str, period: float, share: Sequence[float], expected: float, units: Units) -> tuple[str, str]:
    """Which share repeats (with the ends of its range), and which the model expects without data.

    ``part`` is the name of one, "" stands for all of the model.
    """
    number, low, high = map(percent, share)
    told = {"share": number, "low": low, "high": high, "repeats": cycle(period, units).repeats}
    if part:
        first = say(
            "Of the variation of the part '{part}', {share} is the same {repeats} (95% range: {low} to {high}).",
            part=part, **told,
        )  # fmt: skip
    else:
        first = say(
            "Of the variation of {it}, noise left out, {share} is the same {repeats} (95% range: {low} to {high}).",
            it=units.it, **told,
        )  # fmt: skip
    return first, say("Without the data, the model would expect {share}.", share=percent(expected))
