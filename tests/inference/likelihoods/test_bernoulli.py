"""Classes: the laws of probabilities, and three ways of averaging them."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.transform import Transform
from autostatistician.errors import InputError
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.language.kernel import leaf
from autostatistician.language.text import parse

F = np.linspace(-3.0, 3.0, 7)
EVERY = pytest.mark.parametrize("likelihood", [Bernoulli("probit"), Bernoulli("logistic")])


@EVERY
def test_both_classes_together_are_certain(likelihood: Bernoulli) -> None:
    ones = np.ones(7)
    total = np.exp(likelihood.log_density(ones, F)) + np.exp(likelihood.log_density(-ones, F))
    np.testing.assert_allclose(total, 1.0)
    averaged = [np.exp(likelihood.tilted(y, F, 2.0 * ones)[0]) for y in (ones, -ones)]
    np.testing.assert_allclose(averaged[0] + averaged[1], 1.0)
    np.testing.assert_allclose(averaged[0], likelihood.averaged(F, 2.0 * ones))


@EVERY
def test_the_other_class_is_the_mirror_image(likelihood: Bernoulli) -> None:
    y = np.ones(7)
    for sign, one, other in zip((-1, 1, -1), likelihood.derivatives(y, F), likelihood.derivatives(-y, -F), strict=True):
        np.testing.assert_allclose(one, sign * other)


@EVERY
def test_three_averages_agree(likelihood: Bernoulli) -> None:
    exact, near, drawn = (likelihood.averaged(F, F**2, how) for how in ("quadrature", "probit", "monte carlo"))
    np.testing.assert_allclose(near, exact, atol=0.02)
    np.testing.assert_allclose(drawn, exact, atol=0.015)
    again = likelihood.averaged(F, F**2, "monte carlo", np.random.default_rng(0))
    np.testing.assert_array_equal(drawn, again)


def test_as_any_likelihood() -> None:
    one, kernel = Bernoulli(), leaf("C", sd=1.0)
    assert one.start(parse("WN")) == parse("C")
    assert one.halves(kernel) == (kernel, None)
    assert not one.admits(parse("CP(SE, WN)"))
    assert one.variance(np.zeros((3, 1))).tolist() == [0.0, 0.0, 0.0]
    assert one.standardised(np.array([1.0, -1.0])) == (1.0, one)
    assert one.mapped(Transform()) is one


def test_wrong_settings_are_named() -> None:
    with pytest.raises(InputError, match="link='probit' or link='logistic'; found 'cauchit'"):
        Bernoulli("cauchit")
    with pytest.raises(InputError, match="found 'guess'"):
        Bernoulli().averaged(F, F, "guess")  # type: ignore[arg-type]
