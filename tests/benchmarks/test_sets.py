"""The data of benchmarks on tables: sets, folds, published figures."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest


def test_the_data_of_a_seed_are_the_same_for_all_and_standardised() -> None:
    made = import_module("deep")
    X, y, new, truth = made.split(Path("nowhere"), "step", 3)
    again = made.split(Path("nowhere"), "step", 3)
    assert all(np.array_equal(one, other) for one, other in zip((X, y, new, truth), again, strict=True))
    assert (X.shape, new.shape) == ((150, 1), (1000, 1))
    assert [X.mean(), y.mean(), X.std(), y.std()] == pytest.approx([0.0, 0.0, 1.0, 1.0])
    assert np.mean(truth > y.mean()) == pytest.approx(0.5, abs=0.1)


def test_published_figures_are_those_of_the_original() -> None:
    known = import_module("hkl").known_errors()
    assert known["heart", "HKL"] == 18.975
    assert known["bach", "HKL"] == 0.199
    assert len(known) == 5 * 2 + 6 * 5


def test_a_set_that_is_made_has_rows_to_learn_from_and_to_predict() -> None:
    made = import_module("regression")
    X, y = made.friedman()
    assert X.shape == (100_000 + made.PREDICTED, 8)
    assert y.std() == pytest.approx(4.98, abs=0.1)
