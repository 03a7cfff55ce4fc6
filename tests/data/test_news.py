"""New rows for data that are there: read by the names of the columns, added once, in order."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.load import load
from autostatistician.data.news import NewRows, extended, new_rows, rows_of_table
from autostatistician.errors import InputError

MONTHS = [f"2001-{month:02d}" for month in range(1, 13)]
DATA = load({"month": MONTHS, "sales": np.arange(12.0) + 5.0})


def test_a_table_with_old_and_new_rows_adds_the_new_ones_in_order() -> None:
    found = rows_of_table(
        DATA, {"sales": ["18", "17", "16", ""], "month": ["2002-02", "2002-01", "2001-12", "2002-03"]}
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
        ({"month": ["2002-01"], "Sales": [1.0]}, "a column 'sales'"),
        ({"month": ["soon"], "sales": [1.0]}, "'soon' in row 1"),
    ],
)
def test_what_cannot_be_added_is_an_error(table: dict[str, list[object]], told: str) -> None:
    with pytest.raises(InputError, match=told):
        new_rows(DATA, rows_of_table(DATA, table))


def test_a_later_value_at_the_same_place_of_numbers_is_a_new_one() -> None:
    data = load({"depth": [1.0, 2.5, 3.0, 4.0, 5.5], "heat": [1.0, 2.0, 3.0, 4.0, 5.0]}, time="depth")
    rows = new_rows(data, NewRows(np.array([[2.5], [4.0]]), np.array([2.2, 4.0])))
    assert (rows.known, rows.values.tolist()) == (1, [2.2])
