"""The rules of description, one whole sentence for each (Lloyd et al. 2014, section 4, and its supplement).

Which factor gives the noun, which clauses the others add, and how directions depend on the posterior. Where parts apply
and what they do beyond the data: `test_extents`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from tests.describe.factory import (
    DEPTHS,
    PLAIN,
    YEARLY,
    YEARS,
    long,
    observed,
    ran,
    short,
)
from tests.describe.words.test_nouns import (
    DOWN,
    UP,
    WIENER,
    WN,
    C,
    cos,
    damped,
    lin,
    matern,
    per,
    rq,
    se,
)

from autostatistician.decompose.records.series import Bend
from autostatistician.describe.words.description import description
from autostatistician.describe.words.nouns import head_of
from autostatistician.language.kernel import Kernel

BEND = Bend(early=10.0, late=30.0, change=20.0, change_sd=2.0)


@dataclass(frozen=True, eq=False)
class Rule:
    """A rule by its name: what is told of a kernel, in which of the three texts, given what about its posterior."""

    name: str
    told: Callable[..., str]
    kernel: Kernel
    text: str
    given: dict[str, object] = field(default_factory=dict)


# Of monthly data from January 1949 to December 1960, where nothing else is given.
RULES = (
    Rule("noise before all other factors", short, WN * se(3.0) * per(1.0), "Random noise."),
    Rule(
        "noise is scatter",
        long,
        WN,
        "This part is random scatter: it differs from one observation to the next and follows no pattern. Of "
        "the values of 'passengers', 95% lie within ±5.9 of the rest of the model, and about two thirds "
        "within ±3.",
    ),
    Rule(
        "noise with one line from before the data", short, WN * lin(1940.0), "Random noise whose size grows steadily."
    ),
    Rule(
        "noise with one line from after the data", short, WN * lin(1970.0), "Random noise whose size shrinks steadily."
    ),
    Rule(
        "noise with one line from within the data",
        long,
        WN * lin(1955.0),
        "This part is random scatter: it differs from one observation to the next and follows no pattern. Of "
        "the values of 'passengers', 95% lie within ±50 of the rest of the model in the first third of the data, "
        "and within ±47 in the last. Its size is smallest around January 1955 and grows in a straight line "
        "with the distance from there.",
    ),
    Rule("noise with two lines", short, WN * lin(1940.0, 1942.0), "Random noise whose size grows faster and faster."),
    Rule(
        "noise with many lines",
        short,
        WN * lin(1940.0, 1950.0, 1955.0, 1958.0),
        "Random noise whose size changes over time.",
    ),
    Rule(
        "a constant is a level",
        long,
        C,
        "This part is a constant: it adds 0.6 (95% range: −1.4 to 2.6) to every value of 'passengers'.",
    ),
    Rule(
        "constants in products only scale",
        short,
        C * se(2.0),
        "A smooth, irregular variation that changes course within about 2 years.",
    ),
    Rule("very smooth from half of the data", short, se(6.1), "A slow, smooth trend."),
    Rule(
        "smooth below half of the data",
        short,
        se(5.9),
        "A smooth, irregular variation that changes course within about 5.9 years.",
    ),
    Rule(
        "rapid below a two-hundredth of the data",
        short,
        se(0.055),
        "A rapid, irregular variation that is scatter from one value to the next.",
    ),
    Rule("very smooth and rising", short, se(20.0), "A slow, steadily rising trend.", {"mean": UP}),
    Rule(
        "very smooth and falling",
        long,
        se(20.0),
        "This part is a very smooth curve without a formula: it takes longer than the data last to change its"
        " course. Within the data it falls all the time, on average by 8.39 per year. Over the data its "
        "contribution to 'passengers' goes from 100 to 0.",
        {"mean": DOWN},
    ),
    Rule(
        "very smooth and probably rising",
        short,
        se(20.0),
        "A slow, probably steadily rising trend.",
        {"mean": UP, "slope_sd": 5.0},
    ),
    Rule("very smooth without a direction", short, se(20.0), "A slow, smooth trend.", {"mean": UP, "slope_sd": 9.0}),
    Rule("smooth and falling", short, se(2.0), "A smooth, steadily falling curve.", {"mean": DOWN}),
    Rule("rapid and rising", short, se(0.05), "A rapid, irregular variation that rises throughout.", {"mean": UP}),
    Rule(
        "rising overall, not throughout",
        long,
        se(2.0),
        "This part is a smooth curve that neither repeats nor follows a formula; where it heads at one moment"
        " tells little about where it heads 2 years later. From end to end of the data it rises, on average "
        "by 6.72 per year. Over the data its contribution to 'passengers' goes from 0 to 80, by way of −16 at"
        " the lowest and 118 at the highest.",
        {"mean": UP + 20.0 * np.sin(np.arange(144.0))},
    ),
    Rule(
        "several smooth factors have one length",
        short,
        se(3.0) * se(4.0),
        "A smooth, irregular variation that changes course within about 2.4 years.",
    ),
    Rule(
        "smooth with one line",
        short,
        se(2.0) * lin(1940.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings grow steadily.",
    ),
    Rule(
        "smooth with one line from within the data",
        short,
        se(2.0) * lin(1955.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings are smallest"
        " around January 1955 and grow on both sides of it.",
    ),
    Rule(
        "smooth with two lines",
        short,
        se(2.0) * lin(1940.0, 1942.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings grow faster "
        "and faster.",
    ),
    Rule(
        "smooth with many lines",
        short,
        se(2.0) * lin(1940.0, 1950.0, 1955.0, 1956.0, 1957.0, 1958.0),
        "A smooth, irregular variation that changes course within about 2 years and whose swings change over time.",
    ),
    Rule("a line rises", short, lin(1940.0), "A linearly increasing trend.", {"mean": UP}),
    Rule(
        "a line falls",
        long,
        lin(1940.0),
        "This part is a straight line that falls by 8.4 per year (95% range: 7.4 to 9.4). Over the data its "
        "contribution to 'passengers' goes from 100 to 0.",
        {"mean": DOWN, "slope_sd": 0.5},
    ),
    Rule(
        "a line probably rises",
        long,
        lin(1940.0),
        "This part is a straight line that probably rises by 8 per year (95% range: −1 to 18). Over the data "
        "its contribution to 'passengers' goes from 0 to 100.",
        {"mean": UP, "slope_sd": 5.0},
    ),
    Rule(
        "a line without a direction is not said to fall",
        short,
        lin(1940.0),
        "A straight line whose direction is uncertain.",
        {"mean": 0.0 * UP},
    ),
    Rule("two lines are a quadratic", short, lin(1940.0, 1950.0), "A curved trend with at most one turn."),
    Rule(
        "three lines are a cubic",
        long,
        lin(1940.0, 1950.0, 1955.0),
        "This part is a curve with at most two turns (a polynomial of degree 3). Over the data it adds "
        "between −10 and 10 to 'passengers'.",
    ),
    Rule("six lines", short, lin(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), "A curved trend with at most five turns."),
    Rule(
        "a curve that bends upwards",
        short,
        lin(1940.0, 1941.0),
        "A trend that rises more and more steeply.",
        {"mean": UP**2, "bend": BEND, "joint": ran(rising=1.0, convex=0.99)},
    ),
    Rule(
        "a curve that probably bends upwards",
        short,
        lin(1940.0, 1941.0),
        "A trend that probably rises more and more steeply.",
        {"mean": UP**2, "bend": BEND, "joint": ran(rising=0.95, convex=0.92)},
    ),
    Rule(
        "a curve with a peak",
        short,
        lin(1940.0, 1950.0),
        "A trend that first rises and then falls.",
        {"bend": BEND, "joint": ran(concave=1.0, peak=0.99)},
    ),
    Rule("a cycle that repeats exactly", short, per(1.0), "A yearly cycle that repeats exactly."),
    Rule(
        "a cycle by its period",
        short,
        per(10.8),
        "A 10.8-year cycle that repeats exactly.",
        {"axis": YEARLY, "x": YEARS},
    ),
    Rule(
        "a cycle with a smooth factor",
        short,
        se(3.0) * per(1.0),
        "A yearly cycle whose shape changes over about 3 years.",
    ),
    Rule("a cycle with a very smooth factor", short, se(20.0) * per(1.0), "A yearly cycle whose shape changes slowly."),
    Rule(
        "a cycle that hardly repeats",
        long,
        se(0.67) * per(1.0),
        "This part rises and falls about once every year, but so irregularly (it changes over about 8 months)"
        " that one cycle tells little about the next. Over the data it adds between −10 and 10 to "
        "'passengers'.",
    ),
    Rule(
        "a cycle that barely repeats",
        short,
        se(0.68) * per(1.0),
        "A yearly cycle whose shape changes over about 8.2 months.",
    ),
    Rule(
        "a cycle with one line",
        short,
        per(1.0) * lin(1940.0),
        "A yearly cycle whose shape stays the same and whose swings grow steadily.",
    ),
    Rule(
        "a cycle with a line and a smooth factor",
        short,
        se(8.0) * per(1.0) * lin(1970.0),
        "A yearly cycle whose shape changes slowly and whose swings shrink steadily.",
    ),
    Rule(
        "a cycle is like a wave from exp(2) on", short, per(1.0, 7.4), "A yearly sinusoidal wave that repeats exactly."
    ),
    Rule(
        "a cycle with detail within",
        long,
        per(1.0, 7.3),
        "This part is a pattern that repeats exactly every year. Within each cycle it rises and falls once, "
        "smoothly, nearly like a wave. Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    Rule("a cosine is a wave", short, cos(1.0), "A yearly sinusoidal wave that repeats exactly."),
    Rule("two cycles", short, per(1.0) * per(0.25), "The product of a yearly cycle and a quarterly cycle."),
    Rule(
        "three cycles, the longest first",
        short,
        per(0.25) * cos(4.0) * per(1.0),
        "The product of a 4-year sinusoidal wave, a yearly cycle, and a quarterly cycle.",
    ),
    Rule(
        "several cycles without a unit",
        short,
        per(1.0) * per(2.5) * cos(0.4),
        "The product of cycles with periods of 2.5, 1, and 0.4 units of 'depth'.",
        {"axis": PLAIN, "x": DEPTHS},
    ),
    Rule(
        "several cycles with a smooth factor and a line",
        long,
        se(3.0) * per(1.0) * per(0.25) * lin(1940.0),
        "This part is the product of a yearly cycle and a quarterly cycle: each scales the swings of the "
        "others. The shape of this pattern changes over about 3 years. Over the data it adds between −10 and "
        "10 to 'passengers'. The swings grow in a straight line over time: at the end they are 2.3 times as "
        "large as at the start.",
    ),
    Rule(
        "several scales",
        short,
        rq(2.0),
        "An irregular variation with slow and quick changes at once that typically changes course within "
        "about 2 years.",
    ),
    Rule(
        "several scales and a line",
        short,
        rq(2.0) * lin(1940.0),
        "An irregular variation with slow and quick changes at once that typically changes course within "
        "about 2 years and whose swings grow steadily.",
    ),
    Rule(
        "several scales before one",
        long,
        rq(2.0) * se(1.0),
        "This part is a curve that varies on several scales at once, with slow changes and quick ones; "
        "typical changes take about 11 months. Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    Rule(
        "several scales and a cycle",
        long,
        rq(2.0) * per(1.0),
        "This part is a pattern that repeats every year, but not exactly: its shape changes, in slow and "
        "quick changes at once, typically over about 2 years, so cycles close to each other look alike and "
        "distant ones may differ. Within each cycle it changes course within about 5.8 weeks. Over the data "
        "it adds between −10 and 10 to 'passengers'.",
    ),
    Rule(
        "several scales, rising",
        short,
        rq(2.0),
        "A steadily rising variation with slow and quick changes at once.",
        {"mean": UP},
    ),
    Rule(
        "a rough curve that remembers",
        long,
        matern("12", 50.0),
        "This part wanders: its level may change at any time, and nothing pulls it back. Over the data it "
        "adds between −10 and 10 to 'passengers'.",
    ),
    Rule(
        "a level without memory",
        long,
        WIENER,
        "This part wanders: its level may change at any time, and nothing pulls it back. Over the data it "
        "adds between −10 and 10 to 'passengers'.",
    ),
    Rule(
        "a trend that levels off",
        long,
        damped(3.0),
        "This part is a trend that does not last: left to itself it levels off within about 6 years, and a "
        "new rise or fall may set in at any time. Over the data it adds between −10 and 10 to 'passengers'.",
    ),
    Rule(
        "a damped trend that rises",
        short,
        damped(3.0),
        "A steadily rising trend that levels off within about 6 years.",
        {"mean": UP},
    ),
    Rule(
        "a trend that hardly levels off",
        long,
        damped(300.0),
        "This part is a trend whose slope changes slowly: it takes longer than the data last until most of "
        "a slope is forgotten. Within the data it rises all the time, on average by 8.39 per year. Over the "
        "data its contribution to 'passengers' goes from 0 to 100.",
        {"mean": UP},
    ),
    Rule("a rough curve that forgets", short, matern("12", 1.0), "An irregular, jumpy variation."),
    Rule(
        "a rough curve that rises", short, matern("12", 50.0), "A wandering level that rises throughout.", {"mean": UP}
    ),
    Rule(
        "a rough curve with a line",
        short,
        matern("12", 50.0) * lin(1940.0),
        "A wandering level whose steps grow steadily.",
    ),
    Rule(
        "sudden turns, remembered",
        short,
        matern("32", 50.0),
        "A steadily rising trend with a wandering slope.",
        {"mean": UP},
    ),
    Rule(
        "sudden turns, forgotten",
        short,
        matern("32", 1.0),
        "An irregular, probably steadily rising variation with sudden turns.",
        {"mean": UP, "slope_sd": 5.0},
    ),
    Rule(
        "two rough factors are as rough as the rougher",
        short,
        matern("12", 5.0) * matern("32", 6.0),
        "An irregular, jumpy variation.",
    ),
    Rule(
        "a rough factor that lasts only roughens a smooth one",
        short,
        matern("12", 500.0) * se(5.0),
        "A smooth, irregular variation that changes course within about 5 years.",
    ),
    Rule(
        "a rough factor and a cycle",
        short,
        matern("32", 5.0) * per(1.0),
        "A yearly cycle whose shape changes over about 5 years.",
    ),
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_makes_its_sentence(rule: Rule) -> None:
    assert rule.told(rule.kernel, **rule.given) == rule.text


def test_rules_have_names_of_their_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_the_direction_of_a_change_at_a_constant_rate_may_be_open() -> None:
    facts, units = observed(lin(1940.0))
    line = replace(head_of(facts), direction=0, number=0.01, interval=(-0.01, 0.03))
    assert description((line,), replace(units, level=100.0)) == (
        "This part is a change at a constant rate whose direction the data leave open: it changes by 1% per year (95% "
        "range: −1% to 3%)."
    )


def test_a_polynomial_of_odds() -> None:
    facts, units = observed(lin(1940.0) * lin(1950.0))
    assert description((head_of(facts),), replace(units, level=0.5, top=1.0)) == (
        "This part is a curve with at most one turn (a polynomial of degree 2 of the logarithm of its odds)."
    )
