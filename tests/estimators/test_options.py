"""Settings in groups: they take effect, survive clones, and are checked when they are used."""

from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from tests.promoted import fitted

from autostatistician import (
    AutomaticStatistician,
    AutomaticStatisticianClassifier,
    ClusterPrior,
    InfiniteWarpedMixture,
    TargetOptions,
)
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.changes import units_of_model
from autostatistician.estimators.loading import load_estimator
from autostatistician.estimators.options import check_count, check_levels, check_positive, ends_of

ROWS = np.arange(20.0)[:, None]


@pytest.mark.slow
def test_both_kinds_come_back_as_what_they_were(tmp_path: Path) -> None:
    for face, y in ((AutomaticStatistician, ROWS[:, 0]), (AutomaticStatisticianClassifier, ROWS[:, 0] % 3 > 1)):
        made = face(language="linear", max_depth=0, n_jobs=1).fit(ROWS, y)
        made.save(tmp_path / "m.json")
        twin = load_estimator(tmp_path / "m.json")
        assert isinstance(twin, face)
        assert twin.get_params() == made.get_params()
        np.testing.assert_array_equal(twin.predict(ROWS), made.predict(ROWS))


def test_units_are_those_of_the_data() -> None:
    model = fitted().model_
    units = units_of_model(model)
    assert (units.target, units.axis, units.is_log) == ("sales", model.dataset.axis, False)
    assert (units.first, units.gap) == (float(model.dataset.x[0]), 7.0)


@pytest.mark.parametrize("value", [2, np.int32(2), np.uint8(2)])
def test_whole_numbers_of_any_library_are_taken(value: int) -> None:
    count = check_count("rank", value, 2)
    assert (count, type(count)) == (2, int)


@pytest.mark.parametrize("value", [1, 2.0, True, "2", None])
def test_all_else_is_refused_by_name(value: object) -> None:
    with pytest.raises(InputError, match="rank as a whole number from 2; found"):
        check_count("rank", value, 2)


def test_choices_and_sizes_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="link='probit' or link='logistic'; found 'log'"):
        check_choice("link", "log", ("probit", "logistic"))
    for value in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(InputError, match="growth above zero"):
            check_positive("growth", value)


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.5])
def test_levels_lie_between_zero_and_one(level: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        check_levels((0.5, level))
    with pytest.raises(InputError, match="between 0 and 1"):
        ends_of(level)


X = np.arange(24.0)[:, None]
Y = 5.0 + X[:, 0] + np.random.default_rng(0).normal(size=24)
QUICK: dict[str, Any] = {"language": "linear", "max_depth": 1, "n_restarts": 1, "n_jobs": 1}


@pytest.mark.parametrize("group", [TargetOptions(), ClusterPrior()])
def test_groups_are_values(group: object) -> None:
    assert group == type(group)()
    with pytest.raises(FrozenInstanceError):
        group.__setattr__(next(iter(vars(group))), 1)


def test_a_group_with_its_defaults_is_none_at_all() -> None:
    plain = AutomaticStatistician(**QUICK).fit(X, Y)
    told = AutomaticStatistician(**QUICK, target_options=TargetOptions()).fit(X, Y)
    np.testing.assert_array_equal(plain.predict(X), told.predict(X))
    assert plain.target_options is None


def test_clones_and_settings_keep_the_groups() -> None:
    model = AutomaticStatistician(target_options=TargetOptions(limits=(0.0, None)))
    assert clone(model).get_params() == model.get_params()
    mixture = InfiniteWarpedMixture(prior=ClusterPrior(concentration=0.1))
    assert clone(mixture).prior == ClusterPrior(0.1, 1.0, None)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"target_options": TargetOptions(transform="root")}, "a transform among"),
        ({"target_options": TargetOptions(outliers="drop")}, "outliers among"),
        ({"target_options": TargetOptions(limits=(1.0, 0.0))}, "the lower below the upper"),
    ],
)
def test_what_a_group_holds_is_checked_in_the_fit(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        AutomaticStatistician(**QUICK, **settings).fit(X, Y)
