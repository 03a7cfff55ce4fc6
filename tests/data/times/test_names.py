"""What columns of times are called."""

from __future__ import annotations

import pytest

from autostatistician.data.times.languages import folded
from autostatistician.data.times.names import DAY_NAMES, MONTH_NAMES, TIME_WORDS, YEAR_NAMES

GROUPS = {"year": YEAR_NAMES, "month": MONTH_NAMES, "day": DAY_NAMES, "time": TIME_WORDS}


@pytest.mark.parametrize("group", GROUPS)
def test_names_are_as_they_are_looked_up(group: str) -> None:
    assert GROUPS[group]
    assert all(name == name.strip().lower() for name in GROUPS[group])


def test_no_name_means_two_things() -> None:
    parts = [YEAR_NAMES, MONTH_NAMES, DAY_NAMES]
    assert len(frozenset().union(*parts)) == sum(map(len, parts))


@pytest.mark.parametrize("group", ["year", "month", "day"])
def test_every_language_that_has_a_year_has_a_month_and_a_day(group: str) -> None:
    """One word of each for some languages that are far from each other."""
    words = {"year": "jahr год 年 año yıl", "month": "monat месяц 月 mes ay", "day": "tag день 日 día gün"}
    assert set(words[group].split()) <= GROUPS[group]
    assert folded("AÑO") == "ano"
    assert "ano" in YEAR_NAMES
