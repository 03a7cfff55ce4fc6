"""The search on tables: what is proposed, what it begins with, what it finds, and that it repeats."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.inference.criteria import CRITERIA
from autostatistician.inference.evidence import Evidence, Points
from autostatistician.inference.scales import measure
from autostatistician.language.grammar import LANGUAGES
from autostatistician.language.kernel import Kernel, leaf, size
from autostatistician.language.text import parse
from autostatistician.language.traits import columns_of
from autostatistician.search import race, run
from autostatistician.search.hints import distinct_frequencies
from autostatistician.search.race import Arena, Rows
from autostatistician.search.run import FREQUENCIES_OF_TABLES, Settings, search
from autostatistician.search.state import SearchResult
from autostatistician.search.tables import Table, without

Array = NDArray[np.float64]

NAMES = ("a", "b", "c")
RNG = np.random.default_rng(5)
X = RNG.uniform(-2.0, 2.0, (90, 3))
NOISE = RNG.normal(size=90)
SCALES = measure(X, NOISE, NAMES)
QUICK = Settings(max_depth=2, restarts=5, n_jobs=1)


def _table(language: str, columns: tuple[str, ...] = NAMES, categories: frozenset[str] = frozenset()) -> Table:
    return Table(LANGUAGES[language], columns, categories)


def _kernel(text: str) -> Kernel:
    expr = parse(text)
    return Kernel(expr, tuple(np.linspace(0.5, 1.0, size(expr))))


def _texts(kernels: list[Kernel]) -> set[str]:
    return {str(kernel) for kernel in kernels}


# What is proposed


def test_a_column_enters_as_a_smooth_function_anywhere() -> None:
    found = _texts(_table("full").proposals(_kernel("SE[a] * SE[b] + WN")))
    assert {
        "SE[a] * SE[b] * SE[c] + WN",
        "SE[a] * (SE[b] + SE[c]) + WN",
        "SE[a] * SE[b] + SE[c] + WN",
        "SE[a] * SE[c] + WN",
        "SE[a] + WN",
    } <= found
    assert "SE[a] * SE[b] * Per[c] + WN" not in found


def test_a_leaf_becomes_another_on_its_column() -> None:
    found = {str(one): one for one in _table("extended").proposals(_kernel("SE[a] * SE[b] + WN"))}
    assert {"SE[b] * Per[a] + WN", "SE[b] * Lin[a] + WN", "SE[b] * Matern32[a] + WN"} <= set(found)
    kept = found["SE[b] * Matern32[a] + WN"].values
    assert not np.isnan(kept).any()  # the numbers of the leaf in whose place it comes


def test_all_of_the_signal_is_multiplied() -> None:
    assert "SE[c] * (SE[a] + SE[b]) + WN" in _texts(_table("full").proposals(_kernel("SE[a] + SE[b] + WN")))


def test_a_cycle_that_changes_along_another_column_comes_at_once() -> None:
    found = _texts(_table("full").proposals(_kernel("SE[a] + WN")))
    assert {"SE[a] + SE[b] * Per[c] + WN", "SE[a] + SE[c] * Per[b] + WN"} <= found
    assert not any("Per" in text for text in _texts(_table("mkl").proposals(_kernel("SE[a] + WN"))))


def test_a_table_has_no_changes_and_one_noise() -> None:
    found = _texts(_table("extended").proposals(_kernel("SE[a] + WN")))
    assert not any("CP" in text or "CW" in text or "* WN" in text for text in found)
    assert all(text.endswith("WN") for text in found)


@pytest.mark.parametrize("language", ["mkl", "linear", "cks2013"])
def test_a_language_says_what_may_be_proposed(language: str) -> None:
    found = _texts(_table(language).proposals(_kernel("Lin[a] + WN")))
    assert any("*" in text for text in found) == ("multiply" in LANGUAGES[language].operators)
    assert ("WN" in found) == ("delete" in LANGUAGES[language].operators)


def test_categories_have_their_own_leaf() -> None:
    table = _table("full", ("a", "b"), frozenset("b"))
    found = _texts(table.proposals(_kernel("SE[a] + WN")))
    assert "SE[a] * Cat[b] + WN" in found
    assert not any("SE[b]" in text or "Lin[b]" in text for text in found)
    assert all("Cat[b]" in text for text in _texts(table.wide(SCALES)))


def test_products_and_sums_over_all_columns() -> None:
    assert _texts(_table("full").wide(SCALES)) == {"SE[a] * SE[b] * SE[c] + C + WN", "SE[a] + SE[b] + SE[c] + C + WN"}
    assert _texts(_table("mkl").wide(SCALES)) == {"SE[a] + SE[b] + SE[c] + WN"}
    assert _table("linear").wide(SCALES) == []


def test_what_is_left_without_a_column() -> None:
    kernel = _kernel("SE[a] * (SE[b] + C) + SE[c] + WN")
    assert sorted(columns_of(kernel.expr)) == ["a", "b", "c"]
    assert [str(without(kernel, [name])) for name in NAMES] == [
        "SE[b] + SE[c] + C + WN",
        "SE[a] + SE[c] + WN",
        "SE[a] * (SE[b] + C) + WN",
    ]
    assert str(without(kernel, NAMES)) == "C + WN"


# What is found


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


def test_what_is_no_reason_to_go_on_is_none_to_change_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "IMPROVEMENT", 1e6)
    found = search(_product(), LANGUAGES["full"], QUICK)
    assert str(found.best.kernel) == found.trace[-1].expression == "WN"
    assert min(one.score for one in found.frontier) < found.best.score - 100.0  # kept, beside it


def test_in_noise_there_is_nothing() -> None:
    found = search(from_arrays(X, NOISE, NAMES), LANGUAGES["extended"], QUICK)
    assert str(found.best.kernel) in ("WN", "C + WN")


def _with_a_cycle(size: float) -> Dataset:
    cycle = size * np.sin(8.0 * np.pi * X[:, 1])
    return from_arrays(X, np.sin(2.0 * X[:, 0]) + 0.1 * (NOISE + cycle), NAMES)


def test_a_cycle_counts_when_it_beats_all_looks_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    weak, strong = _with_a_cycle(0.75), _with_a_cycle(1.5)
    assert str(search(weak, LANGUAGES["full"], QUICK).best.kernel) == "SE[a] + WN"
    assert str(search(strong, LANGUAGES["full"], QUICK).best.kernel) == "SE[a] + Per[b] + WN"
    monkeypatch.setattr(Table, "charge", lambda table, expr: 0.0)
    assert str(search(weak, LANGUAGES["full"], QUICK).best.kernel) == "SE[a] + Per[b] + WN"


@pytest.mark.parametrize(("criterion", "times"), [("bic", 1.0), ("laplace", 0.0)])
def test_a_period_is_charged_where_the_criterion_does_not_see_its_choice(criterion: str, times: float) -> None:
    settings = Settings(max_depth=1, restarts=5, n_jobs=1, criterion=criterion)
    found = search(_with_a_cycle(1.5), LANGUAGES["full"], settings).frontier
    one = next(one for one in found if "Per" in str(one.kernel) and one.level == 1)
    points = Points(X, _with_a_cycle(1.5).y, NAMES)
    plain = CRITERIA[criterion].score(one.kernel, one.nll, points, measure(X, points.y, NAMES))
    looks = sum(distinct_frequencies(X[:, index], FREQUENCIES_OF_TABLES) for index in range(3))
    assert one.score - plain == pytest.approx(times * 2.0 * np.log(looks), abs=0.02)


def test_a_constant_target_has_no_structure() -> None:
    found = search(from_arrays(X, np.full(90, 2.0), NAMES), LANGUAGES["full"], QUICK)
    assert sorted(columns_of(found.best.kernel.expr)) == []


def test_the_number_of_workers_changes_nothing(product: SearchResult) -> None:
    found = search(_product(), LANGUAGES["full"], Settings(max_depth=2, restarts=5, n_jobs=2))
    assert [(one.kernel, one.nll) for one in found.frontier] == [(one.kernel, one.nll) for one in product.frontier]
    assert found.evaluations == product.evaluations


# Many rows


def test_parts_of_the_rows_lie_within_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "SUBSET", 20)
    monkeypatch.setattr(race, "LARGER", 40)
    monkeypatch.setattr(race, "VERY_MANY", 60)
    arena = Arena.of(X, NOISE, NAMES, 0)
    few, more, every = ({tuple(row) for row in arena.points(rows).X} for rows in Rows)
    assert (len(few), len(more), len(every)) == (20, 40, 90)
    assert few < more < every


def test_what_is_found_on_parts_is_judged_on_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "SUBSET", 20)
    monkeypatch.setattr(race, "LARGER", 40)
    monkeypatch.setattr(race, "VERY_MANY", 60)
    data = _product()
    data = Dataset(data.X[:88], data.y[:88], data.columns, data.target, None)  # not the arena of another test
    found = search(data, LANGUAGES["full"], Settings(max_depth=1, restarts=5, n_jobs=1))
    for one in found.frontier:
        expected = Evidence(one.kernel.expr, Points(data.X, data.y, NAMES)).value(one.kernel.values)
        assert one.nll == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_a_leaf_without_lengthscale_gives_no_numbers_away() -> None:
    kernel = leaf("Lin", "a", sd=1.0, location=0.0) + leaf("WN", sd=1.0)
    found = {str(one): one for one in _table("full").proposals(kernel)}
    assert np.isnan(found["SE[a] + WN"].values[:2]).all()
