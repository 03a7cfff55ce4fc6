"""Tables from columns: codes for categories, rows with an empty cell left out."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.dataset import Dataset, Kind, of_rows
from autostatistician.data.tables import table_of
from autostatistician.errors import InputError

PRICE = DataColumn("price", ("5", "6", "8", "9", "4"))
SIZE = DataColumn("size", ("1", "2", "3", "5", "4"))
COLOUR = DataColumn("colour", ("red", "blue", "n/a", "red", " blue"))


def test_rows_with_an_empty_cell_are_left_out_and_codes_are_places_in_the_levels() -> None:
    data = table_of([SIZE, COLOUR], PRICE, name="mine", notes=("Read.",))
    assert (data.kind, data.name, data.target, data.axis) == (Kind.TABLE, "mine", "price", None)
    assert data.levels == {"colour": ("blue", "red")}
    assert data.X.tolist() == [[1.0, 1.0], [2.0, 0.0], [5.0, 1.0], [4.0, 0.0]]
    assert data.y.tolist() == [5.0, 6.0, 9.0, 4.0]
    assert data.warnings == ("Read.", "1 row with missing or infinite values left out: 1 in 'colour'.")


def test_one_column_of_numbers_is_a_series_and_one_of_categories_a_table() -> None:
    assert table_of([SIZE], PRICE).kind is Kind.SERIES
    assert table_of([COLOUR], PRICE).kind is Kind.TABLE


def test_a_few_cells_that_are_no_numbers_cost_their_rows_alone() -> None:
    cells = [str(k * k % 17) for k in range(40)]
    data = table_of(
        [DataColumn("x", ("oops", *cells[1:])), DataColumn("z", tuple(reversed(cells)))], DataColumn("y", tuple(cells))
    )
    assert data.n == 39
    assert not data.levels


def test_dates_explain_nothing_and_are_refused() -> None:
    days, numbers = np.array(["2020-01-01"] * 4, dtype="M8[us]"), np.arange(4.0)
    with pytest.raises(InputError, match=r"numbers in column 'w'; found '2020-01-01\S* in row 1 \(4 such cells\)"):
        table_of([DataColumn("w", days), DataColumn("v", numbers)], DataColumn("y", numbers))


def test_remarks_on_the_target_come_with_it() -> None:
    data = table_of([SIZE, COLOUR], DataColumn("y", ("1", "-999", "2", "3", "2")))
    assert any("-999 stands in 1 row of column 'y'" in one for one in data.warnings)


def test_without_inputs_there_is_nothing_to_explain_with() -> None:
    with pytest.raises(InputError, match="columns to explain the target with; found none"):
        table_of([], PRICE)


def test_none_is_a_category_among_words_and_nothing_among_numbers() -> None:
    promo = DataColumn("promo", ("none", "tv", "none", "flyer", "tv"))
    data = table_of([promo, DataColumn("size", ("1", "2", "none", "3", "5"))], PRICE)
    assert data.levels == {"promo": ("flyer", "none", "tv")}
    assert data.n == 4


def test_rows_keep_their_numbers_where_others_are_left_out() -> None:
    data = table_of([SIZE, COLOUR], PRICE)
    assert data.rows == (1, 2, 4, 5)
    assert of_rows(data, np.array([2, 0])).rows == (4, 1)
    assert Dataset.from_json(data.to_json()).rows == data.rows
    assert table_of([SIZE], PRICE).rows == ()
