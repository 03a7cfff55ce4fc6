"""Facts on counts in words: what is modelled of them, how much they scatter beyond chance, how likely none is."""

from __future__ import annotations

from math import isnan

from autostatistician.claims.quantity import NEARLY_ONE
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.whole import ChanceOfNone, CountScatter, LogScale, NoneOrSome
from autostatistician.describe.words.amounts import one_added, value
from autostatistician.describe.words.parts import find
from autostatistician.describe.words.plain import some_text
from autostatistician.i18n.messages import message, say
from autostatistician.i18n.names import quoted
from autostatistician.i18n.numbers import amount, fixed, joined, percent, rounded_percent

__all__ = ["counts_of_table_text", "counts_text", "none_text", "of_parts_text", "scatter_text", "zeros_apart_text"]

_LAWS = {
    "poisson": message("(Poisson)"),
    "negative-binomial": message("that itself scatters (negative binomial)"),
    "hurdle": message("of those above 0 (Poisson in a hurdle model: zeros have a chance of their own)"),
}
_SCATTERING = message("that itself scatters (Poisson, of a rate with a lognormal scatter)")


def _law(law: str, times: float) -> str:
    """The law of counts, and that their rate scatters where their variance is clearly above that of chance."""
    scatters = law == "poisson" and times >= NEARLY_ONE
    return say(_SCATTERING if scatters else _LAWS[law])


def counts_text(scale: LogScale, units: Units, times: float = 1.0) -> str:
    """That the values are taken as counts, why, and how the amounts of the model are to be read."""
    assert scale.level is not None
    if units.is_odds:
        return _shares_text(scale, units)
    told = {"target": f"'{units.target}'", "law": _law(units.law, times), "grounds": _grounds(scale)}
    if units.sizes:
        sizes = quoted(units.sizes)
        lead = say(
            "The values of {target} are taken as counts about a rate {law}, each in as much of {sizes} as its row has, "
            "{grounds}.",
            sizes=sizes, **told,
        )  # fmt: skip
        whole = say("Ranges of a forecast are those of counts in as much of {sizes} as is planned.", sizes=sizes)
    else:
        lead = say("The values of {target} are taken as counts about a rate {law}, {grounds}.", **told)
        whole = say(
            "Ranges of a forecast are whole numbers; the forecast itself, the number expected, need not be one."
        )
    of_rate = say(
        "The model is of the logarithm of that rate: its parts multiply instead of adding up, so amounts are "
        "percentages of what the other parts give. Levels are rates, with {level} as the typical one; where other "
        "parts swing about a level, the mean lies above it.",
        level=value(scale.level, units),
    )
    shares = say(
        "Shares of variation are those of the logarithm, with what chance adds. Misses are told in the units of "
        "{target}, as the root of their mean square: forecasts are means, and by the average miss nothing does better "
        "than 0 where most values are 0.",
        target=told["target"],
    )
    return f"{lead} {of_rate} {whole} {shares}"


def _shares_text(scale: LogScale, units: Units) -> str:
    """The same of shares of totals."""
    assert scale.level is not None
    totals = quoted(units.sizes)
    lead = say(
        "The values of {target} are taken as parts of totals (binomial), each of as many as its row has in {totals}, "
        "{grounds}. So that shares stay between 0% and 100%, the model is of the logarithm of their odds.",
        target=f"'{units.target}'", totals=totals, grounds=_grounds(scale),
    )  # fmt: skip
    ranges = say(
        "Ranges of a forecast are those of parts of as many {totals} as are planned. Average misses are percentage "
        "points about that share, with what chance adds, and shares of variation are those of the logarithm.",
        totals=totals,
    )
    return f"{lead} {of_parts_text(units)} {ranges}"


def of_parts_text(units: Units) -> str:
    """How what a part does to a share is to be read."""
    return say(
        "What a part does is told as {target} would be with all other parts as usual, where it is {usual}; near 0% and "
        "100% it does less.",
        target=f"'{units.target}'",
        usual=one_added(0.0, units),
    )


def _grounds(scale: LogScale) -> str:
    if isnan(scale.number):
        return say("as was asked for")
    if scale.by_evidence:
        gain = fixed(0.5 * scale.number, 1)
        return say(
            "because that makes them more probable than normal noise does (by {gain} in the logarithm)", gain=gain
        )
    gain = fixed(scale.number, 0)
    return say("because that describes them better than normal noise does (by {gain} of BIC)", gain=gain)


def scatter_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How much counts scatter about their rate, beside what chance alone gives; "" of what are no counts."""
    fact = find(facts, CountScatter)
    if fact is None:
        return ""
    told = {"target": f"'{units.target}'", "times": amount(fact.number, 2)}
    return say(_SCATTER[units.is_odds, fact.number < NEARLY_ONE], **told)


_SCATTER = {  # of shares of totals, and as chance alone has it
    (True, True): message(
        "However well its chance is known, {target} scatters about it as parts of totals do, and no more than that."
    ),
    (True, False): message(
        "However well its chance is known, {target} scatters about it; its variance is {times} times what chance alone "
        "gives in such totals."
    ),
    (False, True): message(
        "However well its rate is known, {target} scatters about it by chance, and it scatters no more than that."
    ),
    (False, False): message(
        "However well the rate that the model expects is known, {target} scatters about it: by chance, as counts do, "
        "and because the rate itself scatters beyond that. Together that is {times} times the variance that chance "
        "alone would give."
    ),
}


def zeros_apart_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How often nothing is counted, and how much otherwise; "" where zeros have no chance of their own."""
    fact = find(facts, NoneOrSome)
    if fact is None or fact.interval is None:
        return ""
    chance, low, high = (rounded_percent(share) for share in (fact.number, *fact.interval))
    return say(
        "{target} is 0 with a chance of {chance} (between {low} and {high}), the same at all times; where it is not, "
        "it is mostly {some} (80% of these values). Rate, levels and parts are about those.",
        target=f"'{units.target}'", chance=chance, low=low, high=high, some=some_text(fact),
    )  # fmt: skip


def counts_of_table_text(times: float, gain: float | None, scale: Scale) -> str:
    """That the target of a table is a count, why, and how much it scatters about its rate.

    >>> counts_of_table_text(2.5, None, Scale(target="visits", level=2.0, counts=True)).partition(": ")[2]
    'however well its rate is known, it scatters about it; its variance is 2.5 times what chance alone gives.'
    """
    why = say("as was asked for")
    if gain is not None:
        why = say("which is more probable than normal noise (by {gain} in the logarithm)", gain=fixed(0.5 * gain, 1))
    told = {"it": scale.it, "law": _law(scale.law, times), "why": why}
    if times < NEARLY_ONE:
        return say(
            "{it} is taken as a count about a rate {law}, {why}: however well its rate is known, it scatters about it "
            "as chance alone has it.",
            **told,
        )
    return say(
        "{it} is taken as a count about a rate {law}, {why}: however well its rate is known, it scatters about it; its "
        "variance is {times} times what chance alone gives.",
        times=amount(times, 2),
        **told,
    )


def none_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How likely a value of zero is, at the first and the last step of a forecast; "" of what are no counts."""
    chances = [fact for fact in facts if isinstance(fact, ChanceOfNone)]
    if not chances:
        return ""
    shares, places = [percent(fact.number) for fact in chances], [_at(fact.position, units) for fact in chances]
    if len(chances) > 1 and len(set(shares)) == 1:
        return say(
            "The chance of a value of 0 is {chance}, for {places} alike.", chance=shares[0], places=joined(places)
        )
    told = [say("{chance} for {place}", chance=share, place=at) for share, at in zip(shares, places, strict=True)]
    return say("The chance of a value of 0 is {chances}.", chances=joined(told))


def _at(position: float, units: Units) -> str:
    name = stamp(position, units)
    return name if units.axis.is_calendar else f"{units.axis.column} = {name}"
