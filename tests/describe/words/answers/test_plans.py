"""What is said of plans, and of what if."""

from __future__ import annotations

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.plans import (
    ASSOCIATION,
    assumed_text,
    beyond_text,
    forecast_text,
    ranged,
    what_if_texts,
)

MONTH = Units(Axis("month", "year", "month", 1 / 12), 2020.0, 2025.0, 1 / 12, 10.0, target="sales")


def test_what_is_assumed_is_said() -> None:
    assert assumed_text(["price", "promo"], 1.0, MONTH) == (
        "Without a plan for 'price', 'promo', values are taken as in the year before: give a plan (--future plan.csv), "
        "or have them forecast (--future auto)."
    )
    assert assumed_text(["price"], 0.0, MONTH) == (
        "Without a plan for 'price', values are taken as they were last, or usually are: give a plan "
        "(--future plan.csv), or have them forecast (--future auto)."
    )
    assert forecast_text(["price"]) == (
        "Without a plan, 'price' was forecast as a series of its own; what is open about it widens the ranges."
    )
    assert forecast_text(["a", "b"]) == (
        "Without a plan, 'a', 'b' were each forecast as series of their own; what is open about them widens the ranges."
    )
    assert beyond_text("price", 4.5, 6.0) == (
        "'price' is planned beyond what the data have (4.5 to 6): its effect there is extrapolated."
    )


def test_ranges_go_the_way_of_their_number() -> None:
    assert ranged((-25.04, -28.0, -22.1)) == "25 lower (95% range 22.1 to 28)"
    assert ranged((25.04, 22.1, 28.0)) == "25 higher (95% range 22.1 to 28)"
    assert ranged((-2.0, -5.0, 1.0)) == "2 lower (95% range −5 to 1)"


def test_what_if() -> None:
    several = what_if_texts(
        "promo = 0", (2025.0, 2025.5), (-25.0, -28.0, -22.0), (-175.0, -196.0, -154.0), (-0.1, -0.2, 0.0), MONTH
    )
    assert several == (
        "With promo = 0, 'sales' would be 25 lower (95% range 22 to 28) on average from January 2025 to July 2025, in "
        "total 175 lower (95% range 154 to 196): −10% of the forecast.",
        "This is what went together in the data, all else unchanged: an association, not a proof that one causes the "
        "other.",
    )
    ranges = ((2.0, 1.0, 3.0), (2.0, 1.0, 3.0))
    assert what_if_texts("promo = 1", (2025.0, 2025.0), *ranges, None, MONTH) == (
        "With promo = 1, 'sales' would be 2 higher (95% range 1 to 3) in January 2025.", ASSOCIATION,
    )  # fmt: skip
    assert what_if_texts("promo = 1", (2025.0, 2025.0), (0.0,) * 3, (0.0,) * 3, None, MONTH) == (
        "With promo = 1 the forecast of 'sales' stays as it is: nothing else acts on it in this model.",
    )
