"""What a level is about: never an expression twice, only what the likelihood admits and the data can show."""

import ast
import json
import re
import time
from collections import Counter
from dataclasses import asdict, replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.test_seam import KnownNoise

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.gp.parameters.scales import learned_priors, measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.kernel import Kernel, leaf, open_names
from autostatistician.kernels.traits import has_structure, is_noise
from autostatistician.search import constants, run
from autostatistician.search.budget import Budget
from autostatistician.search.levels import MOST_VARIANTS, Levels, strategy_for
from autostatistician.search.run import search
from autostatistician.search.series.strategy import SeriesStrategy
from autostatistician.search.settings import Settings, resolved
from autostatistician.search.stages import stage
from autostatistician.search.stages.plan import StagePlan, stage_plans
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import AT_DEPTH, OUT_OF_TIME, Candidate, SearchResult, SearchState, StepInfo
from autostatistician.search.strategy import Level
from autostatistician.search.tables.proposals import TableGrammar
from autostatistician.search.tables.strategy import TableStrategy

X = np.arange(40.0)
ERRORS = np.random.default_rng(4).normal(size=40)
QUICK = Settings(max_depth=4, restarts=1, n_jobs=1)
KINDS = Dataset((X % 3)[:, None], 4.0 * (X % 3 == 1) + ERRORS, ("kind",), "y", None, levels={"kind": ("p", "q", "r")})


def _planned(monkeypatch: pytest.MonkeyPatch, **changes: int) -> None:
    def plans(*about: Any) -> tuple[StagePlan, ...]:
        return tuple(replace(one, **changes) for one in stage_plans(*about))

    monkeypatch.setattr(stage, "stage_plans", plans)


def test_a_column_of_categories_is_searched_as_a_table() -> None:
    found = search(KINDS, LANGUAGES["extended"], QUICK)
    assert str(found.best.kernel) == "Cat[kind] + WN"
    assert {str(one.kernel) for one in found.frontier if one.level == 0} == {"WN"}


@pytest.mark.parametrize(("patience", "levels"), [(2, 2), (1, 1)])
def test_a_level_without_improvement_is_drawn_again_where_the_plan_says_so(
    patience: int, levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    _planned(monkeypatch, patience=patience)
    found = search(from_arrays(X, ERRORS), LANGUAGES["mkl"], QUICK)
    assert len(found.trace) - 1 == levels


@pytest.mark.parametrize("beam", [1, 3])
def test_neighbours_of_so_many_incumbents_are_proposed(beam: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _planned(monkeypatch, beam=beam)
    found = search(from_arrays(X, np.sin(X / 4.0) + 0.2 * ERRORS), LANGUAGES["tci"], replace(QUICK, max_depth=2))
    parents = {one.parent for one in found.frontier if one.level == 2}
    assert (len(parents) > 1) == (beam > 1)


def test_only_tables_begin_from_above() -> None:
    plane = np.column_stack([X, X[::-1] ** 2])
    series = SeriesStrategy(LANGUAGES["mkl"], Problem(X[:, None], ERRORS, ("x",)))
    grammar = TableGrammar(LANGUAGES["mkl"], ("a", "b"), frozenset())
    table = TableStrategy(grammar, Problem(plane, ERRORS, ("a", "b")), measure(plane, ERRORS, ("a", "b")))
    assert list(series.complete_kernels()) == []
    assert {str(kernel) for kernel in table.complete_kernels()} == {"SE[a] + SE[b] + WN"}


FLAT, CURVE, SLOPE = (leaf("WN", sd=1.0), leaf("SE", sd=1.0, lengthscale=2.0), leaf("Lin", sd=1.0, location=0.0))


def _result(*frontier: Candidate) -> SearchResult:
    return SearchResult(frontier[0], frontier, (), 10, 0.1, f"{AT_DEPTH} 2.", interrupted=False)


def _candidate(kernel: Kernel, score: float, level: int, parent: Expr | None) -> Candidate:
    return Candidate(kernel, 1.0, score, level, parent)


def test_parents_are_found_among_what_is_kept_of_earlier_levels() -> None:
    found = _result(
        _candidate(CURVE + SLOPE + FLAT, 5.0, 3, (CURVE + FLAT).expr),
        _candidate(CURVE + FLAT, 11.0, 1, FLAT.expr),
        _candidate(CURVE + FLAT, 11.5, 2, (SLOPE + FLAT).expr),  # drawn again: the better one is the parent
        _candidate(SLOPE + FLAT, 12.0, 1, Leaf("C")),  # not kept
        _candidate(SLOPE + CURVE * CURVE + FLAT, 13.0, 1, (CURVE + FLAT).expr),  # of the same level: no parent
        _candidate(FLAT, 20.0, 0, None),
    )
    assert found.parents == (1, 5, 3, None, None, None)


@pytest.mark.parametrize("parent", [None, Leaf("WN") + Leaf("SE", "a b]")])
def test_a_candidate_keeps_its_parent_in_a_file(parent: Expr | None) -> None:
    one = _candidate(CURVE + FLAT, 11.0, 1, parent)
    assert Candidate.from_json(json.loads(json.dumps(one.to_json()))) == one


def test_a_record_from_before_parents_were_kept_has_none() -> None:
    one = _candidate(CURVE + FLAT, 11.0, 1, FLAT.expr)
    record = one.to_json()
    del record["parent"]
    assert Candidate.from_json(record) == replace(one, parent=None)


def test_a_search_tells_what_cut_it() -> None:
    step = StepInfo(1, 2, "WN", 3.0, 1.0, 10, 1, 0.1, 3.5)
    other = replace(step, level=2, expression="SE + WN")
    best = Candidate(leaf("WN", sd=1.0), 1.0, 3.0, 1)
    found = SearchResult(best, (best,), (step, other), 10, 0.1, f"{AT_DEPTH} 2.", interrupted=False)
    assert found.cut == "depth"
    assert replace(found, trace=(step, step)).cut == ""  # the last level changed nothing
    assert replace(found, stopped=OUT_OF_TIME).cut == "budget"
    assert replace(found, interrupted=True).cut == "interruption"
    assert replace(found, stopped="No neighbour of the last model improved on it.").cut == ""


def test_a_level_from_before_scores_were_kept_has_its_bic() -> None:
    step = StepInfo(1, 2, "WN", 3.0, 1.0, 10, 1, 0.1, 3.5)
    record = asdict(step)
    assert StepInfo.from_json(record) == step
    del record["score"]
    assert StepInfo.from_json(record) == replace(step, score=3.0)


SOURCE = Path(constants.__file__).read_text(encoding="utf-8")


def _commented() -> dict[str, str]:
    """The comment above every assignment, by its line."""
    lines, found = SOURCE.splitlines(), {}
    for node in ast.parse(SOURCE).body:
        if isinstance(node, ast.Assign) and not ast.unparse(node).startswith("__all__"):
            first = place = node.lineno - 1
            while lines[place - 1].startswith("# "):
                place -= 1
            found[lines[first]] = " ".join(line.removeprefix("# ") for line in lines[place:first])
    return found


def test_every_constant_says_where_it_comes_from() -> None:
    comments = _commented()
    assert len(comments) > 20
    silent = [line for line, text in comments.items() if not re.search(r"benchmark|docs/explanation/", text)]
    assert silent == []


def test_files_that_are_named_are_there() -> None:
    root = Path(__file__).resolve().parents[2]
    named = re.findall(r"(?:benchmarks|docs/explanation)/[\w-]+\.(?:py|md)", SOURCE)
    assert named
    assert [name for name in named if not (root / name).exists()] == []


SERIES = from_arrays(np.arange(5.0), np.ones(5))
TABLE = from_arrays(np.arange(10.0).reshape(5, 2), np.ones(5), ("a", "b"))


def test_settings_come_back_from_plain_values() -> None:
    settings = Settings(max_depth=3, criterion="loo", time_budget=2.5, outliers="keep")
    assert Settings(**json.loads(json.dumps(asdict(settings)))) == settings


def test_the_loop_offers_them_under_their_first_name() -> None:
    assert run.Settings is Settings


@pytest.mark.parametrize(
    ("dataset", "language", "expected"),
    [(SERIES, "extended", "evidence"), (TABLE, "extended", "bic"),
     *((SERIES, name, "bic") for name in LANGUAGES if name != "extended")],
)  # fmt: skip
def test_an_open_criterion_is_that_of_the_kind_and_the_language(dataset: Dataset, language: str, expected: str) -> None:
    assert resolved(Settings(), dataset, LANGUAGES[language]) == Settings(criterion=expected)


def test_evidence_is_not_taken_for_very_many_rows_or_another_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolved(Settings(), SERIES, LANGUAGES["extended"], KnownNoise(1.0)).criterion == "bic"
    for most, expected in ((5, "evidence"), (4, "bic")):
        monkeypatch.setattr("autostatistician.search.settings.MOST_ROWS_BY_EVIDENCE", most)
        assert resolved(Settings(), SERIES, LANGUAGES["extended"]).criterion == expected


@pytest.mark.parametrize("asked", ["bic", "evidence", "loo"])
def test_a_criterion_that_was_asked_for_stays(asked: str) -> None:
    settings = Settings(criterion=asked)
    for dataset, language in ((SERIES, "extended"), (SERIES, "full"), (TABLE, "extended")):
        assert resolved(settings, dataset, LANGUAGES[language]) is settings


def _started(allowed: float | None, *, binds: bool = True) -> Budget:
    budget = Budget(allowed)
    budget.start(binds=binds)
    return budget


def test_without_a_limit_there_is_always_time_and_no_clock_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = _started(None)
    budget.add(1e9)
    assert budget.spent >= 1e9
    monkeypatch.setattr(time, "thread_time", lambda: pytest.fail("a call of the system before every evaluation"))
    assert (budget.left, budget.is_used_up) == (inf, False)


def test_waiting_costs_nothing() -> None:
    budget = _started(0.04)
    time.sleep(0.05)
    assert not budget.is_used_up


def test_work_counts_here_and_elsewhere() -> None:
    budget = _started(100.0)
    begin = time.thread_time()
    while time.thread_time() - begin < 0.01:
        pass
    budget.add(40.0)
    assert 0.01 < budget.spent - 40.0 < 1.0
    assert budget.left == pytest.approx(60.0, abs=1.0)
    budget.add(60.0)
    assert budget.is_used_up


def test_what_comes_before_the_start_is_not_counted_and_it_ends_nothing_before_it_binds() -> None:
    assert Budget(1.0).spent == 0.0
    budget = _started(1.0, binds=False)
    budget.add(5.0)
    assert (budget.left, budget.is_used_up) == (inf, False)
    budget.binds = True
    assert budget.is_used_up


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
