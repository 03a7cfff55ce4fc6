"""Golden sentences: panels, what many series share and who differs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autostatistician.describe.panels import notes, words
from autostatistician.describe.panels.changes import SharedChange
from autostatistician.describe.panels.facts import Group, Kind, Late, PanelFacts, SharedSeason, Spread, panel_facts
from autostatistician.describe.panels.notes import kind_text
from autostatistician.describe.panels.phrases import (
    cycle_adjective,
    cycle_noun,
    moment,
    names_text,
    shift,
    size_text,
    when_in_cycle,
)
from autostatistician.describe.panels.surprises import Reason, Surprise
from autostatistician.describe.panels.traits import SeriesTraits
from autostatistician.describe.panels.words import reason_text
from autostatistician.wording.messages import spoken_in

NAMES = tuple(f"store {number}" for number in range(1, 9))
MARCH = SharedChange("2024-03", NAMES[:7], 7, 0, 0.2, 1e-6, 0.3, "month")
REASONS = (
    Reason("growth", 5.0, 0.47, 0.0, 0.05),
    Reason("growth", 5.0, -0.5, 0.0, 0.05),
    Reason("growth", 5.0, 2.4, 0.0, 0.05),
    Reason("ahead", 4.0, 0.4, -0.02, 0.05),
    Reason("ahead", 4.0, -0.4, -0.02, 0.05),
    Reason("season", 4.0, 0.9, 0.1, 0.3),
    Reason("noise", 4.0, -0.7, -3.0, -2.5),
    Reason("error", 4.0, 9.1),
    Reason("error", 4.0, -9.1),
    Reason("ending", 6.0, 0.8, what="up", when="2024-03-01"),
    Reason("ending", 6.0, None, what="down", when="2024-03-01"),
    Reason("recent", 6.0, 0.2, what="up", when="2024-03-01"),
    Reason("recent", 6.0, -0.2, what="down", when="2024-03-01"),
    Reason("step", 2.0, 0.2, what="up", when="2023-03-01"),
    Reason("step", 2.0, None, what="down", when="2023-03-01", others=1),
    Reason("step", 2.0, 14.0, what="up", when="2023-03-01", others=3),
    Reason("rare", 2.0, what="weekly"),
    Reason("rare", 2.0, what="weekly", others=1),
    Reason("rare", 2.0, what="weekly", others=4),
    Reason("lacks", 2.0, what="yearly", others=1980),
    Reason("top", 2.0, what="in June", when="in December", others=1),
)


def tell_more_of_panel() -> Iterator[str]:
    """All of them, each after the name of what it is about."""
    yield from _courses()
    yield from _ends()
    yield from _seasons()
    yield from _changes()
    yield from _spreads()
    yield from (words.reasons_text(Surprise("a", (reason,), "month")) for reason in REASONS)
    yield words.reasons_text(Surprise("a", REASONS[8:11], "month"))
    yield words.reasons_text(Surprise("a", (Reason("recent", 6.0, 0.2, what="up", when="2024-03-05"),), "day"))
    yield words.reasons_text(Surprise("a", (Reason("recent", 6.0, 0.2, what="up", when="2024-03-05T07:00"),), "hour"))
    yield words.reasons_text(Surprise("a", (Reason("step", 6.0, 0.2, what="up", when="7.5"),)))
    yield notes.kind_text(Kind("Expected at least 4 rows, got 2.", NAMES[:1]), 9)
    yield notes.kind_text(Kind("Expected at least 4 rows, got 2.", NAMES), 9)
    yield notes.kind_text(Kind("Column 'x' is modelled.", NAMES), 8)
    yield notes.kind_text(Kind("Column 'x' is modelled.", ("",)), 8)
    steps = [Kind(step, NAMES[place:]) for place, step in enumerate(("month", "hour", "", "15 minutes", "0.5", "day"))]
    yield notes.steps_text(steps[:2])
    for names in (NAMES[:2], NAMES[:4]):
        yield notes.kind_text(Kind("2 rows left out.", names, same=False), 9)
    yield notes.steps_text(steps)
    yield notes.steps_text([*steps[:1], Kind("week", NAMES[:1])])
    for group in (
        Group("rises", ("weekly", "yearly"), True, NAMES), Group("", (), False, NAMES),
        Group("open", (), False, NAMES),
        Group("level", ("yearly",), False, NAMES),
    ):  # fmt: skip
        yield f"{words.group_text(group)}."
    with spoken_in("de"):  # where each of the cycles has its noun
        yield f"{words.group_text(Group('rises', ('weekly', 'yearly'), True, NAMES))}."


def _facts(**ways: int) -> PanelFacts:
    pairs = [(way, number) for way, number in ways.items() for number in range(number)]
    every = [SeriesTraits(f"{way} {number}", True, way=way.replace("few", "")) for way, number in pairs]
    return panel_facts(every)


def _courses() -> Iterator[str]:
    yield words.course_text(_facts(rises=612, falls=1, turns=40, level=1, open=3))
    yield words.course_text(_facts(falls=2, turns=1, level=2, few=1))
    yield words.course_text(_facts(rises=1))
    yield words.course_text(_facts(open=4))
    yield words.course_text(_facts(few=4))
    yield words.course_text(replace(_facts(rises=5), series=7))
    yield words.course_text(replace(_facts(rises=5), stepped=1))
    yield words.course_text(replace(_facts(rises=5), stepped=3))
    yield from words.shared_texts(_facts(rises=5))
    yield words.surprises_text(_facts(rises=5))
    one = replace(_facts(rises=5), surprises=(Surprise("a", REASONS[:1]),))
    yield words.surprises_text(one)
    yield words.surprises_text(replace(one, surprises=one.surprises * 30))


def _ends() -> Iterator[str]:
    falling = Late(2, 40, 30, ("1976", "1980"), "year")
    at_once = replace(falling, rising=41, since=("2024-03", "2024-03"), step="month")
    for late in (replace(falling, turned=3), falling, replace(falling, rising=0, falling=9, turned=1), at_once):
        yield words.shared_texts(replace(_facts(turns=42), late=late))[1]
    ahead = replace(_facts(turns=42), ahead=Spread(-0.021, -0.04, 0.005, 42), ahead_to=("2026-01", "month"))
    yield words.shared_texts(ahead)[1]
    yield words.shared_texts(replace(ahead, seasons=(SharedSeason("yearly", 42, (), None),)))[2]


def _seasons() -> Iterator[str]:
    facts = _facts(rises=10)
    for count, tops in (
        (1, ()),
        (10, (("in July", 9),)),
        (10, (("in July", 10),)),
        (8, (("in July", 3), ("in May", 3))),
        (4, ()),
        (9, (("in May", 2),)),
    ):
        yield words.season_text(SharedSeason("yearly", count, tops, 0.2), facts)
    for count in (1, 3, 8):
        yield words.season_text(SharedSeason("yearly", count, (), 0.2, NAMES[: min(count, 10 - count)]), facts)
    yield words.season_text(SharedSeason("yearly", 4, (), 0.2, NAMES[:5]), facts)
    for count, borrowed, unknown in ((9, 9, 1), (7, 1, 3), (7, 3, 0), (3, 2, 7), (10, 10, 0), (1, 1, 2)):
        yield words.season_text(SharedSeason("yearly", count, (), 0.2, (), borrowed, unknown), facts)


def _changes() -> Iterator[str]:
    yield words.change_text(MARCH)
    yield words.change_text(replace(MARCH, share=None, up=0, down=7))
    yield words.change_text(replace(MARCH, names=NAMES[:3], up=1, down=2, expected=1.4))
    yield words.change_text(replace(MARCH, share=4.0))


def _spreads() -> Iterator[str]:
    facts, spread = _facts(rises=10), Spread(0.031, -0.0002, 0.12, 10)
    wide = Spread(-0.04, -0.2, 4.0, 8)
    for told in (spread, wide, Spread(0.001, -0.01, 0.01, 10), Spread(14.0, 12.0, 15.0, 10), Spread(3.1, 2.0, 5.0, 10)):
        yield words.shared_texts(replace(facts, growth=told))[-1]
        yield words.shared_texts(replace(facts, ahead=told))[-1]
    yield words.shared_texts(replace(facts, noise=Spread(0.04, 0.03, 0.05, 10)))[-1]


def tell_many_names_are_counted() -> Iterator[str]:
    yield names_text(list("abcdef"))


def tell_sizes_and_times_follow_the_language() -> Iterator[str]:
    yield shift(0.123)
    yield size_text(-0.0123)
    yield moment("2024-03-05", "day")
    yield moment("2024-03-01", "month")
    yield moment("1987", "year")


def tell_names_of_cycles_stay_in_english() -> Iterator[str]:
    for name in ("yearly", "half-daily", "10.8-year", "7-unit"):
        yield cycle_adjective(name)
        yield cycle_noun(name)


def tell_cycles_and_their_peaks_are_translated() -> Iterator[str]:
    yield cycle_noun("weekly")
    yield cycle_noun("10.8-year")
    yield when_in_cycle("from December to February")
    yield when_in_cycle("at its end")


def tell_kept_words_are_said_in_the_language_of_the_page() -> Iterator[str]:
    yield reason_text(Reason("top", 2.0, what="in June", when="in December"))


def tell_all_series_are_those_of_several() -> Iterator[str]:
    yield kind_text(Kind("sorted", ("a", "b")), 2)
    yield kind_text(Kind("sorted", ("a",)), 1)


def tell_what_happened_to_a_series_of_a_panel() -> Iterator[str]:
    for kind, size in (("ending", 0.2), ("ending", None), ("step", 0.2), ("step", None)):
        for way in ("up", "down"):
            reason = Reason(kind, 6.0, size, what=way, when="2024-03")
            yield words.reasons_text(Surprise("a", (reason,), "month"))
