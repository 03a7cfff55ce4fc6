"""Moments of parameters that were seen are those from which they were drawn."""

from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest

from autostatistician.inference.parameters.learned import LearnedPrior
from autostatistician.inference.parameters.moments import NO_MOMENTS, Moments

SETS = 5.0


def _seen(mean: float, share: float, width: float, count: int, variance: float = 0.0) -> Moments:
    rng = np.random.default_rng(1)
    ratios, errors = rng.uniform(0.0, 4.0, count), width * rng.standard_normal(count)
    total = NO_MOMENTS
    for u, r in zip(ratios.tolist(), (mean + share * ratios + errors).tolist(), strict=True):
        total = total.added(Moments.of(of_step=2.0, of_whole=2.0 + u, mean=2.0 + r, variance=variance, weight=1.0))
    return total


def test_mean_share_and_width_are_found_again() -> None:
    found = _seen(-1.0, 0.5, 0.6, 2000).prior(LearnedPrior(0.0, 0.0, 2.0), SETS)
    assert (found.mean, found.share, found.width) == pytest.approx((-1.0, 0.5, 0.6), abs=0.05)


def test_few_series_change_little() -> None:
    before = LearnedPrior(0.0, 0.0, 1.0)
    assert NO_MOMENTS.prior(before, SETS) == before
    assert abs(_seen(3.0, 0.0, 0.1, 1).prior(before, SETS).mean) < 1.0


def test_uncertain_parameters_make_wide_priors() -> None:
    before = LearnedPrior(0.0, 0.0, 1.0)
    sure, unsure = (_seen(0.0, 0.0, 0.4, 300, variance).prior(before, SETS) for variance in (0.0, 1.0))
    assert unsure.width > 1.0 > sure.width


def test_what_was_added_is_taken_off_again() -> None:
    all_but_one, one = _seen(0.0, 0.2, 0.4, 20), _seen(1.0, 0.0, 0.5, 1)
    assert astuple(all_but_one.added(one).added(one, -1.0)) == pytest.approx(astuple(all_but_one))
