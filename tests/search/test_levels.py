"""What a level is about: never an expression twice, only what the likelihood admits and the data can show."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from autostatistician.data.dataset import from_arrays
from autostatistician.inference.parameters.learned import learned_priors
from autostatistician.language.kernel import Kernel, leaf, open_names
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.traits import has_structure, is_noise
from autostatistician.search.levels import MOST_VARIANTS, Levels, strategy_for
from autostatistician.search.series.strategy import SeriesStrategy
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import Candidate, SearchState
from autostatistician.search.strategy import Level
from autostatistician.search.tables.strategy import TableStrategy

X = np.arange(40.0)
WAVE = np.sin(X / 2.0) + 0.1 * np.random.default_rng(3).normal(size=40)
NOISE = leaf("WN", sd=0.5)
SMOOTH, LINE = leaf("SE", sd=1.0, lengthscale=0.1) + NOISE, leaf("Lin", sd=1.0, location=0.0) + NOISE


def _levels(y: np.ndarray, inputs: np.ndarray = X, language: str = "tci") -> Levels:
    columns = tuple("abc"[: 1 if inputs.ndim == 1 else inputs.shape[1]])
    dataset = from_arrays(inputs, y, columns)
    _, problem, scales = standard(dataset)
    return Levels(strategy_for(dataset, LANGUAGES[language], problem, scales), problem, scales)


def _state(*kernels: Kernel, level: int = 1, stalled: bool = False) -> SearchState:
    incumbents = tuple(Candidate(kernel, 1.0, float(rank), level) for rank, kernel in enumerate(kernels))
    seen = frozenset([NOISE.expr, *(kernel.expr for kernel in kernels)])
    return SearchState(level, incumbents, incumbents, seen, 10, finished=False, stalled=stalled)


def _after(levels: Levels, state: SearchState) -> Level:
    return levels.after(state, levels.hints(levels.problem.y, detrend=True))


def test_a_series_has_its_strategy_and_a_table_another() -> None:
    assert isinstance(_levels(WAVE).strategy, SeriesStrategy)
    assert isinstance(_levels(WAVE, np.column_stack([X, X[::-1] ** 2])).strategy, TableStrategy)


def test_every_proposal_knows_its_incumbent_and_none_was_seen() -> None:
    state = _state(SMOOTH, LINE)
    level = _after(_levels(WAVE), state)
    assert level.number == 2
    assert {one.parent for one in level.proposals} == {SMOOTH.expr, LINE.expr}
    assert not {one.kernel.expr for one in level.proposals} & state.seen
    assert all(is_noise(one.kernel) for one in level.proposals)


def test_a_stalled_search_looks_again_at_all_neighbours_of_its_leader() -> None:
    level = _after(_levels(WAVE), _state(SMOOTH, LINE, stalled=True))
    assert {one.parent for one in level.proposals} == {SMOOTH.expr}
    assert NOISE.expr in {one.kernel.expr for one in level.proposals}


def test_an_expression_enters_with_a_few_numbers_known() -> None:
    both = leaf("SE", sd=1.0, lengthscale=0.1) + leaf("SE", sd=0.5, lengthscale=0.4) + NOISE
    level = _after(_levels(WAVE), _state(both, SMOOTH))
    counts = Counter((one.kernel.expr, bool(open_names(one.kernel))) for one in level.proposals)
    assert max(counts.values()) == MOST_VARIANTS


def test_what_the_data_suggest_takes_no_place_from_what_is_drawn() -> None:
    two = np.sin(2.0 * np.pi * X / 5.0) + np.sin(2.0 * np.pi * X / 11.0) + WAVE - np.sin(X / 2.0)
    level = _after(_levels(two, language="full"), _state(NOISE))
    repeated = [proposal.kernel for proposal in level.proposals if str(proposal.kernel) == "Per + WN"]
    assert [bool(open_names(kernel)) for kernel in repeated] == [False] * MOST_VARIANTS + [True]


def test_a_constant_target_has_no_structure_to_look_for() -> None:
    level = _after(_levels(np.full(40, 3.0), language="full"), _state(NOISE, level=0))
    assert level.proposals
    assert not any(has_structure(one.kernel.expr) for one in level.proposals)


@pytest.mark.parametrize(("number", "count"), [(0, 2), (1, 0)])
def test_only_the_first_level_begins_from_above(number: int, count: int) -> None:
    levels = _levels(WAVE, np.column_stack([X, X[::-1] ** 2]), "full")
    level = _after(levels, _state(NOISE, level=number))
    assert len({one.kernel.expr for one in level.complete_kernels}) == count
    assert all(one.parent == one.kernel.expr for one in level.complete_kernels)


def test_hints_are_those_of_every_column() -> None:
    found = _levels(WAVE, np.column_stack([X, X[::-1] ** 2])).hints(WAVE, detrend=False)
    assert list(found.columns) == ["a", "b"]
    assert found.columns["a"].periods[0] == pytest.approx(4.0 * np.pi / 39.0, rel=0.05)
    assert found.of(None) == found.columns["a"]


def test_by_evidence_the_first_level_is_about_sums_alone() -> None:
    dataset = from_arrays(X, WAVE, ("a",))
    _, problem, scales = standard(dataset, priors=learned_priors())
    levels = Levels(strategy_for(dataset, LANGUAGES["extended"], problem, scales, "evidence"), problem, scales)
    first, second = (_after(levels, _state(NOISE, level=number)) for number in (0, 1))
    assert first.complete_kernels
    assert {one.parent for one in first.complete_kernels} == {None}
    assert not first.proposals
    assert second.proposals
    assert not second.complete_kernels
