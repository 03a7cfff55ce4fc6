"""Draws from priors: their covariance, their symmetry, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autostatistician
from autostatistician import SymmetricGPRegressor
from autostatistician.errors import InputError, ParseError
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.symmetry import Inputs, OrbitSum, Projection, generated, reflection, swap
from autostatistician.prior import sample, sample_deep

X = np.array([0.0, 0.4, 1.5, 1.5])
TEXT = "SE(lengthscale=1, sd=2) + WN(sd=0.5)"


def test_many_draws_have_the_covariance_of_the_kernel() -> None:
    draws = sample(TEXT, X, n_samples=20_000)
    assert draws.shape == (20_000, 4)
    assert np.cov(draws.T) == pytest.approx(covariance(parse_kernel(TEXT), X), abs=0.12)
    assert draws.mean(axis=0) == pytest.approx(0.0, abs=0.06)


def test_draws_of_a_smooth_kernel_are_smooth() -> None:
    (line,) = sample("SE(lengthscale=1, sd=1)", np.linspace(0.0, 1.0, 500))
    assert np.abs(np.diff(line, 3)).max() < 1e-6


def test_the_same_number_gives_the_same_draws() -> None:
    assert np.array_equal(sample(TEXT, X, random_state=3), sample(parse_kernel(TEXT), list(X), random_state=3))
    assert not np.array_equal(sample(TEXT, X, random_state=3), sample(TEXT, X, random_state=4))


@given(st.sampled_from([OrbitSum, Projection]), st.integers(0, 1000))
def test_draws_have_the_symmetry_of_the_view(construction: type[OrbitSum], seed: int) -> None:
    group = generated([[1, 0], ([[-1.0, 0.0], [0.0, 1.0]], [0.0, 0.0])], (1, -1))
    rows = np.random.default_rng(seed).normal(size=(3, 2))
    kernel = "SE[x1](lengthscale=1, sd=1) * SE[x2](lengthscale=2, sd=1)"
    draws = sample(
        kernel, group.orbit(rows).reshape(-1, 2), n_samples=2, random_state=seed, view=construction(group)
    ).reshape(2, len(group), 3)
    assert draws == pytest.approx(draws[:, :1] * group.signs[None, :, None], abs=1e-5)


def test_columns_have_names() -> None:
    frame = pd.DataFrame({"age": [1.0, 2.0], "size": [5.0, 9.0]})
    by_name = sample("Lin[size](sd=1, location=0)", frame)
    assert by_name[0, 1] / by_name[0, 0] == pytest.approx(9.0 / 5.0)
    assert np.array_equal(sample("Lin[x2](sd=1, location=0)", frame.to_numpy()), by_name)


def test_views_may_change_the_number_of_columns() -> None:
    circle = Inputs(lambda rows: np.column_stack([np.cos(rows[:, 0]), np.sin(rows[:, 0])]))
    kernel = "SE[x1](lengthscale=1, sd=1) * SE[x2](lengthscale=1, sd=1)"
    (line,) = sample(kernel, [0.0, 1.0, 2.0 * np.pi, 1.0 + 2.0 * np.pi], view=circle)
    assert line[2:] == pytest.approx(line[:2], abs=1e-6)


def test_draws_from_the_kernel_of_a_model() -> None:
    model = SymmetricGPRegressor(group=swap(2), n_restarts=1).fit(
        np.random.default_rng(0).normal(size=(8, 2)), range(8)
    )
    assert sample(model, np.zeros((3, 2)), n_samples=2, view=model.view_).shape == (2, 3)


def test_it_is_a_name_of_the_package() -> None:
    assert autostatistician.sample is sample


@pytest.mark.parametrize(
    ("kernel", "rows", "words"),
    [
        ("SE(sd=1) + WN(sd=1)", X, r"found SE\(lengthscale=\?, sd=1\) \+ WN\(sd=1\); give those shown as"),
        (TEXT, [0.0, np.nan], "rows of finite numbers"),
        (3, X, "a kernel, its text or a fitted estimator; found int"),
        ("SE[z](lengthscale=1, sd=1)", X, "leaves on the columns 'x'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(kernel: object, rows: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        sample(kernel, rows)
    with pytest.raises(ParseError):
        sample("SE(", X)
    with pytest.raises(InputError, match=r"whole number of layers from 0; found 1\.5"):
        sample_deep(TEXT, X, layers=1.5)  # type: ignore[arg-type]
    assert sample(TEXT, np.zeros((0, 1)), view=OrbitSum(reflection(1))).shape == (1, 0)
