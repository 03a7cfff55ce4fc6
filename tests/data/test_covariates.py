"""Columns beside a series: their values, plans, and what a data set keeps of them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tests.data.tables import csv_of, said
from tests.there import there

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.data.holidays import CalendarDays, Event, Holidays
from autostatistician.data.load import load
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

X = np.array([0.0, 1.0, 2.0, 4.0])
PROMO = Covariate("promo", np.array([0.0, 1.0, 0.0, np.nan]))
SHOP = Covariate("shop", np.array([1.0, 0.0, 0.0, 1.0]), ("a", "b"))
COLUMNS = Covariates(X, (PROMO, SHOP))


def test_flags_hold_zero_and_one_alone() -> None:
    assert PROMO.is_flag
    assert not SHOP.is_flag
    assert not Covariate("price", np.array([0.0, 2.0])).is_flag
    assert not Covariate("empty", np.array([np.nan])).is_flag


def test_values_are_looked_up_by_position() -> None:
    promo, shop = COLUMNS.at(np.array([4.0, 1.0 + 1e-9, 3.0, 9.0, -1.0]))
    np.testing.assert_array_equal(promo.values, [np.nan, 1.0, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(shop.values, [1.0, 0.0, np.nan, np.nan, np.nan])
    assert COLUMNS.names == ("promo", "shop")
    assert COLUMNS.only(["shop"]).names == ("shop",)
    assert Covariates(np.zeros(0), (Covariate("promo", np.zeros(0)),)).at(X)[0].values.shape == (4,)


def test_a_plan_takes_the_place_of_rows_at_its_times() -> None:
    plan = Covariates(np.array([4.0, 5.0]), (SHOP, Covariate("promo", np.array([1.0, 0.0]))))
    plan = replace(plan, table=tuple(replace(column, values=column.values[:2]) for column in plan.table))
    joined = COLUMNS.joined(plan)
    assert joined.x.tolist() == [0.0, 1.0, 2.0, 4.0, 5.0]
    assert joined.table[0].values.tolist() == [0.0, 1.0, 0.0, 1.0, 0.0]
    with pytest.raises(InputError, match="found a plan without column 'shop'; add the column to the plan"):
        COLUMNS.joined(plan.only(["promo"]))


def test_a_data_set_keeps_columns_and_calendars_in_its_record() -> None:
    axis = Axis("month", "year", "month", 1 / 12)
    x = 2020 + np.arange(24) / 12
    moving = Event.of("moving", np.array(["2020-03-20", "2021-04-03"], dtype="M8[D]"))
    covariates = Covariates(x, (Covariate("promo", np.arange(24.0)),), (Holidays(axis, (moving,)), CalendarDays(axis)))
    data = Dataset(x[:, None], np.arange(24.0), ("month",), "sales", axis, covariates=covariates)
    back = there(Dataset.from_json(json.loads(json.dumps(data.to_json()))).covariates)
    assert back.names == covariates.names == ("promo", "moving", "working days", "leap day")
    ahead = axis.future(float(x[-1]), 12)
    for ours, theirs in zip(covariates.at(ahead), back.at(ahead), strict=True):
        np.testing.assert_array_equal(ours.values, theirs.values)
    damaged = data.to_json()
    damaged["covariates"]["calendar"][0]["kind"] = "moon"
    with pytest.raises(InputError, match=r"^expected the record of a calendar"):
        Dataset.from_json(damaged)


DAYS = [f"2024-03-{day:02d}" for day in range(1, 25)]
SALES = [float(20 + (7 * k) % 11) for k in range(24)]


def test_columns_beside_a_series_are_kept_with_their_times() -> None:
    price = [4.5 + 0.1 * (k % 5) for k in range(24)]
    data = load(csv_of({"day": DAYS, "sales": SALES, "price": price, "shop": ["b", "a"] * 12}), target="sales")
    assert data.columns == ("day",)
    assert there(data.covariates).of("price", data.x).tolist() == price
    shop = there(data.covariates).table[1]
    assert (shop.levels, shop.values[:2].tolist()) == (("a", "b"), [1.0, 0.0])


def test_rows_below_the_last_target_are_a_plan() -> None:
    sales = [*SALES[:20], None, None, None, None]
    data = load(csv_of({"day": DAYS, "sales": sales, "promo": [0, 1] * 12}), target="sales")
    assert data.n == 20
    assert there(data.covariates).of("promo", np.array([20.0, 21.0]) + data.x[0]).tolist() == [0.0, 1.0]


def test_time_alone_is_modelled_where_that_is_asked_for() -> None:
    table = {"day": DAYS, "sales": SALES, "promo": [0, 1] * 12}
    assert load(csv_of(table), target="sales", inputs=["none"]).covariates is None
    named = load(csv_of(dict(table, price=[k % 7 for k in range(24)])), time="day", target="sales", inputs=["promo"])
    assert there(named.covariates).names == ("promo",)


def test_what_cannot_be_used_is_said_and_the_rest_is_done() -> None:
    holes = [None if k % 3 else k for k in range(24)]
    few = [None if k == 4 else k % 5 for k in range(24)]
    same = [1] * 20 + [2] * 4
    sales = [*SALES[:20], None, None, None, None]
    data = load(csv_of({"day": DAYS, "sales": sales, "holes": holes, "few": few, "same": same}), target="sales")
    assert there(data.covariates).names == ("few",)
    assert said(data, "Not used, because it is the same in all rows with a target: 'same'.")
    assert said(data, "Column 'few' has no value in 1 row; there it explains nothing.")


def test_the_record_of_a_data_set_keeps_its_columns() -> None:
    priced = load(csv_of({"day": DAYS, "sales": SALES, "promo": [0, 1, None] * 8}), target="sales")
    again = Dataset.from_json(json.loads(json.dumps(priced.to_json())))
    np.testing.assert_array_equal(
        there(again.covariates).of("promo", priced.x), there(priced.covariates).of("promo", priced.x)
    )


def test_classes_over_time_have_no_columns_beside_them() -> None:
    data = load(csv_of({"day": DAYS, "won": ["yes", "no"] * 12, "promo": [0, 1, 1] * 8}), target="won", task="class")
    assert data.covariates is None
    assert said(data, "over time alone")
