"""Losses on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.hkl.losses import SquaredLoss
from autostatistician.hkl.path import PathSettings, path
from autostatistician.hkl.tuning import folds_of, held_out_losses

RNG = np.random.default_rng(6)
X = RNG.normal(size=(30, 2))
Y = X[:, 0] + 0.1 * RNG.normal(size=30)
SETTINGS = PathSettings(sharpness=0.0625, rank=30, root_weight=0.1, growth=2.0, most=4, gap=1e-3)


def test_held_out_losses_are_those_of_fits_without_the_rows() -> None:
    folds = folds_of(np.zeros(30), 3, RNG)
    found = held_out_losses(X, SquaredLoss(Y), folds, (1.0, 1e-4), SETTINGS)
    errors = np.empty((2, 30))
    for fold in range(3):
        rest = folds != fold
        for place, one in enumerate(path(X[rest], SquaredLoss(Y[rest]), (1.0, 1e-4), SETTINGS)):
            errors[place, ~rest] = Y[~rest] - one.values(X[~rest])
    assert found == pytest.approx(0.5 * np.mean(errors**2, axis=1))
    assert found[1] < 0.1 * found[0]


def test_folds_have_like_shares_of_the_groups() -> None:
    groups = np.repeat([0.0, 1.0], [20, 10])
    folds = folds_of(groups, 5, RNG)
    assert np.bincount(folds[:20]).tolist() == [4] * 5
    assert np.bincount(folds[20:]).tolist() == [2] * 5
