"""The race of plain forms: weights, order, and the average that classifiers make of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician import GPClassifier
from autostatistician.data.inputs import InputColumns
from autostatistician.errors import InputError
from autostatistician.estimators.classes import AveragedFunction
from autostatistician.inference import Problem
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.model.plain_forms import raced
from autostatistician.model.sharpness import sharpened

RNG = np.random.default_rng(0)
NAMES = tuple(f"x{place}" for place in range(12))
X = RNG.standard_normal((160, len(NAMES)))
Y = np.where(X[:, 0] + X[:, 1] - X[:, 2] + 0.7 * RNG.standard_normal(160) > 0.0, 1.0, -1.0)


def test_the_likeliest_form_comes_first_and_weights_are_shares() -> None:
    race = raced(InputColumns(NAMES, {}), Problem(X, Y, NAMES, likelihood=Bernoulli()), "laplace")
    logs = [fit.log_evidence for fit in race.fits]
    assert logs == sorted(logs, reverse=True)
    assert str(race.fits[0].kernel).startswith("Lin[x0] + Lin[x1]")
    assert race.weights.sum() == pytest.approx(1.0)
    assert race.weights[0] == race.weights.max()
    assert race.log_evidence < logs[0]


def test_chances_are_averages_over_the_forms() -> None:
    model = GPClassifier(inference="laplace").fit(X, Y)
    (average,) = model.functions_
    assert isinstance(average, AveragedFunction)
    rows, likelihood = model._new(X), Bernoulli()
    each = [likelihood.averaged(mean, sd**2) for mean, sd in (one.moments(rows) for one in average.functions)]
    expected = sharpened(average.weights @ np.array(each), average.sharpness)
    assert 1.0 < average.sharpness < 1.5
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expected)
    low, high = model.probability_interval(X, level=0.8)
    narrow, wide = model.probability_interval(X, level=0.5)
    assert ((low <= narrow) & (narrow <= wide) & (wide <= high)).all()
    ends = model.probability_interval(X)
    assert ((ends[0] <= expected) & (expected <= ends[1])).all()
    mean, sd = model.latent(X)
    assert mean.shape == sd.shape == (160,)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
def test_categories_and_several_classes_take_part() -> None:
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"]).assign(kind=RNG.choice(["u", "v", "w"], 160))
    y = np.select([frame["a"] > 0.6, frame["kind"] == "u"], ["high", "marked"], "rest")
    for multi_class in ("one_vs_rest", "softmax"):
        model = GPClassifier(multi_class=multi_class, inference="laplace").fit(frame, y)
        np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1.0)
        assert model.score(frame, y) > 0.8


def test_forms_have_no_numbers_of_their_own() -> None:
    with pytest.raises(InputError, match="a kernel with all its numbers; found 'auto'"):
        GPClassifier(n_restarts=0).fit(X, Y)
