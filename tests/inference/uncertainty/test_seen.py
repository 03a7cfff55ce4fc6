"""What a fitted model leaves: every positive parameter in its units, with its uncertainty."""

import numpy as np
import pytest

from autostatistician.inference import Problem
from autostatistician.inference.parameters.learned import Place
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.uncertainty.seen import seen_parameters
from autostatistician.language.kernel import leaf

X = np.arange(40.0)[:, None]
Y = np.random.default_rng(0).normal(size=40)


def test_locations_and_periods_are_left_out_and_places_are_told() -> None:
    cycle = leaf("SE", sd=1.0, lengthscale=20.0) * leaf("Per", sd=1.0, lengthscale=1.0, period=7.0)
    kernel = leaf("Lin", sd=0.1, location=3.0) + cycle + leaf("WN", sd=1.0)
    found = dict(seen_parameters(kernel, Problem(X, Y, ("x",)), measure(X, Y, ("x",)), 0.25))
    assert {key[:2] for key in found} >= {("Lin", "sd"), ("SE", "lengthscale"), ("WN", "sd")}
    assert not any(name in {"location", "period"} for _, name, _ in found)
    assert found["SE", "lengthscale", Place.CYCLE].weight == 0.25


def test_the_variance_is_that_of_the_posterior() -> None:
    [(_, seen)] = seen_parameters(leaf("WN", sd=float(Y.std())), Problem(X, Y, ("x",)), measure(X, Y, ("x",)), 1.0)
    assert seen.rr - seen.r**2 == pytest.approx(1.0 / (2.0 * 40.0 + 1.0 / 2.0**2), rel=0.01)
