"""Golden sentences: counts, shares, logarithms and scales that were learned."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from tests.decompose.series.series import decomposed
from tests.describe.checks import trial, trial_fact
from tests.describe.covariate_cases import HEAT, PROMO, around, beside
from tests.describe.factory import DEPTHS, MONTHLY, MONTHS, PLAIN, units_on
from tests.describe.function_cases import COURSE, EVENT, SEASON, SWINGS, UNITS, seen, sure
from tests.describe.grown import NOISE as NOISE_OF_SHARES
from tests.describe.grown import T as T_OF_SHARES
from tests.describe.grown import grown

from autostatistician.claims.claim import LEVEL_CHANGES, told
from autostatistician.claims.kinds import Kind
from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import modelled, power_of, transform_of
from autostatistician.decompose.records.function import EndLevel
from autostatistician.decompose.records.series import CountDispersion as CountScatterOfShares
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.document.document import Table
from autostatistician.describe.document.series.function import season_section
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.part import NoiseLevel
from autostatistician.describe.facts.whole import ChanceOfNone, CountScatter, LogScale, NoneOrSome, ShapedScale
from autostatistician.describe.facts.whole import CountScatter as ScatterFact
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.tell import sentences
from autostatistician.describe.words import checks
from autostatistician.describe.words.amounts import by
from autostatistician.describe.words.answers import questions
from autostatistician.describe.words.answers.questions import difference_texts
from autostatistician.describe.words.counts import (
    counts_of_table_text,
    counts_text,
    none_text,
    scatter_text,
    zeros_apart_text,
)
from autostatistician.describe.words.description import description, extrapolation
from autostatistician.describe.words.events import change_text
from autostatistician.describe.words.parts import statement, summary
from autostatistician.describe.words.plain import zeros_text
from autostatistician.describe.words.scale import (
    scale_sentence,
    scale_text,
    shape_of_table_text,
    shape_sentence,
    shape_text,
)
from autostatistician.describe.words.seasons import season_text
from autostatistician.describe.words.update import missed_text, moved_text
from autostatistician.kernels.kernel import leaf

COUNTS = replace(UNITS, level=250.0, counts=True)
SCALE = LogScale(id="s", number=42.0, unit="1", evidence="e", level=250.0, by_evidence=False, probability=None)
NOISE = NoiseLevel(id="n", number=0.1, unit="log target", evidence="e", first=0.1, last=0.1)


def scatter(times: float) -> CountScatter:
    return CountScatter(id="model/counts", number=times, unit="1", evidence="e")


PARTS = replace(COUNTS, target="share of late in trains", level=0.23, top=1.0, law="binomial", sizes="trains")
PERCENT = replace(UNITS, target="late %", level=23.0, top=100.0)


def tell_why_they_are_counts() -> Iterator[str]:
    for scale in (SCALE, replace(SCALE, number=float("nan")), replace(SCALE, by_evidence=True, number=4.0)):
        yield counts_text(scale, COUNTS)
        yield scale_text((scale, scatter(1.0)), COUNTS)
        yield scale_text((scale, scatter(2.04)), COUNTS)


def tell_counts_whose_rate_scatters() -> Iterator[str]:
    yield counts_text(SCALE, replace(COUNTS, law="negative-binomial"))
    yield summary((replace(SCATTER, visible=False),), replace(COUNTS, law="negative-binomial"))


def tell_counts_by_an_exposure_are_rates() -> Iterator[str]:
    units = replace(COUNTS, target="deaths per 1,000 of cars", level=4.13, sizes="cars")
    yield counts_text(replace(SCALE, level=4.13, number=float("nan")), units)


def tell_scatter_beyond_chance() -> Iterator[str]:
    yield scatter_text((scatter(1.01),), COUNTS)
    yield scatter_text((scatter(2.04),), COUNTS)
    yield scatter_text((), COUNTS)


def tell_zeros_with_a_chance_of_their_own() -> Iterator[str]:
    yield counts_text(SCALE, replace(COUNTS, law="hurdle"))
    fact = NoneOrSome(id="n", number=0.62, unit=SHARE, evidence="e", interval=(0.54, 0.69), low=4.0, high=9.0)
    yield zeros_apart_text((fact,), COUNTS)
    yield zeros_apart_text((replace(fact, low=1.0, high=1.0),), COUNTS)
    yield zeros_apart_text((), COUNTS)
    yield zeros_text((fact,))
    yield scale_text((SCALE, scatter(2.04), fact), replace(COUNTS, law="hurdle"))


def tell_the_chance_of_none() -> Iterator[str]:
    for units in (COUNTS, units_on(PLAIN, DEPTHS)):
        none = ChanceOfNone(id="n", number=0.03, unit=SHARE, evidence="e", position=1962.0)
        yield none_text((none,), units)
        yield none_text((), units)


def tell_noise_is_what_scatters_beyond_chance() -> Iterator[str]:
    for tell, visible in (
        (statement, True),
        (statement, False),
        (description, True),
        (description, False),
        (extrapolation, True),
    ):
        yield tell((replace(NOISE, visible=visible),), COUNTS)


def tell_the_sentence_of_a_list_and_whole_numbers() -> Iterator[str]:
    yield scale_sentence(COUNTS)


def tell_shares_of_totals() -> Iterator[str]:
    yield counts_text(replace(SCALE, level=0.23, number=float("nan")), PARTS)
    yield scatter_text((scatter(2.04),), PARTS)


def tell_odds_of_percentages() -> Iterator[str]:
    yield scale_text((replace(SCALE, level=23.0),), PERCENT)
    yield scale_sentence(PERCENT)
    yield PERCENT.typical


def tell_counts_that_scatter_beyond_chance_are_not_called_plain_poisson() -> Iterator[str]:
    scale = Scale(target="visits", level=2.0, counts=True)
    yield counts_of_table_text(5.8, None, scale)


SALES = Scale(target="sales")


def tell_to_which_side_ranges_reach() -> Iterator[str]:
    for low, high in ((0.7, 1.4), (1.6, 0.8), (1.5, 1.5), (0.7, 0.7), (1.0, 1.01)):
        yield shape_text(replace(POWER, low_times=low, high_times=high), SALES)


T = MONTHS - 1949
POWER = ShapedScale(
    id="model/scale", number=23.1, unit="target", evidence="e", probability=None, power=0.5,
    low=12.0, low_times=0.72, high=45.0, high_times=1.4,
)  # fmt: skip


@cache
def powered() -> Decomposition:
    """A line and a yearly cycle of the square root of the values, taken apart on the scale of their power."""
    root = 5.0 + 0.3 * T + np.sin(2 * np.pi * T) + 0.25 * np.random.default_rng(1).standard_normal(144)
    data = Dataset(MONTHS[:, None], root**2, ("month",), "sales", MONTHLY, "sales")
    power = power_of(root**2, 0.5)
    cycle = leaf("Per", sd=12.0, lengthscale=1.0, period=1.0)
    kernel = leaf("C", sd=50.0) + leaf("Lin", sd=4.0, location=1955.0) + cycle + leaf("WN", sd=3.0)
    fitted = Fitted(kernel, 600.0, 1234.0, 9, 1.0, 100)
    return decomposed(kernel, modelled(data, power), fitted=fitted, horizon=12, transform=power)


def tell_more_of_shape() -> Iterator[str]:
    """All of them, after the name of what they are about."""
    sales = Scale(target="sales")
    for fact in (
        POWER,
        replace(POWER, low_times=1.6, high_times=0.8),
        replace(POWER, low_times=1.5, high_times=1.5),
        replace(POWER, low_times=0.7, high_times=0.7),
        replace(POWER, low_times=1.01, high_times=1.0),
    ):
        yield shape_text(fact, sales)
    yield shape_of_table_text(POWER, sales)
    yield shape_sentence(POWER, sales)


ODDS = (
    -1.5
    + 0.1 * T_OF_SHARES
    + 0.4 * np.sin(2 * np.pi * T_OF_SHARES)
    + 0.05 * np.random.default_rng(1).standard_normal(144)
)
PHASE = tuple(0.004 * np.array(SWINGS))
YEARLY = replace(SEASON, swing=sure(0.8, 0.05), course=PHASE, low=PHASE, high=PHASE)
GROWING = replace(YEARLY, ends=(0.6, 1.0))
LASTING = replace(EVENT, until=None, lasting=70, size=sure(-0.15, 0.05), level=0.35)
SHARE_COURSE = replace(
    COURSE,
    first=EndLevel(1949.0, 1950.0, sure(0.2, 0.01)), last=EndLevel(1960.0, 1960.0 + 11 / 12, sure(0.4, 0.01)),
    rise=sure(0.2, 0.01), rise_witness=seen(0.2), slope=sure(0.02, 0.001), pace=sure(0.018, 0.001),
    paces=(0.017, 0.018, 0.019), rates=(0.1, 0.1, 0.1), stretches=(),
    bounds=(0.2, 0.4), seasons=(YEARLY,), sudden=(),
    noise=sure(0.05, 0.01), noise_in_data=0.01, slope_witness=seen(0.02), scatter=None,
)  # fmt: skip


def _apart(target: str, top: float) -> Decomposition:
    """Shares that rise from a fifth to two fifths with a yearly cycle, taken apart by their odds."""
    data = Dataset(MONTHS[:, None], top / (1.0 + np.exp(-ODDS)), ("month",), target, MONTHLY, "trains")
    odds = transform_of("logit", data.y)
    line = leaf("Lin", sd=0.1, location=1955.0 - odds.shift / 0.1)
    kernel = line + leaf("Per", sd=0.4, lengthscale=1.0, period=1.0) + NOISE_OF_SHARES
    fitted = Fitted(kernel, 600.0, 1234.0, 8, 1.0, 100)
    found = decomposed(kernel, modelled(data, odds), fitted=fitted, horizon=12, transform=odds)
    return replace(found, transform_gain=42.3)


@cache
def shares() -> Decomposition:
    """Percentages."""
    return _apart("late", 100.0)


@cache
def parts_of_totals() -> Decomposition:
    """Parts of totals, with no scatter beyond chance that could be seen, and what their course does."""
    found = _apart("share of late in trains", 1.0)
    scatter = CountScatterOfShares(1.02, found.modelled, law="binomial", sizes="trains", seen=0.06)
    return replace(found, counts=scatter, function=SHARE_COURSE)


@cache
def columns_beside_shares() -> Decomposition:
    """A column that acts and one that may, on shares, with a plan."""
    found = shares()
    acts = replace(PROMO, size=around(0.5, 0.05), witness=None)
    heat = replace(HEAT, places=tuple(replace(at, effect=around(0.01 * at.effect.number, 0.02)) for at in HEAT.places))
    columns = beside(
        acts, heat, y=found.y, fit=found.observation, forecast=found.forecast, fillings=(),
        planned_until=float(found.forecast.x[-1]),
    )  # fmt: skip
    return replace(found, covariates=columns)


def tell_more_of_share() -> Iterator[str]:
    """All of them."""
    units, found = units_for(parts_of_totals()), parts_of_totals()
    course = replace(SHARE_COURSE, sudden=(LASTING,), seasons=(GROWING,))
    claims = function_claims(replace(found, function=course), units)
    yield from (change_text(fact, units) for fact in told(claims, *LEVEL_CHANGES))
    yield from (season_text(fact, units) for fact in told(claims, Kind.SEASON))
    changing = replace(SHARE_COURSE, seasons=(GROWING,))
    tables = season_section(function_claims(replace(found, function=changing), units), units)[0].blocks
    yield from (table.notes for table in tables if isinstance(table, Table))
    yield by(0.3, (0.2, 0.4), units)
    for visible in (True, False):
        yield from (tell((replace(SCATTER, visible=visible),), units) for tell in (description, statement))
    yield scale_sentence(units)
    for values in ((0.4, 0.33), (0.33, 0.4)):
        yield from _differences(values, units)
    for number in (1.0, 2.5):
        yield counts_of_table_text(number, None, Scale(target="visits", level=2.0, counts=True))
        yield scatter_text((ScatterFact(id="model/counts", number=number, unit="1", evidence="e"),), units)
    yield checks.missed_text(replace(trial_fact(trial(0.9)), error=0.021, naive=0.034), units)
    yield questions.ahead_text(1961.0, (0.31, 0.25, 0.36), units)
    yield missed_text(20, [(1961.0, 0.41, 0.25, 0.36, "")], units)
    yield moved_text([("yearly cycle", 1961.0, 0.3, 0.05)], units)


SCATTER = NoiseLevel(id="n", number=0.1, unit="log target", evidence="e", first=0.1, last=0.1)


def _differences(values: tuple[float, float], units: Units) -> Iterator[str]:
    first, last = (float(np.log(value / (1.0 - value))) for value in values)
    total = first - last
    parts = (("a cycle", 0.75 * total, 0.01), ("chance", 0.25 * total, 0.02))
    yield from difference_texts(("May", "June"), values, (True, True), total, parts, units)


def tell_the_sentences() -> Iterator[str]:
    yield from sentences(grown())
