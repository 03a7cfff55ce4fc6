"""What functions do, as records and facts that tests share."""

from dataclasses import replace

import numpy as np
from tests.describe.factory import MONTHLY, MONTHS, airline, units_on

from autostatistician.claims.claim import Claim
from autostatistician.decompose.records.function import (
    EndLevel,
    Estimate,
    FirstCycle,
    FunctionCourse,
    LevelChange,
    Movement,
    ScatterChange,
    Season,
    Witness,
)
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.forms import FarOff

UNITS = units_on(MONTHLY, MONTHS)
PHASES = tuple((np.arange(12) / 12.0).tolist())
SWINGS = tuple((100.0 * np.cos(2.0 * np.pi * (np.arange(12) - 6) / 12.0)).tolist())


def sure(number: float, half: float = 1.0) -> Estimate:
    return Estimate(number, number - half, number + half, 1.0)


def seen(number: float, *, agrees: bool = True) -> Witness:
    return Witness("medians", number, number - 1.0, number + 1.0, agrees)


LEVEL_VALUES = np.resize([280.0, 300.0], 144)  # whose thirds are alike
SEASON = Season(
    1.0, sure(0.2, 0.02), sure(200.0, 5.0), PHASES, SWINGS, SWINGS, SWINGS, (0.5, 0.95), (0.0, 0.95), (0.5,), (0.0,),
    0.99, seen(199.0), (1.0, 1.0), 1e-9,
)  # fmt: skip
TURNED = replace(SEASON, first=FirstCycle(SWINGS[6:] + SWINGS[:6], (0.0,), (0.5,)), ends=(200.0, 150.0))
EVENT = LevelChange(1954.0, 1954.0 + 1 / 12, 1955.0, sure(-150.0), 300.0, 1.0, 11, 60, True, seen(-148.0))
SPELL = replace(
    EVENT, at=1955.0, until=1955.5, segment=FarOff(1955.0 + 5 / 12, 1955.25, 160.0, 310.0, 120.0, 3e-7), rows=6
)  # far below the rest
STEP = replace(EVENT, until=None, lasting=70)
SCATTER = ScatterChange(1955.0, Estimate(1.386, 1.2, 1.6, 1.0), 2.0, 8.0, seen(1.4))
COURSE = FunctionCourse(
    EndLevel(1949.0, 1950.0, sure(120.0)), EndLevel(1960.0, 1960.0 + 11 / 12, sure(470.0)), sure(350.0), seen(349.0),
    sure(30.0), sure(29.2),
    (Movement(1949.0, 1960.0 + 11 / 12, 118.0, 475.0, sure(357.0), (1949.0, 1949.0), seen(350.0)),),
    (29.0, 29.2, 29.4), (29.0, 29.2, 29.4), (118.0, 475.0),
    0.02, (SEASON,), (EVENT,), SCATTER, 0.001, sure(10.0), 10.0, None, seen(30.0), end=470.0,
)  # fmt: skip
ROOF = (
    Movement(1949.0, 1956.0, 100.0, 300.0, sure(200.0), (1949.0, 1949.0), seen(200.0)),
    Movement(1956.0, 1960.0 + 11 / 12, 300.0, 250.0, sure(-50.0), (1955.75, 1956.25), seen(-50.0)),
)


def facts(course: FunctionCourse) -> tuple[Claim, ...]:
    return function_claims(replace(airline(), function=course, y=LEVEL_VALUES), UNITS)


def it(text: str) -> str:
    return text.replace(UNITS.it, "it")
