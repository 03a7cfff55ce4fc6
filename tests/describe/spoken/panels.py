"""Golden sentences: panels, what many series share and who differs."""

from collections.abc import Iterator
from dataclasses import replace

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.describe.panels import words
from autostatistician.describe.panels.changes import CommonChange
from autostatistician.describe.panels.facts import (
    Alike,
    Listed,
    PanelFacts,
    SeriesGroup,
    SharedColumn,
    SharedSeason,
    Spread,
    panel_facts,
)
from autostatistician.describe.panels.members import Member
from autostatistician.panel.records import DONE, SeriesRecord, claim_of

NAMES = tuple(f"store {number}" for number in range(1, 9))
ROSE = claim_of("step", 3.0, 2.0, 4.0, "2024-03-01", "2024-03-01", 0.3)
FELL = replace(ROSE, number=Quantity(-3.0, -4.0, -2.0))
MARCH = CommonChange("2024-03", dict.fromkeys(NAMES[:7], ROSE), 0.2, 1e-6, "month")
MONTHLY = Member(SeriesRecord("a", ("a",), DONE, step="month"))


def tell_what_series_of_a_panel_share() -> Iterator[str]:
    yield from _courses()
    yield from _seasons()
    yield from _changes()
    yield from _spreads()
    effects: dict[str, float | None] = dict(zip(NAMES, (0.12, 0.21, 0.11, -0.02, 0.05, 0.1, 0.3, 0.08), strict=True))
    for number, of in ((5, 5), (1, 5), (3, 8), (7, 8), (8, 8)):
        yield words.column_text(SharedColumn("promo", dict(list(effects.items())[:number])), of)
    yield words.column_text(SharedColumn("promo", dict.fromkeys(NAMES[:3])), 8)
    yield words.column_text(SharedColumn("promo", effects | dict.fromkeys(NAMES[:1])), 8)


def _facts(**ways: int) -> PanelFacts:
    pairs = [(way, number) for way, number in ways.items() for number in range(number)]
    claims = {way: claim_of("rise", 1.0, 0.5, 1.5, name=way.replace("few", "")) for way in ways}
    return panel_facts(
        [Member(SeriesRecord(f"{way} {number}", (way,), DONE, claims=(claims[way],))) for way, number in pairs]
    )


def _courses() -> Iterator[str]:
    yield words.course_text(_facts(rises=612, falls=1, turns=40, level=1, open=3))
    yield words.course_text(_facts(falls=2, turns=1, level=2, few=1))
    yield words.course_text(_facts(rises=1))
    yield words.course_text(_facts(few=4))
    yield words.course_text(replace(_facts(rises=5), series=7))
    stepped = Member(
        replace(MONTHLY.record, claims=(ROSE, replace(FELL, more={}, written=("2025-01-01", "2025-01-01"))))
    )
    yield words.course_text(replace(_facts(rises=5), stepped=(stepped,)))
    yield words.course_text(replace(_facts(rises=5), stepped=(stepped,) * 5))


def _seasons() -> Iterator[str]:
    for season, of in (
        (SharedSeason("yearly", 10, "in July", 10), 10),
        (SharedSeason("yearly", 10, "in July", 9), 10),
        (SharedSeason("weekly", 1, few=NAMES[:1]), 10),
        (SharedSeason("10.8-year", 3, few=NAMES[:3]), 10),
        (SharedSeason("7-unit", 8, few=NAMES[:2]), 10),
        (SharedSeason("yearly", 300, "from December to February", 200, NAMES, 1, 1), 612),
        (SharedSeason("yearly", 300, "at its end", 200, NAMES, 3, 7), 612),
    ):
        yield words.season_text(season, of)


def _changes() -> Iterator[str]:
    yield words.change_text(MARCH)
    yield words.change_text(replace(MARCH, claims=dict.fromkeys(NAMES[:7], replace(FELL, more={}))))
    yield words.change_text(replace(MARCH, claims={"a": ROSE, "b": FELL, "c": FELL}, expected=1.4))


def _spreads() -> Iterator[str]:
    facts, spread = _facts(rises=10), Spread(0.031, -0.0002, 0.12, 10)
    flat, few = replace(spread, low=0.0, high=0.0002), replace(spread, series=3)
    of_growth = (spread, replace(spread, series=8), flat, few, replace(flat, series=3))
    for kind, known in (*((Kind.GROWTH, growth) for growth in of_growth), (Kind.NOISE, spread)):
        yield words.shared_texts(replace(facts, spreads={kind: known}))[-1]
    for middle in (0.031, -0.02):
        above = replace(facts, spreads={Kind.AHEAD: replace(spread, middle=middle)})
        yield words.ahead_text(above)
        yield words.ahead_text(replace(above, seasons=(SharedSeason("yearly", 10),), ahead_to=("2026-01-01", "month")))


def tell_lists_of_a_panel() -> Iterator[str]:
    """All that is said of one series in a list."""
    for listed in _listed():
        yield words.listed_text(listed)


def _listed() -> Iterator[Listed]:
    for share in (0.3, -0.3, 80.0):
        yield _of("most", claim_of("rise", share, share, share, "2019-01-01", "2023-12-01", share, name="rises"))
    fall = claim_of("rise", -0.3, -0.4, -0.2, "2019-01-01", "2025-12-01", -0.3, name="level")
    yield Listed("most", Member(replace(MONTHLY.record, claims=(fall, FELL))), fall)
    for share in (0.12, -0.12):
        for against in ("season", "level"):
            number = Quantity.plain(share, Measure.SHARE)
            yield _of("ahead", Claim(id="ahead", kind=Kind.AHEAD, form=against, number=number))
    for claim in (ROSE, FELL):
        yield _of("late", replace(claim, kind=Kind.ENDING))
        yield _of("late", replace(claim, kind=Kind.ENDING, more={}))
        yield _of("late", replace(claim, form="recent"))
        yield _of("unlike", replace(claim, more={}))
    yield Listed("late", replace(MONTHLY, record=replace(MONTHLY.record, step="day")), replace(ROSE, form="recent"))
    yield Listed("late", MONTHLY, replace(ROSE, form="recent", written=("7.5", "7.5")))
    yearly = Member(replace(MONTHLY.record, step="year"))
    yield Listed("late", yearly, replace(ROSE, form="recent", written=("1987", "1987")))
    season = claim_of("season", 5.0, 4.0, 6.0, period=1.0, name="weekly", top="in June")
    for others in (0, 1, 4):
        yield Listed("unlike", MONTHLY, ROSE, others)
        yield Listed("unlike", MONTHLY, season, others)
    yield Listed("unlike", MONTHLY, replace(season, kind=Kind.OPEN), 1980)
    june = Member(replace(MONTHLY.record, claims=(season,)))
    yield Listed("unlike", june, replace(season, kind=Kind.PHASE), 1, "in December")
    noise = claim_of("noise", 1.0, 0.9, 1.1, share=0.5)
    yield Listed("unlike", MONTHLY, noise, usual=Spread(0.04, 0.03, 0.05, 10))


def _of(name: str, claim: Claim) -> Listed:
    return Listed(name, MONTHLY, claim)


def tell_what_is_to_be_noted_of_a_panel() -> Iterator[str]:
    yield words.kind_text(Alike("Expected at least 4 rows, got 2.", NAMES[:1]), 9)
    yield words.kind_text(Alike("Expected at least 4 rows, got 2.", NAMES), 9)
    yield words.kind_text(Alike("Column 'x' is modelled.", NAMES[:2]), 9)
    yield words.kind_text(Alike("Column 'x' is modelled.", NAMES), 8)
    yield words.kind_text(Alike("Column 'x' is modelled.", ("",)), 8)
    yield words.shown_name(" ", 40)
    for names in (NAMES[:2], NAMES[:4]):
        yield words.kind_text(Alike("2 rows left out.", names, same=False), 9)
    steps = [Alike(step, NAMES[place:]) for place, step in enumerate(("month", "hour", "", "15 minutes", "0.5", "day"))]
    yield words.steps_text(steps)
    for step in ("year", "quarter", "week", "day", "business day", "minute", "second"):
        yield words.steps_text([*steps[:1], Alike(step, NAMES[:1])])
    for way in ("rises", "falls", "turns", "level", "open", ""):
        yield f"{words.group_text(SeriesGroup(way, (), False, NAMES))}."
    yield f"{words.group_text(SeriesGroup('rises', ('weekly', 'yearly'), True, NAMES))}."
    yield f"{words.group_text(SeriesGroup('level', ('yearly',), False, NAMES))}."
    yield f"{words.group_text(SeriesGroup('level', (), True, NAMES))}."
