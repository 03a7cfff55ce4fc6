"""Kernels as they are written on the columns of a table."""

from __future__ import annotations

import pytest

from autostatistician.data.inputs import InputColumns
from autostatistician.errors import InputError
from autostatistician.estimators.kernels import on_columns

PLANE = InputColumns(("size", "age"), {})
MIXED = InputColumns(("size", "colour"), {"colour": ("blue", "green", "red")})
LINE = InputColumns(("x",), {})


@pytest.mark.parametrize(
    ("text", "inputs", "rank", "written"),
    [
        ("SE + WN", LINE, None, "SE[x] + WN"),
        ("SE + WN", PLANE, None, "SE[age] * SE[size] + WN"),
        ("Lin + WN", PLANE, None, "Lin[age] + Lin[size] + WN"),
        ("SE", MIXED, None, "SE[size] * Cat[colour]"),
        ("SE * WN", MIXED, 2, "SE[size] * WN * Cat3r2[colour]"),
        ("SE[size] + Cat[colour]", MIXED, 5, "Cat3r3[colour] + SE[size]"),
        ("CP[size](C, Lin)", MIXED, None, "CP[size](C, Lin[size])"),
        ("C + WN", MIXED, None, "C + WN"),
    ],
)
def test_leaves_find_their_columns(text: str, inputs: InputColumns, rank: int | None, written: str) -> None:
    made = str(on_columns(text, inputs, rank))
    assert sorted(made.replace(" + ", " * ").split(" * ")) == sorted(written.replace(" + ", " * ").split(" * "))
    assert made.count("+") == written.count("+")


def test_numbers_that_are_there_stay() -> None:
    made = on_columns("SE[size](lengthscale=2, sd=3) + WN(sd=1)", MIXED)
    assert made.parts[0].named() == {"lengthscale": 2.0, "sd": 3.0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SE[weight]", "leaves on the columns"),
        ("SE[colour]", "SE on a column of numbers"),
        ("Cat[size]", "Cat on a column of categories"),
        ("Cat2r1[colour]", "write Cat3r1"),
        ("CP[colour](C, C)", "a change along numbers"),
    ],
)
def test_leaves_on_columns_of_another_kind_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        on_columns(text, MIXED)
