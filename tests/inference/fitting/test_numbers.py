"""Coordinates of chains."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.fitting.numbers import held_numbers, weak_numbers
from autostatistician.inference.fitting.probable import prior_of
from autostatistician.inference.parameters import FreeParameters, measure
from autostatistician.language.kernel import leaf

X = np.random.default_rng(0).normal(size=(20, 2))
SCALES = measure(X, np.ones(20), ("a", "b"))
KERNEL = leaf("SE", column="a", lengthscale=0.7, sd=1.3) * leaf("SE", column="b", lengthscale=1.7, sd=1.0)


def test_the_prior_is_that_of_the_fit() -> None:
    numbers, rng = weak_numbers(KERNEL, SCALES), np.random.default_rng(1)
    prior = prior_of(KERNEL.expr, FreeParameters.of(KERNEL.expr, SCALES).priors(), SCALES)
    one, other = (numbers.start + rng.normal(size=3) for _ in range(2))
    gap = numbers.prior.log_density(one) - numbers.prior.log_density(other)
    assert gap == pytest.approx(prior.penalty(other)[0] - prior.penalty(one)[0])
    assert numbers.values(numbers.start) == pytest.approx(KERNEL.values)
    assert np.all((numbers.low <= numbers.start) & (numbers.start <= numbers.high))


def test_numbers_that_are_held_have_no_coordinates() -> None:
    numbers = held_numbers(KERNEL)
    assert numbers.start.shape == (0,)
    assert numbers.prior.log_density(numbers.start) == 0.0
