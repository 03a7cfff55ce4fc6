"""What is said of forecasts with columns: where their values come from, and what other values would change."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.wording.lists import listed
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, pair, percent

__all__ = [
    "ASSOCIATION",
    "Range",
    "assumed_size_text",
    "assumed_text",
    "beyond_text",
    "forecast_text",
    "ranged",
    "what_if_texts",
]

Range = tuple[float, float, float]  # a number, and its range of 95 %

ASSOCIATION = (
    "This is what went together in the data, all else unchanged: an association, not a proof that one causes the other."
)


def assumed_text(names: Sequence[str], season: float, units: Units) -> str:
    """That columns have no plan, and what is taken instead: as a ``season`` before, or (0) as last or usual."""
    values = f"as in the {cycle(season, units).after_every} before" if season else "as they were last, or usually are"
    remedy = "give a plan (--future plan.csv), or have them forecast (--future auto)"
    return f"Without a plan for {listed(list(names))}, values are taken {values}: {remedy}."


def assumed_size_text(name: str, value: float) -> str:
    """That an exposure or a total has no plan, and what is taken instead.

    >>> assumed_size_text("cars", 1250.0)
    "Without a plan for 'cars', it is taken as 1,250, as in the last row: give a plan (--future plan.csv)."
    """
    return (
        f"Without a plan for {quoted(name)}, it is taken as {amount(value)}, as in the last row: give a plan "
        "(--future plan.csv)."
    )


def forecast_text(names: Sequence[str]) -> str:
    """That columns were forecast.

    >>> forecast_text(["price"])
    "Without a plan, 'price' was forecast as a series of its own; what is open about it widens the ranges."
    """
    each, it = ("was", "it") if len(names) == 1 else ("were each", "them")
    series = "as a series of its own" if len(names) == 1 else "as series of their own"
    return f"Without a plan, {listed(list(names))} {each} forecast {series}; what is open about {it} widens the ranges."


def beyond_text(name: str, low: float, high: float) -> str:
    """That planned values lie outside of those seen.

    >>> beyond_text("price", 4.5, 6.0)
    "'price' is planned beyond what the data have (4.5 to 6): its effect there is extrapolated."
    """
    ends = " to ".join(pair(low, high))
    return f"{quoted(name)} is planned beyond what the data have ({ends}): its effect there is extrapolated."


def ranged(values: Range, digits: int = 3) -> str:
    """A number with its range, on the way in which it lies: "25 (95% range 22 to 28) higher".

    >>> ranged((-25.04, -28.0, -22.1)), ranged((2.0, -1.0, 5.0))
    ('25 lower (95% range 22.1 to 28)', '2 higher (95% range −1 to 5)')
    """
    mean, lower, upper = values
    if mean < 0.0 and upper < 0.0:
        lower, upper = -upper, -lower
    elif mean < 0.0:
        return f"{amount(-mean, digits)} lower (95% range {' to '.join(pair(lower, upper, digits))})"
    ends = " to ".join(pair(lower, upper, digits))
    return f"{amount(abs(mean), digits)} {'lower' if mean < 0.0 else 'higher'} (95% range {ends})"


def what_if_texts(
    change: str, rows: Sequence[float], average: Range, total: Range, share: Range | None, units: Units
) -> tuple[str, ...]:
    """How a forecast differs with other values of columns; ``change`` is what was asked, ``rows`` first and last."""
    first, last = (stamp(position, units) for position in rows)
    target = quoted(units.target)
    if average[1] == average[2] == 0.0:
        return (f"With {change} the forecast of {target} stays as it is: nothing else acts on it in this model.",)
    if first == last:
        text = f"With {change}, {target} would be {ranged(total)} in {first}"
    else:
        text = f"With {change}, {target} would be {ranged(average)} on average from {first} to {last}"
        text += f", in total {ranged(total)}"
    if share is not None:
        text += f": {percent(share[0])} of the forecast"
    return (f"{text}.", ASSOCIATION)
