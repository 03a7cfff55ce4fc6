"""What the function behind a series does, in words that hold whatever model it is told by: claims in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.function import (
    FunctionFact,
    NoiseThroughout,
    Rise,
    RunOfCourse,
    ScatterStep,
    SeasonSwing,
    SuddenChange,
)
from autostatistician.describe.words.amounts import gap
from autostatistician.describe.words.course_runs import (
    hardly,
)
from autostatistician.describe.words.events import at, since_scatter
from autostatistician.describe.words.nouns import find
from autostatistician.wording.numbers import article

__all__ = ["claim_text", "noise_is_steady", "relied_text"]

ROUNDED = 1e-5  # of a level: less is no digit of it
UNSEEN = 0.01  # of the range of a rise: a smaller one is nothing


def relied_text(fact: FunctionFact, units: Units) -> str:
    """A claim as a noun phrase; "" of those that are none, and of the single runs of a course."""
    match fact:
        case Rise():
            return "that it ended higher than it began" if fact.number > 0.0 else "that it ended lower than it began"
        case SeasonSwing():
            words = cycle(fact.period, units)
            return article(f"{words.adjective} pattern") if words.adjective else f"a pattern every {words.after_every}"
        case SuddenChange():
            return f"the sudden change {at(fact.at, units)}"
        case ScatterStep():
            return f"the {'larger' if fact.number > 1.0 else 'smaller'} scatter {since_scatter(fact, units)}"
        case _:
            return ""


def claim_text(fact: FunctionFact, units: Units) -> str:
    """A claim in a few words for a table; "" of those that are no claims."""
    match fact:
        case Rise() if fact.number != 0.0:
            way = "higher" if fact.number > 0.0 else "lower"
            return f"It lies {way} at the end than at the start{_size_of_rise(fact, units)}"
        case RunOfCourse() if fact.of > 1:
            way = "Rises" if fact.number > 0.0 else "Falls"
            return f"{way} from {stamp(fact.start, units)} to {stamp(fact.stop, units)}{hardly(fact.still, units)}"
        case SeasonSwing():
            words = cycle(fact.period, units)
            return f"Repeats every {words.after_every}"
        case SuddenChange():
            return f"Changes suddenly {at(fact.at, units)}"
        case ScatterStep():
            return f"Single values scatter differently {since_scatter(fact, units)}"
        case _:
            return ""


def _size_of_rise(rise: Rise, units: Units) -> str:
    """How large a rise is; "" where its digits, far below what is known of it, or of levels, mean nothing."""
    ends = [*(rise.interval or ()), *(ROUNDED * level for level in (rise.first, rise.last))]
    return (
        f" (by {gap(abs(rise.number), units)})" if abs(rise.number) > UNSEEN * max(map(abs, ends), default=0.0) else ""
    )


def noise_is_steady(facts: Sequence[Fact]) -> bool:
    """Whether single values scatter as far throughout, as far as the data show."""
    noise = find(tuple(facts), NoiseThroughout)
    return noise is not None and noise.told
