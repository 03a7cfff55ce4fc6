"""What repeats in a series, as noun phrases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure
from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.places import from_place_until, place, rows_around
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import size_text
from autostatistician.describe.words.chances import ROUNDED
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.numbers import amount, article, joined

__all__ = ["phases_named", "season_text", "swing_text"]

MOST_BY_PER_CENT = 3.0  # times the lowest, from which a swing is no longer told in per cent


def season_text(season: Claim, units: Units) -> str:
    """A season as a noun phrase: how often, how large, when it is highest and lowest."""
    words = cycle(season["period"], units)
    noun = sentence("season.pattern", named=bool(words.adjective), adjective=words.adjective, every=words.repeats)
    shapes, swing = _shapes(season, units), swing_text(season, units)
    details = [*(shapes or [*_extremes(season, units), swing]), *_silence(season, units)]
    if "changes" in season.marks and not shapes and "late" not in season.more:
        details.append(sentence("season.changing"))
    return sentence("season.whole", pattern=article(noun), details=", ".join(details))


def _silence(season: Claim, units: Units) -> Iterator[str]:
    """The stretch in which it is absent."""
    if season.at:
        rows = (rows_around(season.at[0], units)[1], rows_around(season.at[1], units)[0])
        yield sentence("season.silent", stretch=from_place_until(*(place(row, units) for row in rows)))


def _shapes(season: Claim, units: Units) -> list[str]:
    """When a season that changes its shape is highest and lowest at first, and when of late."""
    ends = [replace(end, more=season.more) for end in season.of(Kind.SEASON)]
    return [
        sentence("season.shape", late=late > 0, extremes=joined(_extremes(end, units))) for late, end in enumerate(ends)
    ]


def _extremes(season: Claim, units: Units) -> list[str]:
    """When a season is highest and lowest, as far as that is sure."""
    places = {"highest": season.tops, "lowest": season.bottoms}
    named = {name: phases_named(each, season["period"], units) for name, each in places.items()}
    told = [(name, when) for name, when in named.items() if when]
    return [
        sentence("season.extreme", extreme=name, average=at == 0 and "changes" in season.marks, when=when)
        for at, (name, when) in enumerate(told)
    ]


def swing_text(season: Claim, units: Units) -> str:
    """How far a season goes, at first and of late where that is not the same."""
    sizes = [season.more[name] for name in ("early", "late") if name in season.more] or [season.more["swing"]]
    largest = max(sizes, key=lambda size: size.value)
    size = "times" if largest.measure is Measure.RATIO and largest.value > MOST_BY_PER_CENT else "amount"
    size = "from nothing" if largest.is_from_nothing else size
    numbers = [amount(each.value, 2) if size == "times" else size_text(each, units) for each in sizes]
    return sentence("season.swing", size=size, changes=len(sizes) > 1, number=numbers[0], later=numbers[-1])


def phases_named(places: tuple[float, ...], period: float, units: Units) -> str:
    """The months, weekdays or hours of places within a season; "" where they have no name or are not sure."""
    kind = phase_kind(period, units)
    if kind is Phase.UNNAMED or not places:
        return ""
    numbers, _ = phases(np.array(places) + ROUNDED * period, kind, units)
    return phase_text(kind, tuple(dict.fromkeys(numbers.tolist())))
