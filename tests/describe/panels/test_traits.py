"""What is compared of one series."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.describe.panels.made import made_records

from autostatistician.describe.panels.traits import SeriesTraits, traits_of
from autostatistician.panel.records import DONE, FAILED, PanelClaim, PanelForecast, SeriesRecord

RECORD = next(made_records(1))


def test_numbers_and_words_of_a_record() -> None:
    traits = traits_of(RECORD)
    assert (traits.name, traits.done, traits.step, traits.rows) == ("store 1/item 1", True, "month", 60)
    assert (traits.way, traits.seasons, traits.top, traits.last) == ("rises", ("yearly",), "in December", RECORD.level)
    growth = dict(traits.measures)["growth"]
    assert traits.growth is not None
    assert growth.number == pytest.approx(np.log1p(traits.growth))
    assert growth.low < growth.number < growth.high
    assert [name for name, _ in traits.measures] == ["growth", "season", "noise", "ahead", "error"]
    assert traits.ahead is not None
    assert -0.5 < traits.ahead < 0.5


def test_a_failed_series_keeps_its_reason() -> None:
    assert traits_of(SeriesRecord("a", ("a",), FAILED, "too short", 2)) == SeriesTraits("a", False, "too short", (), 2)


def test_what_a_record_does_not_say_is_none() -> None:
    bare = traits_of(replace(RECORD, claims=(), forecast=None, level=None, errors=()))
    assert (bare.way, bare.change, bare.growth, bare.ahead, bare.measures) == ("", None, None, None, ())
    assert traits_of(replace(RECORD, level=-3.0, claims=())).ahead is None
    unnamed = replace(RECORD, claims=(PanelClaim("season", 1.0, 1.0, 1.0, period=12.5),))
    assert traits_of(unnamed).seasons == ("12.5-unit",)


def test_the_last_error_is_measured_by_those_before_it() -> None:
    noise = next(claim for claim in RECORD.claims if claim.kind == "noise")
    far = replace(RECORD, errors=(*[2.0 * noise.number, -2.0 * noise.number] * 4, 20.0 * noise.number))
    error = dict(traits_of(far).measures)["error"]
    assert error.number == pytest.approx(20.0 / (1.4826 * 2.0))
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
    season = PanelClaim("season", 100.0, 90.0, 110.0, period=12.0, part=0.9)
    assert traits_of(
        replace(record, times=plain, last="59", forecast=numbers, claims=(season,))
    ).ahead == pytest.approx(0.1)


def test_a_season_that_is_open_is_neither_had_nor_lacking() -> None:
    claims = (PanelClaim("open", 5.0, -1.0, 9.0, period=1.0, name="yearly", shared=True),)
    traits = traits_of(SeriesRecord("a", ("a",), DONE, claims=claims))
    assert (traits.seasons, traits.unknown, traits.borrowed) == ((), ("yearly",), False)
    had = traits_of(SeriesRecord("b", ("b",), DONE, claims=(replace(claims[0], kind="season"),)))
    assert (had.seasons, had.unknown, had.borrowed) == (("yearly",), (), True)


def test_a_course_that_the_forecast_does_not_go_on_with_has_ended() -> None:
    course = PanelClaim("course", -9.0, -12.0, -6.0, name="falls")
    ahead = PanelForecast(("2001", "2002"), (11.0, 11.5), (), (), ())
    falls = SeriesRecord("a", ("a",), DONE, last="2000", claims=(course,), level=12.0, forecast=ahead)
    assert traits_of(falls).late == "falls"
    assert traits_of(replace(falls, level=10.0)).late == ""
