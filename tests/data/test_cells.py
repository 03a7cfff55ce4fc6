"""Cells that hold nothing."""

from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.cells import MISSING, is_missing, is_null


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
