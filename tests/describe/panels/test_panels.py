"""What many series share and who changed: facts, traits, changes and words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.panels.made import made_records
from tests.describe.sentences import check_sentence, check_text

from autostatistician.describe.claims.kinds import Kind as ClaimKind
from autostatistician.describe.panels.changes import shared_changes, stretch_of
from autostatistician.describe.panels.facts import Kind, panel_facts
from autostatistician.describe.panels.notes import LONGEST, kind_text, steps_text
from autostatistician.describe.panels.surprises import Reason, Surprise
from autostatistician.describe.panels.traits import SeriesTraits, traits_of
from autostatistician.describe.panels.words import MOST_REASONS, group_text, reasons_text, shared_texts, standing_texts
from autostatistician.panel.records import DONE, FAILED, PanelForecast, SeriesRecord, claim_of


def test_many_changes_in_one_month_are_found_with_their_number_by_chance() -> None:
    every = [series(name, 30, size=-1.0 if name == 3 else 1.0) for name in range(7)]
    every += [series(name, name % 20) for name in range(7, 27)] + [series(name) for name in range(27, 200)]
    (change,) = shared_changes(every)
    assert (change.stretch, change.series, change.up, change.down) == ("2021-07", 7, 6, 1)
    assert change.expected == pytest.approx(200 * 20.5 / (200 * 59), rel=1e-6)
    assert change.p < 1e-4
    assert change.share == pytest.approx(0.3)
    assert change.names == tuple(sorted(f"s{name}" for name in range(7)))


def test_two_months_are_found_one_beside_the_other() -> None:
    every = [series(name, 10, 40) for name in range(30)] + [series(name) for name in range(30, 100)]
    assert {change.stretch for change in shared_changes(every)} == {"2019-11", "2022-05"}


@pytest.mark.parametrize("step", ["", "hour", "year"])
def test_any_kind_of_time_is_borne(step: str) -> None:
    claim = claim_of("step", 1.0, 1.0, 1.0, "5", "5")
    every = [
        SeriesTraits(f"{name}", True, rows=60, first="0", stop="59", step=step, sudden=(claim,)) for name in range(9)
    ]
    (change,) = shared_changes(every)
    assert (change.stretch, change.series, change.share) == ("5", 9, None)
    odd = [
        SeriesTraits(f"{name}", True, rows=60, first="a-b", stop="?", step=step, sudden=(claim,)) for name in range(9)
    ]
    assert shared_changes(odd)[0].series == 9


MONTHS = np.arange("2019-01", "2024-01", dtype="M8[M]").astype("M8[D]").astype(str).tolist()


def series(name: int, *rows: int, size: float = 1.0) -> SeriesTraits:
    steps = tuple(claim_of("step", size, size, size, MONTHS[row], MONTHS[row], 0.3 * size) for row in rows)
    return SeriesTraits(f"s{name}", True, rows=60, first=MONTHS[0], stop=MONTHS[-1], step="month", sudden=steps)


@pytest.mark.parametrize("seed", range(20))
def test_changes_at_any_time_are_not_called_shared(seed: int) -> None:
    rng = np.random.default_rng(seed)
    assert shared_changes([series(name, int(rng.integers(60))) for name in range(150)]) == ()


def test_few_or_none_are_nothing() -> None:
    assert shared_changes([]) == ()
    assert shared_changes([series(0)]) == ()
    assert shared_changes([series(0, 10), series(1, 10)]) == ()


@pytest.mark.parametrize(
    ("when", "step", "stretch"),
    [("2024-03-17", "week", "2024-03"), ("-0044-03-17", "day", "-0044-03-17"), ("7.5", "", "7.5"), ("", "", ""),
     ("2024-03-17T10:00", "hour", "2024-03-17"), ("2024-01-01", "year", "2024-01-01"),
     ("any/thing", "month", "any/thing")],
)  # fmt: skip
def test_stretches(when: str, step: str, stretch: str) -> None:
    assert stretch_of(when, step) == stretch


def test_everything_of_a_made_panel() -> None:
    every = [traits_of(record) for record in made_records(300)]
    facts = panel_facts(every)
    assert (facts.series, facts.done) == (300, 296)
    assert sum(number for _, number in facts.ways) == 296
    assert facts.way("rises") > 200
    assert facts.growth is not None
    assert facts.growth.low < 0.03 < facts.growth.high
    (season,) = facts.seasons
    assert (season.name, season.tops[0][0]) == ("yearly", "in December")
    assert facts.changes[0].stretch == "2023-03"
    assert {surprise.name for surprise in facts.surprises} >= {"store 1/item 21", "store 2/item 16"}
    (failure,) = facts.failures
    assert len(failure.names) == 4
    (note,) = facts.notes
    assert len(note.names) == sum(bool(traits.notes) for traits in every)


def test_groups_are_by_what_is_claimed_the_largest_first() -> None:
    facts = panel_facts([traits_of(record) for record in made_records(300)])
    sizes = [len(group.names) for group in facts.groups]
    assert sizes == sorted(sizes, reverse=True)
    assert len(sizes) <= 8
    assert (facts.groups[0].way, facts.groups[0].seasons, facts.groups[0].stepped) == ("rises", ("yearly",), False)
    names = [name for group in facts.groups for name in group.names]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("every", [[], [SeriesTraits("a", False, "no")], [SeriesTraits("a", True)]])
def test_nothing_is_borne(every: list[SeriesTraits]) -> None:
    facts = panel_facts(every)
    assert (facts.series, facts.growth, facts.surprises, facts.changes) == (len(every), None, (), ())


def test_texts_that_differ_by_numbers_and_names_are_one_kind() -> None:
    reasons = ("Expected 4 rows, got 2 in 'a'.", "Expected 4 rows, got 3 in 'b'.", "The disk is full.")
    facts = panel_facts([SeriesTraits(str(index), False, reason) for index, reason in enumerate(reasons)])
    assert [(kind.text, kind.names) for kind in facts.failures] == [(reasons[0], ("0", "1")), (reasons[2], ("2",))]


def test_one_step_is_not_worth_a_sentence() -> None:
    assert steps_text([]) == steps_text([Kind("month", ("a", "b"))]) == ""


def test_a_note_is_one_line_and_not_too_long() -> None:
    text = kind_text(Kind(400 * "long\n", ("a\nb",)), 2)
    assert text.startswith("'a b': long long")
    assert len(text) <= LONGEST + len("'a b': ")
    assert "\n" not in text


GROWTH = Reason("growth", 5.0, 0.47, 0.0, 0.05)


def test_few_reasons_are_told_and_none_twice() -> None:
    others = tuple(Reason("rare", 2.0, what=name) for name in ("weekly", "monthly", "daily"))
    text = reasons_text(Surprise("a", (GROWTH, GROWTH, *others)))
    assert text.count(". ") + 1 == MOST_REASONS
    assert text.startswith("Grows by 60% per year; half of all series lie between 0% and +5.1%. Has a weekly cycle")


RECORD = next(made_records(1))


def test_numbers_and_words_of_a_record() -> None:
    traits = traits_of(RECORD)
    assert (traits.name, traits.done, traits.step, traits.rows) == ("store 1/item 1", True, "month", 60)
    assert (traits.way, traits.seasons, traits.top, traits.last) == ("rises", ("yearly",), "in December", RECORD.level)
    growth = dict(traits.measures)["growth"]
    assert traits.growth is not None
    assert growth.value == pytest.approx(np.log1p(traits.growth))
    assert growth.low < growth.value < growth.high
    assert [name for name, _ in traits.measures] == ["growth", "season", "noise", "ahead", "error"]
    assert traits.ahead is not None
    assert -0.5 < traits.ahead < 0.5


def test_a_failed_series_keeps_its_reason() -> None:
    assert traits_of(SeriesRecord("a", ("a",), FAILED, "too short", 2)) == SeriesTraits("a", False, "too short", (), 2)


def test_what_a_record_does_not_say_is_none() -> None:
    bare = traits_of(replace(RECORD, claims=(), forecast=None, level=None, errors=()))
    assert (bare.way, bare.change, bare.growth, bare.ahead, bare.measures) == ("", None, None, None, ())
    assert traits_of(replace(RECORD, level=-3.0, claims=())).ahead is None
    unnamed = replace(RECORD, claims=(claim_of("season", 1.0, 1.0, 1.0, period=12.5),))
    assert traits_of(unnamed).seasons == ("12.5-unit",)


def test_the_last_error_is_measured_by_those_before_it() -> None:
    noise = next(claim for claim in RECORD.claims if claim.kind is ClaimKind.NOISE)
    far = replace(
        RECORD, errors=(*[2.0 * noise.number.value, -2.0 * noise.number.value] * 4, 20.0 * noise.number.value)
    )
    error = dict(traits_of(far).measures)["error"]
    assert error.value == pytest.approx(20.0 / (1.4826 * 2.0))
    assert "error" not in dict(traits_of(replace(RECORD, errors=(1.0,))).measures)


def test_a_forecast_is_compared_with_the_same_months_a_year_before() -> None:
    wave = 100.0 + 50.0 * np.cos(2.0 * np.pi * np.arange(72) / 12.0)
    assert RECORD.forecast is not None
    for steps in (3, 12, 20):
        times = tuple(np.arange("2024-01", "2025-09", dtype="M8[M]").astype("M8[D]").astype(str)[:steps].tolist())
        ahead = replace(RECORD.forecast, times=times, mean=tuple(np.resize(1.1 * wave[:12], steps).tolist()))
        record = replace(RECORD, values=tuple(wave[:60].tolist()), level=float(wave[50:60].mean()), forecast=ahead)
        assert traits_of(record).ahead == pytest.approx(0.1, abs=0.01), steps
    assert traits_of(replace(record, times=("?",) * 60)).ahead is None
    plain = tuple(f"{place}" for place in range(60))
    numbers = replace(ahead, times=tuple(f"{place}" for place in range(60, 80)))
    season = claim_of("season", 100.0, 90.0, 110.0, period=12.0, part=0.9)
    assert traits_of(
        replace(record, times=plain, last="59", forecast=numbers, claims=(season,))
    ).ahead == pytest.approx(0.1)


def test_a_season_that_is_open_is_neither_had_nor_lacking() -> None:
    claims = (claim_of("open", 5.0, -1.0, 9.0, period=1.0, name="yearly", shared=True),)
    traits = traits_of(SeriesRecord("a", ("a",), DONE, claims=claims))
    assert (traits.seasons, traits.unknown, traits.borrowed) == ((), ("yearly",), False)
    had = traits_of(SeriesRecord("b", ("b",), DONE, claims=(replace(claims[0], kind=ClaimKind.SEASON),)))
    assert (had.seasons, had.unknown, had.borrowed) == (("yearly",), (), True)


def test_a_course_that_the_forecast_does_not_go_on_with_has_ended() -> None:
    course = claim_of("course", -9.0, -12.0, -6.0, name="falls")
    ahead = PanelForecast(("2001", "2002"), (11.0, 11.5), (), (), ())
    falls = SeriesRecord("a", ("a",), DONE, last="2000", claims=(course,), level=12.0, forecast=ahead)
    assert traits_of(falls).late == "falls"
    assert traits_of(replace(falls, level=10.0)).late == ""


@pytest.mark.parametrize("number", [1, 3, 12, 300])
def test_all_are_sentences(number: int) -> None:
    every = [replace(traits_of(record), name=f"series {index}") for index, record in enumerate(made_records(number))]
    facts = panel_facts(every)
    for text in (*shared_texts(facts), *standing_texts(facts), *map(reasons_text, facts.surprises)):
        check_sentence(text)
    for group in facts.groups:
        check_text(group_text(group))


def test_what_happened_comes_first() -> None:
    facts = panel_facts([traits_of(record) for record in made_records(300)])
    first, second = standing_texts(facts)
    assert first.startswith("In March 2023, 21 series fell suddenly, half of them by 40% or more; less than one would")
    assert second == "Six series stand out by more than chance would have among so many."
    assert shared_texts(facts)[0].startswith("Of 300 series, 296 have a model; of these, ")


def test_nothing_is_said_of_nothing() -> None:
    assert (shared_texts(panel_facts([])), standing_texts(panel_facts([]))) == ((), ())
