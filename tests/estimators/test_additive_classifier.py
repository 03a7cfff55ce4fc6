"""Classes by a sum of functions of few columns: effects and relevance of the latent function."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician import AdditiveGPClassifier
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.standard_normal((90, 3)), columns=["a", "b", "c"])
Y = np.where(1.5 * np.sin(2.0 * FRAME["a"]) + FRAME["b"] + 0.3 * RNG.standard_normal(90) > 0.0, "up", "down")


@pytest.fixture(scope="module")
def model() -> AdditiveGPClassifier:
    return AdditiveGPClassifier(max_order=2, orthogonal=True).fit(FRAME, Y)


def test_what_columns_do(model: AdditiveGPClassifier) -> None:
    assert set(model.relevance_["column"][:2]) == {"a", "b"}
    assert model.relevance_["share"][2] < 10.0
    at = FRAME.iloc[:2].assign(a=[np.pi / 4.0, -np.pi / 4.0])
    effect, sd = model.effect("a", at)
    assert effect[0] > effect[1] + 1.0
    assert (sd > 0.0).all()
    assert model.sobol()["share"].sum() == pytest.approx(100.0, abs=1e-6)
    assert model.orders_["order"].tolist() == [1, 2]
    assert len(model.plot_effects(most=2).axes) == 2


def test_a_constant_is_always_there(model: AdditiveGPClassifier) -> None:
    assert model.fitted_.kernel.layout.orders == (0, 1, 2)
    first = AdditiveGPClassifier(orders=(1,), inference="laplace").fit(FRAME, Y)
    assert first.fitted_.kernel.layout.orders == (0, 1)


def test_no_effects_of_several_functions() -> None:
    three = np.select([FRAME["a"] > 0.5, FRAME["a"] > -0.5], [0, 1], 2)
    model = AdditiveGPClassifier(max_order=1, inference="laplace").fit(FRAME, np.where(RNG.random(90) < 0.2, 1, three))
    with pytest.raises(InputError, match="two classes; found 3, with a function for each"):
        model.effect("a", FRAME)
