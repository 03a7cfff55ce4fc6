"""What repeats in a fitted series, with what the data leave open about the numbers of its model."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician import AutomaticStatistician, split_by_period
from autostatistician.errors import InputError
from autostatistician.language.text import parse_kernel
from autostatistician.model.repeats import repeats_of


def test_it_is_the_split_of_the_model_with_wider_bands() -> None:
    x = np.arange(48.0)
    y = 3.0 * np.sin(2.0 * np.pi * x / 12.0) + 0.5 * np.random.default_rng(0).normal(size=48)
    estimator = AutomaticStatistician(language="se", max_depth=1, n_jobs=1).fit(x[:, None], y)
    model = estimator.model_
    found = repeats_of(model, 12.0)
    held = split_by_period(model.kernel, x, model.problem.y, 12.0)
    np.testing.assert_allclose(found.cycle.mean, held.cycle.mean, atol=1e-9)
    assert found.cycle.sd.mean() > 1.005 * held.cycle.sd.mean()
    with pytest.raises(InputError, match="noise"):
        repeats_of(model, 12.0, parse_kernel("WN(sd=1)"))
