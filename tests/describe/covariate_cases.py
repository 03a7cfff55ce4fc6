"""Columns beside the airline passengers, as records that no fit has made."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from tests.describe import factory
from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.decompose.records.function import Estimate, Witness
from autostatistician.decompose.records.series import (
    ColumnEffect,
    ColumnsBeside,
    Decomposition,
    EffectAt,
    HolidayEffect,
)
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.covariates import CovariateFindings
from autostatistician.describe.observe.series.covariates import covariate_findings
from autostatistician.describe.words.covariates import column_text
from autostatistician.forms import COMMON_SEASON, ColumnKind, Curve, EffectShape, Filling, Varying

AHEAD = MONTHS[-1] + np.arange(1, 15) / 12
EVERY = np.concatenate([MONTHS, AHEAD])
UNITS = units_on(MONTHLY, MONTHS)


def around(number: float, reach: float = 2.0) -> Estimate:
    """An estimate with its range on both sides."""
    return Estimate(number, number - reach, number + reach, 0.99)


def column(name: str, kind: ColumnKind, size: Estimate, **changes: Any) -> ColumnEffect:
    """A column that surely matters, at once and always alike; any field can be given."""
    usual, other, low, high = {
        ColumnKind.FLAG: (0.0, 1.0, 0.0, 1.0), ColumnKind.NUMBER: (5.05, 5.05, 3.84, 6.0),
        ColumnKind.CATEGORY: (2.0, 1.0, 0.0, 2.0),
    }[kind]  # fmt: skip
    places = np.linspace(low, high, {ColumnKind.FLAG: 2, ColumnKind.CATEGORY: 3}.get(kind, 9))
    curve = Curve.normal(places, size.number * (places - usual), np.full(places.size, 0.5))
    used = np.where(np.arange(EVERY.size) % 5 == 0, size.number, 0.0)
    record = ColumnEffect(
        name=name, event="", days=0, calendar="", probability=1.0, kind=kind, levels=(), usual=usual, low=low,
        high=high, other=other, step=1.0, size=size, places=(), curve=curve, shape=EffectShape.STRAIGHT, lag=0,
        lags=(0, 0), kept=0.0, varying=Varying.NOTHING, moments=(), share=0.2, apart=0.9, along=0.1,
        witness=Witness("least squares", size.number + 0.3, size.low, size.high, agrees=True),
        added=Curve.normal(EVERY, used, np.full(EVERY.size, 0.4)),
    )  # fmt: skip
    return replace(record, **changes)


PROMO = column("promo", ColumnKind.FLAG, around(25.0))
PRICE = column("price", ColumnKind.NUMBER, around(-5.5))
SEASON = column(
    "yearly cycle of the other series", ColumnKind.NUMBER, around(112.0, 20.0), calendar=COMMON_SEASON, low=-0.4,
    high=0.6, step=1.0,
)  # fmt: skip
WEATHER = column(
    "weather", ColumnKind.CATEGORY, around(-29.3), levels=("rain", "snow", "sun"),
    places=(EffectAt(0.0, around(-15.8)), EffectAt(1.0, around(-29.3))),
)  # fmt: skip


def holiday(name: str, calendar: str = "DE", **changes: Any) -> Callable[..., tuple[ColumnEffect, ...]]:
    """A maker of the columns of a holiday's days from their effects: of the day, the day before, the day after."""

    def made(on: float, before: float = 0.0, after: float = 0.0) -> tuple[ColumnEffect, ...]:
        titles = {0: "", -1: ", 1 day before", 1: ", 1 day after"}
        return tuple(
            column(f"{name}{titles[days]}", ColumnKind.FLAG, around(size), event=name, days=days, calendar=calendar,
                   **changes)
            for days, size in {0: on, -1: before, 1: after}.items()
        )  # fmt: skip

    return made


EASTER = holiday("Easter")(40.0, 12.0, -5.0)
FEASTS = (
    *holiday("New Year")(-27.0, 13.0, 0.5), *holiday("Good Friday")(-29.0, 12.0), *holiday("Labor Day")(-30.0, 11.0),
    *holiday("Christmas")(-51.0, 12.0, 4.0), *holiday("Saint Martin", probability=0.04)(1.0),
)  # fmt: skip
WORKING = column("working days", ColumnKind.NUMBER, around(12.0), low=18.0, high=23.0, calendar="DE")
NOISE = column("noise1", ColumnKind.NUMBER, around(0.1), probability=0.03, share=0.0, witness=None)
INCOME = column("income", ColumnKind.NUMBER, around(0.4), probability=0.35, apart=0.001, along=0.9, witness=None)
HEAT = column(
    "temperature", ColumnKind.NUMBER, around(0.6), usual=12.0, low=-5.0, high=31.0, witness=None,
    shape=EffectShape.TURNING,
    places=(EffectAt(-2.5, around(-36.9)), EffectAt(16.0, around(2.3, 0.5)), EffectAt(26.0, around(-10.4))),
)  # fmt: skip


def events_of(columns: tuple[ColumnEffect, ...]) -> tuple[HolidayEffect, ...]:
    """The events of columns, which came thrice."""
    totals: dict[str, float] = {}
    for one in filter(lambda one: one.event, columns):
        totals[one.event] = totals.get(one.event, 0.0) + one.size.number
    places = (1951 + 2 / 12, 1952 + 3 / 12, 1953 + 3 / 12)
    return tuple(HolidayEffect(name=name, total=around(total, 4.0), places=places) for name, total in totals.items())


def beside(*columns: ColumnEffect, **changes: Any) -> ColumnsBeside:
    """Columns without a plan, and the airline passengers with what they add."""
    y = factory.airline().y
    record = ColumnsBeside(
        effects=columns, y=y + columns[0].added.mean[: y.size], fit=Curve.normal(MONTHS, y, np.full(y.size, 3.0)),
        forecast=Curve.normal(AHEAD, y[-1] + np.arange(14.0), np.full(14, 8.0)), season=1.0, before=1.0,
        fillings=tuple((one.name, Filling.SEASON_BEFORE) for one in columns if one.probability >= 0.2),
        planned_until=None, beyond=(), events=events_of(columns),
    )  # fmt: skip
    return replace(record, **changes)


def with_columns(*columns: ColumnEffect, **changes: Any) -> Decomposition:
    """The airline passengers beside columns."""
    return replace(factory.airline(), covariates=beside(*columns, **changes))


def findings(*columns: ColumnEffect, **changes: Any) -> CovariateFindings:
    """What is told of columns."""
    made = covariate_findings(with_columns(*columns, **changes))
    assert made is not None
    return made


def said(effect: ColumnEffect, units: Units = UNITS) -> str:
    """The sentence on a column that is the only one."""
    return column_text(findings(effect).columns[0], units)
