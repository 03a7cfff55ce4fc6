"""How much of a file is read."""

from __future__ import annotations

import io

import pytest

from autostatistician.data.files.read import read_cells
from autostatistician.data.files.read_limits import READ_LIMITS, ReadLimits
from autostatistician.data.row_limits import ROW_LIMITS
from autostatistician.errors import InputError


def test_more_is_read_than_is_modelled_as_rows_may_be_left_out() -> None:
    assert READ_LIMITS.rows == ROW_LIMITS.read >= ROW_LIMITS.tables > ROW_LIMITS.rows > ROW_LIMITS.slow
    assert (READ_LIMITS.columns, READ_LIMITS.megabytes) == (10_000, 200.0)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (ReadLimits(megabytes=1e-5), "at most 1e-05 MB"),
        (ReadLimits(rows=2), "at most 2 rows"),
        (ReadLimits(columns=1), "at most 1 columns; found 2"),
    ],
)
def test_each_limit_is_held(limits: ReadLimits, words: str) -> None:
    text = "day,sales\n1,2\n2,3\n3,5\n"
    assert read_cells(io.StringIO(text)).size == 3
    with pytest.raises(InputError, match=words):
        read_cells(io.StringIO(text), limits)
