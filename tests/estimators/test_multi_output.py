"""Several outputs: strength is shared, missing values are no loss, and one output alone is an ordinary process."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autostatistician import AutomaticStatistician, MultiOutputGPRegressor
from autostatistician.errors import InputError
from autostatistician.estimators.multi_output import coregionalised
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.kernel import unset
from autostatistician.kernels.text import parse

X = np.linspace(0.0, 10.0, 50)[:, None]
SHARED = np.sin(X[:, 0]) + 0.5 * np.sin(2.3 * X[:, 0])


def _data(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three outputs that go together, and the same with the third observed in eight places only."""
    rng = np.random.default_rng(seed)
    whole = np.column_stack([SHARED, 2.0 * SHARED + 30.0, -SHARED + 0.3 * np.cos(X[:, 0])])
    whole = whole + 0.1 * rng.standard_normal(whole.shape)
    sparse = whole.copy()
    sparse[:, 2] = np.nan
    seen = rng.choice(50, 8, replace=False)
    sparse[seen, 2] = whole[seen, 2]
    return whole, sparse


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_sparse_output_is_predicted_better_together_than_alone(seed: int) -> None:
    whole, sparse = _data(seed)
    together = MultiOutputGPRegressor(n_restarts=2).fit(X, sparse).predict(X)[:, 2]
    seen = np.isfinite(sparse[:, 2])
    alone = MultiOutputGPRegressor(n_restarts=2).fit(X[seen], sparse[seen, 2]).predict(X)
    errors = [float(np.sqrt(np.mean((found - whole[:, 2])[~seen] ** 2))) for found in (together, alone)]
    assert errors[0] < 0.5 * errors[1]


def test_the_outputs_go_together_as_they_were_made() -> None:
    model = MultiOutputGPRegressor(n_restarts=2).fit(X, _data(0)[1])
    found = model.correlations_.to_numpy()
    assert found[0, 1] > 0.95
    assert found[0, 2] < -0.8
    np.testing.assert_allclose(found.diagonal(), 1.0)


def test_predictions_are_those_of_the_joint_process() -> None:
    _, y = _data(1)
    model = MultiOutputGPRegressor(n_restarts=1).fit(X, y)
    rows, outputs = np.nonzero(np.isfinite(y))
    middle, size = np.nanmean(y, axis=0), np.nanstd(y, axis=0)
    seen = np.column_stack([X[rows], outputs])
    columns = ("x", "output")
    K = covariance(model.kernel_, seen, None, columns)
    new = np.array([[3.3, 2.0], [11.0, 2.0]])
    cross = covariance(model.kernel_, new, seen, columns)
    expected = cross @ np.linalg.solve(K, ((y - middle) / size)[rows, outputs])
    variance = covariance(model.kernel_, new, None, columns) - cross @ np.linalg.solve(K, cross.T)
    mean, sd = model.predict(new[:, :1], return_std=True)
    np.testing.assert_allclose(mean[:, 2], middle[2] + size[2] * expected, rtol=1e-6)
    np.testing.assert_allclose(sd[:, 2], size[2] * np.sqrt(variance.diagonal()), rtol=1e-6)


def test_rank_zero_keeps_the_outputs_apart() -> None:
    _, sparse = _data(0)
    apart = MultiOutputGPRegressor(rank=0, n_restarts=1).fit(X, sparse)
    np.testing.assert_allclose(apart.correlations_, np.eye(3), atol=1e-12)
    shared = MultiOutputGPRegressor(n_restarts=1).fit(X, sparse)
    assert shared.log_evidence_ > apart.log_evidence_ + 10.0


def _evidences(y: np.ndarray, *settings: dict[str, int]) -> list[float]:
    return [MultiOutputGPRegressor(**chosen).fit(X, y).log_evidence_ for chosen in settings]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2, 3))])
def test_one_start_is_enough_where_every_output_is_observed(seed: int) -> None:
    one, more = _evidences(_data(seed)[0], {"n_restarts": 1}, {"n_restarts": 4})
    assert one == pytest.approx(more, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_default_starts_are_enough_where_noise_and_a_course_of_its_own_look_alike(seed: int) -> None:
    usual, more = _evidences(_data(seed)[1], {}, {"n_restarts": 10})
    assert usual == pytest.approx(more, abs=0.1)


@pytest.mark.slow
def test_units_of_the_outputs_do_not_matter() -> None:
    _, y = _data(2)
    scaled = MultiOutputGPRegressor().fit(X, y * [1e6, 1.0, 1e-6] + [0.0, 5.0, 0.0])
    plain = MultiOutputGPRegressor().fit(X, y)
    expected = plain.predict(X) * [1e6, 1.0, 1e-6] + [0.0, 5.0, 0.0]
    np.testing.assert_allclose(scaled.predict(X), expected, rtol=1e-3, atol=1e-9)
    counts = np.isfinite(y).sum(axis=0)
    shift = float(counts @ np.log([1e6, 1.0, 1e-6]))
    assert scaled.log_evidence_ == pytest.approx(plain.log_evidence_ - shift, rel=1e-6)


def test_frames_name_the_outputs_and_hold_categories() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"x": X[:, 0], "site": ["n", "s"] * 25})
    level = np.where(np.arange(50) % 2, 2.0, 0.0)
    y = pd.DataFrame({"a": SHARED + level, "b": level - SHARED}) + 0.05 * rng.standard_normal((50, 2))
    model = MultiOutputGPRegressor("SE[x] + Cat[site] + WN", n_restarts=1).fit(frame, y)
    assert model.outputs_ == ("a", "b")
    assert list(model.correlations_.columns) == ["a", "b"]
    at = pl.DataFrame({"x": [5.0, 5.0], "site": ["n", "s"]})
    np.testing.assert_allclose(np.diff(model.predict(at), axis=0), [[2.0, 2.0]], atol=0.2)


def test_the_kernel_is_that_of_the_parts() -> None:
    kernel = coregionalised(unset(parse("SE[x] + Lin[x] * Per[x] + Lin[x] * WN")), "output", 2, 5)
    assert str(kernel) == "SE[x] * Cat2r2[output] + Per[x] * Lin[x] * Cat2r2[output] + Lin[x] * WN * Cat2r0[output]"


@pytest.mark.parametrize(
    ("y", "options", "words"),
    [
        (np.full((50, 2), np.nan), {}, "two observations"),
        (np.ones((50, 2)), {"rank": -1}, "rank as a whole number"),
        (np.ones((50, 2)), {"n_restarts": 0}, "n_restarts as a whole number"),
        (np.ones((50, 100)), {}, "at most"),
    ],
)
def test_mistakes_are_said(y: np.ndarray, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        MultiOutputGPRegressor(**options).fit(X, y)


def test_a_search_over_a_stack_shares_strength() -> None:
    frame = pd.DataFrame({"x": X[:, 0], "one": SHARED, "two": SHARED + 3.0})
    frame = frame + 0.05 * np.random.default_rng(5).standard_normal(frame.shape) * [0.0, 1.0, 1.0]
    frame.loc[frame.index % 6 != 0, "two"] = np.nan
    stacked = frame.melt("x", ["one", "two"], "output", "value").dropna()
    model = AutomaticStatistician("interpretable", max_depth=3, n_restarts=3, n_jobs=1).fit(stacked, "value")
    assert "Cat[output]" in str(model.kernel_)
    missing = frame["two"].isna().to_numpy()
    at = pd.DataFrame({"x": X[missing, 0], "output": "two"})
    assert np.sqrt(np.mean((model.predict(at) - SHARED[missing] - 3.0) ** 2)) < 0.15
