"""What an event did, in words."""

from __future__ import annotations

from autostatistician.data.times.axes import Axis
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words.answers.impact import impact_texts

MONTH = Units(Axis("month", "year", "month", 1 / 12), 2020.0, 2025.0, 1 / 12, 10.0, target="sales")
SIZES = ((12.0, 8.0, 16.0), (120.0, 80.0, 160.0), (0.12, 0.08, 0.16))
ALONE = (
    "What 'sales' would have been is forecast from the rows before; the difference is the effect of the event only if "
    "nothing else changed then."
)


def test_an_effect_with_columns() -> None:
    assert impact_texts(2024.0, 10, SIZES, (20, 0, 1.0 / 21.0), (True, True), ("price", "promo"), MONTH) == (
        "Since January 2024 (10 rows) 'sales' is 12 higher (95% range 8 to 16) on average than without the event, in "
        "total 120 higher (95% range 80 to 160): 12% (95% range 8% to 16%) of what was to be expected.",
        "Of 20 earlier dates none look as much like an event (p = 0.048): it is more than chance gives.",
        "What 'sales' would have been is forecast from the rows before and the columns 'price', 'promo' as they were "
        "since; the difference is the effect of the event only if nothing else changed then, and if the event did not "
        "move the columns.",
    )


def test_what_chance_gives() -> None:
    size = (-1.0, -4.0, 2.0)
    assert impact_texts(2024.0, 1, (size, size, None), (20, 1, 0.0001), (False, True), (), MONTH) == (
        "Since January 2024 (1 row) 'sales' is 1 lower (95% range −4 to 2) than without the event.",
        "Of 20 earlier dates 1 looks as much like an event (p below 0.001): chance gives as much, so no effect can be "
        "told.",
        ALONE,
    )


def test_too_few_dates() -> None:
    few = {
        (0, True): "There is no earlier date to compare it with, too few for a test: by its range it is more than the "
        "model puts down to chance.",
        (1, False): "There is only 1 earlier date to compare it with, too few for a test: by its range it is no more "
        "than chance gives.",
        (3, False): "There are only 3 earlier dates to compare it with, too few for a test: by its range it is no more "
        "than chance gives.",
    }
    for (dates, is_event), text in few.items():
        assert impact_texts(2024.0, 2, SIZES, (dates, 0, 0.5), (is_event, False), (), MONTH)[1:] == (text, ALONE)
