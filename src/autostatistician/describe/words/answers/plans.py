"""What is said of forecasts with columns: where their values come from, and what other values would change."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.cycles import cycle
from autostatistician.describe.axis.lengths import uncounted
from autostatistician.describe.axis.places import from_place_to, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.ranges import told_in
from autostatistician.forms import Filling
from autostatistician.i18n.messages import message, say, say_count, sentence
from autostatistician.i18n.names import listed, quoted
from autostatistician.i18n.numbers import EXACT, amount, pair, percent

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

ASSOCIATION = message(
    "This is what went together in the data, all else unchanged: an association, not a proof that one causes the other."
)


def assumed_text(fillings: Sequence[tuple[str, Filling]], season: float, units: Units) -> str:
    """That columns have no plan, and what is taken instead: as a ``season`` before, about as last, or as so far."""
    return " ".join(
        sentence(
            "plan.assumed", filling=filling, cycle=uncounted(cycle(season, units).every) if season else "",
            columns=listed([name for name, of_it in fillings if of_it is filling]),
        )
        for filling in dict.fromkeys(filling for _, filling in fillings)
    )  # fmt: skip


def assumed_size_text(name: str, value: float) -> str:
    """That an exposure or a total has no plan, and what is taken instead.

    >>> assumed_size_text("cars", 1250.0)
    "Without a plan for 'cars', it is taken as 1,250, as in the last row; give a plan where another is known."
    """
    return say(
        "Without a plan for {column}, it is taken as {value}, as in the last row; give a plan where another is known.",
        column=quoted(name), value=amount(value, EXACT),
    )  # fmt: skip


def forecast_text(names: Sequence[str]) -> str:
    """That columns were forecast.

    >>> forecast_text(["price"])
    "Without a plan, 'price' was forecast as a series of its own; what is open about it widens the ranges."
    """
    return say_count(
        len(names),
        "Without a plan, {columns} was forecast as a series of its own; what is open about it widens the ranges.",
        "Without a plan, {columns} were each forecast as series of their own; what is open about them widens the "
        "ranges.", columns=listed(list(names)),
    )  # fmt: skip


def beyond_text(name: str, low: float, high: float) -> str:
    """That planned values lie outside of those seen.

    >>> beyond_text("price", 4.5, 6.0)
    "'price' is planned beyond what the data have (4.5 to 6): its effect there is extrapolated."
    """
    first, last = pair(low, high)
    return say(
        "{column} is planned beyond what the data have ({low} to {high}): its effect there is extrapolated.",
        column=quoted(name), low=first, high=last,
    )  # fmt: skip


def ranged(values: Range, digits: int = 3) -> str:
    """A number with its range, on the way in which it lies: "25 (95% range 22 to 28) higher".

    >>> ranged((-25.04, -28.0, -22.1)), ranged((2.0, -1.0, 5.0))
    ('25 lower (95% range 22.1 to 28)', '2 higher (95% range −1 to 5)')
    """
    mean, lower, upper = values
    if mean < 0.0 and upper < 0.0:
        lower, upper = -upper, -lower
    low, high = pair(lower, upper, digits)
    told = {"size": amount(abs(mean), digits), "low": low, "high": high}
    if mean < 0.0:
        return say("{size} lower (95% range {low} to {high})", **told)
    return say("{size} higher (95% range {low} to {high})", **told)


def what_if_texts(
    change: str, rows: Sequence[float], average: Range, total: Range, share: Range | None, units: Units
) -> tuple[str, ...]:
    """How a forecast differs with other values of columns; ``change`` is what was asked, ``rows`` first and last."""
    told = {"change": change, "target": quoted(units.target)}
    if average[1] == average[2] == 0.0:
        return (
            say(
                "With {change} the forecast of {target} stays as it is: nothing else acts on it in this model.", **told
            ),
        )
    first, last = (stamp(position, units) for position in rows)
    text = (
        say(
            "With {change}, {target} would be {total} {when}", total=ranged(total), when=told_in(rows[0], units), **told
        )
        if first == last
        else say(
            "With {change}, {target} would be {average} on average {span}, in total {total}",
            average=ranged(average), span=from_place_to(first, last), total=ranged(total), **told,
        )
    )  # fmt: skip
    if share is None:
        return f"{text}.", say(ASSOCIATION)
    return say("{text}: {share} of the forecast.", text=text, share=percent(share[0])), say(ASSOCIATION)
