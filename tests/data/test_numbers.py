"""Numbers as people write them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autostatistician.data.numbers import parse_numbers

CASES = [
    (("1", "2.5", "-3e2"), [1.0, 2.5, -300.0]),
    (("1,234.5", "2"), [1234.5, 2.0]),
    (("1.234,5", "2,25"), [1234.5, 2.25]),
    (("1,234", "5,678"), [1234.0, 5678.0]),
    (("1 234,5", "7"), [1234.5, 7.0]),
    (("$1,200", "€5", "7 EUR"), [1200.0, 5.0, 7.0]),
    (("12 %", "7.5%"), [12.0, 7.5]),
    (("\N{MINUS SIGN}5", "(3)"), [-5.0, -3.0]),
    (("yes", "No", "TRUE"), [1.0, 0.0, 1.0]),
    (("1.5D+03",), [1500.0]),
    (("inf", "-Infinity"), [np.inf, -np.inf]),
]


@pytest.mark.parametrize(("cells", "numbers"), CASES)
def test_numbers(cells: tuple[str, ...], numbers: list[float]) -> None:
    read = parse_numbers(cells)
    assert read.bad == ()
    assert read.values.tolist() == numbers


def test_what_was_taken_off_is_said() -> None:
    notes = parse_numbers(("$1,200", "5 %")).notes
    assert notes == (
        "per cent signs were taken off 1 cell (12 % is read as 12)",
        "currency signs were taken off 1 cell",
        "separators of thousands were taken off 1 cell",
    )


def test_text_is_named_by_its_row() -> None:
    assert parse_numbers(("1", "oops", "0x1F", "1_000")).bad == (1, 2, 3)


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_every_float_is_read_back(values: list[float]) -> None:
    assert parse_numbers(tuple(map(repr, values))).values.tolist() == values


@pytest.mark.slow
@given(st.lists(st.text(max_size=12)))
def test_any_text_is_a_number_missing_or_bad(cells: list[str]) -> None:
    read = parse_numbers(tuple(cells))
    known = int((~np.isnan(read.values)).sum())
    assert known + read.missing + len(read.bad) == len(cells)


@pytest.mark.parametrize("seed", range(3))
def test_a_column_that_repeats_its_cells_is_read_as_one_that_does_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = [cell for case, _ in CASES for cell in case] + ["", "n/a", "oops"]
    column = tuple(rng.choice(cells, size=200).tolist())
    once = {cell: parse_numbers((cell, *dict.fromkeys(column))) for cell in set(column)}
    read = parse_numbers(column)
    np.testing.assert_array_equal(read.values, [once[cell].values[0] for cell in column])
    assert read.missing == sum(cell in ("", "n/a") for cell in column)
    assert read.bad == tuple(row for row, cell in enumerate(column) if once[cell].bad[:1] == (0,))


def test_cells_that_were_changed_are_counted_one_by_one() -> None:
    assert parse_numbers(["5 %"] * 7 + ["1"]).notes == ("per cent signs were taken off 7 cells (12 % is read as 12)",)
    assert parse_numbers(["1,000"] * 3 + ["7"]).notes == ("separators of thousands were taken off 3 cells",)


def test_what_the_file_shows_settles_what_one_column_leaves_open() -> None:
    assert parse_numbers(["1,500", "2,250"]).values.tolist() == [1500.0, 2250.0]
    assert parse_numbers(["1,500", "2,250"], comma=True).values.tolist() == [1.5, 2.25]
    assert parse_numbers(["1.500", "250"]).values.tolist() == [1.5, 250.0]
    assert parse_numbers(["1.500", "250"], points=True).values.tolist() == [1500.0, 250.0]


def test_no_cells_are_no_numbers() -> None:
    empty, blank = parse_numbers(()), parse_numbers(("", None))
    assert (empty.values.size, empty.missing, empty.share) == (0, 0, 0.0)
    assert (blank.missing, blank.share, bool(np.isnan(blank.values).all())) == (2, 0.0, True)
