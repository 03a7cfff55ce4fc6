"""The strategy for tables: one leader, and cycles that pay for being chosen."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import linregress
from tests.search.exact import Exact

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.parameters.scales import learned_table_priors, measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.grammar import LANGUAGES, Operator
from autostatistician.kernels.kernel import Kernel, leaf, open_names, size
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import columns_of, is_noise
from autostatistician.search.budget import Budget
from autostatistician.search.racing import tasks
from autostatistician.search.racing.race import Heat, Leg, Schedule, Source, further, run_race
from autostatistician.search.racing.rounds import Proposal, Rounds
from autostatistician.search.racing.tasks import Rows
from autostatistician.search.racing.workers import Runner
from autostatistician.search.run import Settings, search
from autostatistician.search.stages import plan
from autostatistician.search.starting.hints import ColumnHints, distinct_frequencies, hints
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import Context
from autostatistician.search.state import Candidate, SearchResult
from autostatistician.search.strategy import Level
from autostatistician.search.tables.additive import blocks_of, eliminated, objections
from autostatistician.search.tables.classes import ClassStrategy
from autostatistician.search.tables.proposals import TableGrammar, without
from autostatistician.search.tables.schedules import Elimination
from autostatistician.search.tables.strategy import POLICY, TableStrategy

FOUR = ("a", "b", "c", "d")
DRAWN = np.random.default_rng(3)
ROWS = DRAWN.uniform(0.0, 1.0, (60, 4))
Y = np.sin(6.0 * ROWS[:, 1]) + 0.1 * DRAWN.normal(size=60)


def test_columns_that_the_data_do_not_need_go_and_others_stay() -> None:
    scales = measure(ROWS, Y, FOUR)
    columns = zip(FOUR, ROWS.T, strict=True)
    suggestions = ColumnHints({name: hints(x, Y, detrend=False) for name, x in columns})
    complete = TableGrammar(LANGUAGES["mkl"], FOUR, frozenset()).over_all_columns(scales)
    level = Level(1, [], [Proposal(one, one.expr) for one in complete], Context(scales, suggestions, suggestions))
    rounds = Rounds(Runner(Problem(ROWS, Y, FOUR), 0, 1), FOUR, "bic", 0, Budget(None), lambda kernel: 0.0)
    begun = Heat(Source.COMPLETE, (further(Rows.FEW, 20), Elimination()))
    trials, spent = run_race(Schedule((Leg((begun,)),)), rounds, level)
    assert {columns_of(one.expr) for one in complete} == {frozenset(FOUR)}
    assert "b" in columns_of(min(trials, key=rounds.score).kernel.expr)
    assert len(columns_of(min(trials, key=rounds.score).kernel.expr)) < len(FOUR)
    assert spent > len(FOUR) * len(trials)


NAMES = ("a", "b", "c")
RNG = np.random.default_rng(5)
X = RNG.uniform(-2.0, 2.0, (90, 3))
NOISE = RNG.normal(size=90)
QUICK = Settings(max_depth=2, restarts=5, n_jobs=1)


@pytest.fixture(scope="module")
def product() -> SearchResult:
    return search(_product(), LANGUAGES["full"], QUICK)


def _product() -> Dataset:
    return from_arrays(X, np.sin(2.0 * X[:, 0]) * np.cos(1.5 * X[:, 1]) + 0.1 * NOISE, NAMES)


def test_a_product_of_two_columns_is_found_and_the_third_left_out(product: SearchResult) -> None:
    assert sorted(columns_of(product.best.kernel.expr)) == ["a", "b"]
    assert product.best.kernel.values[-1] == pytest.approx(0.1, rel=0.4)
    assert product.evaluations < 1600  # nothing that is whole already is freed again and again


def test_a_sum_is_found() -> None:
    y = np.sin(2.0 * X[:, 0]) + np.cos(3.0 * X[:, 2]) + 0.1 * NOISE
    found = search(from_arrays(X, y, NAMES), LANGUAGES["full"], Settings(max_depth=1, restarts=5, n_jobs=1))
    assert str(found.best.kernel) == "SE[a] + SE[c] + WN"


def test_what_is_found_on_parts_is_judged_on_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SUBSET_ROWS", 20)
    monkeypatch.setattr(tasks, "LARGER_SUBSET_ROWS", 40)
    monkeypatch.setattr(tasks, "VERY_MANY_ROWS", 60)
    data = _product()
    data = Dataset(data.X[:88], data.y[:88], data.columns, data.target, None)  # not the subsets of another test
    found = search(data, LANGUAGES["full"], Settings(max_depth=1, restarts=5, n_jobs=1))
    for one in found.frontier:
        expected = objective_of(one.kernel.expr, Problem(data.X, data.y, NAMES)).value(one.kernel.values)
        assert one.nll == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(product: SearchResult) -> None:
    found = search(_product(), LANGUAGES["full"], Settings(max_depth=2, restarts=5, n_jobs=2))
    assert [(one.kernel, one.nll) for one in found.frontier] == [(one.kernel, one.nll) for one in product.frontier]
    assert found.evaluations == product.evaluations


WIDE = np.random.default_rng(0)
MANY = tuple(f"x{place}" for place in range(16))


def _classes(X: np.ndarray, function: np.ndarray) -> Problem:
    y = np.where(function + 0.5 * WIDE.standard_normal(len(X)) > 0.0, 1.0, -1.0)
    return Problem(X, y, MANY, likelihood=Bernoulli())


def _acting(problem: Problem, categories: frozenset[str] = frozenset()) -> set[str]:
    (*_, surest) = eliminated(problem, blocks_of(problem, categories), (4.0,))
    return {block.column for block in surest.blocks}


def test_elimination_leaves_the_columns_that_act_whatever_their_units() -> None:
    X = WIDE.standard_normal((300, len(MANY)))
    assert _acting(_classes(X * np.logspace(-3, 3, len(MANY)), X[:, 2] + X[:, 9] ** 2 - 1.0)) == {"x2", "x9"}


def test_of_a_column_and_its_copy_one_stays() -> None:
    X = WIDE.standard_normal((300, len(MANY)))
    X[:, 1] = X[:, 0] + 0.01 * WIDE.standard_normal(300)
    acting = _acting(_classes(X, 2.0 * X[:, 0] + X[:, 5]))
    assert len(acting) == 2
    assert "x5" in acting


def test_categories_act_too_and_noise_leaves_nothing() -> None:
    X = WIDE.standard_normal((300, len(MANY)))
    X[:, 4] = WIDE.integers(0, 3, 300)
    assert _acting(_classes(X, np.where(X[:, 4] == 1.0, 1.5, -1.0)), frozenset({"x4"})) == {"x4"}
    noise = _classes(X, np.zeros(300))
    assert eliminated(noise, blocks_of(noise, ()), (4.0,)) == []


def test_the_pair_that_a_function_lacks_is_objected_to_first() -> None:
    X = WIDE.standard_normal((400, len(MANY)))
    problem = _classes(X, X[:, 0] + 1.5 * X[:, 3] * X[:, 6])
    lacking = objections(problem, blocks_of(problem, ()), {"x0"}, X[:, 0], paired=len(MANY))
    assert lacking[0].columns == ("x3", "x6")
    line = next(one for one in lacking if one.columns == ("x0",) and one.is_line)
    assert line.ratio < 1.0  # what the model has already


def test_neighbours_hold_every_column_that_a_plain_test_objects_to() -> None:
    X = WIDE.standard_normal((400, len(MANY)))
    problem = _classes(X, 0.6 * X @ np.eye(len(MANY))[[1, 4, 7, 10, 13]].sum(axis=0))
    grammar = TableGrammar(LANGUAGES["extended"], MANY, frozenset(), has_noise=False)
    strategy = ClassStrategy(grammar, problem, measure(X, problem.y, MANY), by_evidence=True)
    led = leaf("Lin", "x1", sd=0.6, location=0.0)
    whole = [one for one in strategy.neighbours(led) if not open_names(one)]
    assert {"x4", "x7", "x10", "x13"} <= {name for one in whole for name in columns_of(one.expr)}


SCALES = measure(np.random.default_rng(5).uniform(-2.0, 2.0, (90, 3)), np.random.default_rng(6).normal(size=90), NAMES)


def _kernel(text: str) -> Kernel:
    expr = parse(text)
    return Kernel(expr, tuple(np.linspace(0.5, 1.0, size(expr))))


def _table(language: str, columns: tuple[str, ...] = NAMES, categories: frozenset[str] = frozenset()) -> TableGrammar:
    return TableGrammar(LANGUAGES[language], columns, categories)


def _texts(kernels: list[Kernel]) -> set[str]:
    return {str(kernel) for kernel in kernels}


def test_a_column_enters_as_a_smooth_function_anywhere() -> None:
    found = _texts(_table("full").neighbours(_kernel("SE[a] * SE[b] + WN")))
    assert {
        "SE[a] * SE[b] * SE[c] + WN",
        "SE[a] * (SE[b] + SE[c]) + WN",
        "SE[a] * SE[b] + SE[c] + WN",
        "SE[a] * SE[c] + WN",
        "SE[a] + WN",
    } <= found
    assert "SE[a] * SE[b] * Per[c] + WN" not in found


def test_a_leaf_becomes_another_on_its_column() -> None:
    found = {str(one): one for one in _table("extended").neighbours(_kernel("SE[a] * SE[b] + WN"))}
    assert {"SE[b] * Per[a] + WN", "SE[b] * Lin[a] + WN", "SE[b] * Matern32[a] + WN"} <= set(found)
    kept = found["SE[b] * Matern32[a] + WN"].values
    assert not np.isnan(kept).any()  # the numbers of the leaf in whose place it comes


def test_a_leaf_without_lengthscale_gives_no_numbers_away() -> None:
    kernel = leaf("Lin", "a", sd=1.0, location=0.0) + leaf("WN", sd=1.0)
    found = {str(one): one for one in _table("full").neighbours(kernel)}
    assert np.isnan(found["SE[a] + WN"].values[:2]).all()


def test_all_of_the_signal_is_multiplied() -> None:
    assert "SE[c] * (SE[a] + SE[b]) + WN" in _texts(_table("full").neighbours(_kernel("SE[a] + SE[b] + WN")))


def test_a_cycle_that_changes_along_another_column_comes_at_once() -> None:
    found = _texts(_table("full").neighbours(_kernel("SE[a] + WN")))
    assert {"SE[a] + SE[b] * Per[c] + WN", "SE[a] + SE[c] * Per[b] + WN"} <= found
    assert not any("Per" in text for text in _texts(_table("mkl").neighbours(_kernel("SE[a] + WN"))))


def test_a_table_has_no_changes_and_one_noise() -> None:
    found = _texts(_table("extended").neighbours(_kernel("SE[a] + WN")))
    assert not any("CP" in text or "CW" in text or "* WN" in text for text in found)
    assert all(text.endswith("WN") for text in found)


@pytest.mark.parametrize("language", ["mkl", "linear", "cks2013"])
def test_a_language_says_what_may_be_proposed(language: str) -> None:
    found = _texts(_table(language).neighbours(_kernel("Lin[a] + WN")))
    assert any("*" in text for text in found) == (Operator.MULTIPLY in LANGUAGES[language].operators)
    assert ("WN" in found) == (Operator.DELETE in LANGUAGES[language].operators)


def test_categories_have_their_own_leaf() -> None:
    table = _table("full", ("a", "b"), frozenset("b"))
    found = _texts(table.neighbours(_kernel("SE[a] + WN")))
    assert "SE[a] * Cat[b] + WN" in found
    assert not any("SE[b]" in text or "Lin[b]" in text for text in found)
    assert all("Cat[b]" in text for text in _texts(table.over_all_columns(SCALES)))


def test_products_and_sums_over_all_columns() -> None:
    assert _texts(_table("full").over_all_columns(SCALES)) == {
        "SE[a] * SE[b] * SE[c] + C + WN",
        "SE[a] + SE[b] + SE[c] + C + WN",
    }
    assert _texts(_table("mkl").over_all_columns(SCALES)) == {"SE[a] + SE[b] + SE[c] + WN"}
    assert _table("linear").over_all_columns(SCALES) == []


def test_what_is_left_without_a_column() -> None:
    kernel = _kernel("SE[a] * (SE[b] + C) + SE[c] + WN")
    assert sorted(columns_of(kernel.expr)) == ["a", "b", "c"]
    assert [str(without(kernel, [name])) for name in NAMES] == [
        "SE[b] + SE[c] + C + WN",
        "SE[a] + SE[c] + WN",
        "SE[a] * (SE[b] + C) + WN",
    ]
    assert str(without(kernel, NAMES)) == "C + WN"


def test_on_a_table_nothing_wanders_off() -> None:
    language = replace(LANGUAGES["extended"], bases=(*LANGUAGES["extended"].bases, "Wiener", "IOU", "SE * IOU"))
    table = TableGrammar(language, NAMES, frozenset())
    kernel = _kernel("SE[a] + WN")
    found = _texts(table.neighbours(kernel))
    assert found == _texts(_table("extended").neighbours(kernel))


@pytest.mark.slow
def test_a_column_stands_in_the_place_of_one_that_is_nearly_the_same() -> None:
    table = TableGrammar(LANGUAGES["extended"], NAMES, frozenset(), alike=(("a", "c"),))
    kernel = _kernel("SE[a] * SE[b] + Lin[a] + WN")
    found = {str(one): one for one in table.neighbours(kernel)}
    swapped = found["SE[b] * SE[c] + Lin[c] + WN"]
    assert sorted(swapped.values) == sorted(kernel.values)
    assert str(swapped) not in _texts(_table("extended").neighbours(kernel))


Array = NDArray[np.float64]


def test_what_is_no_reason_to_go_on_is_none_to_change_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "IMPROVEMENT", 1e6)
    found = search(_product(), LANGUAGES["full"], QUICK)
    assert str(found.best.kernel) == found.trace[-1].expression == "WN"
    assert min(one.score for one in found.frontier) < found.best.score - 100.0  # kept, beside it


@pytest.mark.slow
def test_in_noise_there_is_nothing() -> None:
    found = search(from_arrays(X, NOISE, NAMES), LANGUAGES["extended"], QUICK)
    assert str(found.best.kernel) in ("WN", "C + WN")


def test_few_rows_show_a_clear_effect_of_one_of_two_columns() -> None:
    x, y = X[:40, :2], 0.7 * X[:40, 0] + NOISE[:40]
    assert 1e-6 < linregress(x[:, 0], y).pvalue < 1e-3
    assert "a" in columns_of(search(from_arrays(x, y, NAMES[:2]), LANGUAGES["extended"], QUICK).best.kernel.expr)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
