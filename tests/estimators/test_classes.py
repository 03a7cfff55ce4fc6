"""Labels, more than two classes, and the laws of probabilities, for both classifiers."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician import AdditiveGPClassifier, GPClassifier
from autostatistician.errors import InputError
from autostatistician.estimators.classes import LatentClassifier, SeparableWarning, read_labels

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.standard_normal((60, 2)), columns=["age", "dose"])
SCORE = FRAME["age"] + np.sin(2.0 * FRAME["dose"]) + 0.4 * RNG.standard_normal(60)
TWO = np.where(SCORE > 0.0, "yes", "no")
THREE = np.select([SCORE > 0.7, SCORE > -0.7], ["high", "middle"], "low")
ARD = partial(GPClassifier, "SE + C")
MAKERS = pytest.mark.parametrize("make", [GPClassifier, ARD, AdditiveGPClassifier])


@pytest.mark.parametrize("make", [ARD, AdditiveGPClassifier])
def test_two_classes_of_text(make: Callable[..., LatentClassifier]) -> None:
    model = make().fit(FRAME, TWO)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.score(FRAME, TWO) > 0.85
    p, (mean, sd) = model.predict_proba(FRAME), model.latent_mean_and_std(FRAME)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(FRAME)), p)
    assert ((mean > 0.0) == (model.predict(FRAME) == "yes")).all()
    low, high = model.probability_interval(FRAME)
    assert ((low < p[:, 1]) & (p[:, 1] < high)).all()
    narrow = model.probability_interval(FRAME, level=0.5)
    assert ((narrow[0] > low) & (narrow[1] < high)).all()
    assert (sd > 0.0).all()


@MAKERS
@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
def test_three_classes_one_against_the_rest(make: Callable[..., LatentClassifier]) -> None:
    model = make(inference="laplace").fit(FRAME, THREE)
    assert model.classes_.tolist() == ["high", "low", "middle"]
    p = model.predict_proba(FRAME)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert model.score(FRAME, THREE) > 0.7
    assert model.latent_mean_and_std(FRAME)[0].shape == p.shape == (60, 3)
    assert model.probability_interval(FRAME)[1].shape == (60, 3)


@MAKERS
def test_the_order_of_labels_only_turns_probabilities_round(make: Callable[..., LatentClassifier]) -> None:
    one, other = make().fit(FRAME, TWO == "yes"), make().fit(FRAME, TWO == "no")
    np.testing.assert_allclose(one.predict_proba(FRAME), other.predict_proba(FRAME)[:, ::-1], atol=1e-4)
    np.testing.assert_array_equal(one.predict_proba(FRAME), make().fit(FRAME, TWO == "yes").predict_proba(FRAME))


@MAKERS
def test_three_rows_of_a_class_are_no_certainty(make: Callable[..., LatentClassifier]) -> None:
    rare = np.array(["common"] * 57 + ["rare"] * 3)
    p = make().fit(FRAME, rare).predict_proba(FRAME)[:, 1]
    assert 0.0 < p.mean() < 0.2


@MAKERS
def test_classes_that_can_be_separated_warn(make: Callable[..., LatentClassifier]) -> None:
    with pytest.warns(SeparableWarning, match="the data do not say how large") as warned:
        make().fit(FRAME[["age"]], FRAME["age"] > 0.3)
    assert [warning.filename for warning in warned] == [__file__]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["yes"] * 60, "one class only, 'yes'"),
        (["yes", None] * 30, "a class for every row; found none in row 2"),
        ([1.0, np.nan] * 30, "a class for every row; found none in row 2"),
        (np.linspace(0.0, 1.0, 60), "Unknown label type: continuous"),
        (None, "y is None"),
    ],
)
def test_labels_that_will_not_do(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GPClassifier().fit(FRAME, y)


@MAKERS
def test_settings_that_will_not_do(make: Callable[..., LatentClassifier]) -> None:
    for settings, message in (
        ({"inference": "vi"}, "inference='ep'.* or inference=.*; found 'vi'"),
        ({"link": "cauchit"}, "link='probit' or link='logistic'"),
        ({"n_restarts": -1}, "n_restarts as a whole number"),
    ):
        with pytest.raises(InputError, match=message):
            make(**settings).fit(FRAME, TWO)
    with pytest.raises(InputError, match="a level between 0 and 1; found 95"):
        make(inference="laplace").fit(FRAME, TWO).probability_interval(FRAME, level=95)
    with pytest.raises(InputError, match="NaN in row 1"):
        make().fit(FRAME.mask(FRAME.iloc[0, 0] == FRAME), TWO)


def test_labels_as_numbers_and_truth_values() -> None:
    for y, expected in (([2, 7, 2], [2, 7]), ([True, False, True], [False, True])):
        classes, codes = read_labels(y, np.zeros((3, 1)))
        assert classes.tolist() == expected
        assert classes[codes].tolist() == y
