"""What repeats in a series, as noun phrases."""

from __future__ import annotations

from math import exp, log

import numpy as np

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.phases import phase_kind, phase_text, phases
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.function import (
    SeasonSwing,
)
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import levels, one_added, per_cent
from autostatistician.wording.numbers import amount, article

__all__ = ["season_text", "swing_text"]

ROUNDED = 1e-5  # of a period: 15:00 is not the last second of the hour before
MOST_BY_PER_CENT = 3.0  # times the lowest, from which a swing is no longer told in per cent


def season_text(fact: SeasonSwing, units: Units) -> str:
    """A season as a noun phrase: how often, how large, when it is highest and lowest."""
    words = cycle(fact.period, units)
    noun = f"{words.adjective} pattern" if words.adjective else f"pattern that repeats every {words.after_every}"
    named = ((word, _phases(places, fact.period, units)) for word, places in _extremes(fact))
    extremes = "".join(f"{word} {where}, " for word, where in named if where)
    extremes = f"on average {extremes}" if extremes and fact.changes else extremes
    return f"{article(noun)} ({extremes}{swing_text(fact, units)})"


def _extremes(fact: SeasonSwing) -> tuple[tuple[str, tuple[float, ...]], ...]:
    return ("highest", fact.tops), ("lowest", fact.bottoms)


def swing_text(fact: SeasonSwing, units: Units) -> str:
    """How far a season goes, at first and of late where that is not the same."""
    sizes = fact.swing_ends or (fact.swing,)
    if units.is_odds:
        each = [f"between {_ends(fact, size, units)}" for size in sizes]
        first, last = f"{each[0]} where it is typically {one_added(0.0, units)}", each[-1]
    elif units.is_log and max(sizes) > log(MOST_BY_PER_CENT):
        times = [f"{amount(exp(size), 2)} times" for size in sizes]
        first, last = f"its highest {times[0]} its lowest", times[-1]
    else:
        each = [f"{amount(per_cent(size), 2)}%" if units.is_log else amount(size, 2) for size in sizes]
        first, last = f"a swing of {each[0]} between its lowest and its highest", f"of {each[-1]}"
    return first if len(sizes) == 1 else f"{first} in the first third of the data and {last} in the last"


def _ends(fact: SeasonSwing, size: float, units: Units) -> str:
    """The lowest and the highest share of a season, about its typical one."""
    numbers = [phase.value for phase in fact.phases]
    middle = 0.5 * (min(numbers) + max(numbers)) if numbers else 0.0
    return " and ".join(levels(middle - 0.5 * size, middle + 0.5 * size, units, 2))


def _phases(places: tuple[float, ...], period: float, units: Units) -> str:
    """The months, weekdays or hours of places within a season; "" where they have no name or are not sure."""
    kind = phase_kind(period, units)
    if kind is Phase.UNNAMED or not places:
        return ""
    numbers, _ = phases(np.array(places) + ROUNDED * period, kind, units)
    return phase_text(kind, tuple(dict.fromkeys(numbers.tolist())))
