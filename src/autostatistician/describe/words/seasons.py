"""What repeats in a series, as noun phrases."""

from __future__ import annotations

from math import exp, log

import numpy as np

from autostatistician.describe.axis.cycles import cycle, phase_kind, phase_text, phases
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.function import SeasonSwing
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import levels, one_added, per_cent
from autostatistician.wording.messages import say
from autostatistician.wording.numbers import amount, article, in_percent

__all__ = ["season_text", "swing_text"]

ROUNDED = 1e-5  # of a period: 15:00 is not the last second of the hour before
MOST_BY_PER_CENT = 3.0  # times the lowest, from which a swing is no longer told in per cent


def season_text(fact: SeasonSwing, units: Units) -> str:
    """A season as a noun phrase: how often, how large, when it is highest and lowest."""
    words = cycle(fact.period, units)
    noun = (
        say("{adjective} pattern", adjective=words.adjective)
        if words.adjective
        else say("pattern that repeats {every}", every=words.repeats)
    )
    details = [*_extremes(fact, units), swing_text(fact, units)]
    return say("{pattern} ({details})", pattern=article(noun), details=", ".join(details))


def _extremes(fact: SeasonSwing, units: Units) -> list[str]:
    """When a season is highest and lowest, as far as that is sure."""
    top, bottom = (_phases(places, fact.period, units) for places in (fact.tops, fact.bottoms))
    extremes: list[str] = [say("highest {when}", when=top)] if top else []
    extremes += [say("lowest {when}", when=bottom)] if bottom else []
    if extremes and fact.changes:
        extremes[0] = say("on average {extreme}", extreme=extremes[0])
    return extremes


def swing_text(fact: SeasonSwing, units: Units) -> str:
    """How far a season goes, at first and of late where that is not the same."""
    sizes = fact.swing_ends or (fact.swing,)
    if units.is_odds:
        return _shares(fact, sizes, units)
    if units.is_log and max(sizes) > log(MOST_BY_PER_CENT):
        times = [amount(exp(size), 2) for size in sizes]
        if len(times) == 1:
            return say("its highest {number} times its lowest", number=times[0])
        return say(
            "its highest {number} times its lowest in the first third of the data and {later} times in the last",
            number=times[0], later=times[-1],
        )  # fmt: skip
    each = [in_percent(amount(per_cent(size), 2)) if units.is_log else amount(size, 2) for size in sizes]
    if len(each) == 1:
        return say("a swing of {size} between its lowest and its highest", size=each[0])
    return say(
        "a swing of {size} between its lowest and its highest in the first third of the data and of {later} in the "
        "last",
        size=each[0], later=each[-1],
    )  # fmt: skip


def _shares(fact: SeasonSwing, sizes: tuple[float, ...], units: Units) -> str:
    """Between which shares a season goes."""
    (low, high), (later_low, later_high) = (_ends(fact, size, units) for size in (sizes[0], sizes[-1]))
    usual = one_added(0.0, units)
    if len(sizes) == 1:
        return say("between {low} and {high} where it is typically {usual}", low=low, high=high, usual=usual)
    return say(
        "between {low} and {high} where it is typically {usual} in the first third of the data and between "
        "{later_low} and {later_high} in the last",
        low=low, high=high, usual=usual, later_low=later_low, later_high=later_high,
    )  # fmt: skip


def _ends(fact: SeasonSwing, size: float, units: Units) -> tuple[str, str]:
    """The lowest and the highest share of a season, about its typical one."""
    numbers = [phase.value for phase in fact.phases]
    middle = 0.5 * (min(numbers) + max(numbers)) if numbers else 0.0
    return levels(middle - 0.5 * size, middle + 0.5 * size, units, 2)


def _phases(places: tuple[float, ...], period: float, units: Units) -> str:
    """The months, weekdays or hours of places within a season; "" where they have no name or are not sure."""
    kind = phase_kind(period, units)
    if kind is Phase.UNNAMED or not places:
        return ""
    numbers, _ = phases(np.array(places) + ROUNDED * period, kind, units)
    return phase_text(kind, tuple(dict.fromkeys(numbers.tolist())))
