"""Whether data limit the size of the function that separates their classes."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.classes.separable import APPROXIMATIONS, SeparableWarning, is_flat, warn_of_separable
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.language.kernel import leaf

X = np.linspace(-2.0, 2.0, 20)
K = covariance(leaf("Lin", sd=3.0, location=0.0), X)


@pytest.mark.parametrize("how", APPROXIMATIONS)
def test_a_line_that_separates_may_be_as_steep_as_it_likes(how: str) -> None:
    likelihood, classes = Bernoulli("logistic"), np.sign(X)
    mixed = np.where(np.arange(20) % 5 == 0, -classes, classes)
    found = [is_flat(K, y, likelihood, how, APPROXIMATIONS[how](K, y, likelihood)) for y in (classes, mixed)]
    assert found == [True, False]


def test_the_warning_says_what_to_do() -> None:
    with pytest.warns(SeparableWarning, match="rest on its weak prior.*give more rows, or fewer columns"):
        warn_of_separable(depth=2)
