"""Both faces of additive kernels read the same settings in the same way."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician import AdditiveGPClassifier, AdditiveGPRegressor
from autostatistician.errors import InputError
from autostatistician.estimators.additive_base import AdditiveEstimator

X = np.random.default_rng(0).standard_normal((20, 2))
Y = np.arange(20) % 2


@pytest.mark.parametrize("face", [AdditiveGPRegressor, AdditiveGPClassifier])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kernel": "Spline"}, "a leaf among SE"),
        ({"orders": "few"}, "orders 'free' or 'all-subsets'"),
        ({"orders": (3,)}, "orders from 1 to 2"),
        ({"max_order": 0}, "max_order as a whole number from 1"),
        ({"unseen": "guess"}, "unseen='error' or unseen='new'"),
    ],
)
def test_settings_that_will_not_do(face: type[AdditiveEstimator], settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        face(**settings).fit(X, Y)
