"""New rows for data that are there: read by the names of the columns, added once, in order."""

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.load import load
from autostatistician.data.new_rows import NewRows, extended, new_rows, rows_of_table
from autostatistician.errors import InputError

MONTHS = [f"2001-{month:02d}" for month in range(1, 13)]
DATA = load({"month": MONTHS, "sales": np.arange(12.0) + 5.0})


def test_a_table_with_old_and_new_rows_adds_the_new_ones_in_order_by_names_in_any_case() -> None:
    found = rows_of_table(
        DATA, {"Sales": ["18", "17", "16", ""], "Month": ["2002-02", "2002-01", "2001-12", "2002-03"]}
    )
    rows = new_rows(DATA, found)
    assert (rows.known, rows.values.tolist()) == (1, [17.0, 18.0])
    whole = extended(DATA, rows)
    assert whole.y.tolist() == [*np.arange(12.0) + 5.0, 17.0, 18.0]
    assert whole.is_ordered
    np.testing.assert_allclose(np.diff(whole.x), np.diff(DATA.x)[0])


def test_rows_that_were_counted_are_counted_on() -> None:
    data = load({"sales": [3.0, 1.0, 4.0, 1.0, 5.0]})
    assert new_rows(data, rows_of_table(data, {"sales": [9.0, 2.0]})).X.ravel().tolist() == [5.0, 6.0]
    rows = new_rows(data, rows_of_table(data, {"sales": [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]}))
    assert (rows.known, rows.X.tolist(), rows.values.tolist()) == (5, [[5.0]], [9.0])


def test_rows_of_a_table_are_added_with_the_codes_of_its_categories() -> None:
    data = load(
        {"colour": list("abcabc"), "size": [1.0, 2.0, 4.0, 3.0, 9.0, 5.0], "price": np.arange(6.0)}, target="price"
    )
    rows = new_rows(data, rows_of_table(data, {"price": [1.0, 2.0], "size": [1.0, 7.0], "colour": ["a", "c"]}))
    assert sorted(map(tuple, rows.X.tolist())) == sorted([(0.0, 1.0), (2.0, 7.0)])
    with pytest.raises(InputError, match="categor"):
        rows_of_table(data, {"price": [1.0], "size": [1.0], "colour": ["d"]})


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"month": ["2001-12"], "sales": [99.0]}, r"the value 16 of the model at .*2001.*found 99"),
        ({"month": ["2001-12"], "sales": [16.0]}, "1 that the model has already"),
        ({"month": ["2002-01"], "sales": [""]}, "none with a value"),
        ({"month": ["2002-01"], "cost": [1.0]}, "a column 'sales'"),
        ({"month": ["soon"], "sales": [1.0]}, "'soon' in row 1"),
    ],
)
def test_what_cannot_be_added_is_an_error(table: dict[str, list[object]], told: str) -> None:
    with pytest.raises(InputError, match=told):
        new_rows(DATA, rows_of_table(DATA, table))


LONG = {"t": ["2001-01", "2001-02", "2001-03"] * 2, "store": list("AAABBB"), "y": [3.0, 4.0, 5.0, 50.0, 52.0, 57.0]}


def test_the_rows_of_one_series_are_chosen_as_before() -> None:
    data = load(LONG, where={"store": "A"})
    more = {"t": ["2001-04", "2001-04"], "store": ["A", "B"], "y": [6.0, 54.0]}
    assert new_rows(data, rows_of_table(data, more)).values.tolist() == [6.0]
    again = type(data).from_json(data.to_json())
    assert new_rows(again, rows_of_table(again, more)).values.tolist() == [6.0]
    alone = rows_of_table(data, {"t": ["2001-04"], "y": [6.0]})  # which are of that series
    assert new_rows(data, alone).values.tolist() == [6.0]


def test_two_values_at_one_time_are_of_several_series() -> None:
    more = {"month": ["2002-01", "2002-01"], "sales": [17.0, 40.0]}
    with pytest.raises(InputError, match="found 17 and 40 at 2002-01-01"):
        new_rows(DATA, rows_of_table(DATA, more))


def test_a_table_that_is_given_again_adds_what_it_has_more() -> None:
    rng = np.random.default_rng(0)
    table = {"a": rng.normal(size=20), "b": rng.normal(size=20), "y": rng.normal(size=20)}
    data = load(table, target="y", inputs=["a", "b"])
    grown = {name: np.append(values, 9.0 - len(name)) for name, values in table.items()}
    rows = new_rows(data, rows_of_table(data, grown))
    assert (rows.known, rows.X.tolist(), rows.values.tolist()) == (20, [[8.0, 8.0]], [8.0])
    with pytest.raises(InputError, match="20 that the model has already"):
        new_rows(data, rows_of_table(data, table))
    some = {name: values[:3] for name, values in table.items()}  # equal measurements may be new ones
    assert new_rows(data, rows_of_table(data, some)).known == 0


def test_values_that_were_set_aside_do_not_come_back() -> None:
    found = NewRows(DATA.x[-1:, None] + np.array([[1.0], [2.0]]) / 12.0, np.array([900.0, 18.0]))
    rows = new_rows(DATA, found, [(float(found.X[0, 0]), 900.0)])
    assert (rows.known, rows.values.tolist()) == (1, [18.0])


@pytest.mark.parametrize("value", [1e149, -1e308, 1e12])
def test_numbers_beyond_all_before_are_refused(value: float) -> None:
    with pytest.raises(InputError, match="within a billion times the range of the data in column 'sales'"):
        new_rows(DATA, rows_of_table(DATA, {"month": ["2002-01"], "sales": [value]}))


@pytest.mark.parametrize("rule", ["D", "W", "h"])
def test_rows_of_finer_steps_than_those_of_the_model_are_refused(rule: str) -> None:
    times = pd.date_range("2002-01-01", periods=40, freq=rule)
    with pytest.raises(
        InputError, match=r"one value for each month, .*values at 2002-01-.*the sum or the mean of each"
    ):
        new_rows(
            DATA, rows_of_table(DATA, {"month": times.astype(str).tolist(), "sales": [17.0 + k % 3 for k in range(40)]})
        )


def test_rows_without_values_and_between_the_steps_are_counted() -> None:
    more = {"month": ["2002-01-01", "2002-01-20", "2002-03-01"], "sales": ["17", "18", "n/a"]}
    rows = new_rows(DATA, rows_of_table(DATA, more))
    assert (rows.empty, rows.between) == (1, 1)


def test_truth_values_are_numbers_where_these_were_before() -> None:
    days = pd.date_range("2024-01-01", periods=30)
    data = load(
        pd.DataFrame({"day": days, "promo": np.arange(30) % 3 % 2, "sales": np.arange(30.0) % 7}), target="sales"
    )
    more = pd.DataFrame({"day": days[-1:] + pd.Timedelta("1D"), "promo": [True], "sales": [3.0]})
    columns = rows_of_table(data, more).columns
    assert columns is not None
    assert columns.table[0].values.tolist() == [1.0]


def test_of_measurements_at_one_place_those_given_again_are_known_and_others_new() -> None:
    data = load({"depth": [1.0, 2.5, 2.5, 4.0, 5.5], "heat": [1.0, 2.0, 2.2, 4.0, 5.0]}, time="depth")
    rows = new_rows(data, NewRows(np.array([[2.5], [2.5], [4.0]]), np.array([2.2, 2.0, 4.4])))
    assert (rows.known, rows.values.tolist()) == (2, [4.4])
