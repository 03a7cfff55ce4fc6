"""What is plain about data before any model is told: few rows, one value throughout, an exact straight line."""

from __future__ import annotations

import numpy as np

from autostatistician.decompose.records import Decomposition
from autostatistician.describe.anatomy import anatomy
from autostatistician.describe.facts import Fact, NoiseLevel
from autostatistician.describe.numbers import amount, capital, plural
from autostatistician.describe.overall import ExactLine, FewRows, OneValue
from autostatistician.describe.phrases import find
from autostatistician.describe.units import Units
from autostatistician.language.showable import ROWS_FOR_STRUCTURE

__all__ = ["few_rows_text", "line_text", "nothing_text", "plain_facts"]

_MINUS = "\N{MINUS SIGN}"
_DIGITS = 6  # of the numbers of a formula: enough for all that are written by people


def plain_facts(d: Decomposition, heads: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The facts; ``heads`` are those that say what each part is."""
    return (*_few_rows(d), *_same(d), *_exact_line(d, heads))


def _few_rows(d: Decomposition) -> tuple[FewRows, ...]:
    n = int(d.x.size)
    few = n < ROWS_FOR_STRUCTURE
    return (FewRows(id="data/rows", number=n, unit="1", evidence="the data"),) if few else ()


def _same(d: Decomposition) -> tuple[OneValue, ...]:
    same = float(np.ptp(d.y)) == 0.0
    return (OneValue(id="data/value", number=float(d.y[0]), unit="target", evidence="the data"),) if same else ()


def _exact_line(d: Decomposition, heads: tuple[Fact, ...]) -> tuple[ExactLine, ...]:
    """The line that the data lie on, where all parts but noise are lines and levels, and no noise can be seen."""
    shown = [anatomy(part.kernel) for part in d.components if not part.is_noise]
    straight = all(not one.gates and len(one.leaves) == 1 and one.of("Lin", "C") for one in shown)
    noisy = any(head.visible for head in heads if isinstance(head, NoiseLevel))
    if noisy or not straight or not any(one.of("Lin") for one in shown) or d.level is not None or d.axis.is_calendar:
        return ()
    slope, intercept = np.polyfit(d.x, d.y, 1)
    evidence = "least squares; all parts but noise are straight, and no noise can be seen"
    return (
        ExactLine(id="data/line", number=float(slope), unit="target per axis", evidence=evidence,
                  intercept=float(intercept)),
    )  # fmt: skip


# --- words ------------------------------------------------------------------------------------------------------


def few_rows_text(facts: tuple[Fact, ...]) -> str:
    """How little so few rows show; "" where there are more."""
    few = find(facts, FewRows)
    if few is None:
        return ""
    return (
        f"{capital(plural(int(few.number), 'row'))} show little: a level, a straight line, a smooth curve or a single "
        "step at most, and nothing else was looked for. What is said here may be chance, and probabilities compare "
        "only these few kinds of models."
    )


def nothing_text(facts: tuple[Fact, ...]) -> str:
    """What is said of few rows in which nothing was found, and of values that are all the same; "" of other data."""
    if find(facts, FewRows) is None or find(facts, OneValue) is not None:
        return _one_value(facts)
    return (
        "No structure was found: no line, no step and no smooth curve describes these values better than random "
        "scatter. More rows may show what these cannot."
    )


def _one_value(facts: tuple[Fact, ...]) -> str:
    same = find(facts, OneValue)
    if same is None:
        return ""
    value = amount(same.number, _DIGITS)
    return f"All values are the same: {value}. There is nothing to explain, and no noise that can be seen."


def line_text(facts: tuple[Fact, ...], units: Units) -> str:
    """The formula of an exact line; "" where the data are none."""
    line = find(facts, ExactLine)
    if line is None:
        return ""
    target, axis = _symbol(units.target), _symbol(" ".join(units.axis.column.split()))
    return f"No noise can be seen: the data follow {target} = {_formula(line, axis, units)}."


def _formula(line: ExactLine, axis: str, units: Units) -> str:
    slope, intercept = amount(abs(line.number), _DIGITS), amount(abs(line.intercept), _DIGITS)
    term = axis if slope == "1" else f"{slope} {axis}"
    if abs(line.intercept) < 1e-5 * units.spread:
        return term if line.number >= 0 else f"{_MINUS}{term}"
    start = intercept if line.intercept >= 0 else f"{_MINUS}{intercept}"
    return f"{start} {'+' if line.number >= 0 else _MINUS} {term}"


def _symbol(name: str) -> str:
    """A name as it stands in a formula."""
    return name if name.isidentifier() else f"'{name}'"
