"""One chain: its steps leave the joint distribution as it is (Geweke 2004), and ranks of the truth are uniform."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from autostatistician.latent import chain, hamiltonian, warp
from autostatistician.latent.chain import MixturePrior, SamplerState, begun, log_density, swept
from autostatistician.latent.diagnostics import agreement
from autostatistician.latent.hamiltonian import Step
from autostatistician.latent.normal_wishart import Groups, NormalWishart
from autostatistician.latent.partition import obeys
from autostatistician.latent.warp import Warp

Array = NDArray[np.float64]

ROWS, COLUMNS = 5, 3
PRIOR = MixturePrior(NormalWishart.standard(2, 0.5, 8.0), 1.3)


def prior_state(rng: np.random.Generator) -> SamplerState:
    """Labels, coordinates and numbers from the prior, one point after the other."""
    labels, X = np.zeros(ROWS, dtype=np.intp), np.zeros((ROWS, 2))
    for n in range(ROWS):
        weights = np.append(np.bincount(labels[:n]), PRIOR.concentration)
        labels[n] = rng.choice(len(weights), p=weights / weights.sum())
        groups = Groups.of(PRIOR.groups, X[:n], labels[:n], room=1)
        X[n] = groups.draw(labels[n : n + 1], rng)[0]
    return SamplerState(labels, X, warp.prior_draw(rng), Step.beginning(0.08))


def columns(state: SamplerState, rng: np.random.Generator) -> Array:
    return Warp.at(state.X, state.parameters, np.zeros((ROWS, COLUMNS))).columns.draw(rng)


def told(state: SamplerState, Y: Array) -> list[float]:
    """What is compared: bounded, as the distributions have long tails."""
    X, parameters = state.X, state.parameters
    return [
        len(set(state.labels)),
        float(state.labels[0] == state.labels[1]),
        float(np.tanh((X**2).mean())),
        float(np.tanh(((X[0] - X[1]) ** 2).sum())),
        float(np.tanh(X[0] @ X[1])),
        *parameters,
        *(parameters - warp.PRIOR_MEANS) ** 2,
        float(np.tanh((Y**2).mean())),
        float(np.tanh(((Y[0] - Y[1]) ** 2).mean())),
    ]


def test_the_slope_of_a_path_is_that_of_differences() -> None:
    rng = np.random.default_rng(0)
    state = prior_state(rng)
    density = chain._conditional(state, columns(state, rng), PRIOR)
    place = chain._flat(state)
    slope, step = density(place)[1], 1e-5
    for k in range(len(place)):
        change = step * (np.arange(len(place)) == k)
        difference = (density(place + change)[0] - density(place - change)[0]) / (2.0 * step)
        assert slope[k] == pytest.approx(difference, rel=1e-4, abs=1e-4)


def test_a_sweep_says_the_density_where_it_ends() -> None:
    rng = np.random.default_rng(0)
    state = prior_state(rng)
    Y = columns(state, rng)
    for _ in range(5):
        state = swept(state, Y, PRIOR, rng, learning=True)
        assert state.level == pytest.approx(log_density(state, Y, PRIOR))
    assert state.sweeps == 5


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_a_chain_begins_with_coordinates_and_groups(dimensions: int) -> None:
    Y = np.random.default_rng(0).standard_normal((20, 3))
    state = begun(Y, dimensions, replace(PRIOR, groups=NormalWishart.standard(dimensions)), np.random.default_rng(0))
    assert state.X.shape == (20, dimensions)
    assert len(set(state.labels)) == 4  # as many as expected: 1.3 log(1 + 20 / 1.3)


def test_where_one_group_is_expected_it_begins_with_one() -> None:
    Y = np.random.default_rng(0).standard_normal((20, 3))
    state = begun(Y, 2, replace(PRIOR, concentration=1e-12), np.random.default_rng(0))
    assert set(state.labels) == {0}


def test_rows_that_are_all_alike_can_begin() -> None:
    state = begun(np.zeros((6, 2)), 1, replace(PRIOR, groups=NormalWishart.standard(1)), np.random.default_rng(0))
    assert set(state.labels) == {0}
    assert np.isfinite(state.level)


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
def test_a_chain_begins_with_parameters_that_suit_its_coordinates(scale: float) -> None:
    """Else the first path goes far from them. Where columns are more than coordinates it begins as the prior has it."""
    rng = np.random.default_rng(0)
    Y = scale * rng.standard_normal((40, 2)) @ rng.standard_normal((2, 2))
    state = begun(Y, 2, PRIOR, rng)
    for step in np.concatenate([0.1 * np.eye(3), -0.1 * np.eye(3)]):
        assert log_density(replace(state, parameters=state.parameters + step), Y, PRIOR) < state.level
    wide = begun(Y @ rng.standard_normal((2, 6)), 2, PRIOR, rng)
    np.testing.assert_array_equal(wide.parameters, warp.PRIOR_MEANS)


def test_many_rows_begin_where_a_chain_of_a_few_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "FEW_ROWS", 16)
    monkeypatch.setattr(chain, "FEW_SWEEPS", 12)
    monkeypatch.setattr(chain, "BESIDE", 0.0)
    Y = np.random.default_rng(0).standard_normal((40, 2))
    prior = replace(PRIOR, groups=NormalWishart.standard(2), inducing=np.arange(0, 40, 5))
    state = begun(Y, 2, prior, np.random.default_rng(0))
    places, of = np.unique(state.X, axis=0, return_inverse=True)
    assert len(places) == 16
    assert len({*zip(of.ravel().tolist(), state.labels.tolist(), strict=True)}) == 16  # a group for each place
    assert state.level == pytest.approx(log_density(state, Y, prior))
    known = np.where(np.arange(40) % 10 == 0, np.arange(40) // 20, -1)
    assert obeys(begun(Y, 2, replace(prior, known=known), np.random.default_rng(0)).labels, known)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A prior of numbers with short tails, in which a step of one size gets anywhere, and not on long paths."""
    monkeypatch.setattr(warp, "PRIOR_DEVIATIONS", np.full(3, 0.4))
    monkeypatch.setattr(hamiltonian, "LONGEST", 16)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("narrow")
def test_sweeps_and_new_data_in_turn_give_the_prior_back() -> None:
    rng = np.random.default_rng(1)
    wanted = np.array([told(state, columns(state, rng)) for state in (prior_state(rng) for _ in range(3000))])
    state, found = prior_state(rng), []
    for _ in range(2500):
        Y = columns(state, rng)
        state = swept(state, Y, PRIOR, rng)
        found.append(told(state, Y))
    seen = np.array(found)
    effective = np.array([agreement(one[None])[1] for one in seen.T])
    error = np.sqrt(wanted.var(axis=0) / len(wanted) + seen.var(axis=0) / effective)
    away = np.abs(seen.mean(axis=0) - wanted.mean(axis=0)) / error
    assert effective.min() > 60.0
    assert away.max() < 4.0


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("narrow")
def test_the_truth_is_anywhere_among_the_draws() -> None:
    """Simulation-based calibration (Talts et al. 2018): the rank of each true value among draws is uniform."""
    rng, ranks = np.random.default_rng(2), []
    for _ in range(100):
        truth = prior_state(rng)
        Y = columns(truth, rng)
        state, draws = begun(Y, 2, PRIOR, rng), []
        for sweep in range(65):
            state = swept(state, Y, PRIOR, rng, learning=sweep < 20)
            if sweep >= 20 and sweep % 5 == 0:
                draws.append(told(state, Y)[2:8])
        ranks.append((np.array(draws) < told(truth, Y)[2:8]).sum(axis=0))
    for rank in np.array(ranks).T:
        assert chisquare(np.bincount(rank // 2, minlength=5)[:5]).pvalue > 1e-3
