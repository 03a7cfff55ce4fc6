"""Several classes: shares of exponentials, and draws of them."""

from __future__ import annotations

import numpy as np

from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.inference.likelihoods.softmax import Softmax

F = np.array([[0.0, 1.0, -2.0], [500.0, 0.0, -500.0]])


def test_probabilities_add_up() -> None:
    likelihood = Softmax(3)
    every = np.exp([likelihood.log_density(np.full(2, one), F) for one in range(3)])
    np.testing.assert_allclose(every.sum(axis=0), 1.0)
    np.testing.assert_allclose(every.T, likelihood.probability(F))
    assert likelihood.seen(np.array([2.0, 0.0])).tolist() == [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]


def test_draws_average_as_the_logistic_of_the_difference() -> None:
    mean, covariance = np.array([[0.0, 0.7]]), np.array([[[1.0, 0.4], [0.4, 2.0]]])
    drawn = Softmax(2).drawn(mean, covariance)
    expected = Bernoulli("logistic").averaged(np.array([0.7]), np.array([1.0 + 2.0 - 2.0 * 0.4]))
    np.testing.assert_allclose(drawn[:, 0, 1].mean(), expected[0], atol=0.01)
