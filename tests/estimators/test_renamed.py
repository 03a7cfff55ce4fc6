"""Old names of methods and settings: they do what the new ones do, and say these."""

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from autostatistician import (
    AdditiveGPClassifier,
    AutomaticStatistician,
    AutomaticStatisticianClassifier,
    ClusterPrior,
    DeepGPRegressor,
    HKLClassifier,
    HKLRegressor,
    InfiniteWarpedMixture,
    PanelModel,
)
from autostatistician.estimators.reports import Report

X = np.arange(30.0)[:, None]


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    """A line."""
    y = 3.0 * X[:, 0] + np.random.default_rng(0).normal(size=30)
    return AutomaticStatistician("linear", max_depth=1, n_restarts=1, n_jobs=1).fit(X, y)


def test_old_names_of_methods_do_what_the_new_ones_do(model: AutomaticStatistician) -> None:
    with pytest.warns(FutureWarning, match=r"steps= is now horizon=; the old name goes"):
        old = model.forecast(steps=3)  # type: ignore[call-arg]
    assert old.equals(model.forecast(horizon=3))
    with pytest.warns(FutureWarning, match=r"result\(\) is now to_dict\(\)"):
        assert model.result() == model.to_dict()
    with pytest.warns(FutureWarning, match=r"decomposition\(\) is now explanation\(\)"):
        assert model.decomposition(2) is model.explanation(2)


@pytest.mark.parametrize(("name", "now"), [("components", "components"), ("component_correlation", "correlation"),
                                           ("forecast", "forecast")])  # fmt: skip
def test_pictures_have_one_name(model: AutomaticStatistician, name: str, now: str) -> None:
    with pytest.warns(FutureWarning, match=rf"plot_{name}\(\) is now plot.{now}\(\)") as told:
        figure = getattr(model, f"plot_{name}")()
    assert [axes.get_title() for axes in figure.axes] == [axes.get_title() for axes in getattr(model.plot, now)().axes]
    assert told[0].filename == __file__


@pytest.mark.parametrize(
    ("kind", "old", "new", "value"),
    [
        (HKLRegressor, "sharpness", "gamma", 0.5),
        (HKLClassifier, "sharpness", "gamma", 0.5),
        (InfiniteWarpedMixture, "n_places", "n_latent_samples", 20),
        (ClusterPrior, "freedom", "degrees_of_freedom", 4.0),
    ],
)
def test_old_names_of_settings_are_taken(kind: Any, old: str, new: str, value: float) -> None:
    with pytest.warns(FutureWarning, match=f"{old}= is now {new}="):
        made = kind(**{old: value})
    assert getattr(made, new) == value
    if kind is not ClusterPrior:
        assert clone(made).get_params()[new] == value
        assert old not in made.get_params()


def test_old_names_are_there_and_say_what_they_are() -> None:
    former = {
        (AutomaticStatistician, "repeats"): "seasonal_decompose",
        (AutomaticStatisticianClassifier, "latent"): "latent_mean_and_std",
        (AdditiveGPClassifier, "latent"): "latent_mean_and_std",
        (DeepGPRegressor, "bends"): "nonlinearity",
        (Report, "result"): "to_dict",
    }
    for (kind, old), new in former.items():
        assert getattr(kind, old).__doc__.startswith(f"The old name of `{new}`")
    assert callable(PanelModel.forecast)
