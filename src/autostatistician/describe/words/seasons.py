"""What repeats in a series, as noun phrases."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.claims.quantity import Measure
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import size_text
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import amount, article

__all__ = ["phases_named", "season_text", "swing_text"]

ROUNDED = 1e-5  # of a period: 15:00 is not the last second of the hour before
MOST_BY_PER_CENT = 3.0  # times the lowest, from which a swing is no longer told in per cent


def season_text(season: Claim, units: Units) -> str:
    """A season as a noun phrase: how often, how large, when it is highest and lowest."""
    words = cycle(season["period"], units)
    noun = (
        say("{adjective} pattern", adjective=words.adjective)
        if words.adjective
        else say("pattern that repeats {every}", every=words.repeats)
    )
    details = [*_extremes(season, units), swing_text(season, units)]
    return say("{pattern} ({details})", pattern=article(noun), details=", ".join(details))


def _extremes(season: Claim, units: Units) -> list[str]:
    """When a season is highest and lowest, as far as that is sure."""
    top, bottom = (phases_named(places, season["period"], units) for places in (season.tops, season.bottoms))
    extremes: list[str] = [say("highest {when}", when=top)] if top else []
    extremes += [say("lowest {when}", when=bottom)] if bottom else []
    if extremes and "changes" in season.marks:
        extremes[0] = say("on average {extreme}", extreme=extremes[0])
    return extremes


def swing_text(season: Claim, units: Units) -> str:
    """How far a season goes, at first and of late where that is not the same."""
    sizes = [season.more[name] for name in ("early", "late") if name in season.more] or [season.more["swing"]]
    most = max(size.value for size in sizes) if sizes[0].measure is Measure.RATIO else 1.0
    if max(sizes, key=lambda size: size.value).is_from_nothing:
        return say("its lowest next to nothing")
    if most > MOST_BY_PER_CENT:
        told = dict(zip(("number", "later"), (amount(size.value, 2) for size in sizes), strict=False))
        if len(sizes) == 1:
            return say("its highest {number} times its lowest", **told)
        return say(
            "its highest {number} times its lowest in the first third of the data and {later} times in the last", **told
        )
    told = dict(zip(("size", "later"), (size_text(size, units) for size in sizes), strict=False))
    if len(sizes) == 1:
        return say("a swing of {size} between its lowest and its highest", **told)
    return say(
        "a swing of {size} between its lowest and its highest in the first third of the data and of {later} in the "
        "last",
        **told,
    )


def phases_named(places: tuple[float, ...], period: float, units: Units) -> str:
    """The months, weekdays or hours of places within a season; "" where they have no name or are not sure."""
    kind = phase_kind(period, units)
    if kind is Phase.UNNAMED or not places:
        return ""
    numbers, _ = phases(np.array(places) + ROUNDED * period, kind, units)
    return phase_text(kind, tuple(dict.fromkeys(numbers.tolist())))
