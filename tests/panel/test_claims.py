"""The claims that a report would make, as plain values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.describe.function_cases import COURSE, EVENT, ROOF, SEASON, STEP, sure

from autostatistician.data.dataset import from_arrays
from autostatistician.data.load import load
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.decompose.records.function import FunctionCourse
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.function import function_of
from autostatistician.panel.claims import DRAWS, claims_of
from autostatistician.panel.records import PanelClaim
from autostatistician.search.run import Settings

QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)


@pytest.fixture(scope="module")
def monthly() -> Model:
    """Twelve years of months that rise from about 120 to 470."""
    months = np.arange("1949-01", "1961-01", dtype="M8[M]").astype("M8[s]")
    values = 120.0 + 350.0 * np.arange(144) / 143.0 + np.random.default_rng(0).normal(size=144)
    frame = pd.DataFrame({"month": months, "passengers": values})
    return fit_model(load(frame), "linear", replace(QUICK, transform="none"))


def claims(model: Model, course: FunctionCourse) -> dict[str, PanelClaim]:
    """The claims of a model as if its function did this."""
    changed = replace(model)
    changed.once(("function", DRAWS), lambda: course)
    return {claim.kind: claim for claim in claims_of(changed)}


@pytest.mark.slow
def test_all_kinds_with_their_numbers(monthly: Model) -> None:
    told = claims(monthly, COURSE)
    assert set(told) == {"course", "growth", "slope", "season", "event", "scatter", "noise"}
    course = told["course"]
    assert (course.number, course.low, course.high, course.name) == (350.0, 349.0, 351.0, "rises")
    assert (course.start, course.stop) == ("1949-01-01", "1960-12-01")
    assert course.share == pytest.approx(470.0 / 120.0 - 1.0)
    assert told["growth"].number == pytest.approx((470.0 / 120.0) ** (1.0 / (143.0 / 12.0)) - 1.0)
    assert told["growth"].low < told["growth"].number < told["growth"].high
    season = told["season"]
    assert (season.number, season.low, season.high, season.period, season.name) == (200.0, 195.0, 205.0, 1.0, "yearly")
    assert (season.top, season.bottom, season.part) == ("in July", "in January", 0.2)
    assert season.share == pytest.approx(200.0 / 295.0, rel=0.01)
    event = told["event"]
    assert (event.start, event.stop, event.number, event.share) == ("1954-02-01", "1955-01-01", -150.0, -0.5)
    assert told["slope"].name == "per year"
    assert told["scatter"].number == pytest.approx(np.exp(1.386))
    assert told["noise"].number == 10.0


def test_what_goes_both_ways_and_what_lasts(monthly: Model) -> None:
    told = claims(monthly, replace(COURSE, stretches=ROOF, sudden=()))
    assert told["course"].name == "turns"
    assert (told["turn"].number, told["turn"].start, told["turn"].stop) == (-50.0, "1956-01-01", "1960-12-01")
    assert claims(monthly, replace(COURSE, sudden=(STEP,)))["step"].start == "1954-02-01"
    assert "recent" in claims(monthly, replace(COURSE, sudden=(replace(STEP, lasting=3),)))


def test_growth_is_that_beside_lasting_changes(monthly: Model) -> None:
    fell = replace(STEP, size=sure(-350.0))
    flat = replace(COURSE, sudden=(fell,), pace=sure(0.0, 0.1), stretches=COURSE.stretches)
    assert claims(monthly, flat)["growth"].number == pytest.approx(0.0)
    assert claims(monthly, flat)["course"].name == "level"
    steep = replace(flat, growth=sure(29.0))  # on the scale of the model, which is that of the data
    assert claims(monthly, steep)["growth"].number == pytest.approx(0.0)


def test_what_is_not_told_is_no_claim(monthly: Model) -> None:
    unsure = replace(SEASON, modelled=0.5)
    told = claims(monthly, replace(COURSE, seasons=(unsure,), sudden=(replace(EVENT, probability=0.5),), scatter=None))
    assert set(told) == {"course", "growth", "slope", "noise"}


def test_outliers_are_told_with_what_was_expected(monthly: Model) -> None:
    rows = (
        Outlier(1950.0, 90.0, 130.0), Outlier(1951.0, 90.0, 130.0, returns="date 1 1 0"),
        Outlier(1960.0 + 11.0 / 12.0, 900.0, 450.0, ending=True),
    )  # fmt: skip
    told = {claim.kind: claim for claim in claims_of(replace(monthly, screening=Screening(rows)))}
    assert (told["outlier"].number, told["outlier"].start) == (-40.0, "1950-01-01")
    assert (told["ending"].share, told["ending"].start) == (1.0, "1960-12-01")


@pytest.mark.slow
def test_a_logarithm_is_told_in_the_units_of_the_data() -> None:
    months = np.arange("2015-01", "2020-01", dtype="M8[M]").astype("M8[s]")
    noise = 0.02 * np.random.default_rng(0).normal(size=60)
    season = 0.3 * np.cos(2.0 * np.pi * (np.arange(60) - 6) / 12.0)
    frame = pd.DataFrame({"month": months, "sales": 1e6 * np.exp(0.1 * np.arange(60) / 12.0 + season + noise)})
    model = fit_model(load(frame), "extended", replace(QUICK, max_depth=3, transform="log"))
    told = {claim.kind: claim for claim in claims_of(model)}
    assert told["growth"].low < np.expm1(0.1) < told["growth"].high
    assert told["season"].share == pytest.approx(2.0 * np.sinh(0.3), rel=0.15)
    assert told["season"].number == pytest.approx(1e6 * np.exp(0.25) * 2.0 * np.sinh(0.3), rel=0.15)
    assert (told["season"].top, told["noise"].share) == ("in July", pytest.approx(0.02, rel=0.4))


def test_a_long_name_or_few_rows_or_no_order_are_no_trouble() -> None:
    few = fit_model(from_arrays(np.arange(5.0), np.array([1.0, 2.0, 1.5, 2.5, 2.0])), "linear", QUICK)
    assert claims_of(few) == ()
    curve = from_arrays(np.array([3.0, 1.0, 2.0, 5.0, 4.0]), np.arange(5.0))
    assert claims_of(fit_model(curve, "linear", QUICK)) == ()


def test_fewer_draws_say_the_same(monthly: Model) -> None:
    few, many = claims_of(monthly), claims_of(monthly, 800)
    assert [(claim.kind, claim.name) for claim in few] == [(claim.kind, claim.name) for claim in many]
    assert function_of(monthly, 200) is not function_of(monthly)
