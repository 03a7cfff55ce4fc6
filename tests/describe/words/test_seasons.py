"""What repeats, word for word."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.function_cases import COURSE, UNITS, facts

from autostatistician.describe.facts.function import SeasonSwing
from autostatistician.describe.words.course import course_text
from autostatistician.describe.words.seasons import season_text, swing_text
from autostatistician.wording.messages import spoken_in


def test_seasons_name_their_months_where_these_are_sure() -> None:
    swing = "a swing of 200 between its lowest and its highest"
    named = f"a yearly pattern (on average highest in July, lowest in January, {swing})"
    assert course_text(facts(COURSE), UNITS).endswith(f"by about 29 per year, with {named}.")
    growing = replace(COURSE, seasons=(replace(COURSE.seasons[0], ends=(40.0, 360.0)),))
    assert course_text(facts(growing), UNITS).endswith(
        "lowest in January, a swing of 40 between its lowest and its highest in the first third of the data "
        "and of 360 in the last)."
    )
    logs = replace(growing, seasons=(replace(COURSE.seasons[0], ends=(0.3, 1.3)),))
    assert season_text(
        next(one for one in facts(logs) if isinstance(one, SeasonSwing)), replace(UNITS, level=250.0)
    ).endswith("its highest 1.3 times its lowest in the first third of the data and 3.7 times in the last)")
    vague = replace(COURSE, seasons=(replace(COURSE.seasons[0], tops=()),))
    assert "(on average lowest in January, a swing of 200 between" in course_text(facts(vague), UNITS)
    both = replace(COURSE, seasons=(replace(COURSE.seasons[0], tops=(0.5, 7 / 12)),))
    assert "(on average highest in July and August, lowest in January" in course_text(facts(both), UNITS)


def test_ratios_of_a_season_that_stays_the_same() -> None:
    season = next(fact for fact in facts(COURSE) if isinstance(fact, SeasonSwing))
    steady = replace(season, swing=1.3, swing_ends=())
    assert swing_text(steady, replace(UNITS, level=250.0)) == "its highest 3.7 times its lowest"
    with spoken_in("de"):
        assert swing_text(steady, replace(UNITS, level=250.0)) == "der höchste Stand das 3,7-Fache des niedrigsten"
