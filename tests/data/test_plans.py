"""Plans from files and frames: what is read, what is said of it, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.holidays import CalendarDays
from autostatistician.data.new_rows import Plan, read_plan
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

MONTH = Axis("month", "year", "month", 1 / 12, day=1.0)
X = 2020 + np.arange(48) / 12
LAST = float(X[-1])  # December 2023
PAST = Covariates(
    X,
    (
        Covariate("price", 4.0 + np.arange(48) % 3),
        Covariate("shop", np.arange(48.0) % 2, ("A", "B")),
        Covariate("promo", (np.arange(48) % 5 == 0).astype(float)),
    ),
)
GOOD = {
    "month": ["2024-01-01", "2024-02-01", "2024-03-01"],
    "promo": [1, 0, 0],
    "price": [4.5, 5.0, 6.0],
    "shop": ["B", "A", "B"],
}


def _read(past: Covariates = PAST, axis: Axis = MONTH, last: float = LAST, **changes: Any) -> Plan:
    table = {name: cells for name, cells in (GOOD | changes).items() if cells is not None}
    return read_plan(table, past, axis, last)


def _values(plan: Plan) -> dict[str, list[float]]:
    return {column.name: column.values.tolist() for column in plan.columns.table}


def test_a_plan_has_the_columns_of_the_past_in_their_order_and_codes() -> None:
    plan = _read()
    np.testing.assert_allclose(plan.columns.x, 2024 + np.arange(3) / 12)
    assert _values(plan) == {"price": [4.5, 5.0, 6.0], "shop": [1.0, 0.0, 1.0], "promo": [1.0, 0.0, 0.0]}
    assert [column.levels for column in plan.columns.table] == [(), ("A", "B"), ()]
    assert plan.notes == ()
    assert PAST.joined(plan.columns).at(np.array([LAST, 2024.0]))[0].values.tolist() == [6.0, 4.5]


@pytest.mark.parametrize("suffix", ["csv", "txt", "parquet", "xlsx", "pandas", "polars"])
def test_all_kinds_of_tables_are_read(suffix: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(GOOD)
    source: Any = tmp_path / f"plan.{suffix}"
    if suffix == "csv":
        frame.to_csv(source, index=False)
    elif suffix == "txt":
        frame.to_csv(source, index=False, sep=";", decimal=",", date_format="%d.%m.%Y")
    elif suffix == "parquet":
        frame.to_parquet(source)
    elif suffix == "xlsx":
        frame.to_excel(source, index=False)
    else:
        source = frame if suffix == "pandas" else pl.DataFrame(GOOD)
    plan = read_plan(source, PAST, MONTH, LAST)
    assert _values(plan) == _values(_read())
    assert plan.notes == ()


def test_calendars_go_with_the_plan() -> None:
    past = Covariates(PAST.x, PAST.table, (CalendarDays(MONTH),))
    assert _read(past).columns.names == ("price", "shop", "promo", "working days", "leap day")


def test_rows_come_in_order_and_those_of_the_past_are_left_out() -> None:
    plan = _read(month=["2024-02-01", "2023-12-01", "2024-01-01"])
    assert _values(plan)["price"] == [6.0, 4.5]
    assert plan.notes == ("1 row of the plan left out: past (row 2).",)


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"month": ["2024-01-01", "2024-02-01", "2024-04-01"]},
         "The plan has no row for 1 of its 4 steps (the first is 2024-03-01)."),
        ({"month": ["2024-01-31", "2024-02-29", "2024-03-31"]},
         "The dates of the plan are read as their months, for they lie on other days than those of the "
         "data."),
        ({"month": ["2024-01-01", "2024-01-17", "2024-02-01"]},
         "1 row of the plan left out: between the steps of the data (row 2)."),
        ({"month": ["2024-01-01", "2024-02-01", "?"]},
         "1 row of the plan left out: no readable time (row 3)."),
        ({"price": [4.5, 5.0, 9.0]},
         "Column 'price' of the plan holds 4.5 to 9, past values lie from 4 to 6: beyond them the model "
         "extrapolates."),
        ({"price": [4.5, None, 5.0]}, "Column 'price' has no value in 1 row of the plan."),
        ({"price": None}, "The plan has no column 'price', so its values to come are not known."),
        ({"shop": ["B", "C", "C"]}, "'C' in column 'shop' of the plan was never seen before: no effect there."),
        ({"staff": [3, 4, 5]}, "Of the plan 'staff' is not used: no model has them."),
    ],
)  # fmt: skip
def test_what_is_odd_is_said(changes: dict[str, Any], note: str) -> None:
    assert note in _read(**changes).notes


def test_new_categories_have_codes_beyond_the_levels_and_missing_columns_no_values() -> None:
    assert _values(_read(shop=["B", "C", "D"]))["shop"] == [1.0, 2.0, 3.0]
    assert np.isnan(_values(_read(price=None))["price"]).all()


def test_names_may_differ_in_case() -> None:
    plan = _read(price=None, Price=[4.5, 5.0, 6.0])
    assert _values(plan) == _values(_read())
    assert plan.notes == ()


def test_a_column_that_was_always_the_same_is_told() -> None:
    past = Covariates(X, (Covariate("price", np.full(48, 4.0)), *PAST.table[1:]))
    assert _read(past).notes == (
        "Column 'price' was the same in all past rows, so nothing is known of what another value does.",
    )


def test_equal_rows_of_one_time_are_one_and_others_are_refused() -> None:
    twice = ["2024-01-01", "2024-02-01", "2024-02-01"]
    same = _read(month=twice, promo=[1, 0, 0], price=[4.5, 5.0, 5.0], shop=["B", "A", "A"])
    assert _values(same)["price"] == [4.5, 5.0]
    assert same.notes == ("1 row of the plan left out: a time that it has already (row 3).",)
    with pytest.raises(
        InputError, match=r"one row of the plan for 2024-02-01; found '5.0' and '6.0' in column 'price'"
    ):
        _read(month=twice)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"month": None}, "a column 'month' for the time axis; found the columns 'promo', 'price', 'shop'"),
        ({"month": ["?", "", "soon"]}, "times for the axis 'month' in every row; found '\\?' in row 1"),
        ({"month": ["2023-01-01", "2023-02-01", "2023-03-01"]},
         "rows of the plan after 2023-12-01, the last with a target; found 2023-01-01 to 2023-03-01; add "
         "the rows of the time to come"),
        ({"price": None, "promo": None, "shop": None, "cost": [1, 2, 3]},
         "a plan of any of the columns 'price', 'shop', 'promo'; found only 'month', 'cost'"),
        ({"price": ["4.5", "soon", "5"]},
         "numbers in column 'price' of the plan; found 'soon' in row 2; correct the cell, or leave it "
         "empty"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        _read(**changes)


def test_words_among_past_numbers_do_no_harm() -> None:
    plan = _read(month=["2023-12-01", "2024-01-01", "2024-02-01"], price=["?!", "4.5", "5"])
    assert _values(plan)["price"] == [4.5, 5.0]


def test_numbers_without_names_are_refused() -> None:
    with pytest.raises(InputError, match="name the columns as in the data"):
        read_plan(np.zeros((3, 2)), PAST, MONTH, LAST)


def test_business_days_and_counted_rows() -> None:
    axis = Axis("day", "business day", "business day", 1.0, "2024-05-01")
    past = Covariates(np.arange(6.0), (Covariate("promo", np.array([0.0, 1.0, 0.0, 0.0, 1.0, 0.0])),))
    plan = read_plan({"day": ["2024-05-09", "2024-05-11", "2024-05-13"], "promo": [1, 1, 0]}, past, axis, 5.0)
    assert plan.columns.x.tolist() == [6.0, 8.0]
    assert plan.notes == (
        "1 row of the plan left out: between the steps of the data (row 2).",
        "The plan has no row for 1 of its 3 steps (the first is 2024-05-10).",
    )
    counted = read_plan({"promo": [1, 0]}, past, Axis("row", "", "", 1.0), 5.0)
    assert counted.columns.x.tolist() == [6.0, 7.0]


def test_irregular_times_have_no_steps_to_miss() -> None:
    axis = Axis("day", "day", "", None, "2024-05-01", gap=3.0)
    past = Covariates(np.array([0.0, 3.0, 11.0]), (Covariate("promo", np.array([0.0, 1.0, 0.0])),))
    plan = read_plan({"day": ["2024-05-20", "2024-06-30"], "promo": [1, 0]}, past, axis, 11.0)
    assert (plan.columns.x.tolist(), plan.notes) == ([19.0, 60.0], ())
