"""Panels: records, settings, claims and seasons."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.describe.function_cases import COURSE, EVENT, ROOF, SEASON, STEP, sure
from tests.panel.made import MONTH, MadeTable
from tests.panel.made import QUICK as SEASONS
from tests.there import there

from autostatistician import AutomaticStatistician
from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import Kind
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.panels import PanelTable, panel_of
from autostatistician.decompose.records.function import FunctionCourse
from autostatistician.errors import InputError
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.function import function_of
from autostatistician.fitted.model import Model
from autostatistician.panel.claims import DRAWS, claims_of
from autostatistician.panel.records import DONE, PanelForecast, SeriesRecord, claim_of
from autostatistician.panel.run import run_panel
from autostatistician.panel.seasons import PanelSeasons, is_short
from autostatistician.panel.settings import PanelSettings
from autostatistician.search.run import Settings

FORECAST = PanelForecast(
    ("2024-01", "2024-02"), (1.0, 2.0), (80, 95), ((0.5, 1.0), (0.0, 0.5)), ((1.5, 3.0), (2.0, 4.0))
)
RECORD = SeriesRecord(
    'a "quoted"\nid/ü', ('a "quoted"\nid', "ü"), DONE, rows=20, score=12.5,
    structures=(("SE + WN", 0.75), ("WN", 0.25)),
    claims=(claim_of("season", 4.0, 3.0, 5.0, period=1.0),), times=("2023-12",), values=(1.5,), forecast=FORECAST,
    errors=(0.1, -0.2),
)  # fmt: skip


def test_a_line_holds_all_of_a_record() -> None:
    line = RECORD.line()
    assert "\n" not in line
    assert SeriesRecord.from_line(line) == RECORD


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"name": "a"}', RECORD.line()[:-20]])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        SeriesRecord.from_line(text)


def test_what_can_be_used_is_kept() -> None:
    settings = PanelSettings("se", Settings(seed=3), 12, (50, 90))
    assert settings.checked() is settings


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"language": "latin"}, "a language among"),
        ({"search": Settings(criterion="beauty")}, "a criterion among"),
        ({"horizon": 0}, "steps as a whole number"),
        ({"levels": ()}, "levels of ranges"),
        ({"levels": (95, 80)}, "levels of ranges"),
        ({"levels": (80, 80)}, "levels of ranges"),
        ({"levels": (0,)}, "levels of ranges"),
    ],
)
def test_what_cannot_be_used_is_said(changes: dict[str, Any], expected: str) -> None:
    with pytest.raises(InputError, match=f"expected {expected}"):
        replace(PanelSettings(), **changes).checked()


def test_records_do_not_hang_on_the_number_of_workers() -> None:
    one, two = (PanelSettings(search=Settings(n_jobs=count)).to_json() for count in (1, 2))
    assert one == two
    assert json.loads(json.dumps(one)) == one
    assert PanelSettings(search=Settings(seed=1)).to_json() != one


QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)


@pytest.fixture(scope="module")
def monthly() -> Model:
    """Twelve years of months that rise from about 120 to 470."""
    months = np.arange("1949-01", "1961-01", dtype="M8[M]").astype("M8[s]")
    values = 120.0 + 350.0 * np.arange(144) / 143.0 + np.random.default_rng(0).normal(size=144)
    frame = pd.DataFrame({"month": months, "passengers": values})
    return fit_model(load(frame), "linear", replace(QUICK, transform="none"))


def claims(model: Model, course: FunctionCourse) -> dict[str, Claim]:
    """The claims of a model as if its function did this."""
    changed = replace(model)
    changed.once(("function", DRAWS, False), lambda: course)
    return {claim.kind.value: claim for claim in claims_of(changed)}


@pytest.mark.slow
def test_all_kinds_with_their_numbers(monthly: Model) -> None:
    told = claims(monthly, COURSE)
    assert set(told) == {"rise", "growth", "slope", "season", "event", "scatter", "noise"}
    course = told["rise"]
    assert (course.number.value, *course.number.interval, course.named["name"]) == (350.0, 349.0, 351.0, "rises")
    assert course.written == ("1949-01-01", "1960-12-01")
    assert course["share"] == pytest.approx(470.0 / 120.0 - 1.0)
    assert told["growth"].number.value == pytest.approx((470.0 / 120.0) ** (1.0 / (143.0 / 12.0)) - 1.0)
    assert told["growth"].number.low < told["growth"].number.value < told["growth"].number.high
    season = told["season"]
    assert (season.number.value, *season.number.interval, season["period"]) == (200.0, 195.0, 205.0, 1.0)
    assert (season.named, season["part"]) == ({"name": "yearly", "top": "in July", "bottom": "in January"}, 0.2)
    assert season["share"] == pytest.approx(200.0 / 295.0, rel=0.01)
    event = told["event"]
    assert (*event.written, event.number.value, event["share"]) == ("1954-02-01", "1955-01-01", -150.0, -0.5)
    assert told["slope"].named["name"] == "per year"
    assert told["scatter"].number.value == pytest.approx(np.exp(1.386))
    assert told["noise"].number.value == 10.0


def test_what_goes_both_ways_and_what_lasts(monthly: Model) -> None:
    told = claims(monthly, replace(COURSE, stretches=ROOF, sudden=()))
    assert told["rise"].named["name"] == "turns"
    assert (told["run"].number.value, *told["run"].written) == (-50.0, "1956-01-01", "1960-12-01")
    assert claims(monthly, replace(COURSE, sudden=(STEP,)))["step"].written[0] == "1954-02-01"
    assert claims(monthly, replace(COURSE, sudden=(replace(STEP, lasting=3),)))["step"].form == "recent"


def test_growth_is_that_beside_lasting_changes(monthly: Model) -> None:
    fell = replace(STEP, size=sure(-350.0))
    flat = replace(COURSE, sudden=(fell,), pace=sure(0.0, 0.1), stretches=COURSE.stretches)
    assert claims(monthly, flat)["growth"].number.value == pytest.approx(0.0)
    assert claims(monthly, flat)["rise"].named["name"] == "level"
    steep = replace(flat, growth=sure(29.0))  # on the scale of the model, which is that of the data
    assert claims(monthly, steep)["growth"].number.value == pytest.approx(0.0)


def test_what_is_not_told_is_no_claim(monthly: Model) -> None:
    unsure = replace(SEASON, modelled=0.5)
    told = claims(monthly, replace(COURSE, seasons=(unsure,), sudden=(replace(EVENT, probability=0.5),), scatter=None))
    assert set(told) == {"rise", "growth", "slope", "noise"}


def test_outliers_are_told_with_what_was_expected(monthly: Model) -> None:
    rows = (
        Outlier(1950.0, 90.0, 130.0), Outlier(1951.0, 90.0, 130.0, returns="date 1 1 0"),
        Outlier(1960.0 + 11.0 / 12.0, 900.0, 450.0, ending=True),
    )  # fmt: skip
    told = {claim.kind: claim for claim in claims_of(replace(monthly, screening=Screening(rows)))}
    assert (told["outlier"].number.value, told["outlier"].written[0]) == (-40.0, "1950-01-01")
    assert (told["ending"]["share"], told["ending"].written[0]) == (1.0, "1960-12-01")


@pytest.mark.slow
def test_a_logarithm_is_told_in_the_units_of_the_data() -> None:
    months = np.arange("2015-01", "2020-01", dtype="M8[M]").astype("M8[s]")
    noise = 0.02 * np.random.default_rng(0).normal(size=60)
    season = 0.3 * np.cos(2.0 * np.pi * (np.arange(60) - 6) / 12.0)
    frame = pd.DataFrame({"month": months, "sales": 1e6 * np.exp(0.1 * np.arange(60) / 12.0 + season + noise)})
    model = fit_model(load(frame), "extended", replace(QUICK, max_depth=3, transform="log"))
    told = {claim.kind: claim for claim in claims_of(model)}
    assert told["growth"].number.low < np.expm1(0.1) < told["growth"].number.high
    assert told["season"]["share"] == pytest.approx(2.0 * np.sinh(0.3), rel=0.15)
    assert told["season"].number.value == pytest.approx(1e6 * np.exp(0.25) * 2.0 * np.sinh(0.3), rel=0.15)
    assert (told["season"].named["top"], told["noise"]["share"]) == ("in July", pytest.approx(0.02, rel=0.4))


def test_a_long_name_or_few_rows_or_no_order_are_no_trouble() -> None:
    few = fit_model(from_arrays(np.arange(5.0), np.array([1.0, 2.0, 1.5, 2.5, 2.0])), "linear", QUICK)
    assert claims_of(few) == ()
    curve = from_arrays(np.array([3.0, 1.0, 2.0, 5.0, 4.0]), np.arange(5.0))
    assert claims_of(fit_model(curve, "linear", QUICK)) == ()


@pytest.mark.parametrize(("pace", "way"), [(0.0, "rises"), (-70.0, "falls")])
def test_a_rise_is_that_of_the_target_with_its_columns_as_they_were(pace: float, way: str) -> None:
    rng, years = np.random.default_rng(3), np.arange(96) / 12.0
    ads = 10.0 + 2.0 * years + rng.normal(size=96)
    months = np.arange("2016-01", "2024-01", dtype="M8[M]").astype("M8[s]")
    frame = pd.DataFrame({"month": months, "sold": 500.0 + pace * years + 20.0 * ads + rng.normal(size=96), "ads": ads})
    model = fit_model(load(frame, target="sold"), "linear", replace(QUICK, transform="none"))
    assert there(function_of(model)).rise.number == pytest.approx(pace * years[-1], abs=10.0)
    rise = next(claim for claim in claims_of(model) if claim.kind is Kind.RISE)
    true = (pace + 40.0) * years[-1]
    assert rise.number.low < true < rise.number.high
    assert (rise.number.value, rise.named["name"]) == (pytest.approx(true, abs=30.0), way)


def test_fewer_draws_say_the_same(monthly: Model) -> None:
    few, many = claims_of(monthly), claims_of(monthly, 800)
    assert [(claim.kind, claim.named) for claim in few] == [(claim.kind, claim.named) for claim in many]
    assert function_of(monthly, 200) is not function_of(monthly)


YEAR = np.array([0.0, -0.2, 0.1, -0.1, 0.0, 0.2, 0.4, 0.5, 0.0, -0.3, -0.2, 0.6])
ODD = "shop 7"  # the series that has no season
NOTE = "its own data say how far it follows"


@cache
def frame() -> pd.DataFrame:
    """Eight shops of twenty months, all but one with the same year."""
    rng, dates = np.random.default_rng(4), pd.date_range("2022-01-01", periods=20, freq="MS")
    parts = []
    for number in range(8):
        name, level = f"shop {number}", rng.uniform(100.0, 900.0)
        season = 0.0 if name == ODD else 0.4
        values = level * np.exp(season * YEAR[dates.month - 1] + 0.04 * rng.normal(size=20))
        parts.append(pd.DataFrame({"shop": name, "month": dates, "sales": values.round(2)}))
    return pd.concat(parts)


def table() -> PanelTable:
    made = there(panel_of(frame(), ids=["shop"], time="month", target="sales"))
    return made


@cache
def records(*, shared: bool) -> dict[str, SeriesRecord]:
    settings = replace(SEASONS, language="linear", horizon=12, shared_season=shared)
    return {record.name: record for record in run_panel(table(), settings)}


@pytest.mark.slow
def test_those_that_follow_say_so_and_are_forecast_with_the_season() -> None:
    shared, own = records(shared=True), records(shared=False)
    for name, record in shared.items():
        assert record.status == DONE
        assert any(NOTE in note for note in record.notes)
        assert not any(NOTE in note for note in own[name].notes)
        assert any(claim.kind == "season" and claim.form == "shared" for claim in record.claims) is (name != ODD)
    first = there(shared["shop 0"].forecast)
    flat = there(own["shop 0"].forecast)
    assert first.times[0] == flat.times[0] == "2023-09-01"
    truth = YEAR[(8 + np.arange(12)) % 12]
    assert np.corrcoef(np.log(first.mean), truth)[0, 1] > 0.95
    assert np.std(np.log(flat.mean)) < 0.5 * np.std(np.log(first.mean))


@pytest.mark.slow
def test_the_season_is_claimed_with_its_swing_and_months() -> None:
    claim = next(claim for claim in records(shared=True)["shop 0"].claims if claim.kind == "season")
    assert claim.named == {"name": "yearly", "top": "in December", "bottom": "in October"}
    values = table().dataset(0).y
    swing = (np.exp(0.4 * 0.6) - np.exp(-0.4 * 0.3)) * np.mean(values) / np.mean(np.exp(0.4 * YEAR[np.arange(20) % 12]))
    assert 0.0 < claim.number.low < swing < claim.number.high
    assert claim["share"] == pytest.approx(claim.number.value / np.mean(values), abs=0.06)
    assert 0.5 < claim["part"] <= 1.0
    assert not [claim for claim in records(shared=True)[ODD].claims if claim.kind == "season"]


def test_a_season_of_the_others_is_made_without_the_series_itself() -> None:
    seasons, data = PanelSeasons.of(table()), table().dataset(0)
    columns = there(seasons.beside(data).covariates)
    assert columns.names == ("yearly cycle of the other series",)
    assert data.covariates is None


def test_long_series_and_those_of_another_step_see_nothing() -> None:
    long = Dataset(2000.0 + np.arange(60)[:, None] / 12, np.arange(60.0), ("month",), "y", MONTH)
    assert not is_short(long)
    seasons = PanelSeasons.of(table())
    assert seasons.beside(long) is long
    quarter = replace(MONTH, frequency="quarter", step=0.25)
    other = Dataset(2000.0 + np.arange(10)[:, None] / 4, np.arange(10.0), ("quarter",), "y", quarter)
    assert is_short(other)
    assert seasons.beside(other) is other


def data_of(seed: int, rows: int, year: np.ndarray) -> Dataset:
    noise = 0.02 * np.random.default_rng(seed).normal(size=rows)
    y = 100.0 * np.exp(year[np.arange(rows) % 12] + noise)
    return Dataset(2000.0 + np.arange(rows)[:, None] / 12, y, ("month",), "y", MONTH)


def test_those_that_show_a_cycle_twice_have_the_say() -> None:
    shock = np.where(np.arange(12) == 3, 1.0, 0.0)
    once = [data_of(seed, 14, shock) for seed in range(20)]
    twice = [data_of(seed, 40, YEAR) for seed in range(8)]
    columns = there(PanelSeasons.of(MadeTable(28, data=dict(enumerate([*once, *twice])))).beside(once[0]).covariates)
    values = columns.of(columns.names[0], 2001.0 + np.arange(12) / 12)
    assert np.corrcoef(values, YEAR)[0, 1] > 0.98


@pytest.mark.slow
def test_a_model_made_later_knows_the_season_too() -> None:
    estimator = AutomaticStatistician(language="linear", max_depth=1, n_restarts=1, n_jobs=1)
    panel = estimator.fit_panel(frame(), ids="shop", horizon=12)
    effects = there(panel.model("shop 0").model_.effects)
    assert effects.acting == ("yearly cycle of the other series",)
    two = frame()[frame()["shop"].isin(["shop 0", "shop 1"])]
    without = estimator.fit_panel(two, ids="shop", horizon=12, shared_season=False)
    assert without.model("shop 0").model_.effects is None


def test_settings_of_earlier_runs_have_no_shared_season() -> None:
    plain = PanelSettings(shared_season=False).to_json()
    assert "shared_season" not in plain
    assert not PanelSettings.of(plain).shared_season
    assert PanelSettings.of(PanelSettings().to_json()).shared_season
