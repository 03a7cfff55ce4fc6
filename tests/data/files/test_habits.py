"""What a table shows of the country it comes from."""

from __future__ import annotations

import pytest

from autostatistician.data.files.habits import PROBED_ROWS, habits


@pytest.mark.parametrize(
    ("names", "cells", "order", "points"),
    [
        (["day", "sales"], ["1", "1200.5"], "", False),
        (["day", "sales"], ["1", "1200,5"], "dmy", True),
        (["day", "sales"], ["1.5", "1200,5"], "", False),
        (["day", "sales"], ["1", "1,200"], "", False),
        (["Datum", "y"], ["1", "2"], "dmy", False),
        (["coût", "y"], ["1", "2"], "dmy", False),
        (["продажи", "y"], ["1", "2"], "dmy", False),
        (["µm", "y"], ["1", "2"], "", False),
        (["売上", "y"], ["1", "2"], "", False),
        ([], [], "", False),
    ],
)
def test_names_and_numbers_show_where_a_table_was_written(
    names: list[str], cells: list[str], order: str, points: bool
) -> None:
    assert habits(names, [cells]) == (order, points)


def test_the_first_rows_are_enough_and_a_table_of_any_width_is_looked_at() -> None:
    late = [["1"]] * PROBED_ROWS + [["1,5"]]
    assert habits(["a"], late) == ("", False)
    assert habits(["a"], late[1:]) == ("dmy", True)
    assert habits(["a"] * 10_000, [["1"] * 10_000]) == ("", False)
