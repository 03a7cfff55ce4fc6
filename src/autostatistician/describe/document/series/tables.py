"""Tables of a report: what each part gains, the forecast, the search path, the fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count as from_number
from math import gcd, isfinite, sqrt

from autostatistician.describe.axis.lengths import axis_title, length, over_one, rate
from autostatistician.describe.axis.places import position_text, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesPart
from autostatistician.describe.facts.kinds import Quantity
from autostatistician.describe.facts.part import CrossValidatedError, Presence, VarianceExplained
from autostatistician.describe.facts.search import FittedNumber, SearchFindings
from autostatistician.describe.words.amounts import one_error, with_unit_of_error
from autostatistician.describe.words.parts import find, presence_share
from autostatistician.describe.words.ranges import forecast_decimals, middle_decimals
from autostatistician.describe.words.search import among
from autostatistician.forms import Curve
from autostatistician.wording.messages import message, say, say_as, say_count
from autostatistician.wording.numbers import (
    amount,
    capital,
    count,
    decimals_for,
    fixed,
    in_percent,
    number_of,
    ordinal,
    rounded_percent,
)

__all__ = ["forecast_table", "gain_table", "numbers_table", "with_probabilities"]

_NONE = "–"
_MOST_ROWS = 26  # half a year of weeks
_LONG_ROWS = 16  # of longer forecasts
_ROUNDED = 5e-4  # a share that rounds to zero
_TENTHS = 2.1972  # over a rate: how long a change takes from 10 % to 90 %


def gain_table(parts: Sequence[SeriesPart], names: Sequence[str], units: Units) -> Table:
    """One row per part: cumulative share explained, gains, cross-validated error (Lloyd et al. 2014)."""
    gains = [_gains(part.facts) for part in parts]
    errors = [one_error(value, units) for value in (gains[0][1].before, *(error.number for _, error in gains))]
    positive = [error for error in errors[1:] if error > 0 and isfinite(error)]
    smallest = min(positive, default=1.0)
    decimals = decimals_for(smallest) if smallest >= 1e6 else max(decimals_for(smallest), 0)
    nothing = say("nothing yet: always predicting the {typical}", typical=units.typical)
    error_texts = [_error(fixed(error, decimals), units) for error in errors]
    start = (_NONE, nothing, _NONE, _NONE, _NONE, error_texts[0], _NONE)
    rows = [
        _gain_row(part, name, *gain, error)
        for part, name, gain, error in zip(parts, names, gains, error_texts[1:], strict=True)
    ]
    caption = say("What each part adds, in the order of its use for predictions.")
    header = (
        say("Part"), say("What it is"), say("Explained so far"), say("Gain"), say("Share of the rest"),
        say("Error of predictions"), say("Error lowered by"),
    )  # fmt: skip
    numeric = (True, False, *[True] * 5)
    return Table("table-gain", caption, header, (start, *rows), numeric, _gain_notes(parts, units))


def _error(text: str, units: Units) -> str:
    """An average miss in a cell."""
    if units.is_odds:
        return say_count(number_of(text), "{number} point", "{number} points", number=text)
    return with_unit_of_error(text, units)


def with_probabilities(table: Table, parts: Sequence[SeriesPart], search: SearchFindings) -> Table:
    """The table of gains with how probable each part is; as it was where one model has all of the weight."""
    presences = [find(part.facts, Presence) for part in parts]
    if not any(presences):
        return table
    shares = [_NONE, *map(presence_share, presences)]
    rows = tuple((*row, share) for row, share in zip(table.rows, shares, strict=True))
    note = say(
        "Probability: that of all models {among} with a part of the same kind and periods that begins and ends at the "
        "same places; directions and sizes may differ.",
        among=among(search),
    )
    return replace(table, header=(*table.header, say("Probability")), rows=rows, numeric=(*table.numeric, True),
                   notes=f"{table.notes} {note}")  # fmt: skip


def _gains(facts: tuple[Fact, ...]) -> tuple[VarianceExplained, CrossValidatedError]:
    explained, error = find(facts, VarianceExplained), find(facts, CrossValidatedError)
    assert explained is not None and error is not None
    return explained, error


def _gain_row(
    part: SeriesPart, name: str, explained: VarianceExplained, validated: CrossValidatedError, error: str
) -> tuple[str, ...]:
    if part.is_noise:
        return (str(part.number), name, *(_NONE,) * 5)
    if explained.after < -_ROUNDED:
        shares: tuple[str, ...] = (say("below {number}", number=in_percent("0")), _NONE, _NONE)
    elif explained.after - explained.gain < -_ROUNDED:
        shares = (_share(explained.after), _NONE, _NONE)
    else:
        shares = tuple(_share(value) for value in (explained.after, explained.gain, explained.number))
    return (str(part.number), name, *shares, error, _share(validated.reduction))


def _share(share: float) -> str:
    """A share in per cent for a column: one decimal, edges as signs.

    >>> _share(0.8544), _share(0.0004), _share(0.9998), _share(-0.0002), _share(1.0), _share(1e-11)
    ('85.4%', '< 0.1%', '> 99.9%', '0.0%', '100.0%', '0.0%')
    """
    if not isfinite(share):
        return _NONE
    if 1e-8 < share < _ROUNDED:
        return f"< {in_percent(fixed(0.1, 1))}"
    if 0.9995 <= share < 1.0 - 1e-11:
        return f"> {in_percent(fixed(99.9, 1))}"
    return rounded_percent(share, 1)


_EXPLAINED = message(
    "Explained so far: the share of the variation in the data that this part and all before it describe (R squared); "
    "100% would be a perfect fit. Gain: how much this part adds to it. Share of the rest: how much of what the earlier "
    "parts left over this part describes. Noise explains and predicts nothing, so its row has no figures."
)
_PREDICTED = message(
    "Error of predictions: the data are cut into ten stretches, each is predicted from the others, and the absolute "
    "misses are averaged (cross-validation), in the units of the data. The numbers inside the model were fitted to all "
    "of the data, the held-out stretches included, so this error is somewhat optimistic. Error lowered by: compared "
    "with the row above."
)
_PREDICTED_OF_LOGARITHM = message(
    "Error of predictions: the data are cut into ten stretches, each is predicted from the others, and the absolute "
    "misses are averaged (cross-validation); the misses are ratios of the larger to the smaller, averaged as "
    "logarithms and told in per cent. The numbers inside the model were fitted to all of the data, the held-out "
    "stretches included, so this error is somewhat optimistic. Error lowered by: compared with the row above. All "
    "shares, and the last column, are of the logarithm of the data."
)
_PREDICTED_OF_COUNTS = message(
    "Error of predictions: the data are cut into ten stretches, each is predicted from the others, and the root of the "
    "mean square of the misses is taken (cross-validation), in the units of the data. The numbers inside the model "
    "were fitted to all of the data, the held-out stretches included, so this error is somewhat optimistic. Error "
    "lowered by: compared with the row above. The shares that are explained are of the logarithm of the rate, with "
    "what chance adds."
)
_PREDICTED_OF_ODDS = message(
    "Error of predictions: the data are cut into ten stretches, each is predicted from the others, and the absolute "
    "misses are averaged (cross-validation), in percentage points about the typical share. The numbers inside the "
    "model were fitted to all of the data, the held-out stretches included, so this error is somewhat optimistic. "
    "Error lowered by: compared with the row above. All shares, and the last column, are of the logarithm of the odds "
    "of the data."
)


def _gain_notes(parts: Sequence[SeriesPart], units: Units) -> str:
    notes: list[str] = [say(_EXPLAINED)]
    if any(part.is_noise for part in parts[:-1]) and not parts[-1].is_noise:
        notes.append(say("Rows after it are compared with the parts before it."))
    if any(_gains(part.facts)[0].after < -_ROUNDED for part in parts if not part.is_noise):
        notes.append(say("Below 0%: so far the parts lie further from the data than the mean of the data does."))
    notes.append(say(_predicted(units)))
    return " ".join(notes)


def _predicted(units: Units) -> str:
    """How errors of predictions are made and told."""
    if units.is_odds:
        return _PREDICTED_OF_ODDS
    if units.counts:
        return _PREDICTED_OF_COUNTS
    return _PREDICTED_OF_LOGARITHM if units.is_log else _PREDICTED


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
    notes.append(say("A new value lies between the two limits with a chance of 95%, if the model holds."))
    beside = () if at_usual is None else (say("Columns as usual"),)
    header = (axis_title(units), say("Forecast"), say("Lower limit"), say("Upper limit"), *beside)
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
        "In a product, the sizes of the factors multiply. Parts that come from the same change or from the same factor "
        "of the expression share numbers. Sizes are in the units of {what}.",
        what=_of_target(units),
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
        case Quantity.LENGTH:
            return length(value, units, 4)
        case Quantity.PLACE:
            return position_text(value, units)
        case Quantity.SLOPE:
            slope, per = rate(value, units)
            return f"{amount(slope)} {per}"
        case Quantity.DIFFUSION:  # variances of steps add up: over four years they are twice those over one
            units_in_one, _ = rate(1.0, units)
            return f"{amount(value * sqrt(units_in_one))} {over_one(units)}"
        case Quantity.RATE:
            return length(_TENTHS / value, units) if value > 0 else _NONE
        case Quantity.SIZE | Quantity.OTHER:
            return amount(value)
