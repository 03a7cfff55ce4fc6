"""Any prior conditioned by inducing points: of kernels on columns the same as by their own door."""

from __future__ import annotations

import pickle

import numpy as np

from autostatistician.inference.engines.inducing.conditioned import given_points
from autostatistician.inference.engines.inducing.posterior import conditioned_by_points
from autostatistician.inference.posterior.averages import ColumnPrior
from autostatistician.inference.problem import Problem
from autostatistician.language.text import parse_kernel

RNG = np.random.default_rng(12)
X, Y = RNG.normal(size=(40, 2)), RNG.normal(size=40)
SIGNAL = parse_kernel("SE[a](lengthscale=1, sd=1) + Lin[b](sd=1, location=0)")
NEW = RNG.normal(size=(5, 2))


def test_a_prior_and_the_variances_of_the_noise_are_enough() -> None:
    found = given_points(ColumnPrior(("a", "b")), SIGNAL, X, Y, X[:6], np.full(40, 0.25))
    kernel = SIGNAL + parse_kernel("WN(sd=0.5)")
    expected = conditioned_by_points(kernel, Problem(X, Y, ("a", "b")), X[:6])
    assert found.log_evidence == expected.log_evidence
    one, other = found.project(SIGNAL, NEW), expected.project(SIGNAL, NEW)
    np.testing.assert_allclose(one.mean, other.mean)
    np.testing.assert_allclose(one.covariance(), other.covariance())
    for mine, theirs in zip(found.leave_one_out(), expected.leave_one_out(), strict=True):
        np.testing.assert_allclose(mine, theirs)


def test_it_can_be_stored_with_what_was_fitted() -> None:
    known = given_points(ColumnPrior(("a", "b")), SIGNAL, X, Y, X[:6], np.full(40, 0.25))
    again = pickle.loads(pickle.dumps(known))
    np.testing.assert_array_equal(again.leave_one_out()[0], known.leave_one_out()[0])
