"""What is wrong with values, or remarkable about them."""

from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.columns import DataColumn, DataTable
from autostatistician.data.missing import MISSING, checked_finite, checked_target, is_missing, is_null, unmasked
from autostatistician.data.row_limits import RowLimits
from autostatistician.data.value_checks import (
    LEAST_SIZE,
    check_size,
    checked_table,
    checked_varying,
    far_from_zero,
    has_two_values,
    remarks,
    without_codes,
)
from autostatistician.errors import InputError


@pytest.mark.parametrize("text", [*sorted(MISSING), "  ", "\N{NO-BREAK SPACE}", " NA ", "NULL", "NaN", "#N/A", None])
def test_placeholders_are_missing_in_any_case_and_with_blanks_around_them(text: str | None) -> None:
    assert is_missing(text)
    assert text is None or is_missing(f" {text.upper()}\N{THIN SPACE}")


@pytest.mark.parametrize("text", ["0", "no", "n", "nana", "-1", "- -", "x"])
def test_what_says_something_is_not_missing(text: str) -> None:
    assert not is_missing(text)


@pytest.mark.parametrize("cell", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
def test_missing_values_of_every_library_are_null(cell: object) -> None:
    assert is_null(cell)


@pytest.mark.parametrize("cell", [0, 0.0, "", "nan", False, np.inf, date(2020, 1, 1), pd.Timestamp("2020")])
def test_values_are_not_null(cell: object) -> None:
    assert not is_null(cell)


@pytest.mark.parametrize(
    ("values", "nothing"),
    [
        (np.array([1.5, 2.5]), "nan"),
        (np.array([1, 2]), "nan"),
        (np.array([True, False]), "nan"),
        (np.array(["2020-01-01", "2020-01-02"], dtype="M8[D]"), "NaT"),
        (np.array(["a", "b"], dtype=object), "None"),
    ],
)
def test_what_is_masked_becomes_nothing_of_its_kind(values: Any, nothing: str) -> None:
    masked = np.ma.masked_array(values, mask=[False, True])
    seen = unmasked(masked)
    assert not isinstance(seen, np.ma.MaskedArray)
    assert (seen[0] == values[0], str(seen[1])) == (True, nothing)
    assert unmasked(values) is values


def test_the_first_cell_that_is_no_number_is_named_and_the_other_rows_counted() -> None:
    X = np.array([[1.0, 2.0], [np.inf, np.nan], [1.0, 2.0], [np.nan, 1.0]])
    with pytest.raises(InputError, match=r"column 'a' of every row; found infinity in row 2 and .* in 1 other row"):
        checked_finite(X, ("a", "b"))
    with pytest.raises(InputError, match="column 'x2' of every row; found NaN in row 1; fill"):
        checked_finite(np.array([[0.0, np.nan]]))
    whole = X[[0, 2]]
    assert checked_finite(whole) is whole


def test_targets_without_a_number_are_counted_and_other_kinds_left_to_others() -> None:
    with pytest.raises(InputError, match="found NaN in row 2 and in 1 other row; leave such rows out"):
        checked_target([1.0, np.nan, np.nan])
    for fine in ([1.0, np.inf], ["a", "b"], [1, 2], np.full((2, 2), np.nan)):
        checked_target(fine)


def test_nothing_as_a_target_is_refused_like_nan() -> None:
    with pytest.raises(InputError, match="nothing in row 2 and in 1 other row"):
        checked_target([1.0, None, float("nan")])
    checked_target(["a", "b"])


USUAL = np.array([3.1, 2.9, 3.4, 3.0, 2.7, 3.3])


CODES = (-9.0, -9.99, -99.0, -99.9, -99.99, -999.0, -9999.0, -99999.0, 99.99, 999.0, 999.9, 9999.0, 9999.9, 99999.0)


@pytest.mark.parametrize("placeholder", CODES)
def test_placeholders_far_from_all_others_are_asked_about(placeholder: float) -> None:
    said = remarks(np.append(USUAL, [placeholder, placeholder]), "y")
    assert said == (
        f"The value {placeholder:g} stands in 2 rows of column 'y'; if it means a missing value, clear these cells.",
    )


def test_a_placeholder_among_values_of_its_size_is_a_value() -> None:
    assert remarks(np.array([-99.0, -80.0, -101.0, -70.0]), "y") == ()
    assert remarks(USUAL, "y") == ()


@pytest.mark.parametrize("code", CODES)
def test_codes_of_missing_values_are_taken_as_such_in_tables(code: float) -> None:
    cells = (*map(str, USUAL), f"{code:g}", f"{code:g}")
    read = without_codes(DataTable((DataColumn("y", cells),)))
    assert np.isnan(read.columns[0].numbers.values).tolist() == [False] * USUAL.size + [True] * 2
    assert read.notes == (f"2 cells of column 'y' with '{code:g}' were taken as missing.",)


BESIDE = [
    ((-3.1, -2.9, 3.4, 3.0, 2.7), ("-99", "-98")), ((1.0, 2.0, 3.0, 4.0, 5.0), ("-99", "-98", "-1")),
    ((820.0, 1500.0, 2900.0, 700.0), ("-99", "-1")), ((0.0, 1.0, 2.0, 5.0), ("99", "98", "98")),
    ((-3.0, 1.0, 2.0, 5.0), ("-999", "-888")),
]  # fmt: skip


@pytest.mark.parametrize(("values", "codes"), BESIDE)
def test_codes_stand_beside_other_codes(values: tuple[float, ...], codes: tuple[str, ...]) -> None:
    cells = (*map(str, 3 * values), *codes)
    read = without_codes(DataTable((DataColumn("y", cells),)))
    assert np.isnan(read.columns[0].numbers.values).tolist() == [False] * 3 * len(values) + [True] * len(codes)


@pytest.mark.parametrize(
    "cells", [
        ("1", "2", "3", "999"), ("-99", "-80", "-101", "-70"), ("1", "2", "999", "999"),
        ("0", "1", "2", "3", "-1", "-3", "-1"), ("66", "77", "2", "3", "4", "5"),
        ("3", "5", "7", "K", "K", "K", "9", "8"),
    ])  # fmt: skip
def test_what_may_be_a_value_is_no_code(cells: tuple[str, ...]) -> None:
    table = DataTable((DataColumn("y", cells),))
    assert without_codes(table) is table


def test_values_that_hardly_differ_are_told_from_equal_ones() -> None:
    assert remarks(np.full(5, 3.0), "y") == ("All values of column 'y' are the same.",)
    close = 1.0 + np.finfo(float).eps * np.arange(5.0)
    assert remarks(close, "y") == ("The values of column 'y' differ by less than rounding allows to tell.",)


@pytest.mark.parametrize(("values", "two"), [([0, 1, 1, 0, 1], True), ([0, 1, 1, 0], False), ([0, 1, 2, 0, 1], False)])
def test_two_values_alone_are_answers_when_there_are_enough_of_them(values: list[float], two: bool) -> None:
    y = np.array(values, dtype=np.float64)
    assert has_two_values(y) is two
    assert any("two values only" in one for one in remarks(y, "y")) is two


@given(st.floats(-1e12, 1e12), st.floats(1e-3, 1e3))
def test_what_is_taken_off_is_the_mean_and_only_where_digits_are_lost(mean: float, spread: float) -> None:
    y = mean + spread * np.array([-1.0, 0.0, 1.0])
    offset, said = far_from_zero(y)
    assert bool(said) is (offset != 0.0)
    assert offset in (0.0, pytest.approx(y.mean(), rel=1e-12))
    assert abs(y.mean() - offset) <= 1.1e6 * max(float(y.std()), 1e-300) or y.std() == 0.0


def test_no_size_is_too_large_to_look_at() -> None:
    assert far_from_zero(np.array([1e300, 1e308, 1.7e308]))[0] == 0.0
    assert far_from_zero(np.zeros(3)) == (0.0, ())


def test_sizes_whose_squares_vanish_are_refused() -> None:
    check_size(np.array([[0.0, 5.0, 0.0], [LEAST_SIZE, 5.0, 0.0]]), ("a", "b", "c"))
    with pytest.raises(InputError, match="values of usual size in column 'b'; found none beyond 1e-150"):
        check_size(np.array([[0.0, 0.0], [1.0, 1e-150]]), ("a", "b"))


def test_a_table_needs_a_column_that_varies_and_as_many_rows_as_columns() -> None:
    X = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    assert checked_varying(X, ("a", "b")) == ["b"]
    with pytest.raises(InputError, match="found one value each in 'a', 'b'"):
        checked_varying(np.ones((3, 2)), ("a", "b"))
    with pytest.raises(InputError, match="at least as many rows as columns; found 1 sample of 2 columns"):
        checked_table(X[:1], ("a", "b"))
    limits = RowLimits(slow=2, tables=2)
    assert [text for text in checked_table(X[:2], ("a", "b"), limits) if "may take long" in text]
    with pytest.raises(InputError, match="at most 2 rows of a table; found 3; draw 1 of the rows by chance"):
        checked_table(X, ("a", "b"), limits)
