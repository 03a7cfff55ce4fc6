"""Several chains: no result depends on rounds, workers or stops."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.errors import CheckpointError
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.models.latent import chains as chains_module
from autostatistician.models.latent.chain import WANTED, LeapfrogStep, MixturePrior, hamiltonian_step
from autostatistician.models.latent.chains import (
    TRACED,
    ChainPlan,
    MarkovChain,
    agreement,
    identity,
    read,
    run,
    started,
    write,
)
from autostatistician.models.latent.partition import NormalWishart

FEW = np.random.default_rng(0).standard_normal((8, 2))
PRIOR, SHORT_PLAN = MixturePrior(NormalWishart.standard(2), 1.0), ChainPlan(10, 5, 1)


def _begun_with_few() -> list[MarkovChain]:
    return [started(FEW, 2, PRIOR, SHORT_PLAN, np.random.default_rng(0))]


@pytest.fixture(scope="module")
def half() -> list[MarkovChain]:
    return run(_begun_with_few(), FEW, PRIOR, SHORT_PLAN, budget=0.0)


def test_chains_go_on_from_a_file_as_if_nothing_had_been(half: list[MarkovChain], tmp_path: Path) -> None:
    write(tmp_path / "chains", half, "these")
    kept = read(tmp_path / "chains", "these")
    assert kept is not None
    assert kept[0].state.sweeps == 1
    whole = run(_begun_with_few(), FEW, PRIOR, SHORT_PLAN)
    np.testing.assert_array_equal(run(kept, FEW, PRIOR, SHORT_PLAN)[0].trace, whole[0].trace)


def test_the_same_chains_are_the_same_bytes(half: list[MarkovChain], tmp_path: Path) -> None:
    for name in ("one", "other"):
        write(tmp_path / name, half, "these")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_what_is_no_file_of_these_chains_is_refused(half: list[MarkovChain], tmp_path: Path) -> None:
    place = tmp_path / "chains"
    assert read(place, "these") is None
    write(place, half, "these")
    with pytest.raises(CheckpointError, match="other data or settings"):
        read(place, "others")
    whole = place.read_bytes()
    for content in (b"", b"PK", whole[: len(whole) // 2], b"text"):
        place.write_bytes(content)
        with pytest.raises(CheckpointError, match="fault"):
            read(place, "these")
    with pytest.raises(CheckpointError, match="no file"):
        read(tmp_path, "these")


def test_data_and_settings_are_told_apart() -> None:
    asked = ((FEW, 1), (FEW, 2), (FEW + 1e-12, 1), (FEW.T, 1))
    assert len({identity(data, {"a": value}) for data, value in asked}) == 4


RNG = np.random.default_rng(0)


def test_chains_of_one_distribution_agree_and_others_do_not() -> None:
    same = RNG.standard_normal((4, 200))
    assert agreement(same)[0] < 1.02
    assert agreement(same + np.arange(4)[:, None])[0] > 1.5


def test_what_depends_on_the_last_has_fewer_effective_samples() -> None:
    steps = RNG.standard_normal((4, 200))
    slow = np.zeros_like(steps)
    for k in range(1, 200):
        slow[:, k] = 0.9 * slow[:, k - 1] + steps[:, k]
    assert agreement(slow)[1] < 0.3 * agreement(steps)[1]


def test_edges() -> None:
    assert agreement(np.ones((4, 50))) == (1.0, 200.0)
    assert agreement(np.repeat([[0.0], [1.0]], 50, axis=1))[0] == np.inf
    assert np.isnan(agreement(np.ones((2, 0)))[0])
    assert np.isnan(agreement(RNG.standard_normal((4, 2)))[0])
    assert np.isnan(agreement(RNG.standard_normal((1, 50)))[0])


Array = NDArray[np.float64]
PRECISION = np.linalg.inv(np.array([[1.0, 0.8], [0.8, 1.0]]))


def normal(place: Array) -> tuple[float, Array]:
    return -0.5 * float(place @ PRECISION @ place), -PRECISION @ place


@pytest.mark.slow
def test_it_draws_from_a_correlated_normal_distribution() -> None:
    rng, place, seen = np.random.default_rng(0), np.zeros(2), []
    for _ in range(4000):
        place, level, _ = hamiltonian_step(normal, place, 0.3, rng)
        assert level == pytest.approx(normal(place)[0])
        seen.append(place)
    np.testing.assert_allclose(np.cov(np.array(seen).T), np.linalg.inv(PRECISION), atol=0.1)


@pytest.mark.slow
def test_the_step_learns_to_be_accepted_as_often_as_wanted() -> None:
    rng, place, step = np.random.default_rng(0), np.zeros(2), LeapfrogStep.beginning(1e-3)
    for _ in range(1500):
        place, _, accepted = hamiltonian_step(normal, place, step.size, rng)
        step = step.learnt(accepted)
    found = [hamiltonian_step(normal, place, step.averaged, rng)[2] for _ in range(500)]
    assert np.mean(found) == pytest.approx(WANTED, abs=0.1)


@pytest.mark.parametrize("fault", [NotPositiveDefinite("no"), np.linalg.LinAlgError("no"), None])
def test_where_there_is_no_density_it_stays(fault: Exception | None) -> None:
    def hostile(place: Array) -> tuple[float, Array]:
        if place[0] == 0.0:
            return 0.0, np.ones(1)
        if fault is not None:
            raise fault
        return np.nan, np.full(1, np.nan)

    place, level, accepted = hamiltonian_step(hostile, np.zeros(1), 0.1, np.random.default_rng(0))
    assert (place.tolist(), level, accepted) == ([0.0], 0.0, 0.0)


RNG_OF_CHAINS = np.random.default_rng(0)
Y = np.concatenate([RNG_OF_CHAINS.normal(-1.0, 0.2, (6, 2)), RNG_OF_CHAINS.normal(1.0, 0.2, (6, 2))])
PLAN = ChainPlan(12, 6, 2)


def begun(count: int = 2) -> list[MarkovChain]:
    generators = [np.random.default_rng(one) for one in np.random.SeedSequence(0).spawn(count)]
    return [started(Y, 2, PRIOR, PLAN, one) for one in generators]


def test_a_plan_says_what_is_kept_and_shown() -> None:
    assert [sweep for sweep in range(1, 13) if PLAN.keeps(sweep)] == [2, 4, 6, 8, 10, 12]
    assert [sweep for sweep in range(13) if PLAN.shows(sweep)] == [0, 1, 3, 12]


@pytest.fixture(scope="module")
def whole() -> list[MarkovChain]:
    """Two chains in one go."""
    return run(begun(), Y, PRIOR, PLAN)


def test_chains_leave_what_their_plan_says(whole: list[MarkovChain]) -> None:
    for chain in whole:
        assert chain.trace.shape == (12, len(TRACED))
        assert chain.kept.sweeps.tolist() == [2, 4, 6, 8, 10, 12]
        assert chain.shown.sweeps.tolist() == [0, 1, 3, 12]
        assert chain.kept.X.shape == (6, 12, 2)
        assert chain.trace[-1, 1] == chain.state.level


@pytest.mark.slow
@pytest.mark.parametrize(("first", "jobs"), [(5, 1), (50, 1), (5, 2)])
def test_rounds_and_workers_do_not_matter(
    first: int, jobs: int, whole: list[MarkovChain], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chains_module, "FIRST_ROUND", first)
    found = run(begun(), Y, PRIOR, PLAN, n_jobs=jobs)
    for one, other in zip(whole, found, strict=True):
        np.testing.assert_array_equal(one.trace, other.trace)
        np.testing.assert_array_equal(one.kept.labels, other.kept.labels)


@pytest.mark.slow
def test_a_budget_ends_between_rounds_and_the_rest_can_be_done_later(whole: list[MarkovChain]) -> None:
    rounds: list[int] = []
    part = run(begun(), Y, PRIOR, PLAN, budget=0.0, after_round=lambda now: rounds.append(now[0].state.sweeps))
    assert rounds == [chains_module.FIRST_ROUND]
    later = run(part, Y, PRIOR, PLAN)
    np.testing.assert_array_equal(later[1].trace, whole[1].trace)


def test_chains_differ(whole: list[MarkovChain]) -> None:
    one, other = whole
    assert not np.array_equal(one.trace, other.trace)
