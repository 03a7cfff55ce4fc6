"""What repeats in a series, as noun phrases."""

from __future__ import annotations

import numpy as np

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure
from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import size_text
from autostatistician.describe.words.chances import ROUNDED
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.numbers import amount, article

__all__ = ["phases_named", "season_text", "swing_text"]

MOST_BY_PER_CENT = 3.0  # times the lowest, from which a swing is no longer told in per cent


def season_text(season: Claim, units: Units) -> str:
    """A season as a noun phrase: how often, how large, when it is highest and lowest."""
    words = cycle(season["period"], units)
    noun = sentence("season.pattern", named=bool(words.adjective), adjective=words.adjective, every=words.repeats)
    details = [*_extremes(season, units), swing_text(season, units)]
    return sentence("season.whole", pattern=article(noun), details=", ".join(details))


def _extremes(season: Claim, units: Units) -> list[str]:
    """When a season is highest and lowest, as far as that is sure; at first and of late where these are others."""
    first = next(iter(season.of(Kind.SEASON)), season)
    places = {"highest": (first.tops, season.tops), "lowest": (first.bottoms, season.bottoms)}
    named = {name: [phases_named(each, season["period"], units) for each in both] for name, both in places.items()}
    told = [(name, *both) for name, both in named.items() if all(both)]
    if first is not season:
        return [
            sentence("season.extreme", extreme=name, shape=shape, first=early, when=late)
            for name, early, late in told
            for shape in ("same" if early == late else "turned",)
        ] or [sentence("season.changing")]
    return [
        sentence(
            "season.extreme", extreme=name, shape="changes" if at == 0 and "changes" in season.marks else "same",
            when=when, first="",
        )
        for at, (name, _, when) in enumerate(told)
    ]  # fmt: skip


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
