"""Golden sentences: series beside the golden pages, what no page says."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.describe import factory
from tests.describe.factory import (
    BUSINESS,
    DAYS,
    DEPTHS,
    HOURLY,
    MONTHLY,
    MONTHS,
    PLAIN,
    YEARLY,
    YEARS,
    observed,
    ran,
    units_on,
)
from tests.describe.function_cases import (
    COURSE,
    EVENT,
    LEVEL_VALUES,
    ROOF,
    SCATTER,
    SEASON,
    STEP,
    TURNED,
    UNITS,
    seen,
    sure,
)
from tests.describe.spoken.nouns import C, lin, matern, per, se, since, until

from autostatistician.claims.claim import Claim as Said
from autostatistician.claims.claim import shown, weighed
from autostatistician.claims.kinds import Kind
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.function import Estimate, Plateau
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.series.function import claims_table
from autostatistician.describe.facts import whole as of_whole
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.kinds import Growth, Pace, SearchCut, Taken
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    ConstantLevel,
    CrossValidatedError,
    DampedTrend,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    SmoothVariation,
    Trend,
    Wandering,
)
from autostatistician.describe.facts.search import TriedModel
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.describe.words import course, events, seasons, update, whole
from autostatistician.describe.words import forecast as of_forecast
from autostatistician.describe.words import scale as of_scale
from autostatistician.describe.words.claims import statements, sureness_text
from autostatistician.describe.words.description import description, extrapolation
from autostatistician.describe.words.forecast import conditions_text
from autostatistician.describe.words.method import legend
from autostatistician.describe.words.parts import part_name, statement, summary
from autostatistician.describe.words.plain import nothing_text
from autostatistician.describe.words.search import fit_text, stages_text

LOGS = replace(UNITS, level=250.0)
DEPTH = units_on(PLAIN, DEPTHS)


def _courses(units: Units = UNITS, **changes: object) -> str:
    return course.course_text(_claims(units, **changes), units)


def _claims(units: Units = UNITS, **changes: object) -> tuple[Said, ...]:
    course = replace(COURSE, **{"seasons": (), "sudden": (), **changes})  # type: ignore[arg-type]
    return function_claims(replace(factory.airline(), function=course, y=LEVEL_VALUES), units)


def tell_functions() -> Iterator[str]:
    open_rise = Estimate(-90.0, -200.0, 30.0, 0.4)
    yield _courses(sudden=(EVENT, replace(STEP, at=1958.0)))
    yield _courses(stretches=ROOF)
    yield _courses(stretches=ROOF * 2)
    deep = replace(ROOF[1], last=50.0, change=sure(-250.0), witness=seen(-250.0))
    yield _courses(stretches=(ROOF[0], deep, *ROOF))
    yield _courses(stretches=(*ROOF, ROOF[0], *ROOF, ROOF[0]))
    yield _courses(sudden=(STEP,), wander=0.4, stretches=ROOF)
    yield _courses(sudden=(STEP,), wander=0.4, stretches=ROOF * 2)
    yield _courses(rise_witness=seen(-40.0, agrees=False))
    yield _courses(rise=open_rise, bounds=(100.0, 300.0), wander=0.6)
    yield _courses(rise=Estimate(3.0, -5.0, 9.0, 0.4))
    yield _courses(stretches=(replace(ROOF[0], stop=1955.0), ROOF[1]))
    yield from _standstills()
    yield _courses(wander=0.9, bounds=(0.0, 900.0))
    yield _courses(rise=sure(-200.0), wander=0.9, bounds=(0.0, 900.0))
    yield _courses(rise=Estimate(3.0, -5.0, 9.0, 0.4), stretches=ROOF * 2)
    yield _courses()
    yield _courses(bends=True)
    yield _courses(rise=sure(-200.0), pace=sure(-15.0), paces=(-15.0, -15.0, -15.0), slope=sure(-15.0))
    yield _courses(sudden=(STEP,), pace=sure(-29.0), slope=sure(-29.0))
    yield _courses(wander=0.3, slope=sure(-20.0))
    yield _courses(rise=sure(-200.0), wander=0.3, paces=(-15.0, 3.0, -15.0), slope=sure(20.0))
    yield _courses(units=LOGS, slope=sure(90.0), growth=sure(0.05, 0.01))
    grown = replace(COURSE, seasons=(), sudden=(), slope=sure(90.0), growth=sure(0.05, 0.01))
    grows = function_claims(replace(factory.airline(), function=grown, transform=Transform("log", 250.0)), LOGS)
    yield course.course_text(grows, LOGS)
    season = replace(SEASON, period=3.4)
    yield from _scatters()
    changes = (
        STEP, replace(STEP, stays=False), replace(STEP, lasting=3), replace(STEP, lasting=1), replace(EVENT, rows=1),
        replace(STEP, size=sure(150.0)),
    )  # fmt: skip
    for change in changes:
        yield events.happened_text(_claims(sudden=(change,), scatter=None), UNITS)
    plain = replace(UNITS, axis=PLAIN)
    yield _courses(seasons=(season,), units=plain)
    yield seasons.season_text(next(one for one in _claims(seasons=(season,)) if one.kind is Kind.SEASON), plain)
    yield _courses(seasons=(replace(SEASON, swing=sure(0.2, 0.01)),), units=LOGS)
    yield _courses(seasons=(TURNED,))
    yield _courses(seasons=(replace(TURNED, tops=(), bottoms=()),))
    yield f"{events.at(4.0, DEPTH)}; {events.at(200.0, units_on(factory.DAILY, DAYS))}"
    yield _courses(stretches=ROOF, units=replace(UNITS, axis=PLAIN))


def _scatters() -> Iterator[str]:
    """Changes of the scatter, with and without a date."""
    quieter = replace(SCATTER, ratio=Estimate(-1.386, -1.6, -1.2, 1.0))
    yield events.happened_text(_claims(scatter=quieter), UNITS)
    wide = _claims(scatter=replace(SCATTER, span=(1954.5, 1956.0, 18)), sudden=())
    narrow = _claims(scatter=replace(SCATTER, span=(1955.1, 1955.2, 18)), sudden=())
    for facts, units in ((wide, UNITS), (narrow, UNITS), (wide, replace(UNITS, axis=PLAIN))):
        yield events.happened_text(facts, units)


def _standstills() -> Iterator[str]:
    """Rises and falls that stand still for a while, or go back."""
    up, down = ROOF
    for still in (
        Plateau(1956.0, 1959.0, 300.0, 299.0), Plateau(1956.0, 1959.0, 300.0, 290.0),
        Plateau(1957.0, 1959.0, 270.0, 280.0), Plateau(1957.0, 1960.9, 255.0, 251.0),
    ):  # fmt: skip
        yield _courses(stretches=(up, replace(down, still=still)))
    yield _courses(stretches=(replace(up, still=Plateau(1952.0, 1954.0, 200.0, 230.0)), down))
    yield _courses(stretches=(replace(up, still=Plateau(1952.0, 1954.0, 200.0, 170.0)), down))
    yield _courses(stretches=(*ROOF, up, replace(down, still=Plateau(1956.0, 1959.0, 300.0, 299.0))))
    yield _courses(stretches=(replace(up, witness=seen(0.0, agrees=False)), down))
    pause = Plateau(1952.0, 1954.0, 200.0, 201.0)
    yield _courses(still=pause)
    yield _courses(still=pause, wander=0.3, paces=(10.0, 30.0, 50.0))
    yield _courses(still=replace(pause, stop=1956.0), wander=0.3, paces=(40.0, 5.0, 40.0))
    for facts in (_claims(sudden=(STEP,), stretches=ROOF, wander=0.02), _claims(still=pause, stretches=ROOF)):
        table = claims_table(facts, UNITS)  # type: ignore[arg-type]
        assert table is not None
        yield "; ".join(" | ".join(row) for row in table.rows)


def _told(*facts: Fact, units: Units = UNITS) -> str:
    """All that is said of a part."""
    return " ".join(filter(None, (tell(facts, units) for tell in (statement, description, extrapolation))))


def _fact(of: type, number: float, **more: object) -> Fact:
    fact = of(**{"id": "part-1/x", "number": number, "unit": "target", "evidence": "e", **more})
    assert isinstance(fact, Fact)
    return fact


SIZE = _fact(Amplitude, 300.0, low=0.0, high=300.0, first=0.0, last=300.0, interval=(280.0, 320.0))
STRETCH = ((1955.0, 1958.0),)
ACTIVE = _fact(ActiveInterval, 1.0, shown=STRETCH)
SLOW = _fact(SmoothVariation, 9.0, pace=Pace.SLOW)
CUBIC, SQUARE = _fact(PolynomialTrend, 3.0), _fact(PolynomialTrend, 2.0)
RISING = _fact(Trend, 25.0, direction=1, steady=True, probability=0.99)
CYCLE = _fact(Periodicity, 1.0, drift=None, steady=False, detail=None, seen=12.0)


def tell_parts() -> Iterator[str]:
    falling = replace(RISING, number=-25.0, direction=-1)
    yield _told(CUBIC, RISING, replace(SIZE, last=1.0, high=1.0), units=LOGS)
    yield _told(CUBIC, SIZE)
    yield _told(SQUARE, SIZE)
    yield _told(SLOW, RISING, SIZE)
    yield _told(SLOW, falling, ACTIVE, SIZE)
    yield _told(SLOW, replace(falling, steady=False), SIZE)
    yield _told(_fact(SmoothVariation, 0.01, pace=Pace.USUAL), replace(falling, steady=False), ACTIVE, SIZE)
    for rough, free in ((False, True), (False, False), (True, True), (True, False)):
        head = _fact(Wandering, 30.0 if free else 2.0, rough=rough, free=free)
        yield _told(head, RISING, SIZE)
        yield _told(head, replace(RISING, probability=0.93))
        yield _told(head)
    yield _told(_fact(SmoothVariation, 2.0, pace=Pace.USUAL, several_scales=True), SIZE)
    yield _told(_fact(SmoothVariation, 2.0, pace=Pace.USUAL, several_scales=True), RISING)
    yield _told(_fact(DampedTrend, 2.0, lasting=False), SIZE)
    yield _told(_fact(DampedTrend, 9.0, lasting=True), RISING, SIZE)
    yield _told(_fact(LinearTrend, 8.0, direction=0, interval=(-9.0, 25.0)), SIZE)
    yield _told(_fact(LinearTrend, 0.0, direction=0, interval=(-0.01, 0.01)), replace(SIZE, is_level=True))
    yield _told(_fact(LinearTrend, -8.0, direction=-1, interval=(-9.0, -7.0), probability=0.99), SIZE)
    yield _told(_fact(LinearTrend, -8.0, direction=-1, probability=0.93), replace(SIZE, is_level=True))
    yield _told(_fact(LinearTrend, 0.02, direction=1), replace(SIZE, number=1.0, last=1.0, high=1.0), units=LOGS)
    yield _told(
        SLOW,
        replace(RISING, number=0.05),
        replace(SIZE, number=1.2, low=-0.3, first=0.0, last=0.5, high=0.9),
        units=LOGS,
    )
    for is_level in (False, True):
        same = replace(SIZE, number=9.0, low=-3.0, first=2.0, last=2.0, high=6.0, is_level=is_level)
        yield _told(SLOW, RISING, same)
    yield _told(_fact(SmoothVariation, 2.0, pace=Pace.USUAL), replace(SIZE, is_level=True))


def tell_descriptions() -> Iterator[str]:
    step = _fact(ChangeSteepness, 0.05, location=1955.04, abrupt=True)
    stepped = _fact(ConstantLevel, 300.0, stepped=True)
    for rises in (True, False):
        yield _told(stepped, SIZE, replace(step, rises=rises), replace(step, rises=rises, number=2.0, abrupt=False))
    yield _told(stepped, replace(step, told=True))
    yield _told(replace(stepped, stepped=False, beside=True), ACTIVE)
    yield part_name((stepped, step), UNITS)
    level = _fact(ConstantLevel, 30.0, interval=(28.0, 32.0))
    slowly = replace(step, number=2.0, abrupt=False, location=1957.0)
    later = replace(slowly, location=1959.0)
    yield _told(level)
    yield _told(replace(level, number=0.1, interval=(0.05, 0.15)), units=LOGS)
    yield _told(level, ACTIVE, replace(step, location_interval=(1954.5, 1955.6)))
    yield _told(level, ACTIVE, step, replace(step, location=1958.0))
    yield _told(level, ACTIVE, step, slowly, later, replace(later, location=1960.0, number=0.5))
    yield _told(level, ACTIVE, step, replace(slowly, location=1955.05))
    yield _told(level, ACTIVE, slowly, later, replace(slowly, location=1953.0), replace(step, location=1951.0))
    yield _told(level, ACTIVE, step, replace(step, location=1957.0), replace(step, location=1958.0))
    yield _told(level, ACTIVE, slowly)
    yield _told(CYCLE, SIZE)
    doubtful = replace(CYCLE, number=3.4, seen=3.5, interval=(2.9, 4.1))
    yield _told(doubtful, SIZE)
    yield _told(replace(doubtful, detail=1.0), units=DEPTH)
    yield _told(replace(CYCLE, detail=0.8), SIZE)
    yield _told(replace(CYCLE, number=2.5), SIZE, units=DEPTH)
    yield _told(replace(CYCLE, waves=2))
    yield _told(replace(CYCLE, waves=5))
    near = replace(CYCLE, drift=4.0)
    yield _told(near, SIZE)
    yield _told(replace(near, drift=9.0, steady=True))
    yield _told(replace(near, drift=90.0, steady=True))
    yield _told(replace(near, drift=None))


def tell_sizes() -> Iterator[str]:
    noise = _fact(NoiseLevel, 5.0, first=3.0, last=7.0)
    grows = _fact(AmplitudeChange, 3.0, kind=Growth.GROWS, degree=1, interval=(2.0, 4.0))
    yield _told(noise, grows)
    yield _told(noise, grows, ACTIVE)
    yield _told(replace(noise, number=0.1, first=0.05, last=0.15), grows, units=LOGS)
    yield _told(replace(noise, visible=False))
    for head in (noise, CYCLE):
        yield _told(head, replace(grows, degree=2))
        yield _told(head, replace(grows, kind=Growth.SHRINKS, number=0.4))
        yield _told(head, replace(grows, kind=Growth.SHRINKS, degree=2, number=0.4))
        yield _told(head, replace(grows, kind=Growth.AWAY, number=1.2))
        yield _told(head, replace(grows, kind=Growth.POLYNOMIAL, degree=2, places=(1951.0, 1955.0)))
        yield _told(head, replace(grows, kind=Growth.POLYNOMIAL, degree=4))
    for ratio, sure_of_it in ((1e9, 0.99), (1e-9, 0.99), (1.2, 0.93), (1.2, 0.7), (0.9, 0.7)):
        yield _told(CYCLE, replace(grows, number=ratio, probability=sure_of_it, interval=None))
    shrinks = replace(grows, kind=Growth.SHRINKS, number=0.4)
    yield _told(CYCLE, shrinks)
    yield _told(CYCLE, replace(shrinks, probability=0.7))


def tell_searches() -> Iterator[str]:
    found = series_findings(replace(factory.airline(), stages=(250, 9000))).search
    yield stages_text(found, by_chance=True)
    likelier = (TriedModel(1, "SE + WN", 36.0, None), TriedModel(1, "WN", 30.0, None))
    yield f"The model was chosen: {fit_text(replace(found, by_evidence=True, tried=likelier))}."
    yield from legend(replace(found, operators=frozenset(("CP", "CW", "+", "*"))))
    for kind in (Kind.CYCLE, Kind.GROWING_CYCLE):
        yield from (one.text for one in statements([weighed(shown(kind, 3.4), 0.7, in_best=True)], DEPTH))


def tell_wholes() -> Iterator[str]:
    noise = series_findings(factory.noise_only())
    cut = replace(noise, search=replace(noise.search, cut=SearchCut.BUDGET))
    late = replace(cut, search=replace(cut.search, path=(("WN", 2.0), ("SE + WN", 1.0))))
    level = series_findings(_level())
    for found in (noise, cut, late, level):
        yield whole.nothing_found(found, UNITS)
    scale = of_whole.LogScale(
        id="s", number=42.0, unit="1", evidence="e", level=250.0, by_evidence=False, probability=None
    )
    for changes in ({}, {"number": float("nan")}, *({"by_evidence": True, "number": gain} for gain in (4.0, 0.02))):
        yield of_scale.scale_text((replace(scale, **changes),), LOGS)
    yield of_scale.scale_sentence(replace(LOGS, open_scale=True))
    base = of_whole.BaselineError(id="model/baseline", number=8.0, unit="target", evidence="e")
    for error in (4.0, 1e-9):
        yield whole.error_text(_fact(CrossValidatedError, error), base, UNITS)
    ahead = of_whole.ForecastRange(
        id="f", number=5.0, unit="target", evidence="e", interval=(3.0, 7.0), position=1961.0
    )
    limit = of_whole.NaturalLimit(id="l", number=0.0, unit="target", evidence="e", upper=False)
    yield of_forecast.forecast_notes((ahead, limit, replace(limit, upper=True, number=100.0)), UNITS)
    large = replace(ahead, number=5.1e10, interval=(4e10, 6e10))
    for facts in ((ahead,), (replace(ahead, interval=(5.0, 5.0)),), (large, replace(large, position=1962.0))):
        yield of_forecast.forecast_short(facts, UNITS)
    for amounts, total in ((True, 62.0), (True, 60.1), (True, 50.0), (False, 60.0)):
        year = of_whole.NextSum(
            id="s", number=total, unit="target", evidence="e", interval=(total - 9.0, total + 9.0), probability=0.2,
            steps=12, before=60.0, amounts=amounts,
        )  # fmt: skip
        yield of_forecast.sum_text((year,), UNITS)
    condition = of_whole.ForecastCondition(
        id="forecast/x", number=516.2, unit="target", evidence="e", kind=Taken.LASTS, size=-80.0, at=1957.0 + 2 / 12,
        position=1962.0, end=1319.4, pace=-40.0,
    )  # fmt: skip
    yield conditions_text([replace(condition, kind=kind) for kind in Taken], UNITS)
    yield nothing_text((of_whole.PossibleStructure(id="d", number=0.82, unit=SHARE, evidence="e"),))
    yield sureness_text(0.1, "that the search looked at", 0.4)
    yield sureness_text(0.1, "that the search looked at", 0.4, nearly=False)
    yield sureness_text(0.1, "that the search looked at", 0.4, of_columns=True)


def _level() -> factory.Decomposition:
    x = MONTHS[:40]
    parts = (factory.component(C, x, np.full(40, 50.0)), factory.component(factory.leaf("WN", sd=1.0), x))
    return factory.decomposition(parts, x, 50.0 + np.sin(9.0 * x), MONTHLY)


def tell_news() -> Iterator[str]:
    yield update.surprise_text(1, 1, 0.43, False, None, 1.1)
    yield update.surprise_text(1, 0, 1e-5, True, 3.0, 1.1)
    yield update.surprise_text(12, 11, 1e-5, True, -3.0, 1.1)
    yield update.surprise_text(12, 12, 1e-5, True, None, 2.1)
    for surprising, grown in ((True, False), (False, True), (False, False)):
        yield update.advice_text(surprising, 100, 900, grown)
    for rows in (1, 3):
        yield " ".join(update.rows_texts(rows, rows, rows))


def tell_beyond() -> Iterator[str]:
    away = lin(1940.0) * per(1.0)
    for kernel in (se(0.01), se(3.0), lin(1940.0), until(C, 1955.0), since(C, 1990.0), matern("32", 1.0), away):
        yield extrapolation(*observed(kernel))
    steady = ran(rising=0.99)
    yield description(*observed(se(20.0), mean=np.linspace(0.0, 9.0, 144) ** 2, joint=steady))
    yield extrapolation(*observed(se(20.0), mean=-np.linspace(0.0, 9.0, 144), joint=ran(falling=0.99)))
    product = per(1.0) * per(0.25) * lin(1940.0)
    yield extrapolation(*observed(product))
    yield extrapolation(*observed(per(2.5), BUSINESS, DAYS))
    yield summary(*observed(per(24.0), HOURLY, DAYS))
    yield description(*observed(per(11.0), YEARLY, YEARS))
