"""What a fitted model leaves: every positive parameter with its uncertainty, and moments from which priors follow."""

from __future__ import annotations

from dataclasses import astuple
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician.inference import Problem
from autostatistician.inference.parameters.learned import LearnedPrior, Place
from autostatistician.inference.parameters.scales import measure
from autostatistician.language.kernel import leaf

SETS = 5.0
X = np.arange(40.0)[:, None]
Y = np.random.default_rng(0).normal(size=40)


@pytest.fixture
def made(folder: Path) -> Any:
    return import_module("seen_parameters")


def test_locations_and_periods_are_left_out_and_places_are_told(made: Any) -> None:
    cycle = leaf("SE", sd=1.0, lengthscale=20.0) * leaf("Per", sd=1.0, lengthscale=1.0, period=7.0)
    kernel = leaf("Lin", sd=0.1, location=3.0) + cycle + leaf("WN", sd=1.0)
    found = dict(made.seen_parameters(kernel, Problem(X, Y, ("x",)), measure(X, Y, ("x",)), 0.25))
    assert {key[:2] for key in found} >= {("Lin", "sd"), ("SE", "lengthscale"), ("WN", "sd")}
    assert not any(name in {"location", "period"} for _, name, _ in found)
    assert found["SE", "lengthscale", Place.CYCLE].weight == 0.25


def test_the_variance_is_that_of_the_posterior(made: Any) -> None:
    [(_, seen)] = made.seen_parameters(leaf("WN", sd=float(Y.std())), Problem(X, Y, ("x",)), measure(X, Y, ("x",)), 1.0)
    assert seen.rr - seen.r**2 == pytest.approx(1.0 / (2.0 * 40.0 + 1.0 / 2.0**2), rel=0.01)


def _seen(made: Any, mean: float, share: float, width: float, count: int, variance: float = 0.0) -> Any:
    rng = np.random.default_rng(1)
    ratios, errors = rng.uniform(0.0, 4.0, count), width * rng.standard_normal(count)
    total = made.NO_MOMENTS
    for u, r in zip(ratios.tolist(), (mean + share * ratios + errors).tolist(), strict=True):
        total = total.added(made.Moments.of(of_step=2.0, of_whole=2.0 + u, mean=2.0 + r, variance=variance, weight=1.0))
    return total


def test_mean_share_and_width_are_found_again(made: Any) -> None:
    found = _seen(made, -1.0, 0.5, 0.6, 2000).prior(LearnedPrior(0.0, 0.0, 2.0), SETS)
    assert (found.mean, found.share, found.width) == pytest.approx((-1.0, 0.5, 0.6), abs=0.05)


def test_few_series_change_little(made: Any) -> None:
    before = LearnedPrior(0.0, 0.0, 1.0)
    assert made.NO_MOMENTS.prior(before, SETS) == before
    assert abs(_seen(made, 3.0, 0.0, 0.1, 1).prior(before, SETS).mean) < 1.0


def test_uncertain_parameters_make_wide_priors(made: Any) -> None:
    before = LearnedPrior(0.0, 0.0, 1.0)
    sure, unsure = (_seen(made, 0.0, 0.0, 0.4, 300, variance).prior(before, SETS) for variance in (0.0, 1.0))
    assert unsure.width > 1.0 > sure.width


def test_what_was_added_is_taken_off_again(made: Any) -> None:
    all_but_one, one = _seen(made, 0.0, 0.2, 0.4, 20), _seen(made, 1.0, 0.0, 0.5, 1)
    assert astuple(all_but_one.added(one).added(one, -1.0)) == pytest.approx(astuple(all_but_one))
