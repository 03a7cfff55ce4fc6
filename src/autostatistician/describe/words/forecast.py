"""What comes next, and how sure that is, in words."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.lengths import counted_unit, rate
from autostatistician.describe.axis.places import from_place_to, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.kinds import Taken
from autostatistician.describe.facts.whole import ForecastCondition, ForecastRange, ForecastReach, NaturalLimit, NextSum
from autostatistician.describe.words.amounts import gap, values
from autostatistician.describe.words.counts import none_text
from autostatistician.describe.words.events import at
from autostatistician.describe.words.outliers import two_ways_text
from autostatistician.describe.words.parts import find
from autostatistician.describe.words.ranges import forecast_decimals, middle_decimals, named_for, named_place
from autostatistician.i18n.messages import say, say_as, sentence
from autostatistician.i18n.numbers import EXACT, amount, decimals_between, fixed, in_percent, joined, percent

__all__ = ["forecast_notes", "forecast_short", "sum_text"]


SAME_SUM = 0.005  # of a sum: one that differs by less is as much

_LEAST_APART = 0.05  # of the range of a forecast, between its lowest and its highest value


def forecast_short(facts: tuple[Fact, ...], units: Units, *, beside: str = "") -> str:
    """What comes next, in one sentence for the head of a report.

    ``beside`` is what it takes for granted besides, of columns.
    """
    ahead = _ahead(facts)
    if not ahead:
        return ""
    condition, forecast = _and_beside(condition_clause(facts, units), beside), _told_short(facts, units)
    told = sentence("forecast.short", known=bool(condition), condition=condition, forecast=forecast)
    return " ".join(filter(None, [told, two_ways_text(facts, units)]))


def _ahead(facts: tuple[Fact, ...]) -> list[ForecastRange]:
    return [fact for fact in facts if isinstance(fact, ForecastRange)]


def sum_text(facts: tuple[Fact, ...], units: Units) -> str:
    """What the next year, weeks or day come to, beside as many steps before, and the chance of less; "" for none."""
    fact = find(facts, NextSum)
    if fact is None or fact.interval is None:
        return ""
    per = 1.0 if fact.amounts else 1.0 / fact.steps
    ends = [per * end for end in fact.interval]
    decimals = forecast_decimals([(ends[0], ends[1])], units)
    low, high, middle, before = (_figure(n, decimals, units) for n in (*ends, per * fact.number, per * fact.before))
    told = {
        "span": counted_unit(fact.steps, units.axis.frequency, 3), "middle": middle, "low": low, "high": high,
        "before": before, "chance": percent(fact.probability or 0.0),
    }  # fmt: skip
    more, form = abs(fact.number / fact.before - 1.0) if fact.before else 0.0, "average"
    if fact.amounts:
        form = "same" if more < SAME_SUM else "more" if fact.number > fact.before else "less"
    return sentence("forecast.sum", form=form, percent=in_percent(amount(100.0 * more, 2)), **told)


def _and_beside(condition: str, beside: str) -> str:
    if not condition:
        return beside
    return say_as("after if", "{condition}, and {beside}", condition=condition, beside=beside) if beside else condition


def _told_short(facts: tuple[Fact, ...], units: Units) -> str:
    ahead = _ahead(facts)
    ahead = ahead[:1] if find(facts, NextSum) is not None else ahead
    return _told(ahead, units, say("95% range"), _wide(facts, ahead))


def forecast_notes(facts: tuple[Fact, ...], units: Units, *, beside: str = "") -> str:
    """What is to be known of the numbers of a forecast, and what it takes for granted of the recent past."""
    reach = find(facts, ForecastReach)
    texts = [
        say("The data are never below zero, but the model does not know that: read limits below zero as zero.")
        if reach is not None and reach.crosses else "",
        "" if beside else none_text(facts, units),
        conditions_text(facts, units), *(_stops(fact) for fact in facts if isinstance(fact, NaturalLimit)),
    ]  # fmt: skip
    return " ".join(filter(None, texts))


def _stops(fact: NaturalLimit) -> str:
    """That ranges stop at a natural limit."""
    return sentence("forecast.limit", upper=fact.upper, limit=amount(fact.number, EXACT))


def _wide(facts: tuple[Fact, ...], ahead: list[ForecastRange]) -> ForecastReach | None:
    """The lowest and the highest forecast, where they lie apart."""
    reach = find(facts, ForecastReach)
    least = _LEAST_APART * max(fact.interval[1] - fact.interval[0] for fact in ahead if fact.interval is not None)
    return None if reach is None or reach.number < least else reach


def _told(ahead: list[ForecastRange], units: Units, label: str, reach: ForecastReach | None = None) -> str:
    """The first and the last forecast with their ranges; where these are the same, what lies between them, too."""
    figures = [_figures(fact, _decimals(ahead, units), units) for fact in ahead]
    if len(set(figures)) == 1 and len(ahead) > 1:
        return _told_throughout(figures[0], ahead, units, label, reach)
    texts = []
    for (middle, low, high), fact in zip(figures, ahead, strict=True):
        told = {"middle": middle, "when": named_for(fact.position, units), "low": low, "high": high, "label": label}
        form = "exact" if low == high else "first" if fact is ahead[0] else "later"
        texts.append(sentence("forecast.value", form=form, **told))
    return joined(texts)


def _told_throughout(
    figures: tuple[str, str, str], ahead: list[ForecastRange], units: Units, label: str, reach: ForecastReach | None
) -> str:
    """Forecasts that are the same at both ends, or all the way."""
    middle, low, high = figures
    first, last = (named_place(stamp(fact.position, units), units) for fact in (ahead[0], ahead[-1]))
    told = {"span": from_place_to(first, last), "label": label, "low": low, "high": high}
    if reach is None:
        text = say("{middle} all the way {span}", middle=middle, **told)
        return say("{text} ({label}: {low} to {high})", text=text, **told) if low != high else text
    decimals = middle_decimals([reach.low, reach.high], _decimals(ahead, units), units)
    least, most = (_figure(bound, decimals, units) for bound in (reach.low, reach.high))
    text = say("between {least} and {most} {span}", least=least, most=most, **told)
    return say("{text} ({label} at both ends: {low} to {high})", text=text, **told) if low != high else text


def _figures(fact: ForecastRange, decimals: int, units: Units) -> tuple[str, str, str]:
    assert fact.interval is not None
    low, high = (_figure(number, decimals, units) for number in fact.interval)
    return _figure(fact.number, middle_decimals([fact.number], decimals, units), units), low, high


def _decimals(ahead: list[ForecastRange], units: Units) -> int:
    return forecast_decimals((fact.interval for fact in ahead if fact.interval is not None), units)


def _figure(value: float, decimals: int, units: Units) -> str:
    """A number to a position; billions in words, shares in per cent."""
    if units.is_odds:
        return in_percent(fixed(units.in_per_cent * value, decimals))
    if 1e9 <= abs(value) < 1e13 and decimals < 0:
        return amount(value, max(3, decimals_between(0.0, value) - decimals))
    return fixed(value, decimals)


# --- What a forecast takes for granted, in words, and what would come if it were not so -----------------------------


def condition_clause(facts: Sequence[Fact], units: Units) -> str:
    """The first of them, as it stands after "if": "the fall in March 1979 lasts"; "" for none."""
    conditions = [fact for fact in facts if isinstance(fact, ForecastCondition) and fact.kind is not Taken.OTHER_PACE]
    return _clause(conditions[0], units) if conditions else ""


def conditions_text(facts: Sequence[Fact], units: Units) -> str:
    """All of them, each with what would come otherwise; "" for none."""
    return " ".join(_otherwise(fact, units) for fact in facts if isinstance(fact, ForecastCondition))


def _clause(fact: ForecastCondition, units: Units) -> str:
    when = at(fact.at, units) if fact.kind in (Taken.LASTS, Taken.PASSED) else ""
    return sentence("forecast.condition", kind=fact.kind, direction=_direction(fact.size), when=when)


def _otherwise(fact: ForecastCondition, units: Units) -> str:
    other, end = values(fact.number, fact.end, units, 2)
    (pace, per), (slope, _) = rate(abs(fact.pace), units), rate(abs(fact.size), units)
    is_slope = fact.kind is Taken.GOES_ON
    return sentence(
        "forecast.otherwise", kind=fact.kind, direction=_direction(fact.size), condition=_clause(fact, units),
        other=other, end=end, when=at(fact.position, units), pace=f"{gap(pace, units, 2)} {per}",
        slope=f"{gap(slope, units, 2)} {per}" if is_slope else gap(slope, units, 2),
    )  # fmt: skip


def _direction(size: float) -> str:
    return "up" if size > 0.0 else "down"
