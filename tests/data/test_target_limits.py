"""Which columns have natural limits, and how users say others."""

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.row_limits import (
    READ_LIMITS,
    ROW_LIMITS,
    RowLimits,
    check_class_rows,
    check_length,
    checked_rows,
    too_many_columns,
    too_many_rows,
)
from autostatistician.data.target_limits import UNLIMITED, check_within, checked_limits, natural_limits
from autostatistician.errors import InputError

SMALL = RowLimits(long=5, rows=9, read=20)


@pytest.mark.parametrize(("rows", "warnings"), [(4, 0), (5, 1), (9, 1)])
def test_many_rows_are_slow(rows: int, warnings: int) -> None:
    assert len(checked_rows(rows, SMALL)) == warnings


def test_too_many_rows_come_with_a_number_that_can_be_modelled() -> None:
    with pytest.raises(InputError, match=r"at most 9 rows; found 10; .* only the last 4 rows"):
        checked_rows(10, SMALL)
    assert not checked_rows(4, RowLimits(long=7, rows=9))


def test_classes_have_a_limit_of_their_own() -> None:
    check_class_rows(9, RowLimits(classes=9))
    with pytest.raises(InputError, match=r"at most 9 rows with classes; found 10; draw 6 of the rows by chance"):
        check_class_rows(10, RowLimits(classes=9))


@pytest.mark.parametrize("make", [np.zeros, lambda n: [0.0] * n, lambda n: pd.DataFrame({"a": np.zeros(n)})])
def test_what_is_far_too_long_is_refused_before_it_is_looked_at(make: object) -> None:
    check_length(make(ROW_LIMITS.read))  # type: ignore[operator]
    with pytest.raises(InputError, match=f"at most {ROW_LIMITS.tables} rows; found {ROW_LIMITS.read + 1}"):
        check_length(make(ROW_LIMITS.read + 1))  # type: ignore[operator]


def test_a_reader_with_a_smaller_limit_says_its_own() -> None:
    assert "at most 50 rows; found 51 rows" in str(too_many_rows("51 rows", 50))
    assert "at most 3 columns; found 4" in str(too_many_columns(4, 3))


def test_more_is_read_than_is_modelled_as_rows_may_be_left_out() -> None:
    assert READ_LIMITS.rows == ROW_LIMITS.read >= ROW_LIMITS.tables > ROW_LIMITS.rows > ROW_LIMITS.slow
    assert (READ_LIMITS.columns, READ_LIMITS.megabytes) == (10_000, 200.0)


RNG = np.random.default_rng(0)
AMOUNTS = np.exp(RNG.normal(size=40))
COUNTS = RNG.poisson(4.0, 40).astype(float)


@pytest.mark.parametrize(
    ("y", "name", "expected"), [
        (COUNTS, "visits", (0.0, np.inf)), (np.append(AMOUNTS, 0.0), "rain", (0.0, np.inf)),
        (60.0 + 30.0 * RNG.uniform(size=40), "homes online (%)", (0.0, 100.0)),  # however far from zero
        (99.0 - 18.0 * np.linspace(0.0, 1.0, 40), "on_time_percent", (0.0, 100.0)),
        (0.9 + 0.05 * np.linspace(0.0, 1.0, 40), "market share", (0.0, 1.0)),
        (60.0 + 30.0 * np.linspace(0.0, 1.0, 40), "homes online", UNLIMITED),  # no name says so
        (81.0 + 18.0 * np.linspace(0.0, 1.0, 40), "percent change", UNLIMITED),
        (95.0 * RNG.uniform(size=40), "homes online (%)", (0.0, 100.0)),
        (95.0 * RNG.uniform(size=40), "Anteil in Prozent", (0.0, 100.0)),
        (RNG.uniform(size=40), "market share", (0.0, 1.0)), (RNG.uniform(size=40), "share price", UNLIMITED),
        (110.0 * RNG.uniform(size=40) + 1.0, "debt in percent of GDP", UNLIMITED),
        (AMOUNTS, "sales", UNLIMITED),  # no kind shows; the model may
        (COUNTS, "temperature", UNLIMITED), (COUNTS, "net change", UNLIMITED), (COUNTS - 3.0, "visits", UNLIMITED),
        (COUNTS + 500.0, "visits", UNLIMITED),  # too far for zero to matter
        (COUNTS % 2.0, "rain", (0.0, 1.0)), (COUNTS[:6], "visits", UNLIMITED),
    ])  # fmt: skip
def test_limits_are_asked_of_values_and_names(y: np.ndarray, name: str, expected: tuple[float, float]) -> None:
    assert natural_limits(y, name) == expected


@pytest.mark.parametrize("asked", [(5, 5), (3, 1), (0,), "both", (0, "x"), (float("nan"), 1), (True, 3), 7, (0, 1, 2)])
def test_other_limits_are_refused(asked: object) -> None:
    with pytest.raises(InputError, match="limits"):
        checked_limits(asked)


def test_sides_may_be_open() -> None:
    assert checked_limits((None, 100)) == (-np.inf, 100.0)
    assert checked_limits([0, None]) == (0.0, np.inf)
    assert checked_limits(None) is None


def test_data_beyond_limits_are_refused() -> None:
    check_within((0.0, np.inf), AMOUNTS)
    with pytest.raises(InputError, match="found -2; widen"):
        check_within((0.0, np.inf), np.array([1.0, -2.0]))
