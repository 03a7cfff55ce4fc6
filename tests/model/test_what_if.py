"""What a forecast would be with other columns differs by what these do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.promoted import PROMOTION, fitted

from autostatistician.data.transform import Transform
from autostatistician.data.what_if import Change
from autostatistician.model.courses import changed, courses_of
from autostatistician.model.fitted import Model
from autostatistician.model.predictions import Predictor
from autostatistician.model.what_if import Amounts, what_if


def _pair(model: Model, x: np.ndarray, value: float) -> tuple[Predictor, Predictor]:
    assert model.effects is not None
    first = changed(courses_of(model, x), [Change("promo", "set", 0.0)], model.effects)
    second = changed(first, [Change("promo", "set", value)], model.effects)
    return Predictor(model, courses=first.columns), Predictor(model, courses=second.columns)


def test_the_difference_is_that_of_the_column() -> None:
    model = fitted().model_
    assert model.dataset.axis is not None
    x = model.dataset.axis.future(model.last, 3)
    answer = what_if(*_pair(model, x, 1.0), x)
    np.testing.assert_allclose(answer.difference.mean, answer.second.mean - answer.first.mean, rtol=1e-6)
    assert answer.total.mean == pytest.approx(3.0 * answer.average.mean)
    assert float(answer.average.lower) < PROMOTION + 0.5
    assert float(answer.average.upper) > PROMOTION - 0.5
    assert float(answer.share.mean) == pytest.approx(float(answer.total.mean) / answer.first.mean.sum())
    same = what_if(*_pair(model, x, 0.0), x)
    assert (same.difference.lower == 0.0).all()
    assert (same.difference.upper == 0.0).all()


def test_effects_on_a_logarithm_are_factors() -> None:
    model = fitted().model_
    assert model.dataset.axis is not None
    assert model.effects is not None
    x = model.dataset.axis.future(model.last, 2)
    y = np.log(model.dataset.y / 100.0)
    effects = replace(model.effects, draws=model.effects.draws / 100.0)
    choice, data = replace(model.choice, transform=Transform("log", 100.0)), replace(model.dataset, y=100.0 * np.exp(y))
    logged = replace(model, dataset=data, choice=choice, effects=effects)
    answer = what_if(*_pair(logged, x, 1.0), x)
    np.testing.assert_allclose(answer.difference.mean, answer.second.mean - answer.first.mean)
    assert (answer.difference.lower < answer.difference.mean).all()
    assert (answer.difference.mean < answer.difference.upper).all()


def test_ranges_of_draws() -> None:
    amounts = Amounts.of_draws(np.arange(101.0)[:, None] * np.array([1.0, 2.0]), np.array([7.0, 8.0]))
    np.testing.assert_allclose(amounts.upper, [97.5, 195.0])
    assert amounts.mean.tolist() == [7.0, 8.0]
