"""Columns beside a series: looked up by position, joined with a plan, and kept as records."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.data.holidays import CalendarDays, Event, Holidays
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
    back = Dataset.from_json(json.loads(json.dumps(data.to_json()))).covariates
    assert back is not None
    assert back.names == covariates.names == ("promo", "moving", "working days", "leap day")
    ahead = axis.future(float(x[-1]), 12)
    for ours, theirs in zip(covariates.at(ahead), back.at(ahead), strict=True):
        np.testing.assert_array_equal(ours.values, theirs.values)


def test_a_damaged_calendar_in_a_record_is_refused() -> None:
    axis = Axis("month", "year", "month", 1 / 12)
    x = 2020 + np.arange(3) / 12
    data = Dataset(x[:, None], x, ("month",), "y", axis, covariates=Covariates(x, (), (CalendarDays(axis),)))
    record = data.to_json()
    record["covariates"]["calendar"][0]["kind"] = "moon"
    with pytest.raises(InputError, match="the record of a calendar"):
        Dataset.from_json(record)
