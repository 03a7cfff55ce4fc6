"""What columns add to counts: there and back, along the rows, and in files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.data.added import Added
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset, at_usual, counted, from_arrays
from autostatistician.data.sizes import Sizes
from autostatistician.errors import InputError

X = np.arange(4.0)
ADDED = Added(X, np.array([0.0, 0.7, -1.2, 3.0]))


def parts_of_totals() -> Dataset:
    totals = Covariates(X, (Covariate("trains", np.array([20.0, 30.0, 40.0, 50.0])),))
    share = np.array([0.0, 12.0, 39.0, 50.0]) / totals.table[0].values
    return replace(from_arrays(X, share), sizes=Sizes("late", totals, is_total=True))


@pytest.mark.parametrize("data", [from_arrays(X, [0.0, 3.0, 7.0, 2.0]), parts_of_totals()])
def test_counts_are_what_they_were(data: Dataset) -> None:
    usual = at_usual(data, ADDED)
    assert counted(usual).y.tolist() == counted(data).y.tolist()
    assert at_usual(usual, Added(X, np.zeros(4))).y == pytest.approx(data.y)
    assert usual.y[1:3] != pytest.approx(data.y[1:3])


def test_shares_of_none_and_all_stay() -> None:
    assert at_usual(parts_of_totals(), ADDED).y[[0, 3]].tolist() == [0.0, 1.0]


def test_rows_of_one_position_have_one_amount_and_files_hold_it() -> None:
    made = Added.of_rows(np.array([2.0, 1.0, 2.0]), np.array([0.5, 0.1, 0.5]))
    assert made.x.tolist() == [1.0, 2.0]
    data = at_usual(from_arrays([1.0, 2.0], [3.0, 4.0]), made)
    again = Dataset.from_json(data.to_json())
    assert again.added is not None
    assert again.added.at(np.array([1.5])).tolist() == pytest.approx([0.3])
    broken = data.to_json() | {"added": {"x": [1.0, 1.0], "values": [0.0, 0.0]}}
    with pytest.raises(InputError, match="along an axis"):
        Dataset.from_json(broken)
