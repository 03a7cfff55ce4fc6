"""A hidden layer: its moments, and what its posterior costs."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.deep.variational.hidden import FLOOR, Hidden, cost, moments
from autostatistician.deep.variational.whitened import ARDKernel, whitened

RNG = np.random.default_rng(2)
LAYER = Hidden(
    ARDKernel(-0.5, np.array([0.1, 0.3])),
    RNG.normal(size=(3, 2)),
    RNG.normal(size=(3, 2)),
    np.tril(RNG.normal(size=(2, 3, 3)), -1) + np.eye(3) * RNG.uniform(0.2, 1.5, (2, 1, 3)),
)
LINEAR = np.array([[1.0, 0.5], [0.0, 1.0]])
PLACES = RNG.normal(size=(4, 2))


def test_moments_are_those_of_the_posterior() -> None:
    found, A = moments(LAYER, LINEAR, PLACES), whitened(LAYER.kernel, LAYER.Z, PLACES).A
    prior = np.exp(-0.5)
    for place in range(2):
        root = LAYER.root[place]
        assert found.mean[:, place] == pytest.approx((PLACES @ LINEAR)[:, place] + LAYER.mean[:, place] @ A)
        whole = prior * (1.0 + FLOOR) - np.diag(A.T @ (np.eye(3) - root @ root.T) @ A)
        assert found.sd[:, place] ** 2 == pytest.approx(whole)


def test_a_posterior_that_is_the_prior_costs_nothing_and_predicts_it() -> None:
    prior = LAYER._replace(mean=np.zeros((3, 2)), root=np.tile(np.eye(3), (2, 1, 1)))
    assert cost(prior)[0] == pytest.approx(0.0)
    assert moments(prior, LINEAR, PLACES).sd == pytest.approx(np.exp(-0.25))


def test_the_cost_is_the_divergence_of_normal_distributions() -> None:
    covariances = LAYER.root @ LAYER.root.transpose(0, 2, 1)
    traces, logdets = np.trace(covariances, axis1=1, axis2=2), np.linalg.slogdet(covariances)[1]
    assert cost(LAYER)[0] == pytest.approx(0.5 * np.sum(traces - logdets + np.sum(LAYER.mean**2, axis=0) - 3.0))
