"""Means over rows are those of all their points, whether products are averaged factor by factor or not."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.posterior.averages import ColumnPrior, Means
from autostatistician.language.kernel import Kernel, leaf

RNG = np.random.default_rng(0)
COLUMNS = ("a", "b", "c")
X = RNG.normal(size=(9, 3))
LINE, BUMP, OTHER = (
    leaf("Lin", "a", sd=0.8, location=0.3),
    leaf("SE", "b", sd=1.0, lengthscale=1.5),
    leaf("SE", "c", sd=1.2, lengthscale=0.9),
)
APART = LINE * BUMP * OTHER + leaf("SE", "a", sd=0.4, lengthscale=0.6)
TOGETHER = Kernel.change_point(BUMP, LINE, location=0.1, steepness=3.0, column="c") + LINE


def _points(rows: int) -> np.ndarray:
    points = np.tile(X[:rows], (4, 1, 1))
    points[:, :, 0] = np.linspace(-1.0, 1.0, 4)[:, None]
    return points


@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("part", [APART, TOGETHER], ids=["by factors", "as a whole"])
def test_means_are_those_of_all_points(part: Kernel, rows: int) -> None:
    points = _points(rows)
    flat, weights = points.reshape(-1, 3), np.kron(np.eye(4), np.full(rows, 1.0 / rows))
    known = Means(points, COLUMNS).covariances(ColumnPrior(COLUMNS), part, X)
    whole = weights @ covariance(part, flat, flat, COLUMNS) @ weights.T
    np.testing.assert_allclose(known.cross, weights @ covariance(part, flat, X, COLUMNS), atol=1e-12)
    np.testing.assert_allclose(known.matrix(), whole, atol=1e-12)
    np.testing.assert_allclose(known.variance, whole.diagonal(), atol=1e-12)


def test_only_factors_of_either_kind_are_taken_apart() -> None:
    assert Means(_points(5), COLUMNS)._apart(APART) is not None
    assert Means(_points(5), COLUMNS)._apart(TOGETHER) is None
    assert Means(_points(1), COLUMNS)._apart(APART) is None
