"""Every row of the table is whole, and a row that lacks a piece is told which one."""

from dataclasses import replace

import numpy as np
import pytest
from tests.kernels.leaf_pieces import MATERN_52, lacking

from autostatistician.kernels.lag_functions import MATERN_32
from autostatistician.kernels.leaf_row import Decay, LeafRow
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.state_space import MATERN_32_TERMS

OWN = MATERN_52.of_lag
assert OWN is not None


@pytest.mark.parametrize("symbol", LEAVES)
def test_rows_of_the_table_are_whole(symbol: str) -> None:
    assert lacking(LEAVES[symbol]) == []


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        (MATERN_52, []),
        (replace(MATERN_52, noun=""), ["noun"]),
        (replace(MATERN_52, of_lag=None), ["of_lag"]),
        (replace(MATERN_52, decay=None), ["decay"]),
        (replace(MATERN_52, decay=Decay(1.5, 2)), ["decay"]),
        (replace(MATERN_52, state_space=None), ["state_space"]),
        (replace(MATERN_52, state_space=MATERN_32_TERMS), ["terms"]),
        (replace(MATERN_52, of_lag=replace(OWN, slope=lambda lag, *own: np.zeros(5))), ["slope"]),
        (
            replace(MATERN_52, of_lag=replace(OWN, value_and_derivatives=MATERN_32.value_and_derivatives)),
            ["derivatives"],
        ),
    ],
)
def test_what_a_row_lacks_is_named(row: LeafRow, missing: list[str]) -> None:
    assert lacking(row) == missing


def test_a_row_without_a_number_of_its_kind_cannot_be_made() -> None:
    with pytest.raises(ValueError, match=r"\['lengthscale'\]"):
        replace(MATERN_52, parameters=MATERN_52.parameters[1:])
