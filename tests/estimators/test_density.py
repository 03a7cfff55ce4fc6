"""Kernel densities as an estimator."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity
from sklearn.utils.estimator_checks import parametrize_with_checks

from autostatistician.errors import InputError
from autostatistician.estimators.density import LeaveOneOutDensity

X = np.random.default_rng(0).normal(size=(60, 1)) * 3.0


@parametrize_with_checks([LeaveOneOutDensity()])
def test_scikit_learn_accepts_it(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def test_with_one_column_it_is_the_density_of_scikit_learn() -> None:
    ours = LeaveOneOutDensity().fit(X)
    theirs = KernelDensity(bandwidth=ours.widths_[0]).fit(X)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X))


def test_units_move_the_density_alone() -> None:
    one, other = LeaveOneOutDensity().fit(X), LeaveOneOutDensity().fit(1024.0 * X)
    np.testing.assert_allclose(other.widths_, 1024.0 * one.widths_)
    assert other.score(1024.0 * X) == pytest.approx(one.score(X) - np.log(1024.0))


def test_its_rows_are_spread_like_the_data_and_a_little_more() -> None:
    density = LeaveOneOutDensity().fit(X)
    drawn = density.sample(4000)
    assert drawn.std() == pytest.approx(np.hypot(X.std(), density.widths_[0]), rel=0.05)
    np.testing.assert_array_equal(drawn, density.sample(4000))


def test_too_many_rows_are_refused() -> None:
    with pytest.raises(InputError, match="compared in pairs; found 20000 of them"):
        LeaveOneOutDensity().fit(np.zeros((20000, 1)))
