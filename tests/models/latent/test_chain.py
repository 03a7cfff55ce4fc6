"""One chain: its steps leave the joint distribution as it is (Geweke 2004), and ranks of the truth are uniform."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare
from tests.models.latent.small_cases import slopes

from autostatistician.models.latent import chain, warp
from autostatistician.models.latent.chain import (
    LeapfrogStep,
    MixturePrior,
    Proposal,
    SamplerState,
    begun,
    first_places,
    log_density,
    principal_places,
    proposals,
    swept,
    tree_places,
)
from autostatistician.models.latent.chains import agreement
from autostatistician.models.latent.partition import Assigned, Groups, NormalWishart, obeys
from autostatistician.models.latent.warp import Warp

LABELS = np.array([0, 0, 0, 1, 1, 2])
PRIOR_OF_REARRANGING = NormalWishart.standard(2, 1.0, 5.0)
PROPOSALS = proposals(2)


def drawn(rng: np.random.Generator) -> np.ndarray:
    """Places of their groups, from the prior, one after the other."""
    X = np.zeros((len(LABELS), 2))
    for n in range(len(LABELS)):
        groups = Groups.of(PRIOR_OF_REARRANGING, X[:n], LABELS[:n], room=int(LABELS.max()) + 1)
        X[n] = groups.draw(LABELS[n : n + 1], rng)[0]
    return X


@pytest.mark.parametrize("propose", PROPOSALS)
@pytest.mark.parametrize("dimensions", [2, 3])
def test_volumes_grow_as_is_said(propose: Proposal, dimensions: int) -> None:
    X = np.random.default_rng(0).standard_normal((len(LABELS), dimensions))
    changed = False
    for seed in range(3):
        place, growth = propose(X, LABELS, np.random.default_rng(seed))
        columns = []
        for step in 1e-6 * np.eye(X.size).reshape(-1, *X.shape):
            after, before = (propose(X + s * step, LABELS, np.random.default_rng(seed))[0] for s in (1.0, -1.0))
            columns.append((after - before).ravel() / 2e-6)
        assert np.linalg.slogdet(np.array(columns))[1] == pytest.approx(growth, abs=1e-5)
        changed |= not np.allclose(place, X)  # a row alone does not turn about itself
    assert changed


@pytest.mark.slow
@pytest.mark.parametrize("propose", PROPOSALS)
def test_a_distribution_stays_as_it_is(propose: Proposal) -> None:
    """Draws of it, moved and accepted by the rule of Metropolis and Hastings, are draws of it."""
    rng, assigned, before, after, accepted = np.random.default_rng(0), Assigned(PRIOR_OF_REARRANGING, LABELS), [], [], 0
    for _ in range(400):
        X = drawn(rng)
        before.append(summary_of_rearranging(X))
        for _ in range(4):
            place, growth = propose(X, LABELS, rng)
            if np.log(rng.random()) < assigned.at(place)[0] - assigned.at(X)[0] + growth:
                X, accepted = place, accepted + 1
        after.append(summary_of_rearranging(X))
    assert accepted > 200
    gain = np.array(after) - np.array(before)
    assert np.abs(gain.mean(axis=0) / (gain.std(axis=0) / np.sqrt(len(gain)))).max() < 3.5


def summary_of_rearranging(X: np.ndarray) -> list[float]:
    """Bounded, as the distribution has long tails."""
    centre = np.tanh(X[0])
    return [*centre, *centre**2, float(np.tanh(((X[0] - X[1]) ** 2).sum())), float(np.tanh(((X[0] - X[3]) ** 2).sum()))]


def test_a_ring_is_cut_where_its_rows_are_farthest_apart() -> None:
    angle = 2.0 * np.pi * np.delete(np.arange(30), 11) / 30
    places = tree_places(np.column_stack([np.cos(angle), np.sin(angle)]), 2)
    assert np.ptp(places[:, 1]) < 1e-6
    along = np.roll(places[:, 0], -11)
    assert (np.diff(along) > 0.0).all() or (np.diff(along) < 0.0).all()


def test_rows_that_are_alike_stay_together() -> None:
    places = tree_places(np.array([[0.0], [0.0], [3.0]]), 1)[:, 0]
    assert abs(places[0] - places[1]) < 1e-3
    assert abs(places[2] - places[0]) == pytest.approx(3.0, abs=1e-3)


@pytest.mark.parametrize("shape", [(2, 1), (2, 4), (6, 3)])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_there_are_as_many_coordinates_as_asked_for(shape: tuple[int, int], dimensions: int) -> None:
    Y = np.random.default_rng(0).standard_normal(shape)
    found = tree_places(Y, min(dimensions, shape[1]))
    assert found.shape == (shape[0], min(dimensions, shape[1]))
    assert np.isfinite(found).all()
    assert np.isfinite(tree_places(np.zeros(shape), 1)).all()


@pytest.mark.parametrize(("dimensions", "tree_first"), [(3, True), (2, False)])
def test_chains_begin_with_the_tree_and_principal_components_in_turn(dimensions: int, tree_first: bool) -> None:
    Y = np.random.default_rng(0).standard_normal((9, 3))
    tree, principal = tree_places(Y, dimensions), principal_places(Y, dimensions)
    for number in range(4):
        wanted = tree if (number % 2 == 0) == tree_first else principal
        np.testing.assert_array_equal(first_places(Y, dimensions, number), wanted)


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (2, 4)])
def test_principal_coordinates_go_along_the_widest_directions(shape: tuple[int, int]) -> None:
    Y = np.random.default_rng(0).standard_normal(shape)
    Y -= Y.mean(axis=0)
    X = principal_places(Y, 2)
    assert (X * X).mean() == pytest.approx(1.0)
    largest = np.linalg.eigvalsh(Y @ Y.T)[::-1][:2]
    np.testing.assert_allclose(X.T @ X, np.diag(largest) * 2 * len(Y) / largest.sum(), atol=1e-9)


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
    numbers = warp.PRIOR_MEANS + warp.PRIOR_DEVIATIONS * rng.standard_normal(3)
    return SamplerState(labels, X, numbers, LeapfrogStep.beginning(0.08))


def columns(state: SamplerState, rng: np.random.Generator) -> Array:
    root = Warp.at(state.X, state.parameters, np.zeros((ROWS, COLUMNS))).columns.factor.lower
    return np.asarray(root @ rng.standard_normal((ROWS, COLUMNS)))


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
    assert density(place)[1] == pytest.approx(slopes(lambda at: density(at)[0], place), rel=1e-4, abs=1e-4)


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


@pytest.mark.slow
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
    monkeypatch.setattr(chain, "LONGEST", 16)


@pytest.mark.long
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
