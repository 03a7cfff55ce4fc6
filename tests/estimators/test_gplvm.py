"""The latent variable model as an estimator: contract, curves that are found again, empty cells, and clear errors."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from autostatistician import GPLVM
from autostatistician.errors import InputError

RNG = np.random.default_rng(5)
T = RNG.uniform(-2.0, 2.0, 45)
CURVE = np.column_stack([np.sin(T), np.cos(T), T, np.exp(0.5 * T)]) * [1.0, 10.0, 0.1, 1.0] + 3.0
CURVE += 0.02 * RNG.normal(size=CURVE.shape) * CURVE.std(axis=0)
TRAIN, TEST = CURVE[:35], CURVE[35:]


@pytest.fixture(scope="module", params=["map", "variational"])
def model(request: pytest.FixtureRequest) -> GPLVM:
    return GPLVM(1, inference=request.param, n_inducing=12, max_iter=200).fit(TRAIN)


def test_new_rows_are_found_on_the_curve(model: GPLVM) -> None:
    places = model.transform(TEST)
    assert abs(np.corrcoef(np.vstack([model.embedding_, places])[:, 0], T)[0, 1]) > 0.97
    mean, sd = model.inverse_transform(places, return_std=True)
    errors = (mean - TEST) / TRAIN.std(axis=0)
    assert np.sqrt(np.mean(errors**2)) < 0.1
    assert np.mean(np.abs(mean - TEST) < 3.0 * sd) > 0.9
    assert model.relevances_.tolist() == [1.0]


def test_empty_cells_of_new_rows_are_filled(model: GPLVM) -> None:
    holes = TEST.copy()
    holes[:, 1] = np.nan
    filled = model.inverse_transform(model.transform(holes))
    assert np.std(filled[:, 1] - TEST[:, 1]) / TRAIN[:, 1].std() < 0.2


def test_rows_of_the_fit_keep_their_coordinates(model: GPLVM) -> None:
    np.testing.assert_array_equal(model.transform(TRAIN), model.embedding_)


def test_densities_tell_rows_on_the_curve_from_others(model: GPLVM) -> None:
    shuffled = np.column_stack([RNG.permutation(column) for column in TEST.T])
    assert model.score(TEST) > model.score(shuffled) + 3.0
    np.testing.assert_array_equal(model.score_samples(TEST), model.score_samples(TEST))


@pytest.mark.parametrize("inference", ["map", "variational"])
def test_empty_cells_of_the_fit_are_filled(inference: str) -> None:
    holes = TRAIN.copy()
    hidden = RNG.random(holes.shape) < 0.1
    holes[hidden] = np.nan
    fitted = GPLVM(1, inference=inference, n_inducing=12, max_iter=150).fit(holes)
    errors = (fitted.inverse_transform(fitted.transform(holes)) - TRAIN) / TRAIN.std(axis=0)
    assert np.sqrt(np.mean(errors[hidden] ** 2)) < 0.25


def test_units_of_columns_move_the_densities_alone() -> None:
    one, other = (GPLVM(1, max_iter=30, n_inducing=8).fit(rows) for rows in (TRAIN, 1024.0 * TRAIN))
    np.testing.assert_array_equal(one.embedding_, other.embedding_)
    assert other.objective_ == pytest.approx(one.objective_ - TRAIN.size * np.log(1024.0))
    np.testing.assert_allclose(other.score_samples(1024.0 * TEST), one.score_samples(TEST) - 4.0 * np.log(1024.0))


def test_any_kernel_is_borne_by_both() -> None:
    for inference in ("map", "variational"):
        fitted = GPLVM(1, kernel="Lin + Matern32 + WN", inference=inference, n_inducing=6, max_iter=12).fit(TRAIN)
        assert str(fitted.kernel_) == "Lin[z1] + Matern32[z1] + WN"
        errors = (fitted.inverse_transform(fitted.embedding_) - TRAIN) / TRAIN.std(axis=0)
        assert np.sqrt(np.mean(errors**2)) < 0.3


def test_names_come_out_and_the_same_numbers_after_pickling() -> None:
    frame = pd.DataFrame(TRAIN, columns=["height", "age", "mass", "dose"])
    fitted = GPLVM(2, max_iter=10).set_output(transform="pandas").fit(frame)
    assert list(fitted.transform(frame).columns) == ["gplvm0", "gplvm1"]
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(frame[::3]), fitted.transform(frame[::3]))


@pytest.mark.parametrize(
    ("settings", "rows", "message"),
    [
        ({"inference": "laplace"}, TRAIN, "inference='variational' or inference='map'; found 'laplace'"),
        ({"n_latent": 0}, TRAIN, "n_latent as a whole number from 1; found 0"),
        ({"kernel": "SE"}, TRAIN, "white noise as one term"),
        ({"kernel": "SE[z9] + WN"}, TRAIN, "leaves on the columns 'z1', 'z2'; found a leaf on column 'z9'"),
        ({}, pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}), "columns of numbers; found categories in column 'a'"),
        ({}, [[1.0, np.nan], [2.0, np.nan]], "a number in every column; found none in column 2"),
    ],
)
def test_errors_say_what_to_do(settings: dict[str, Any], rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GPLVM(**settings).fit(rows)


def test_coordinates_of_another_width_are_refused(model: GPLVM) -> None:
    with pytest.raises(InputError, match="1 coordinates in every row; found 2"):
        model.inverse_transform([[0.0, 1.0]])
