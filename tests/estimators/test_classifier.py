"""A classifier by any kernel of the language."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician import GPClassifier
from autostatistician.errors import InputError
from autostatistician.inference.classes.expectation import expectation_propagation
from autostatistician.inference.covariance.matrices import covariance
from autostatistician.inference.likelihoods.bernoulli import Bernoulli
from autostatistician.language.kernel import Kernel, leaf, unset
from autostatistician.language.text import parse

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({"time": np.arange(80.0), "dose": RNG.uniform(5.0, 9.0, 80), "kind": ["a", "b"] * 40})
Y = np.sin(2.0 * np.pi * FRAME["time"] / 12.0) + 0.7 * (FRAME["kind"] == "a") + 0.4 * RNG.standard_normal(80) > 0.3


def test_a_kernel_of_the_language() -> None:
    wave = leaf("Per", column="time", lengthscale=1.0, period=11.6, sd=1.0)
    model = GPClassifier(wave + unset(parse("Cat[kind] + C"))).fit(FRAME, Y)
    assert isinstance(model.kernel_, Kernel)
    assert model.kernel_.parts[0].named()["period"] == pytest.approx(12.0, rel=0.02)
    assert model.score(FRAME, Y) > 0.8
    later = FRAME.assign(time=FRAME["time"] + 120.0)
    assert (model.predict(later) == model.predict(FRAME)).mean() > 0.8
    with pytest.raises(ValueError, match="'c'"):
        model.predict(FRAME.assign(kind="c"))


def test_numbers_in_units_of_the_data_are_kept() -> None:
    X, y = FRAME[["dose"]], FRAME["dose"] + 0.8 * np.sin(9.0 * FRAME["time"]) > 7.0
    kernel = leaf("SE", column="dose", lengthscale=1.5, sd=2.0) + leaf("Lin", column="dose", sd=0.4, location=6.5)
    model = GPClassifier(kernel, n_restarts=0).fit(X, y)
    assert isinstance(model.kernel_, Kernel)
    np.testing.assert_allclose(model.kernel_.values, kernel.values)
    K = covariance(kernel, X.to_numpy(), None, ("dose",))
    expected = expectation_propagation(K, np.where(y, 1.0, -1.0), Bernoulli())
    assert model.log_evidence_ == pytest.approx(expected.log_evidence, abs=1e-8)
    np.testing.assert_allclose(model.latent(X)[0], expected.given.mean, atol=1e-6)


def test_the_scale_of_columns_changes_nothing() -> None:
    X = FRAME[["time", "dose"]]
    one, other = GPClassifier().fit(X, Y), GPClassifier().fit(X * [100.0, 0.01] + 3.0, Y)
    np.testing.assert_allclose(one.predict_proba(X), other.predict_proba(X * [100.0, 0.01] + 3.0), atol=1e-3)


@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
def test_classes_all_together() -> None:
    X = RNG.standard_normal((50, 2))
    y = np.select([X[:, 0] > 0.5, X[:, 1] > 0.3], ["right", "top"], "rest")
    model = GPClassifier(multi_class="softmax").fit(X, y)
    p, (low, high) = model.predict_proba(X), model.probability_interval(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert ((low <= p) & (p <= high)).all()
    assert model.score(X, y) > 0.85
    mean, sd = model.latent(X)
    assert mean.shape == sd.shape == (50, 3)
    assert isinstance(model.kernel_, Kernel)
    two = GPClassifier(multi_class="softmax").fit(X, X[:, 0] + np.sin(3.0 * X[:, 1]) > 0.0)
    assert two.latent(X)[0].shape == (50,)


def test_what_will_not_do_is_told() -> None:
    with pytest.raises(InputError, match="without noise; found white noise"):
        GPClassifier("SE + WN").fit(FRAME[["dose"]], Y)
    with pytest.raises(InputError, match="a kernel with all its numbers"):
        GPClassifier("SE", n_restarts=0).fit(FRAME[["dose"]], Y)
    with pytest.raises(InputError, match="multi_class"):
        GPClassifier(multi_class="all").fit(FRAME[["dose"]], Y)
