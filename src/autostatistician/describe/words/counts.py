"""Facts on counts in words: what is modelled of them, how much they scatter beyond chance, how likely none is."""

from __future__ import annotations

from math import isnan

from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import ChanceOfNone, CountScatter, ExpectedTotal, LogScale, NoneOrSome
from autostatistician.describe.words.amounts import one_added
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.plain import some_text
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, count, fixed, joined, percent

__all__ = [
    "counts_of_table_text",
    "counts_text",
    "expected_text",
    "none_text",
    "of_parts_text",
    "scatter_text",
    "zeros_apart_text",
]

_LAWS = {
    "poisson": "(Poisson)",
    "negative-binomial": "that itself scatters (negative binomial)",
    "hurdle": "of those above 0 (Poisson in a hurdle model: zeros have a chance of their own)",
}
_AS_CHANCE = 1.05  # times the variance of chance: below, it is no more


def _law(law: str, times: float) -> str:
    """The law of counts, and that their rate scatters where their variance is clearly above that of chance."""
    if law == "poisson" and times >= _AS_CHANCE:
        return "that itself scatters (Poisson, of a rate with a lognormal scatter)"
    return _LAWS[law]


def counts_text(scale: LogScale, units: Units, times: float = 1.0) -> str:
    """That the values are taken as counts, why, and how the amounts of the model are to be read."""
    assert scale.level is not None
    if units.is_odds:
        return _shares_text(scale, units)
    law = _law(units.law, times)
    counted_in = f", each in as much of {quoted(units.sizes)} as its row has" if units.sizes else ""
    whole = (
        f"Ranges of a forecast are those of counts in as much of {quoted(units.sizes)} as is planned"
        if units.sizes
        else "Ranges of a forecast are whole numbers; the forecast itself, the number expected, need not be one"
    )
    return (
        f"The values of '{units.target}' are taken as counts about a rate {law}{counted_in}, {_grounds(scale)}. "
        "The model is of the logarithm of that rate: its parts multiply instead of adding up, so amounts are "
        f"percentages of what the other parts give. Levels are rates, with {amount(scale.level)} as the typical one. "
        f"{whole}. Shares of variation and average misses are those of the logarithm, with what chance adds."
    )


def _shares_text(scale: LogScale, units: Units) -> str:
    """The same of shares of totals."""
    assert scale.level is not None
    totals = quoted(units.sizes)
    return (
        f"The values of '{units.target}' are taken as parts of totals (binomial), each of as many as its row has in "
        f"{totals}, {_grounds(scale)}. So that shares stay between 0% and 100%, the model is of the logarithm of their "
        f"odds. {of_parts_text(units)} Ranges of a forecast are those of parts of as many {totals} as are planned. "
        "Average misses are percentage points about that share, with what chance adds, and shares of variation are "
        "those of the logarithm."
    )


def of_parts_text(units: Units) -> str:
    """How what a part does to a share is to be read."""
    return (
        f"What a part does is told as '{units.target}' would be with all other parts as usual, where it is "
        f"{one_added(0.0, units)}; near 0% and 100% it does less."
    )


def _grounds(scale: LogScale) -> str:
    if isnan(scale.number):
        return "as was asked for"
    if scale.by_evidence:
        gain = fixed(0.5 * scale.number, 1)
        return f"because that makes them more probable than normal noise does (by {gain} in the logarithm)"
    return f"because that describes them better than normal noise does (by {fixed(scale.number, 0)} of BIC)"


def scatter_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How much counts scatter about their rate, beside what chance alone gives; "" of what are no counts."""
    fact = find(facts, CountScatter)
    if fact is None:
        return ""
    if units.is_odds:
        lead = f"However well its chance is known, '{units.target}' scatters about it"
        if fact.number < _AS_CHANCE:
            return f"{lead} as parts of totals do, and no more than that."
        return f"{lead}; its variance is {amount(fact.number, 2)} times what chance alone gives in such totals."
    lead = f"However well its rate is known, '{units.target}' scatters about it by chance"
    if fact.number < _AS_CHANCE:
        return f"{lead}, and it scatters no more than that."
    return f"{lead}; its variance about it is {amount(fact.number, 2)} times what chance alone gives."


def zeros_apart_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How often nothing is counted, and how much otherwise; "" where zeros have no chance of their own."""
    fact = find(facts, NoneOrSome)
    if fact is None or fact.interval is None:
        return ""
    chance, low, high = (f"{fixed(100.0 * share, 0)}%" for share in (fact.number, *fact.interval))
    return (
        f"'{units.target}' is 0 with a chance of {chance} (between {low} and {high}), the same at all times; "
        f"where it is not, it is mostly {some_text(fact)} (80% of these values). Rate, levels and parts are about "
        "those."
    )


def counts_of_table_text(times: float, gain: float | None, scale: Scale) -> str:
    """That the target of a table is a count, why, and how much it scatters about its rate.

    >>> counts_of_table_text(2.5, None, Scale(target="visits", level=2.0, counts=True)).partition(": ")[2]
    'however well its rate is known, it scatters about it; its variance is 2.5 times what chance alone gives.'
    """
    why = (
        "as was asked for"
        if gain is None
        else f"which is more probable than normal noise (by {fixed(0.5 * gain, 1)} in the logarithm)"
    )
    lead = (
        f"{scale.it} is taken as a count about a rate {_law(scale.law, times)}, {why}: however well its rate is known"
    )
    if times < _AS_CHANCE:
        return f"{lead}, it scatters about it as chance alone has it."
    return f"{lead}, it scatters about it; its variance is {amount(times, 2)} times what chance alone gives."


def none_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How likely a value of zero is, at the first and the last step of a forecast; "" of what are no counts."""
    chances = [fact for fact in facts if isinstance(fact, ChanceOfNone)]
    if not chances:
        return ""
    shares, places = [percent(fact.number) for fact in chances], [_at(fact.position, units) for fact in chances]
    if len(chances) > 1 and len(set(shares)) == 1:
        return f"The chance of a value of 0 is {shares[0]}, for {joined(places)} alike."
    told = [f"{share} for {at}" for share, at in zip(shares, places, strict=True)]
    return f"The chance of a value of 0 is {joined(told)}."


def expected_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How many are expected in all steps of a forecast of low counts together; "" of what is not low, or one step."""
    fact = find(facts, ExpectedTotal)
    if fact is None:
        return ""
    return (
        f"All {count(fact.steps)} values of '{units.target}' together are expected to come to {amount(fact.number, 2)}."
    )


def _at(position: float, units: Units) -> str:
    name = stamp(position, units)
    return name if units.axis.is_calendar else f"{units.axis.column} = {name}"
