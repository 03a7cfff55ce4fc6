"""What learning on series and on tables shares: moments are those of the numbers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician.inference.parameters.learned import LearnedPrior, Place

KEY = ("WN", "sd", Place.TERM)


@pytest.fixture
def learn(folder: Path) -> Any:
    return import_module("learn_numbers")


def _seen(learn: Any, mean: float, share: float, width: float, count: int) -> list[Any]:
    rng = np.random.default_rng(1)
    ratios, errors = rng.uniform(0.0, 4.0, count), width * rng.standard_normal(count)
    logs = mean + share * ratios + errors
    return [learn.Seen(KEY, 2.0, 2.0 + float(u), 2.0 + float(z), 0.0, 1.0) for u, z in zip(ratios, logs, strict=True)]


def test_mean_share_and_width_are_found_again(learn: Any) -> None:
    found = learn.moments(LearnedPrior(0.0, 0.0, 2.0), _seen(learn, -1.0, 0.5, 0.6, 2000))
    assert (found.mean, found.share, found.width) == pytest.approx((-1.0, 0.5, 0.6), abs=0.05)


def test_few_series_change_little(learn: Any) -> None:
    before = LearnedPrior(0.0, 0.0, 1.0)
    assert learn.moments(before, []) == before
    assert abs(learn.moments(before, _seen(learn, 3.0, 0.0, 0.1, 1)).mean) < 1.0


def test_uncertain_numbers_make_wide_priors(learn: Any) -> None:
    sure = _seen(learn, 0.0, 0.0, 0.4, 300)
    unsure = [learn.Seen(one.key, one.of_step, one.of_whole, one.mean, 1.0, one.weight) for one in sure]
    assert (
        learn.moments(LearnedPrior(0.0, 0.0, 1.0), unsure).width
        > 1.0
        > learn.moments(LearnedPrior(0.0, 0.0, 1.0), sure).width
    )
