"""Facts to a statement: what a component is and how big, in one sentence that can stand in a list."""

from __future__ import annotations

from autostatistician.describe.axis.phases import phase_text
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ConstantLevel,
    CyclePhase,
    LinearTrend,
    NoiseLevel,
)
from autostatistician.describe.words.amounts import added, levels, slope, within
from autostatistician.describe.words.extents import directed, range_text
from autostatistician.describe.words.hedges import probably
from autostatistician.describe.words.nouns import find, head_of, summary
from autostatistician.forms import BAND_SDS
from autostatistician.wording.numbers import amount, joined

__all__ = ["statement"]


def statement(facts: tuple[Fact, ...], units: Units) -> str:
    """The summary of a component with its size: "A yearly cycle that repeats exactly; it adds between −9 and 12."."""
    text, active = summary(facts, units), find(facts, ActiveInterval)
    size = "" if active is not None and not active.shown else _size(facts, units)
    return f"{text.removesuffix('.')}; {size}." if size else text


def _size(facts: tuple[Fact, ...], units: Units) -> str:
    head = head_of(facts)
    match head:
        case NoiseLevel():
            return _noise(head, facts, units)
        case ConstantLevel(levels=stretches) if stretches:
            return ""
        case ConstantLevel():
            span = head.interval and range_text(head, units)
            return f"its 95% range is {span}" if span else ""
        case LinearTrend():
            return _line(head, find(facts, Amplitude), units)
    size = find(facts, Amplitude)
    if size is None:
        return ""
    if directed(head, facts):
        first, last = levels(size.first, size.last, units, 2)
        subject = "by itself it" if units.is_log and not size.is_level else "it"
        return f"{subject} begins and ends near {first}" if first == last else f"{subject} goes from {first} to {last}"
    if size.is_level:
        low, high = levels(size.low, size.high, units, 2)
        return f"it lies between {low} and {high}"
    low, high = added(size.low, size.high, units)
    when = _when(find(facts, CyclePhase))
    if units.is_odds:
        return f"with all else as usual it moves the share between {low} and {high}{when}"
    return f"it adds between {low} and {high}{when}"


def _line(head: LinearTrend, size: Amplitude | None, units: Units) -> str:
    """From where to where a line goes that is the level, too, and how steep it is."""
    level = size if size is not None and size.is_level else None
    if head.direction and not probably(head.probability):
        verb = "rises" if head.direction > 0 else "falls"
        between = "" if level is None else " from {} to {},".format(*levels(level.first, level.last, units, 2))
        about = "about " if units.is_odds else ""  # of the typical share
        return f"it {verb}{between} by {about}{slope(head.number, None, units, head.direction)}"
    text = f"its slope is {slope(head.number, head.interval, units)}"
    if level is None:
        return text
    middle = 0.5 * (level.first + level.last)
    return f"it lies at about {levels(middle, middle + units.spread, units, 2)[0]}, and {text}"


def _when(phase: CyclePhase | None) -> str:
    if phase is None or not phase.kind:
        return ""
    ends = (("most", phase.high), ("least", phase.low))
    return f", {joined([f'{word} {phase_text(phase.kind, at)}' for word, at in ends if at])}"


def _noise(head: NoiseLevel, facts: tuple[Fact, ...], units: Units) -> str:
    if not head.visible:
        return ""
    if units.counts:
        return f"95% of it lies {within(BAND_SDS * head.number, units)}"
    if find(facts, AmplitudeChange) is None:
        nearly_all = BAND_SDS * head.number if head.held is None else head.held[1]
        return f"95% of it lies {within(nearly_all, units)}"
    first, last = amount(BAND_SDS * head.first, 2), amount(BAND_SDS * head.last, 2)
    whole = find(facts, ActiveInterval) is None
    start, end = f"in the first third of {'the data' if whole else 'its stretch'}", "in the last"
    if units.is_log:
        first, last = (within(BAND_SDS * sd, units) for sd in (head.first, head.last))
        return f"95% of it lies {first} {start} and {last} {end}"
    return f"95% of it lies within ±{first} {start} and ±{last} {end}"
