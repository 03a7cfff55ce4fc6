"""What many series share, who is unlike the others, and how it is said."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from tests.describe.panels.made import MONTHS, made_records
from tests.describe.sentences import check_sentence, check_text

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind
from autostatistician.describe.panels.changes import changes_together, stretch_of
from autostatistician.describe.panels.facts import Alike, PanelFacts, group_of, panel_facts
from autostatistician.describe.panels.members import Member
from autostatistician.describe.panels.words import (
    LONGEST,
    ahead_text,
    change_text,
    course_text,
    group_text,
    kind_text,
    listed_text,
    season_text,
    shared_texts,
    steps_text,
)
from autostatistician.panel.records import DONE, FAILED, SeriesRecord, claim_of

RECORD = next(made_records(1))
EVERY = [Member(record) for record in made_records(300)]
FACTS = panel_facts(EVERY)
YEARLY = claim_of("season", 5.0, 4.0, 6.0, period=1.0, name="yearly", part=0.9, top="in December")
STEP = claim_of("step", -3.0, -4.0, -2.0, "2022-05-01", "2022-05-01", -0.3)


def member(name: str, *claims: Claim, **record: object) -> Member:
    given = {"rows": 60, "first": MONTHS[0], "last": MONTHS[59], "step": "month", **record}
    return Member(SeriesRecord(name, (name,), DONE, claims=claims, **given))  # type: ignore[arg-type]


def told(every: Sequence[Member], name: str = "unlike") -> list[tuple[str, str]]:
    """The series of a list with the kinds of what is said of them."""
    return [(one.member.name, one.claim.kind.value) for one in panel_facts(every).lists if one.list == name]


# --- Changes that fall together -------------------------------------------------------------------------------------


def stepped(name: int, *rows: int, size: float = 1.0) -> Member:
    return member(
        f"s{name}", *(claim_of("step", size, size, size, MONTHS[row], MONTHS[row], 0.3 * size) for row in rows)
    )


def test_many_changes_in_one_month_are_found_with_their_number_by_chance() -> None:
    every = [stepped(name, 30, size=-1.0 if name == 3 else 1.0) for name in range(7)]
    every += [stepped(name, name % 20) for name in range(7, 27)] + [stepped(name) for name in range(27, 200)]
    (change,) = changes_together(every)
    assert (change.stretch, list(change.claims), change.up) == ("2021-07", [f"s{name}" for name in range(7)], 6)
    assert change.expected == pytest.approx(200 * 20.5 / (200 * 59), rel=1e-6)
    assert (change.p < 1e-4, change.share) == (True, None)
    assert changes_together([*every[:3], *every[4:]])[0].share == pytest.approx(0.3)


def test_two_months_are_found_one_beside_the_other() -> None:
    every = [stepped(name, 10, 40) for name in range(30)] + [stepped(name) for name in range(30, 100)]
    assert {change.stretch for change in changes_together(every)} == {"2019-11", "2022-05"}


@pytest.mark.parametrize("step", ["", "hour", "year"])
def test_any_kind_of_time_is_borne(step: str) -> None:
    claim = claim_of("step", 1.0, 1.0, 1.0, "5", "5")
    for first, last in (("0", "59"), ("a-b", "?")):
        every = [member(str(name), claim, first=first, last=last, step=step) for name in range(9)]
        (change,) = changes_together(every)
        assert (change.stretch, len(change.claims), change.share) == ("5", 9, None)


@pytest.mark.parametrize("seed", range(20))
def test_changes_at_any_time_are_not_called_shared(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert changes_together([stepped(name, int(rng.integers(60))) for name in range(150)]) == ()


def test_few_or_none_are_nothing() -> None:
    for every in ([], [stepped(0)], [stepped(0, 10), stepped(1, 10)]):
        assert changes_together(every) == ()


@pytest.mark.parametrize(
    ("when", "step", "stretch"),
    [("2024-03-17", "week", "2024-03"), ("-0044-03-17", "day", "-0044-03-17"), ("7.5", "", "7.5"), ("", "", ""),
     ("2024-03-17T10:00", "hour", "2024-03-17"), ("2024-01-01", "year", "2024-01-01"),
     ("any/thing", "month", "any/thing")],
)  # fmt: skip
def test_stretches(when: str, step: str, stretch: str) -> None:
    assert stretch_of(when, step) == stretch


# --- The lists ------------------------------------------------------------------------------------------------------


def noisy(name: str, share: float, *more: Claim, doubt: float = 0.05) -> Member:
    low, high = share * (1.0 - doubt), share * (1.0 + doubt)
    return member(name, YEARLY, claim_of("noise", share, low, high, share=share), *more)


def panel(number: int, seed: int = 0) -> list[Member]:
    shares = np.exp(np.random.default_rng(seed).normal(-3.0, 0.3, number)).tolist()
    return [noisy(f"s{index}", share) for index, share in enumerate(shares)]


@pytest.mark.slow
@pytest.mark.parametrize("number", [20, 40, 300])
def test_the_largest_of_many_is_not_unlike_the_others(number: int) -> None:
    assert sum(bool(told(panel(number, seed))) for seed in range(40)) <= 1


def test_scatter_far_from_that_of_the_others_is() -> None:
    every = panel(100)
    every[7], every[8] = noisy("s7", 0.9), noisy("s8", 0.9, doubt=0.999)  # of the other nothing is known
    (listed,) = (one for one in panel_facts(every).lists if one.list == "unlike")
    assert (listed.member.name, listed.claim.kind) == ("s7", Kind.NOISE)
    assert listed_text(listed).startswith("Single values scatter by 90% of its level; in half of all series by 4.")


def test_a_lasting_change_of_its_own_is_and_a_shared_one_is_not() -> None:
    every = panel(100)
    every[3] = member("s3", YEARLY, STEP)
    assert told(every) == [("s3", "step")]
    assert told([member(one.name, YEARLY, STEP) for one in every[:50]] + every[50:]) == []
    assert told([member(one.name, YEARLY, STEP) for one in every[:3]] + every[3:]) == []  # these fell together


def fallen(name: str, low: float, high: float, way: str = "level") -> Member:
    rise = claim_of("rise", 0.5 * (low + high), low, high, MONTHS[0], MONTHS[59], -0.3, name=way)
    return member(name, rise, STEP)


def test_a_step_that_stays_is_a_lasting_fall_with_its_date() -> None:
    level = [member(f"s{place}", claim_of("rise", 0.0, -1.0, 1.0, share=0.0, name="level")) for place in range(7)]
    facts = panel_facts([*level, fallen("down", -4.0, -2.0)])
    assert (facts.ways, fallen("down", -4.0, -2.0).way) == ({"level": 7, "falls": 1}, "falls")
    assert course_text(facts).endswith(
        "1 falls and 7 show no lasting rise or fall. "
        "One of them has a sudden change that lasts: 'down' fell suddenly by 30% in May 2022."
    )
    (tile,) = (one for one in facts.lists if one.list == "most")
    assert listed_text(tile) == "Fell by 30% from January 2019 to December 2023 (fell suddenly by 30% in May 2022)."
    assert group_text(group_of(tile.member)) == "Falling, with a sudden change that lasts"


@pytest.mark.parametrize(
    ("low", "high", "course", "way"),
    [(-4.0, -2.0, "rises", "falls"), (-4.0, 2.0, "rises", "open"), (2.0, 4.0, "falls", "rises"),
     (-4.0, -2.0, "turns", "turns")],
)  # fmt: skip
def test_beside_a_lasting_step_a_way_is_that_of_both(low: float, high: float, course: str, way: str) -> None:
    assert fallen("a", low, high, course).way == way


def test_series_that_a_column_acts_on_are_named_with_its_effects() -> None:
    adds = [claim_of("adds", share, share, share, share=share, name="promo") for share in (0.12, 0.21, 0.11)]
    every = [*(member(f"s{place}", claim) for place, claim in enumerate(adds)), *(member(f"t{n}") for n in range(5))]
    (text,) = shared_texts(panel_facts(every))
    assert text.endswith("over its range: +12% in 's0', +21% in 's1', and +11% in 's2'.")


def test_seasons_that_hardly_any_or_nearly_all_have() -> None:
    every, weekly = panel(100), claim_of("season", 1.0, 0.5, 1.5, period=7.0, name="weekly", part=0.1)
    every[5], every[6] = member("s5"), member("s6", YEARLY, weekly)
    every[7] = member("s7", replace(YEARLY, named={"name": "yearly", "top": "in June"}))
    every[8] = member("s8", replace(YEARLY, named={"name": "yearly", "top": "in November"}))  # it may be chance
    every[9] = member("s9", claim_of("open", 5.0, -1.0, 9.0, period=1.0, name="yearly"))
    assert told(every) == [("s5", "open"), ("s6", "season"), ("s7", "phase")]


def test_what_happened_at_the_end_is_a_list_of_its_own() -> None:
    every, late = panel(5), claim_of("ending", 9.0, 9.0, 9.0, MONTHS[59], MONTHS[59], 0.2)
    every[3] = member("s3", claim_of("recent", 5.0, 4.0, 6.0, MONTHS[57], MONTHS[57], 0.4))
    every[4] = member("s4", late)
    assert told(every, "late") == [("s3", "step"), ("s4", "ending")]
    assert told(every) == []  # of so few none is usual


def test_those_that_rose_and_fell_most_surely_did() -> None:
    shares = (0.1, 0.5, -0.3, 0.9, -0.1, 0.2, 3.0, 0.05)
    every = [
        member(str(place), claim_of("rise", 10.0 * share, 9.0 * share, 11.0 * share, share=share, name="rises"))
        for place, share in enumerate(shares)
    ]
    every[3] = member("3", claim_of("rise", 9.0, -1.0, 19.0, share=0.9, name="open"))
    assert [name for name, _ in told(every, "most")] == ["6", "1", "2", "4"]
    assert told(every[:3], "most") == []  # the table shows all


# --- Facts of all ---------------------------------------------------------------------------------------------------


def test_everything_of_a_made_panel() -> None:
    assert (FACTS.series, FACTS.done, sum(FACTS.ways.values())) == (300, 296, 296)
    assert FACTS.ways["rises"] > 200
    assert FACTS.spreads[Kind.GROWTH].low < 0.03 < FACTS.spreads[Kind.GROWTH].high
    (season,) = FACTS.seasons
    assert (season.name, season.top) == ("yearly", "in December")
    assert FACTS.changes[0].stretch == "2023-03"
    (failure,) = FACTS.failures
    assert len(failure.names) == 4
    (note,) = FACTS.notes
    assert len(note.names) == sum(bool(each.record.notes) for each in EVERY)


def test_groups_are_by_what_is_claimed_the_largest_first() -> None:
    sizes = [len(group.names) for group in FACTS.groups]
    assert sizes == sorted(sizes, reverse=True)
    first = FACTS.groups[0]
    assert (first.way, first.seasons, first.stepped) == ("rises", ("yearly",), False)
    names = [name for group in FACTS.groups for name in group.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("every", [[], [Member(SeriesRecord("a", ("a",), FAILED, "no"))], [member("a")]])
def test_nothing_is_borne(every: list[Member]) -> None:
    facts = panel_facts(every)
    assert (facts.series, facts.spreads, facts.lists, facts.changes) == (len(every), {}, (), ())
    assert (shared_texts(facts), ahead_text(facts)) == ((), "")


def test_texts_that_differ_by_numbers_and_names_are_one_kind() -> None:
    reasons = ("Expected 4 rows, got 2 in 'a'.", "Expected 4 rows, got 3 in 'b'.", "The disk is full.")
    records = [SeriesRecord(str(index), ("",), FAILED, reason) for index, reason in enumerate(reasons)]
    facts = panel_facts(list(map(Member, records)))
    assert [(kind.text, kind.names) for kind in facts.failures] == [(reasons[0], ("0", "1")), (reasons[2], ("2",))]


def test_numbers_and_words_of_a_record() -> None:
    one = Member(RECORD)
    assert (one.name, one.done, one.way, one.seasons, one.top) == (
        "store 1/item 1", True, "rises", ("yearly",), "in December",
    )  # fmt: skip
    assert one.growth is not None
    assert one.ahead is not None
    assert -0.5 < one.ahead.number.value < 0.5
    bare = Member(replace(RECORD, claims=(), forecast=None, level=None))
    assert (bare.way, bare.growth, bare.ahead, bare.share(Kind.NOISE)) == ("", None, None, None)
    assert Member(replace(RECORD, level=-3.0, claims=())).ahead is None


def test_a_forecast_is_compared_with_the_same_months_a_year_before() -> None:
    wave = 100.0 + 50.0 * np.cos(2.0 * np.pi * np.arange(72) / 12.0)
    assert RECORD.forecast is not None
    for steps in (3, 12, 20):
        times = tuple(np.arange("2024-01", "2025-09", dtype="M8[M]").astype("M8[D]").astype(str)[:steps].tolist())
        ahead = replace(RECORD.forecast, times=times, mean=tuple(np.resize(1.1 * wave[:12], steps).tolist()))
        record = replace(RECORD, values=tuple(wave[:60].tolist()), level=float(wave[50:60].mean()), forecast=ahead)
        assert _ahead(record) == pytest.approx(0.1, abs=0.01), steps
    assert _ahead(replace(record, times=("?",) * 60)) is None
    plain = tuple(f"{place}" for place in range(60))
    numbers = replace(ahead, times=tuple(f"{place}" for place in range(60, 80)))
    season = claim_of("season", 100.0, 90.0, 110.0, period=12.0, part=0.9)
    by_number = replace(record, times=plain, last="59", forecast=numbers, claims=(season,))
    assert _ahead(by_number) == pytest.approx(0.1)


def _ahead(record: SeriesRecord) -> float | None:
    ahead = Member(record).ahead
    return None if ahead is None else ahead.number.value


def test_a_season_that_is_open_is_neither_had_nor_lacking() -> None:
    claim = claim_of("open", 5.0, -1.0, 9.0, period=1.0, name="yearly", shared=True)
    facts = panel_facts([member("a", claim), member("b", replace(claim, kind=Kind.SEASON))])
    (season,) = facts.seasons
    assert (season.series, season.borrowed, season.unknown, season.few) == (1, 1, 1, ("b",))


# --- Sentences ------------------------------------------------------------------------------------------------------


def _texts(facts: PanelFacts) -> list[str]:
    return [
        course_text(facts),
        *shared_texts(facts),
        *filter(None, [ahead_text(facts)]),
        *map(listed_text, facts.lists),
    ]


@pytest.mark.parametrize("number", [1, 3, 12, 300])
def test_all_are_sentences(number: int) -> None:
    facts = panel_facts([
        Member(replace(record, name=f"series {index}")) for index, record in enumerate(made_records(number))
    ])  # fmt: skip
    for text in _texts(facts):
        check_sentence(text)
    for group in facts.groups:
        check_text(group_text(group))


def test_what_they_share_is_said_with_its_number_by_chance() -> None:
    assert change_text(FACTS.changes[0]).startswith(
        "In March 2023, 21 series fell suddenly, half of them by 40% or more; less than one would"
    )
    assert season_text(FACTS.seasons[0], FACTS.done).endswith("yearly cycle (highest in December for 276 of them).")


def test_one_step_is_not_worth_a_sentence() -> None:
    assert steps_text([]) == steps_text([Alike("month", ("a", "b"))]) == ""


def test_a_note_is_one_line_and_not_too_long() -> None:
    text = kind_text(Alike(400 * "long\n", ("a\nb",)), 2)
    assert text.startswith("'a b': long long")
    assert len(text) <= LONGEST + len("'a b': ")
    assert "\n" not in text
