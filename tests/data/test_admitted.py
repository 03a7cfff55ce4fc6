"""Columns that give the target away are left out and said; holidays come in."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.admitted import with_holidays
from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
SALES = RNG.gamma(9.0, size=60).round(2)
TABLE = pd.DataFrame({
    "week": pd.date_range("2023-01-02", periods=60, freq="W-MON"), "sales": SALES, "price": RNG.standard_normal(60),
    "euros": 1.19 * SALES,
}).assign(cents=lambda frame: 100.0 * frame["price"])  # fmt: skip


def test_leaks_and_copies_are_left_out_with_a_sentence() -> None:
    data = load(TABLE, target="sales")
    assert data.covariates is not None
    assert data.covariates.names == ("price",)
    said = " ".join(data.warnings)
    assert "Column 'euros' is the target in other units" in said
    assert "Column 'cents' says the same as 'price'" in said
    assert "It is left out; --allow-leaks 'euros' takes it." in said


def test_they_are_taken_where_they_are_allowed_or_named() -> None:
    allowed = load(TABLE, target="sales", allow_leaks=["euros", "cents"])
    named = load(TABLE, time="week", target="sales", inputs=["euros"])
    assert allowed.covariates is not None
    assert named.covariates is not None
    assert allowed.covariates.names == ("price", "euros", "cents")
    assert named.covariates.names == ("euros",)
    assert not any("left out" in warning for warning in (*allowed.warnings, *named.warnings))
    with pytest.raises(InputError, match="'pounds'"):
        load(TABLE, target="sales", allow_leaks=["pounds"])


def test_where_all_columns_leak_there_are_none() -> None:
    assert load(TABLE[["week", "sales", "euros"]], target="sales").covariates is None


def test_holidays_are_columns_and_survive_a_record() -> None:
    days = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=800), "y": RNG.standard_normal(800)})
    data = load(days, target="y", holidays="DE")
    assert data.covariates is not None
    assert "Christmas Day" in data.covariates.names
    again = Dataset.from_json(data.to_json())
    assert again.covariates is not None
    assert again.covariates.names == data.covariates.names
    own = load(days, target="y", holidays={"fair": ["2020-05-01", "2021-05-02"]})
    assert own.covariates is not None
    assert own.covariates.names == ("fair",)
    beside = load(days.assign(wind=RNG.standard_normal(800)), target="y", holidays={"fair": ["2020-05-01"]})
    assert beside.covariates is not None
    assert beside.covariates.names == ("wind", "fair")


def test_holidays_need_dates_and_are_known() -> None:
    with pytest.raises(InputError):
        with_holidays(from_arrays(np.arange(9.0), np.arange(9.0)), "DE")
    with pytest.raises(InputError, match="for holidays"):
        with_holidays(from_arrays(RNG.standard_normal((9, 2)), np.arange(9.0)), "DE")
    with pytest.raises(InputError, match="'XX'"):
        load(TABLE, target="sales", holidays="XX")
    assert load("airline", holidays="workdays").covariates is not None


def test_what_is_left_of_totals_is_no_column() -> None:
    rng = np.random.default_rng(0)
    trains = rng.integers(20, 40, 40)
    late = rng.binomial(trains, 0.2)
    given = {"day": np.arange(40.0), "late": late, "trains": trains, "on_time": trains - late, "rain": rng.random(40)}
    data = load(given, time="day", target="late", totals="trains")
    assert data.covariates is not None
    assert [column.name for column in data.covariates.table] == ["rain"]
    assert "Column 'on_time' is what is left of 'trains', so it is left out." in data.warnings
    alone = load(given, time="day", target="late", totals="trains", inputs=["none"])
    assert alone.covariates is None
