"""Tables of a report: the forecast, and the fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count as from_number
from math import gcd, sqrt

import numpy as np

from autostatistician.claims.quantity import Measure
from autostatistician.describe.axis.lengths import axis_title, length, over_one, rate
from autostatistician.describe.axis.places import position_text, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.judgement import TENTHS
from autostatistician.describe.facts.search import FittedNumber
from autostatistician.describe.words.ranges import forecast_decimals, middle_decimals
from autostatistician.forms import Curve
from autostatistician.i18n.messages import message, say, say_as
from autostatistician.i18n.numbers import amount, capital, count, fixed, in_percent, ordinal

__all__ = ["forecast_table", "numbers_table"]

LOPSIDED = 2.0  # times as far as the lower limit lies the upper one, from which the mean is no likely value
_NONE = "–"
_MOST_ROWS = 26  # half a year of weeks
_LONG_ROWS = 16  # of longer forecasts


def forecast_table(curve: Curve, units: Units, at_usual: Curve | None = None) -> Table:
    """The forecast at each step; of a long one every fifth, every tenth, ... and the last.

    That with columns has beside it the forecast with these ``at_usual`` values.
    """
    stride = _stride(curve.x.size, _cycles(curve, units.axis.natural_periods))
    chosen = sorted({*range(0, curve.x.size, stride), curve.x.size - 1}) if curve.x.size else []
    low, high = curve.lower, curve.upper
    decimals = forecast_decimals([(float(low[i]), float(high[i])) for i in chosen], units)
    fine = middle_decimals([float(curve.mean[i]) for i in chosen], decimals, units)
    rows: list[tuple[str, ...]] = []
    for i in chosen:
        values = [(curve.mean, fine), (low, decimals), (high, decimals)]
        values += [] if at_usual is None else [(at_usual.mean, fine)]
        figures = [fixed(units.in_per_cent * float(value[i]), places) for value, places in values]
        figures = [in_percent(figure) for figure in figures] if units.is_odds else figures
        rows.append((capital(stamp(float(curve.x[i]), units)), *figures))
    notes: list[str] = []
    if stride > 1:
        steps = fixed(curve.x.size, 0)
        notes = [say("Every {nth} of the {n} steps is shown, and the last.", nth=ordinal(stride), n=steps)]
    if len(rows) > 2 and len({row[1:] for row in rows}) == 1:
        last = stamp(float(curve.x[-1]), units)
        rows = [(say_as("cell of a table", "{low} to {high}", low=rows[0][0], high=last), *rows[0][1:])]
        notes = [say("The forecast is the same for all {n} steps.", n=count(curve.x.size))]
    if curve.x.size and np.median((high - curve.mean) / np.maximum(curve.mean - low, 1e-300)) > LOPSIDED:
        notes.append(
            say("Forecasts are means: more of the values lie below than above, but those above lie further off.")
            if curve.median is None
            else say(
                "Forecasts are medians: values lie as often above as below, but further above: their mean is higher."
            )
        )
    beside = () if at_usual is None else (say("Columns as usual"),)
    header = (axis_title(units), say("Forecast"), say("Lower 95% limit"), say("Upper 95% limit"), *beside)
    caption = (
        say("Forecast of '{target}' with its columns.", target=units.target)
        if beside
        else say("Forecast of '{target}'.", target=units.target)
    )
    numeric = (False, True, True, True, *(True for _ in beside))
    return Table("table-forecast", caption, header, tuple(rows), numeric, " ".join(notes))


def _cycles(curve: Curve, periods: tuple[float, ...]) -> tuple[int, ...]:
    """How many steps those cycles take of which a forecast holds a whole one."""
    steps = curve.x.size
    if steps < 2:
        return ()
    step = float(curve.x[-1] - curve.x[0]) / (steps - 1)  # of working days, five make a week
    return tuple(cycle for cycle in (round(period / step) for period in periods) if 1 < cycle <= steps)


def _stride(steps: int, cycles: tuple[int, ...] = ()) -> int:
    """Every how many steps a row is shown: 1 for short forecasts.

    It has no divisor in common with a cycle, so rows are of all its phases: of a week, not of one weekday.

    >>> _stride(24, (12,)), _stride(60, (7,)), _stride(72, (24,)), _stride(60, (12,)), _stride(31), _stride(400)
    (1, 4, 5, 5, 2, 50)
    """
    if steps <= _MOST_ROWS:
        return 1
    tens = (digit * 10**power for power in range(12) for digit in (1, 2, 5))
    strides = from_number(2) if cycles else tens
    return next(
        stride
        for stride in strides
        if stride > 1 and steps / stride <= _LONG_ROWS and all(gcd(stride, cycle) == 1 for cycle in cycles)
    )


# --- the fitted numbers ---------------------------------------------------------------------------------


def numbers_table(numbers: Sequence[FittedNumber], units: Units) -> Table:
    """All fitted numbers, part by part, with their units."""
    rows = tuple(
        (
            str(number.part),
            number.symbol,
            say(number.meaning or _OF_CHANGES[number.symbol, number.name]),
            _value(number, units),
        )
        for number in numbers
    )
    note = say(
        "In a product, the sizes of the factors multiply. Sizes are in the units of {what}.", what=_of_target(units)
    )
    header = (say("Part"), say("Symbol"), say("What the number is"), say("Value"))
    return Table("table-parameters", say("The fitted numbers."), header, rows, (True, False, False, True), note)


def _of_target(units: Units) -> str:
    if units.level is None:
        return f"'{units.target}'"
    told = {"target": units.target, "level": amount(units.level, 6, units.spread_of_values), "small": fixed(0.01, 2)}
    if units.is_odds:
        return say(
            "the natural logarithm of the odds of '{target}' divided by those of the typical share of {level}: {small} "
            "is about 1%",
            **told,
        )
    if units.counts:
        return say(
            "the natural logarithm of the rate of '{target}' divided by the typical one of {level}: {small} is about "
            "1%",
            **told,
        )
    return say(
        "the natural logarithm of '{target}' divided by the typical level (geometric mean) of {level}: {small} is "
        "about 1%",
        **told,
    )


_OF_CHANGES = {
    ("CP", "location"): message("where the change lies"),
    ("CW", "location"): message("where the middle of the window lies"),
    ("CP", "steepness"): message("time the change takes"),
    ("CW", "steepness"): message("time each change takes"),
    ("CW", "width"): message("width of the window"),
}


def _value(number: FittedNumber, units: Units) -> str:
    value = number.value
    match number.quantity:
        case Measure.SPAN:
            return length(value, units, 4)
        case Measure.PLACE:
            return position_text(value, units)
        case Measure.SLOPE:
            slope, per = rate(value, units)
            return f"{amount(slope)} {per}"
        case Measure.DIFFUSION:  # variances of steps add up: over four years they are twice those over one
            units_in_one, _ = rate(1.0, units)
            return f"{amount(value * sqrt(units_in_one))} {over_one(units)}"
        case Measure.RATE:
            return length(TENTHS / value, units) if value > 0 else _NONE
    return amount(value)
