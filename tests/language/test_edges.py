"""Changes beyond the data: the model is the same on the data, and simpler."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import covariance

from autostatistician.language.edges import ABSENT_WEIGHT, idle_changes
from autostatistician.language.kernel import Kernel, leaf, unset
from autostatistician.language.simplify import simplify
from autostatistician.language.text import parse
from autostatistician.language.tree import from_kernel

X = np.linspace(0.0, 1.0, 21)
SPANS = {"x": (0.0, 1.0)}
FIRST, SECOND = leaf("Lin", sd=1.0, location=-0.5), leaf("SE", lengthscale=0.3, sd=2.0)


def window(location: float, width: float, steepness: float = 200.0) -> Kernel:
    return Kernel.change_window(FIRST, SECOND, location, steepness, width)


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (window(0.9, 0.5), "CP(Lin, SE)"),  # closes behind the data
        (window(0.1, 0.5), "CP(SE, Lin)"),  # opens before them
        (window(0.5, 1.5), "SE"),  # holds all of them
        (window(1.4, 0.3), "Lin"),  # lies behind them
        (window(-0.4, 0.3), "Lin"),  # lies before them
        (window(0.5, 0.3), "CW(Lin, SE)"),
        (Kernel.change_point(FIRST, SECOND, 1.2, 200.0), "Lin"),
        (Kernel.change_point(FIRST, SECOND, -0.2, 200.0), "SE"),
        (Kernel.change_point(FIRST, SECOND, 0.5, 200.0), "CP(Lin, SE)"),
        (Kernel.change_point(FIRST, SECOND, 1.0, 200.0), "CP(Lin, SE)"),  # the last datum is half behind it
    ],
)
def test_the_side_that_no_datum_is_on_is_left_out(kernel: Kernel, expected: str) -> None:
    found = simplify(kernel, SPANS)
    assert str(found) == expected
    assert idle_changes(from_kernel(kernel), SPANS) == (str(found) != str(kernel))


@pytest.mark.slow
@given(location=st.floats(-0.5, 1.5), width=st.floats(0.01, 2.0), steepness=st.floats(1.0, 500.0), point=st.booleans())
def test_on_the_data_nothing_changes(location: float, width: float, steepness: float, point: bool) -> None:
    given_ = Kernel.change_point(FIRST, SECOND, location, steepness) if point else window(location, width, steepness)
    found = simplify(given_, SPANS)
    largest = 4.0  # variance of the larger side
    difference = np.abs(covariance(found, X[:, None]) - covariance(given_, X[:, None]))
    assert difference.max() <= 4.0 * ABSENT_WEIGHT * largest


def test_changes_inside_of_others_are_found() -> None:
    inner = window(0.9, 0.5)
    outer = Kernel.change_point(inner + leaf("WN", sd=1.0), leaf("C", sd=1.0), 0.5, 200.0)
    assert str(simplify(outer, SPANS)) == "CP(WN + CP(Lin, SE), C)"
    assert idle_changes(from_kernel(outer), SPANS)


def test_open_numbers_and_other_columns_are_left_alone() -> None:
    assert simplify(unset(parse("CW(Lin, SE)")), SPANS).expr == parse("CW(Lin, SE)")
    other = Kernel.change_point(leaf("C", sd=1.0), leaf("C", sd=2.0), 1.2, 200.0, "b")
    assert not idle_changes(from_kernel(other), {"a": (0.0, 1.0)})
