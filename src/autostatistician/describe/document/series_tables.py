"""Tables of a report: what each part gains, the forecast, the search path, the fitted numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from autostatistician.decompose.records.series import Component, Decomposition
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.axis import Units, axis_title, length, position_text, rate, stamp
from autostatistician.describe.document.document import Table
from autostatistician.describe.facts.claim import Statement
from autostatistician.describe.words.amounts import per_cent
from autostatistician.describe.words.ranges import forecast_decimals
from autostatistician.describe.words.search import among
from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.format import format_expr
from autostatistician.language.kernel import Parameter, parameters
from autostatistician.language.leaf_row import Role
from autostatistician.language.leaves import LEAVES
from autostatistician.wording.numbers import amount, capital, count, decimals_for, fixed, ordinal, percent

__all__ = ["forecast_table", "gain_table", "models_table", "parameter_table", "path_table", "sureness_table"]

_NONE = "–"
_MOST_ROWS = 26  # half a year of weeks
_LONG_ROWS = 16  # of longer forecasts
_STRIDES = {"month": (3, 6, 12), "week": (4, 13, 26, 52), "day": (7, 14, 28), "business day": (5, 10, 20),
            "hour": (6, 12, 24), "quarter": (4, 8)}  # fmt: skip


def gain_table(decomposition: Decomposition, names: tuple[str, ...]) -> Table:
    """One row per part: cumulative share explained, gains, cross-validated error (Lloyd et al. 2014)."""
    relative, parts = decomposition.level is not None, decomposition.components
    errors = [_error(value, relative) for value in (decomposition.mae_baseline, *(part.mae for part in parts))]
    positive = [error for error in errors[1:] if error > 0 and isfinite(error)]
    smallest = min(positive, default=1.0)
    decimals = decimals_for(smallest) if smallest >= 1e6 else max(decimals_for(smallest), 0)
    nothing = f"nothing yet: always predicting {'the geometric mean' if relative else 'zero'}"
    told = [f"{fixed(error, decimals)}{'%' if relative else ''}" for error in errors]
    start = (_NONE, nothing, _NONE, _NONE, _NONE, told[0], _NONE)
    rows = [_gain_row(i + 1, part, names[i], told[i + 1]) for i, part in enumerate(parts)]
    header = (
        "Part",
        "What it is",
        "Explained so far",
        "Gain",
        "Share of the rest",
        "Error of predictions",
        "Error lowered by",
    )
    return Table("table-gain", "What each part adds, in the order of its use for predictions.", header, (start, *rows),
                 (True, False, True, True, True, True, True), _gain_notes(decomposition))  # fmt: skip


_EXPLAINED = (
    "Explained so far: the share of the variation in the data that this part and all before it describe (R squared); "
    "100% would be a perfect fit. Gain: how much this part adds to it. Share of the rest: how much of what the earlier "
    "parts left over this part describes. Noise explains and predicts nothing, so its row has no figures."
)
_PREDICTED = (
    "Error of predictions: the data are cut into ten stretches, each is predicted from the others, and the absolute "
    "misses are averaged (cross-validation), in the units of the data. The numbers inside the model were fitted to all "
    "of the data, the held-out stretches included, so this error is somewhat optimistic. Error lowered by: compared "
    "with the row above."
)


def _gain_notes(decomposition: Decomposition) -> str:
    parts = decomposition.components
    notes = [_EXPLAINED]
    if any(part.is_noise for part in parts[:-1]) and not parts[-1].is_noise:
        notes.append("Rows after it count what the noise has taken up as described.")
    if any(part.r2 < -_TINY for part in parts if not part.is_noise):
        notes.append("Below 0%: so far the parts lie further from the data than the mean of the data does.")
    if decomposition.level is None:
        return " ".join([*notes, _PREDICTED])
    return " ".join([*notes, _PREDICTED.replace(", in the units of the data", _RELATIVE), _OF_LOGARITHM])


_RELATIVE = "; the misses are ratios of the larger to the smaller, averaged as logarithms and told in per cent"
_OF_LOGARITHM = "All shares, and the last column, are of the logarithm of the data."
_TINY = 0.05  # per cent: what rounds to zero


def _error(value: float, relative: bool) -> float:
    """An average miss; of a logarithm in per cent."""
    return per_cent(value) if relative else value


def _gain_row(number: int, part: Component, name: str, error: str) -> tuple[str, ...]:
    if part.is_noise:
        return (str(number), name, *(_NONE,) * 5)
    if part.r2 < -_TINY:
        shares: tuple[str, ...] = ("below 0%", _NONE, _NONE)
    elif part.r2 - part.delta_r2 < -_TINY:
        shares = (_share(part.r2), _NONE, _NONE)
    else:
        shares = tuple(_share(v) for v in (part.r2, part.delta_r2, part.residual_r2))
    return (str(number), name, *shares, error, _share(part.mae_reduction))


def _share(value: float) -> str:
    """A per cent figure for a column: one decimal, edges as signs.

    >>> _share(85.44), _share(0.04), _share(99.98), _share(-0.02), _share(100.0), _share(1e-9)
    ('85.4%', '< 0.1%', '> 99.9%', '0.0%', '100.0%', '0.0%')
    """
    if not isfinite(value):
        return _NONE
    if 1e-6 < value < _TINY:
        return "< 0.1%"
    return "> 99.9%" if 99.95 <= value < 100.0 - 1e-9 else f"{fixed(value, 1)}%"


def forecast_table(decomposition: Decomposition, units: Units) -> Table:
    """The forecast at each step; of a long one every seventh, every tenth, ... and the last."""
    curve = decomposition.forecast
    stride = _stride(curve.x.size, units.axis.frequency)
    chosen = sorted({*range(0, curve.x.size, stride), curve.x.size - 1}) if curve.x.size else []
    low, high = curve.limits
    decimals = forecast_decimals([(float(low[i]), float(high[i])) for i in chosen], units)
    rows = []
    for i in chosen:
        figures = (fixed(float(value[i]), decimals) for value in (curve.mean, low, high))
        rows.append((capital(stamp(float(curve.x[i]), units)), *figures))
    notes = [f"Every {ordinal(stride)} of the {curve.x.size:,} steps is shown, and the last."] if stride > 1 else []
    if len(rows) > 2 and len({row[1:] for row in rows}) == 1:
        rows = [(f"{rows[0][0]} to {rows[-1][0]}", *rows[0][1:])]
        notes = [f"The forecast is the same for all {count(curve.x.size)} steps."]
    notes.append("A new value lies between the two limits with a chance of 95%, if the model holds.")
    header = (axis_title(units), "Forecast", "Lower limit", "Upper limit")
    caption = f"Forecast of '{units.target}'."
    return Table("table-forecast", caption, header, tuple(rows), (False, True, True, True), " ".join(notes))


def _stride(steps: int, frequency: str) -> int:
    """Every how many steps a row is shown: 1 for short forecasts, else whole weeks, years, ... where there are such.

    >>> _stride(24, "month"), _stride(60, "day"), _stride(72, "hour"), _stride(31, "year"), _stride(400, "")
    (1, 7, 6, 2, 50)
    """
    if steps <= _MOST_ROWS:
        return 1
    tens = (digit * 10**power for power in range(12) for digit in (1, 2, 5))
    natural = (*_STRIDES.get(frequency, ()), *tens)
    return int(next(stride for stride in natural if stride > 1 and steps / stride <= _LONG_ROWS))


def path_table(decomposition: Decomposition | TableDecomposition) -> Table:
    """The best expression of each level of the search."""
    shown = [fixed(bic, 1) for _, bic, _ in decomposition.path]
    rows = tuple((str(i), text, shown[i]) for i, (text, _, _) in enumerate(decomposition.path))
    note = (
        "BIC weighs how well an expression fits against how many numbers it needs (Bayesian information criterion): "
        "twice the negative log likelihood plus, for each number, the logarithm of the count of the data. Lower is "
        "better, and a difference of 10 is a clear one."
    )
    return Table("table-path", "The best model at each step of the search.", ("Step", "Expression", "BIC"), rows,
                 (True, False, True), note)  # fmt: skip


_MOST_MODELS = 5


def models_table(decomposition: Decomposition | TableDecomposition) -> Table:
    """The models with the largest posterior weights."""
    models = decomposition.alternatives[:_MOST_MODELS]
    rows = tuple((format_expr(kernel.expr), percent(100.0 * weight)) for kernel, weight in models)
    note = f"Weights add up to 100% over all models {among(decomposition)}, each as likely as the next before the data."
    return Table("table-models", "The best models and their weights.", ("Expression", "Weight"), rows,
                 (False, True), note)  # fmt: skip


def sureness_table(found: Sequence[Statement]) -> Table:
    """Statements with their probabilities."""
    rows = tuple((one.text, "yes" if one.in_best else "no", percent(100.0 * one.probability)) for one in found)
    header = ("Statement", "In this report", "Probability")
    note = "The probability of a statement is the summed probability of the models that make it."
    return Table("table-sureness", "What else the models say.", header, rows, (False, False, True), note)


# --- the fitted numbers ---------------------------------------------------------------------------------


def parameter_table(decomposition: Decomposition, units: Units) -> Table:
    """All fitted numbers, part by part, with their units."""
    rows: list[tuple[str, ...]] = []
    for number, part in enumerate(decomposition.components, 1):
        pairs = zip(parameters(part.kernel.expr), part.kernel.values, strict=True)
        rows += [(str(number), _symbol(p.node), _meaning(p), _value(p, value, units)) for p, value in pairs]
    note = (
        "In a product, the sizes of the factors multiply. Parts that come from the same change or from the same "
        f"factor of the expression share numbers. Sizes are in the units of {_of_target(units)}."
    )
    header = ("Part", "Symbol", "What the number is", "Value")
    return Table("table-parameters", "The fitted numbers.", header, tuple(rows), (True, False, False, True), note)


def _of_target(units: Units) -> str:
    if units.level is None:
        return f"'{units.target}'"
    typical = f"the typical level (geometric mean) of {amount(units.level, 6)}"
    return f"the natural logarithm of '{units.target}' divided by {typical}: 0.01 is about 1%"


def _symbol(node: Expr) -> str:
    match node:
        case Leaf(symbol=symbol):
            return symbol
        case ChangePoint():
            return "CP"
        case ChangeWindow():
            return "CW"
        case Sum() | Product():
            return format_expr(node)


_CHANGE_MEANINGS = {
    ("CP", "location"): "where the change lies",
    ("CW", "location"): "where the middle of the window lies",
    ("CP", "steepness"): "time the change takes",
    ("CW", "steepness"): "time each change takes",
    ("CW", "width"): "width of the window",
}


def _meaning(parameter: Parameter) -> str:
    symbol = _symbol(parameter.node)
    if (symbol, parameter.name) in _CHANGE_MEANINGS:
        return _CHANGE_MEANINGS[symbol, parameter.name]
    return LEAVES[symbol].number(parameter.name).meaning


def _value(parameter: Parameter, value: float, units: Units) -> str:
    match parameter.role:
        case Role.LENGTH:
            return length(value, units, 4)
        case Role.LOCATION:
            return position_text(value, units)
        case Role.SLOPE:
            slope, per = rate(value, units)
            return f"{amount(slope)} {per}"
        case Role.RATE:
            return length(2.1972 / value, units) if value > 0 else _NONE
        case Role.SD | Role.SHAPE | Role.WEIGHT:
            return amount(value)
