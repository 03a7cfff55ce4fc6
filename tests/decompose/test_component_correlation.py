"""Posterior covariances between parts: against the formula, against sums, against draws; and what is shown of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import kernels

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.decompose.component_correlation import (
    component_correlation,
    component_covariance,
    correlations,
    covariances,
    parts_along_columns,
    signal_parts,
)
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.projection import draw
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.text import parse_kernel

RNG = np.random.default_rng(0)
LINE = from_arrays(np.sort(RNG.uniform(0.0, 10.0, 15)), RNG.normal(size=15))
PLANE = from_arrays(RNG.uniform(0.0, 10.0, (15, 2)), RNG.normal(size=15), ("a", "b"))
ON_LINE = "SE(lengthscale=2, sd=1) + Lin(sd=0.3, location=4) + Per(lengthscale=1, period=3, sd=0.7) + WN(sd=0.5)"
ON_PLANE = (
    "SE[a](lengthscale=2, sd=1) + SE[b](lengthscale=3, sd=0.4) + SE[a](lengthscale=1, sd=1) * Lin[b](sd=1, location=2)"
)
CASES = [(ON_LINE, LINE), (ON_PLANE + " + WN(sd=0.4)", PLANE)]
PLACES = np.linspace(-2.0, 12.0, 6)


def _places(dataset: Dataset) -> np.ndarray:
    return np.repeat(PLACES[:, None], len(dataset.columns), axis=1)


@pytest.mark.parametrize(("text", "dataset"), CASES, ids=["line", "plane"])
def test_it_is_the_formula(text: str, dataset: Dataset) -> None:
    kernel, X, at = parse_kernel(text), dataset.X, _places(dataset)
    K = covariance(kernel, X, None, dataset.columns)
    found = component_covariance(condition(kernel, Problem.of(dataset)), at)
    parts = signal_parts(kernel)
    assert found.shape == (len(parts), len(parts), 6, 6)
    for i, one in enumerate(parts):
        for j, other in enumerate(parts):
            left, right = (covariance(part, X, at, dataset.columns) for part in (one, other))
            expected = -left.T @ np.linalg.solve(K, right)
            if i == j:
                expected += covariance(one, at, None, dataset.columns)
            np.testing.assert_allclose(found[i, j], expected, atol=1e-10)


@pytest.mark.parametrize(("text", "dataset"), CASES, ids=["line", "plane"])
@pytest.mark.parametrize("at_data", [True, False])
def test_all_entries_together_are_the_covariance_of_the_signal(text: str, dataset: Dataset, at_data: bool) -> None:
    kernel, at = parse_kernel(text), None if at_data else _places(dataset)
    found = component_covariance(condition(kernel, Problem.of(dataset)), at)
    _, whole = condition(kernel, Problem.of(dataset)).signal_joint(at)
    np.testing.assert_allclose(found.sum(axis=(0, 1)), whole, atol=1e-9)
    np.testing.assert_allclose(found, found.transpose(1, 0, 3, 2), atol=1e-12)
    joint = found.transpose(0, 2, 1, 3).reshape(found.shape[0] * found.shape[2], -1)
    assert np.linalg.eigvalsh(joint).min() > -1e-9


@given(kernels(max_leaves=5))
def test_covariances_of_any_parts_add_up_to_that_of_the_whole(kernel: Kernel) -> None:
    kernel, at = kernel + leaf("WN", sd=0.5), _places(LINE)
    posterior, parts = condition(kernel, Problem.of(LINE)), components(kernel)
    found = covariances(posterior, parts, [at] * len(parts))
    scale = 1e-6 * max(float(covariance(kernel, at).diagonal().max()), 1.0)
    np.testing.assert_allclose(sum(sum(row) for row in found), posterior.project(kernel, at).covariance(), atol=scale)
    for index, part in enumerate(parts):
        np.testing.assert_allclose(found[index][index], posterior.project(part, at).covariance(), atol=scale)


def test_draws_of_the_joint_prior_that_meet_the_data_vary_together_like_this() -> None:
    """Matheron's rule: a draw of all parts, moved by what the data say against their sum, is one of the posterior."""
    kernel, count = parse_kernel(ON_LINE), 20_000
    parts, X = signal_parts(kernel), np.vstack([LINE.X, _places(LINE)])
    rng = np.random.default_rng(1)
    drawn = [draw(np.zeros(len(X)), covariance(part, X), rng, scale=1.0, count=count) for part in parts]
    error = LINE.y - sum(one[:, :15] for one in drawn) - 0.5 * rng.normal(size=(count, 15))
    weights = np.linalg.solve(covariance(kernel, LINE.X), error.T)
    moved = [
        one[:, 15:] + (covariance(part, LINE.X, _places(LINE)).T @ weights).T
        for one, part in zip(drawn, parts, strict=True)
    ]
    found = component_covariance(condition(kernel, Problem.of(LINE)), _places(LINE))
    scale = np.sqrt(np.einsum("iiaa->ia", found))
    for i, one in enumerate(moved):
        for j, other in enumerate(moved):
            sampled = (one - one.mean(axis=0)).T @ (other - other.mean(axis=0)) / count
            np.testing.assert_allclose(
                sampled / np.outer(scale[i], scale[j]), found[i, j] / np.outer(scale[i], scale[j]), atol=0.04
            )


@given(st.floats(0.01, 100.0), st.floats(0.01, 100.0))
def test_correlations_are_between_their_bounds_and_one_with_themselves(lengthscale: float, sd: float) -> None:
    kernel = parse_kernel(f"SE(lengthscale={lengthscale}, sd={sd}) + Lin(sd={sd}, location=3) + WN(sd=0.1)")
    found = component_correlation(condition(kernel, Problem.of(LINE)), PLACES[:, None])
    assert np.abs(found).max() <= 1.0
    for part in (0, 1):
        np.testing.assert_allclose(found[part, part].diagonal(), 1.0, atol=1e-12)


def test_a_part_without_variance_at_a_place_has_no_correlation_there() -> None:
    kernel = parse_kernel("SE(lengthscale=2, sd=1) + Lin(sd=0.3, location=4) + WN(sd=0.5)")
    found = component_correlation(condition(kernel, Problem.of(LINE)), np.array([[4.0], [5.0]]))
    line = [str(part) for part in signal_parts(kernel)].index("Lin")
    assert not found[line, :, 0].any()
    assert found[line, line, 1, 1] == pytest.approx(1.0)


def test_parts_that_could_take_each_others_place_go_against_each_other() -> None:
    kernel = parse_kernel("SE(lengthscale=2, sd=1) + SE(lengthscale=2.1, sd=1) + WN(sd=0.1)")
    found = component_correlation(condition(kernel, Problem.of(LINE)), LINE.X)
    assert found[0, 1].diagonal().max() < -0.95


def test_noise_alone_has_no_parts() -> None:
    assert component_covariance(condition(parse_kernel("WN(sd=1)"), Problem.of(LINE))).shape == (0, 0, 0, 0)


def test_every_part_is_shown_along_its_own_column() -> None:
    kernel = parse_kernel(f"{ON_PLANE} + SE[b](lengthscale=1, sd=1e-6) + C(sd=1) + WN(sd=0.4)")
    posterior = condition(kernel, Problem.of(PLANE))
    found = parts_along_columns(posterior, signal_parts(kernel), points=5)
    assert [(str(part), column) for part, column, _ in found] == [("SE[a]", 0), ("SE[b]", 1)]
    for _, column, X in found:
        low, high = PLANE.X[:, column].min(), PLANE.X[:, column].max()
        np.testing.assert_allclose(X[[0, -1], column], [low - 0.05 * (high - low), high + 0.05 * (high - low)])
        assert np.ptp(X[:, 1 - column]) == 0.0
    parts, _, inputs = zip(*found, strict=True)
    blocks = covariances(posterior, parts, inputs)
    assert blocks[0][1].shape == (5, 5)
    np.testing.assert_allclose(blocks[0][1], blocks[1][0].T)
    assert np.abs(correlations(posterior, parts, inputs)[0][1]).max() <= 1.0


def test_on_one_column_all_parts_are_shown_constants_too() -> None:
    kernel = parse_kernel("C(sd=1) + SE(lengthscale=2, sd=1) + WN(sd=1)")
    assert len(parts_along_columns(condition(kernel, Problem.of(LINE)), signal_parts(kernel), points=3)) == 2
