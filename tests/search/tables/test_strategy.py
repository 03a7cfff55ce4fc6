"""The strategy for tables: one leader, and cycles that pay for being chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import linregress
from tests.search.exact import Exact

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.inference.criteria import CRITERIA
from autostatistician.inference.parameters.learned import learned_table_priors
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.language.languages import LANGUAGES
from autostatistician.language.text import parse
from autostatistician.language.traits import columns_of, is_noise
from autostatistician.search.run import Settings, search
from autostatistician.search.stages import plan
from autostatistician.search.starting.hints import distinct_frequencies
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.state import Candidate
from autostatistician.search.tables.proposals import TableGrammar
from autostatistician.search.tables.strategy import POLICY, TableStrategy

Array = NDArray[np.float64]

NAMES = ("a", "b", "c")
RNG = np.random.default_rng(5)
X = RNG.uniform(-2.0, 2.0, (90, 3))
NOISE = RNG.normal(size=90)
QUICK = Settings(max_depth=2, restarts=5, n_jobs=1)


def _product() -> Dataset:
    return from_arrays(X, np.sin(2.0 * X[:, 0]) * np.cos(1.5 * X[:, 1]) + 0.1 * NOISE, NAMES)


def test_what_is_no_reason_to_go_on_is_none_to_change_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "IMPROVEMENT", 1e6)
    found = search(_product(), LANGUAGES["full"], QUICK)
    assert str(found.best.kernel) == found.trace[-1].expression == "WN"
    assert min(one.score for one in found.frontier) < found.best.score - 100.0  # kept, beside it


def test_in_noise_there_is_nothing() -> None:
    found = search(from_arrays(X, NOISE, NAMES), LANGUAGES["extended"], QUICK)
    assert str(found.best.kernel) in ("WN", "C + WN")


def test_few_rows_show_a_clear_effect_of_one_of_two_columns() -> None:
    x, y = X[:40, :2], 0.7 * X[:40, 0] + NOISE[:40]
    assert 1e-6 < linregress(x[:, 0], y).pvalue < 1e-3
    assert "a" in columns_of(search(from_arrays(x, y, NAMES[:2]), LANGUAGES["extended"], QUICK).best.kernel.expr)


def test_columns_that_are_nearly_the_same_share_the_probability() -> None:
    twin = X[:, 0] + 0.01 * RNG.normal(size=90)
    data = from_arrays(np.column_stack([X[:, 0], twin]), X[:, 0] + NOISE, ("a", "twin"))
    scores = {str(one.kernel): one.score for one in search(data, LANGUAGES["extended"], QUICK).frontier}
    assert abs(scores["Lin[a] + WN"] - scores["Lin[twin] + WN"]) < 2.0


def _with_a_cycle(size: float) -> Dataset:
    cycle = size * np.sin(8.0 * np.pi * X[:, 1])
    return from_arrays(X, np.sin(2.0 * X[:, 0]) + 0.1 * (NOISE + cycle), NAMES)


@pytest.mark.slow
def test_a_cycle_counts_when_it_beats_all_looks_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    weak, strong = _with_a_cycle(0.75), _with_a_cycle(1.5)
    assert str(search(weak, LANGUAGES["full"], QUICK).best.kernel) == "SE[a] + WN"
    assert str(search(strong, LANGUAGES["full"], QUICK).best.kernel) == "SE[a] + Per[b] + WN"
    monkeypatch.setattr(TableStrategy, "penalty", lambda table, expr: 0.0)
    assert str(search(weak, LANGUAGES["full"], QUICK).best.kernel) == "SE[a] + Per[b] + WN"


@pytest.mark.parametrize(("criterion", "times"), [("bic", 1.0), ("laplace", 0.0)])
def test_a_period_is_charged_where_the_criterion_does_not_see_its_choice(criterion: str, times: float) -> None:
    settings = Settings(max_depth=1, restarts=5, n_jobs=1, criterion=criterion)
    found = search(_with_a_cycle(1.5), LANGUAGES["full"], settings).frontier
    one = next(one for one in found if "Per" in str(one.kernel) and one.level == 1)
    points = Problem(X, _with_a_cycle(1.5).y, NAMES)
    plain = CRITERIA[criterion].score(one.kernel, one.nll, points, measure(X, points.y, NAMES))
    looks = sum(distinct_frequencies(X[:, index], POLICY.frequencies) for index in range(3))
    assert one.score - plain == pytest.approx(times * 2.0 * np.log(looks), abs=0.02)


def test_a_constant_target_has_no_structure() -> None:
    found = search(from_arrays(X, np.full(90, 2.0), NAMES), LANGUAGES["full"], QUICK)
    assert sorted(columns_of(found.best.kernel.expr)) == []


def test_on_a_table_the_parent_is_the_one_incumbent_or_all_columns() -> None:
    found = search(_product(), LANGUAGES["interpretable"], Settings(max_depth=3, restarts=1, n_jobs=1))
    later = [(one, parent) for one, parent in zip(found.frontier, found.parents, strict=True) if one.level > 1]
    assert later
    for one, parent in later:
        leader = min((other for other in found.frontier if other.level < one.level), key=Candidate.rank)
        assert parent is not None
        assert found.frontier[parent] is leader
    wide = [
        one.parent for one, parent in zip(found.frontier, found.parents, strict=True) if one.level and parent is None
    ]
    assert wide
    assert {sorted(columns_of(expr)) == list(NAMES) for expr in wide if expr is not None} == {True}


# Likelihoods without noise


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["bic", "laplace"])
@pytest.mark.parametrize("y", [np.sin(X[:, 0]), np.full(90, 2.0)], ids=["smooth", "constant"])
def test_a_table_is_searched_without_noise(criterion: str, y: Array) -> None:
    settings = Settings(max_depth=2, restarts=2, n_jobs=1, criterion=criterion)
    found = search(from_arrays(X, y, NAMES), LANGUAGES["extended"], settings, likelihood=Exact())
    assert found.trace[0].expression == "C"
    assert not any(is_noise(one.kernel) for one in found.frontier)
    used = columns_of(found.best.kernel.expr)
    assert "a" in used if np.ptp(y) else not used


def test_a_table_is_searched_by_evidence_where_that_is_asked_for() -> None:
    settings = replace(QUICK, max_depth=1, criterion="evidence")
    assert str(search(_product(), LANGUAGES["extended"], settings).best.kernel) != "WN"


def test_by_evidence_every_leaf_is_charged_as_a_choice_among_all_on_the_columns() -> None:
    table, charges = from_arrays(X, NOISE, NAMES), []
    for priors in (None, learned_table_priors()):
        _, problem, scales = standard(table, priors=priors)
        grammar = TableGrammar(LANGUAGES["extended"], NAMES, frozenset())
        strategy = TableStrategy(grammar, problem, scales, priors is not None)
        charges.append(
            [strategy.penalty(parse(text)) for text in ("C + WN", "SE[a] + C + WN", "C + WN + SE[a] * (SE[b] + C)")]
        )
    bases = 5 * 3 + 1  # SE, Per, Lin and two rough ones on every column, and the level
    assert charges[0] == [0.0, 0.0, 0.0]
    assert charges[1] == pytest.approx([0.0, 2.0 * np.log(2.0 * bases), 6.0 * np.log(2.0 * bases)])
