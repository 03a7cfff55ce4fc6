"""Golden sentences: answers to questions, plans, comparisons and events."""

from collections.abc import Iterator
from dataclasses import replace

from tests.describe.function_cases import UNITS
from tests.describe.spoken.classes import OVER_TIME

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.impact import impact_texts
from autostatistician.describe.words.answers.plans import assumed_text, beyond_text, forecast_text, ranged
from autostatistician.describe.words.answers.questions import ahead_text, at_time_text, difference_texts, when_text
from autostatistician.describe.words.update import missed_text, moved_text
from autostatistician.forms import Filling


def tell_a_time_has_its_chance() -> Iterator[str]:
    yield at_time_text(2021.0, (0.4, 0.3, 0.5), OVER_TIME)


MONTH = Units(Axis("month", "year", "month", 1 / 12), 2020.0, 2025.0, 1 / 12, 10.0, target="sales")
ROW = (2025.0, 250.0, 210.0, 230.0, "")


def tell_a_missed_forecast_names_what_moved_most() -> Iterator[str]:
    yield missed_text(20, [(*ROW[:4], "'promo'")], MONTH)


def tell_moved_parts() -> Iterator[str]:
    yield moved_text([], MONTH)
    yield moved_text([("yearly cycle", 2025.0, -12.0, 2.0), ("'promo'", 2025.0, 3.0, 1.0)], MONTH)
    yield moved_text([("trend", 2025.0, 0.0953, 0.01)], replace(MONTH, level=10.0))


MONTH_OF_ANSWERS_DIFFERENCES = Units(
    Axis("month", "year", "month", 1 / 12), 2020.0, 2025.5, 1 / 12, 10.0, target="sales"
)
TIMES = ("July 2025", "July 2024")
SHARES = (("trend", 40.04, 5.0), ("'price'", 95.04, 10.0), ("'promo'", -15.04, 2.0), ("chance", -0.08, 6.1))


def tell_golden_sentences() -> Iterator[str]:
    yield from difference_texts(TIMES, (620.0, 500.04), (True, True), 119.96, SHARES, MONTH_OF_ANSWERS_DIFFERENCES)
    text = difference_texts(
        TIMES, (5.0, 5.0), (False, True), 0.0, (("chance", 0.0, 0.0),), MONTH_OF_ANSWERS_DIFFERENCES
    )[0]
    yield text


def tell_of_a_logarithm_parts_are_per_cent() -> Iterator[str]:
    shares = (("trend", 0.0953, 0.01), ("chance", -0.2007, 0.05))
    yield from difference_texts(
        TIMES, (9.0, 10.0), (True, True), -0.1054, shares, replace(MONTH_OF_ANSWERS_DIFFERENCES, level=10.0)
    )


def tell_times_are_named_as_asked() -> Iterator[str]:
    week = replace(
        MONTH_OF_ANSWERS_DIFFERENCES,
        axis=Axis("week", "day", "week", 7.0, "2024-01-01"),
        first=0.0,
        last=400.0,
        gap=7.0,
    )
    yield when_text("2025-07", [2025.5], MONTH_OF_ANSWERS_DIFFERENCES)
    yield when_text("2024-02", [35.0, 42.0], week)
    yield when_text("2024", [35.0, 42.0], week)
    yield when_text("2024-02-05", [35.0], week)


SIZES = ((12.0, 8.0, 16.0), (120.0, 80.0, 160.0), (0.12, 0.08, 0.16))


def tell_an_effect_with_columns() -> Iterator[str]:
    yield from impact_texts(2024.0, 10, SIZES, (20, 0, 1.0 / 21.0), (True, True), ("price", "promo"), MONTH)


def tell_what_chance_gives() -> Iterator[str]:
    size = (-1.0, -4.0, 2.0)
    yield from impact_texts(2024.0, 1, (size, size, None), (20, 1, 0.0001), (False, True), (), MONTH)


def tell_what_is_assumed_is_said() -> Iterator[str]:
    yield assumed_text([("price", Filling.SEASON_BEFORE), ("promo", Filling.SEASON_BEFORE)], 1.0, MONTH)
    yield assumed_text([("price", Filling.LAST), ("promo", Filling.USUAL)], 0.0, MONTH)
    yield forecast_text(["price"])
    yield forecast_text(["a", "b"])
    yield beyond_text("price", 4.5, 6.0)


def tell_ranges_go_the_way_of_their_number() -> Iterator[str]:
    yield ranged((-25.04, -28.0, -22.1))
    yield ranged((25.04, 22.1, 28.0))
    yield ranged((-2.0, -5.0, 1.0))


def tell_the_forecast_of_a_row_has_its_range() -> Iterator[str]:
    yield ahead_text(1961.0, (450.2, 425.13, 480.0), UNITS)
