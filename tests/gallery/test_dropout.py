"""Dropout: the mean over columns that are left out is an additive kernel; over hidden units only the size changes."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from autostatistician.additive.orders import weighted_sum
from autostatistician.errors import InputError
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.language.kernel import leaf
from dropout import order_weights

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 4))
# Of every column the correlation of all pairs of rows: (4, 6, 6).
BY_COLUMN = np.array([covariance(leaf("SE", lengthscale=1.0, sd=1.0), column) for column in X.T])


@pytest.mark.parametrize("rate", [0.2, 0.5])
def test_the_mean_over_dropped_columns_is_the_additive_kernel_of_these_weights(rate: float) -> None:
    kept = np.random.default_rng(1).random((20_000, 4)) >= rate
    patterns, counts = np.unique(kept, axis=0, return_counts=True)
    products = np.array([BY_COLUMN[pattern].prod(axis=0) for pattern in patterns])
    mean = np.tensordot(counts / len(kept), products, axes=1)
    additive = weighted_sum(BY_COLUMN.reshape(4, -1), order_weights(4, rate)).reshape(6, 6)
    np.testing.assert_allclose(mean, additive, atol=0.02)
    np.testing.assert_allclose(additive, (rate + (1.0 - rate) * BY_COLUMN).prod(axis=0), rtol=1e-12)


@pytest.mark.parametrize(("columns", "rate"), [(1, 0.3), (7, 0.5), (10, 0.9), (3, 0.0), (3, 1.0)])
def test_the_weights_of_all_subsets_sum_to_one(columns: int, rate: float) -> None:
    weights = order_weights(columns, rate)
    assert sum(comb(columns, order) * weights[order] for order in range(columns + 1)) == pytest.approx(1.0)


def test_nothing_dropped_is_the_product_and_everything_a_constant() -> None:
    assert order_weights(3, 0.0).tolist() == [0.0, 0.0, 0.0, 1.0]
    assert order_weights(3, 1.0).tolist() == [1.0, 0.0, 0.0, 0.0]
    with pytest.raises(InputError, match="between 0 and 1"):
        order_weights(3, 1.2)


def test_dropped_hidden_units_change_the_size_alone() -> None:
    rng, kept, units = np.random.default_rng(2), 0.3, 200
    phases, frequencies = rng.uniform(0.0, 2.0 * np.pi, units), rng.normal(size=units)
    hidden = np.sqrt(2.0 / units) * np.cos(np.multiply.outer(X[:, 0], frequencies) + phases)
    weights = rng.normal(size=(20_000, units)) * (rng.random((20_000, units)) < kept)
    values = weights @ hidden.T
    np.testing.assert_allclose(values.T @ values / len(values), kept * hidden @ hidden.T, atol=0.03)
    # And their distribution is that of a Gaussian process: no heavier tails.
    assert np.mean(values[:, 0] ** 4) / np.mean(values[:, 0] ** 2) ** 2 == pytest.approx(3.0, abs=0.3)
