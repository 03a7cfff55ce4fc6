"""Golden sentences on values that stand out, beside those on series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.describe.factory import DEPTHS, PLAIN, units_on
from tests.describe.function_cases import UNITS
from tests.describe.words.test_outliers import ONE

from autostatistician.describe.facts.whole import ReturningDay, TwoWays
from autostatistician.describe.words import outliers

__all__ = ["spoken_outliers"]

DEPTH = units_on(PLAIN, DEPTHS)
WAYS = TwoWays(
    id="forecast/two-ways", number=1519.2, unit="target", evidence="e", position=1961.0, lasting=2130.4, odds=0.537,
    rows=2,
)  # fmt: skip


def spoken_outliers() -> Iterator[str]:
    """Every sentence on them."""
    two = [ONE, replace(ONE, position=1956.0)]
    yield outliers.aside_text([ONE], UNITS)
    yield outliers.aside_text(two, UNITS)
    yield outliers.aside_text([replace(ONE, chance=0.97)], UNITS)
    yield outliers.aside_text([replace(value, chance=0.9995) for value in two], UNITS)
    yield outliers.aside_text([two[0], replace(two[1], chance=0.97), replace(two[0], chance=0.998)], UNITS)
    for number in (146.0, 20.0):
        yield outliers.comes_again_text([replace(ONE, number=number), *two], UNITS)
    ending = [replace(one, ending=True, lasting=0.4) for one in two]
    yield outliers.comes_again_text([ONE, *two, ending[0]], UNITS)
    yield outliers.comes_again_text([ONE, *two, *ending], UNITS)
    for rows in (1, 2):
        yield outliers.two_ways_text([replace(WAYS, rows=rows)], UNITS)
        yield outliers.two_ways_assumed([replace(WAYS, rows=rows)])
    yield outliers.ending_text(ending[:1], UNITS)
    yield outliers.ending_text(ending, UNITS)
    yield outliers.ending_text([replace(ending[0], position=4.0)], DEPTH)
    kept = [replace(one, aside=False) for one in two]
    yield outliers.kept_text(kept[:1], UNITS)
    yield outliers.kept_text(kept, UNITS)
    day = ReturningDay(
        id="d", number=30.0, unit="target", evidence="e", day="25 December each year", level=80.0, times=3, since=1950.0
    )
    yield outliers.returning_text([day, replace(day, number=-30.0)], UNITS)
