"""Golden pages and lines on shares whose odds are modelled: percentages of the data, and parts of totals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
from tests.decompose.series.series import decomposed
from tests.describe.checks import trial, trial_fact
from tests.describe.covariate_cases import HEAT, PROMO, around, beside
from tests.describe.factory import MONTHLY, MONTHS
from tests.describe.function_cases import COURSE, EVENT, SEASON, SWINGS, seen, sure
from tests.describe.grown import NOISE, T

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import modelled, transform_of
from autostatistician.decompose.records.function import EndLevel
from autostatistician.decompose.records.series import CountScatter, Decomposition, Fitted
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Table
from autostatistician.describe.document.series.function import season_section
from autostatistician.describe.facts.function import SeasonSwing, SuddenChange
from autostatistician.describe.facts.part import NoiseLevel
from autostatistician.describe.facts.whole import CountScatter as ScatterFact
from autostatistician.describe.facts.whole import CourseBreak
from autostatistician.describe.observe.series.function import function_facts
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.words.amounts import by
from autostatistician.describe.words.answers import questions
from autostatistician.describe.words.answers.comparison import missed_text, moved_text
from autostatistician.describe.words.answers.differences import difference_texts
from autostatistician.describe.words.breaks import break_text
from autostatistician.describe.words.checks import forecast_test_text
from autostatistician.describe.words.claims import averaged_text
from autostatistician.describe.words.counts import counts_of_table_text, scatter_text
from autostatistician.describe.words.description import description
from autostatistician.describe.words.events import change_text
from autostatistician.describe.words.scale import scale_sentence
from autostatistician.describe.words.seasons import season_text
from autostatistician.describe.words.statement import statement
from autostatistician.language.kernel import leaf

ODDS = -1.5 + 0.1 * T + 0.4 * np.sin(2 * np.pi * T) + 0.05 * np.random.default_rng(1).standard_normal(144)
PHASE = tuple(0.004 * np.array(SWINGS))
YEARLY = replace(SEASON, swing=sure(0.8, 0.05), course=PHASE, low=PHASE, high=PHASE)
GROWING = replace(YEARLY, ends=(0.6, 1.0))
LASTING = replace(EVENT, until=None, lasting=70, size=sure(-0.15), level=0.35)
SHARE_COURSE = replace(
    COURSE,
    first=EndLevel(1949.0, 1950.0, sure(0.2, 0.01)), last=EndLevel(1960.0, 1960.0 + 11 / 12, sure(0.4, 0.01)),
    rise=sure(0.2, 0.01), rise_witness=seen(0.2), slope=sure(0.02, 0.001), pace=sure(0.018, 0.001),
    paces=(0.017, 0.018, 0.019), rates=(0.1, 0.1, 0.1), stretches=(), reach=sure(0.2, 0.01),
    bounds=(0.2, 0.4), seasons=(YEARLY,), sudden=(),
    noise=sure(0.05, 0.01), noise_in_data=0.01, slope_witness=seen(0.02), scatter=None,
)  # fmt: skip


def _apart(target: str, top: float) -> Decomposition:
    """Shares that rise from a fifth to two fifths with a yearly cycle, taken apart by their odds."""
    data = Dataset(MONTHS[:, None], top / (1.0 + np.exp(-ODDS)), ("month",), target, MONTHLY, "trains")
    odds = transform_of("logit", data.y)
    line = leaf("Lin", sd=0.1, location=1955.0 - odds.shift / 0.1)
    kernel = line + leaf("Per", sd=0.4, lengthscale=1.0, period=1.0) + NOISE
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
    scatter = CountScatter(1.02, found.modelled, law="binomial", sizes="trains", seen=0.06)
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


def share_lines() -> Iterator[str]:
    """All of them."""
    units, found = units_for(parts_of_totals()), parts_of_totals()
    yield "# shares"
    course = replace(SHARE_COURSE, sudden=(LASTING,), seasons=(GROWING,))
    claims = function_facts(replace(found, function=course), units)
    yield from (change_text(fact, units) for fact in claims if isinstance(fact, SuddenChange))
    yield from (season_text(fact, units) for fact in claims if isinstance(fact, SeasonSwing))
    changing = replace(SHARE_COURSE, seasons=(GROWING,))
    tables = season_section(function_facts(replace(found, function=changing), units), units)[0].blocks
    yield from (table.notes for table in tables if isinstance(table, Table))
    yield by(0.3, (0.2, 0.4), units)
    for visible in (True, False):
        yield from (tell((replace(SCATTER, visible=visible),), units) for tell in (description, statement))
    yield scale_sentence(units)
    yield averaged_text(3, grows=False)
    for values in ((0.4, 0.33), (0.33, 0.4)):
        yield from _differences(values, units)
    for number in (1.0, 2.5):
        yield counts_of_table_text(number, None, Scale(target="visits", level=2.0, counts=True))
        yield scatter_text((ScatterFact(id="model/counts", number=number, unit="1", evidence="e"),), units)
    yield forecast_test_text(replace(trial_fact(trial(0.9)), error=0.021, naive=0.034), units)
    yield questions.ahead_text(1961.0, (0.31, 0.25, 0.36), units)
    yield missed_text(20, [(1961.0, 0.41, 0.25, 0.36, "")], units)
    yield moved_text([("yearly cycle", 1961.0, 0.3, 0.05)], units)
    yield break_text((FALL,), units)


SCATTER = NoiseLevel(id="n", number=0.1, unit="log target", evidence="e", first=0.1, last=0.1)
FALL = CourseBreak(
    id="forecast/break", number=-0.2, unit="target", evidence="e", span=1.0, change=-1.0, start=0.4, end=0.2,
    least=-0.3, most=0.2,
)  # fmt: skip


def _differences(values: tuple[float, float], units: Units) -> Iterator[str]:
    first, last = (float(np.log(value / (1.0 - value))) for value in values)
    total = first - last
    parts = (("a cycle", 0.75 * total, 0.01), ("chance", 0.25 * total, 0.02))
    yield from difference_texts(("May", "June"), values, (True, True), total, parts, units)
