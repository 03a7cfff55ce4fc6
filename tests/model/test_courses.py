"""Columns go on by a plan, as before, or by forecasts of their own whose uncertainty is carried."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.promoted import AHEAD, ROWS, fitted, table

from autostatistician.covariates.planned import beyond
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.later import read_plan
from autostatistician.data.what_if import plan_of
from autostatistician.errors import InputError
from autostatistician.model import courses
from autostatistician.model.courses import changed, courses_of, typical
from autostatistician.model.fitted import Model
from autostatistician.model.predictions import Predictor


def _model() -> tuple[Model, np.ndarray]:
    model = fitted().model_
    assert model.dataset.axis is not None
    return model, model.dataset.axis.future(model.last, AHEAD)


def test_a_plan_is_the_one_course() -> None:
    model, x = _model()
    assert model.dataset.covariates is not None
    assert model.dataset.axis is not None
    plan = read_plan(table()[ROWS:], model.dataset.covariates, model.dataset.axis, model.last).columns
    taken = courses_of(model, x, plan)
    assert taken.assumed == taken.forecast == ()
    assert taken.columns[0].of("promo", x).tolist() == plan.table[0].values.tolist()
    planned = fitted(True).model_
    np.testing.assert_allclose(
        Predictor(model, courses=taken.columns).predictive(x[:, None]).mean,
        Predictor(planned).predictive(x[:, None]).mean, rtol=1e-9,
    )  # fmt: skip


def test_without_a_plan_columns_are_as_before_and_named() -> None:
    model, x = _model()
    taken = courses_of(model, x)
    assert taken.assumed == ("promo", "price")
    assert len(taken.columns) == 1
    assert courses_of(replace(model, effects=None), x).columns == ()


def test_forecast_columns_widen_the_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    model, x = _model()
    monkeypatch.setattr(courses, "DEPTH", 1)
    monkeypatch.setattr(courses, "MOST_ROWS", 30)
    taken = courses_of(model, x, "auto")
    assert taken.forecast == ("promo", "price")
    assert len(taken.columns) == courses.COURSES
    promo = np.array([columns.of("promo", x) for columns in taken.columns])
    assert set(np.unique(promo)) == {0.0, 1.0}
    before = np.array([columns.of("price", model.dataset.x) for columns in taken.columns])
    assert np.ptp(before, axis=0).max() == 0.0
    wide, narrow = Predictor(model, courses=taken.columns), Predictor(model)
    assert (wide.predictive(x[:, None]).std > 3.0 * narrow.predictive(x[:, None]).std).all()


def test_categories_are_drawn_by_their_chances() -> None:
    drawn = courses._states(np.array([[0.2, 1.0], [0.5, 0.0], [0.3, 0.0]]), np.arange(3.0), np.random.default_rng(0))
    assert set(np.unique(drawn[:, 0])) == {0.0, 1.0, 2.0}
    assert (drawn[:, 1] == 0.0).all()


def test_changes_hold_after_the_data_alone() -> None:
    model, x = _model()
    assert model.effects is not None
    other = changed(courses_of(model, x), plan_of("promo=1"), model.effects)
    assert (other.columns[0].of("promo", x) == 1.0).all()
    before = model.dataset.x
    np.testing.assert_array_equal(other.columns[0].of("promo", before), model.effects.columns.of("promo", before))
    with pytest.raises(InputError, match="coupon"):
        changed(courses_of(model, x), plan_of("coupon=1"), model.effects)


def test_values_beyond_those_seen_are_named() -> None:
    model, x = _model()
    assert model.effects is not None
    other = changed(courses_of(model, x), plan_of("price=99"), model.effects)
    ((name, low, high),) = beyond(model.effects, other.columns[0], x)
    assert (name, low, high) == ("price", table()["price"][:ROWS].min(), table()["price"][:ROWS].max())
    assert beyond(model.effects, courses_of(model, x).columns[0], x) == ()


def test_the_middle_of_several_courses() -> None:
    x, several = np.arange(2.0), []
    for promo, price in ((0.0, 4.0), (1.0, 5.0), (1.0, 9.0)):
        columns = (Covariate("promo", np.array([0.0, promo])), Covariate("price", np.array([np.nan, price])))
        several.append(Covariates(x, columns))
    promo, price = typical(several).table
    assert promo.values.tolist() == [0.0, 1.0]
    assert np.isnan(price.values[0])
    assert price.values[1] == 6.0


def test_too_many_steps_are_refused() -> None:
    model, x = _model()
    with pytest.raises(InputError, match="give a plan"):
        courses_of(model, x[0] + 7.0 * np.arange(2000.0), "auto")
