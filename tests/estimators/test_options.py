"""Settings in groups: they take effect, survive clones, and are checked when they are used."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from autostatistician import AutomaticStatistician, ClusterPrior, InfiniteWarpedMixture, ModelAveraging, TargetOptions
from autostatistician.errors import InputError

X = np.arange(24.0)[:, None]
Y = 5.0 + X[:, 0] + np.random.default_rng(0).normal(size=24)
QUICK: dict[str, Any] = {"language": "linear", "max_depth": 1, "n_restarts": 1, "n_jobs": 1}


@pytest.mark.parametrize("group", [ModelAveraging(), TargetOptions(), ClusterPrior()])
def test_groups_are_values(group: object) -> None:
    assert group == type(group)()
    with pytest.raises(FrozenInstanceError):
        group.__setattr__(next(iter(vars(group))), 1)


def test_a_group_with_its_defaults_is_none_at_all() -> None:
    plain = AutomaticStatistician(**QUICK).fit(X, Y)
    told = AutomaticStatistician(**QUICK, average=ModelAveraging(), target_options=TargetOptions()).fit(X, Y)
    np.testing.assert_array_equal(plain.predict(X), told.predict(X))
    assert (plain.average, plain.target_options) == (True, None)


def test_clones_and_settings_keep_the_groups() -> None:
    model = AutomaticStatistician(average=ModelAveraging("backtest"), target_options=TargetOptions(limits=(0.0, None)))
    assert clone(model).get_params() == model.get_params()
    mixture = InfiniteWarpedMixture(prior=ClusterPrior(concentration=0.1))
    assert clone(mixture).prior == ClusterPrior(0.1, 1.0, None)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"average": ModelAveraging("votes")}, "weights='"),
        ({"target_options": TargetOptions(transform="root")}, "a transform among"),
        ({"target_options": TargetOptions(outliers="drop")}, "outliers among"),
        ({"target_options": TargetOptions(limits=(1.0, 0.0))}, "the lower below the upper"),
    ],
)
def test_what_a_group_holds_is_checked_in_the_fit(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        AutomaticStatistician(**QUICK, **settings).fit(X, Y)
