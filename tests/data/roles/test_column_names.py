"""Columns by the names that users give."""

from __future__ import annotations

import pytest

from autostatistician.data.columns import DataColumn
from autostatistician.data.roles.column_names import find_column
from autostatistician.errors import InputError

COLUMNS = tuple(DataColumn(name, ("1",)) for name in ("Sales", "sales", "Price (EUR)", "7"))


@pytest.mark.parametrize(
    ("asked", "place"), [("Sales", 0), ("sales", 1), ("SALES", 0), (" price (eur) ", 2), ("7", 3), (7, 3)]
)
def test_case_is_told_apart_only_where_needed(asked: str, place: int) -> None:
    assert find_column(COLUMNS, asked, "target") is COLUMNS[place]


@pytest.mark.parametrize(("asked", "hint"), [("Sale", "did you mean 'Sales'?"), ("nothing", "name one of these")])
def test_unknown_names_come_with_a_hint_and_all_that_there_are(asked: str, hint: str) -> None:
    with pytest.raises(InputError) as refused:
        find_column(COLUMNS, asked, "target")
    assert str(refused.value) == (
        f"expected a column {asked!r} for the target; found the columns 'Sales', 'sales', 'Price (EUR)', '7'; {hint}"
    )
