"""Several chains: no result depends on rounds, workers or stops."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.latent import chains as chains_module
from autostatistician.latent.chain import MixturePrior
from autostatistician.latent.chains import TRACED, MarkovChain, Plan, run, started
from autostatistician.latent.normal_wishart import NormalWishart

RNG = np.random.default_rng(0)
Y = np.concatenate([RNG.normal(-1.0, 0.2, (6, 2)), RNG.normal(1.0, 0.2, (6, 2))])
PRIOR, PLAN = MixturePrior(NormalWishart.standard(2), 1.0), Plan(12, 6, 2)


def begun(count: int = 2) -> list[MarkovChain]:
    generators = [np.random.default_rng(one) for one in np.random.SeedSequence(0).spawn(count)]
    return [started(Y, 2, PRIOR, PLAN, one) for one in generators]


def test_a_plan_says_what_is_kept_and_shown() -> None:
    assert [sweep for sweep in range(1, 13) if PLAN.keeps(sweep)] == [2, 4, 6, 8, 10, 12]
    assert [sweep for sweep in range(13) if PLAN.shows(sweep)] == [0, 1, 3, 12]


def test_chains_leave_what_their_plan_says() -> None:
    for chain in run(begun(), Y, PRIOR, PLAN):
        assert chain.trace.shape == (12, len(TRACED))
        assert chain.kept.sweeps.tolist() == [2, 4, 6, 8, 10, 12]
        assert chain.shown.sweeps.tolist() == [0, 1, 3, 12]
        assert chain.kept.X.shape == (6, 12, 2)
        assert chain.trace[-1, 1] == chain.state.level


@pytest.mark.slow
@pytest.mark.parametrize(("first", "jobs"), [(5, 1), (50, 1), (5, 2)])
def test_rounds_and_workers_do_not_matter(first: int, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = run(begun(), Y, PRIOR, PLAN)
    monkeypatch.setattr(chains_module, "FIRST_ROUND", first)
    found = run(begun(), Y, PRIOR, PLAN, n_jobs=jobs)
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(one.trace, other.trace)
        np.testing.assert_array_equal(one.kept.labels, other.kept.labels)


def test_a_budget_ends_between_rounds_and_the_rest_can_be_done_later() -> None:
    whole = run(begun(), Y, PRIOR, PLAN)
    rounds: list[int] = []
    part = run(begun(), Y, PRIOR, PLAN, budget=0.0, after_round=lambda now: rounds.append(now[0].state.sweeps))
    assert rounds == [chains_module.FIRST_ROUND]
    later = run(part, Y, PRIOR, PLAN)
    np.testing.assert_array_equal(later[1].trace, whole[1].trace)


def test_chains_differ() -> None:
    one, other = run(begun(), Y, PRIOR, PLAN)
    assert not np.array_equal(one.trace, other.trace)
