"""How many layers, and with which kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autostatistician import DeepGPRegressor
from autostatistician.errors import InputError

RNG = np.random.default_rng(6)
X = RNG.uniform(0.0, 10.0, (80, 1))
Y = np.where(X[:, 0] > 5.0, 30.0, 10.0) + RNG.normal(size=80)
PLACES = np.linspace(-1.0, 11.0, 25)[:, None]


@pytest.mark.slow
@pytest.mark.parametrize("step", [False, True])
def test_the_depth_follows_the_data(step: bool) -> None:
    y = Y if step else np.sin(0.7 * X[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=80)
    found = DeepGPRegressor("auto", max_layers=2, max_iter=150, n_restarts=1, n_inducing=15).fit(X, y)
    assert found.n_layers_ == (2 if step else 1)
    assert found.depths_["layers"].tolist() == [1, 2]
    assert found.depths_["weight"].sum() == pytest.approx(1.0)
    fixed = DeepGPRegressor(found.n_layers_, max_iter=150, n_restarts=1, n_inducing=15).fit(X, y)
    assert fixed.predict(PLACES).tobytes() == found.predict(PLACES).tobytes()
    assert found.depths_.loc[found.depths_["chosen"], "bound"].item() == fixed.bound_


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kernel": "SE + WN"}, "without noise; found white noise in SE"),
        ({"kernel": ["SE"]}, "a kernel for each of 2 layers; found 1"),
        ({"kernel": "SE(lengthscale=1, sd=1)"}, "without numbers"),
        ({"kernel": "SE[other]"}, "other"),
        ({"layers": "deep"}, "layers='auto'"),
        ({"layers": "auto", "max_layers": 0}, "max_layers as a whole number from 1"),
    ],
)
def test_kernels_and_depths_that_will_not_do(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        DeepGPRegressor(**{"layers": 2, **settings}).fit(X, Y)
