"""The search from outside: what it finds, that it repeats, and that it ends when it should."""

import errno
import itertools
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import count
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_info, threadpool_limits

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.errors import CheckpointError, CheckpointWarning, InputError, WriteError
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.gp.criteria import bic
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.fitting import Fit
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.parameters.scales import measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.grammar import LANGUAGES, Operator, neighbours
from autostatistician.kernels.kernel import Kernel, operands
from autostatistician.kernels.traits import always_noisy
from autostatistician.search.racing.tasks import Task
from autostatistician.search.racing.workers import Runner
from autostatistician.search.run import Checkpoint, Settings, search
from autostatistician.search.scores.cycles import cycle_penalty
from autostatistician.search.state import OUT_OF_TIME, SearchResult, StepInfo, Watched

DAYS = np.arange(30.0)
ERRORS = 0.2 * np.random.default_rng(0).normal(size=30)
DATA = from_arrays(DAYS, np.sin(2.0 * np.pi * DAYS / 7.0) + 0.2 * DAYS + ERRORS)
SHORT = Settings(max_depth=2, restarts=2, n_jobs=1, criterion="bic")
LANGUAGE = LANGUAGES["mkl"]


def _kept(path: Path | None = None, settings: Settings = SHORT, **options: Any) -> SearchResult:
    return search(options.pop("data", DATA), options.pop("language", LANGUAGE), settings, checkpoint=path, **options)


def _plain(result: SearchResult) -> str:
    """Everything but the seconds, with all digits."""
    trace = tuple(replace(step, seconds=0.0) for step in result.trace)
    return repr(asdict(replace(result, seconds=0.0, spent=0.0, trace=trace)))


@pytest.fixture(scope="module")
def whole() -> SearchResult:
    """The search in one go."""
    return _kept()


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The checkpoint of a search that was interrupted after the first level."""
    path = tmp_path / "c.json"
    assert _kept(path, callback=_interrupt_at(1)).interrupted
    return path


def test_an_interrupted_search_goes_on_to_the_same_result(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    part = _kept(path, callback=_interrupt_at(1))
    assert (part.interrupted, part.complete, len(part.trace)) == (True, False, 2)
    heard: list[int] = []
    rest = _kept(path, callback=lambda step: heard.append(step.level))
    assert heard == list(range(1, len(whole.trace)))  # no level was searched twice
    assert _plain(rest) == _plain(whole)
    assert rest.seconds > part.trace[-1].seconds
    assert rest.complete


def test_a_search_that_was_interrupted_in_its_first_level_goes_on_too(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    with pytest.raises(KeyboardInterrupt):
        _kept(path, callback=_interrupt_at(0))
    assert _plain(_kept(path)) == _plain(whole)


def test_a_first_level_that_outlasts_the_budget_is_kept(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    part = _kept(path, replace(SHORT, time_budget=1e-9))
    assert (part.complete, len(part.trace)) == (False, 2)
    heard: list[int] = []
    assert _plain(_kept(path, callback=lambda step: heard.append(step.level))) == _plain(whole)
    assert heard[0] == 1


def test_a_search_with_a_checkpoint_is_the_search_without(tmp_path: Path, whole: SearchResult) -> None:
    path = tmp_path / "c.json"
    assert _plain(_kept(path)) == _plain(whole)
    heard: list[StepInfo] = []
    assert _plain(_kept(path, callback=heard.append)) == _plain(whole)
    assert [step.level for step in heard] == [whole.trace[-1].level]  # nothing was left to do


def test_a_search_by_evidence_goes_on_too(tmp_path: Path) -> None:
    settings = replace(SHORT, criterion="evidence")
    assert _kept(tmp_path / "c.json", settings, callback=_interrupt_at(1)).interrupted
    assert _plain(_kept(tmp_path / "c.json", settings)) == _plain(_kept(None, settings))


@pytest.mark.slow
def test_a_language_with_changes_and_seasons_survives_the_file(tmp_path: Path) -> None:
    y = np.where(DAYS < 15.0, DATA.y, DATA.y[::-1] - 20.0)
    data, settings = from_arrays(DAYS, y), replace(SHORT, restarts=1)
    kept = {"data": data, "language": LANGUAGES["full"]}
    _kept(tmp_path / "c.json", settings, callback=_interrupt_at(1), **kept)
    assert _plain(_kept(tmp_path / "c.json", settings, **kept)) == _plain(_kept(None, settings, **kept))


def test_workers_and_budget_may_differ(begun: Path, whole: SearchResult) -> None:
    settings = replace(SHORT, n_jobs=2, time_budget=1000.0)
    assert _plain(_kept(begun, settings)) == _plain(whole)


def test_a_level_cut_short_by_the_budget_is_not_kept(begun: Path, whole: SearchResult) -> None:
    before = begun.read_bytes()
    part = _kept(begun, replace(SHORT, time_budget=1e-9))
    assert not part.complete
    assert begun.read_bytes() == before
    assert _plain(_kept(begun)) == _plain(whole)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("other data", {"data": Dataset(DATA.X, DATA.y + 1e-9, DATA.columns, DATA.target, None)}),
        ("other data", {"data": Dataset(DATA.X, DATA.y, ("z",), DATA.target, None)}),
        ("language mkl (now linear)", {"language": LANGUAGES["linear"]}),
        ("rules of the language", {"language": replace(LANGUAGE, operators=frozenset({Operator.DELETE}))}),
        ("seed 0 (now 1)", {"settings": replace(SHORT, seed=1)}),
        ("max_depth 2 (now 3), criterion bic (now aic)", {"settings": replace(SHORT, max_depth=3, criterion="aic")}),
    ],
)
def test_a_checkpoint_of_another_search_is_said_and_kept(words: str, options: dict[str, Any], begun: Path) -> None:
    before = begun.read_bytes()
    with pytest.raises(CheckpointError) as caught:
        _kept(begun, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert begun.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"", b"x,y\n1,2\n", b"[]", b'{"checkpoint": 1}', b"\xff\xfe", b'{"checkpoint": 9, "of": {}}']
)
def test_what_is_no_checkpoint_is_never_overwritten(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="expected the checkpoint of a search"):
        _kept(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", ["level", "incumbents", "found", "seen", "trace", "seconds"])
def test_a_damaged_checkpoint_is_said(name: str, begun: Path) -> None:
    record = json.loads(begun.read_text())
    del record["progress"][name]
    begun.write_text(json.dumps(record))
    with pytest.raises(CheckpointError, match="altered or is damaged"):
        _kept(begun)
    record["progress"][name] = [{"kernel": "no such"}]
    begun.write_text(json.dumps(record))
    with pytest.raises(CheckpointError, match="altered or is damaged"):
        _kept(begun)


def test_a_place_that_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="choose another place"):
        _kept(tmp_path / "missing" / "c.json")
    with pytest.raises(CheckpointError):
        _kept(tmp_path)


def test_a_disk_that_fills_up_later_loses_nothing(
    tmp_path: Path, whole: SearchResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, replace_file = count(), os.replace

    def full(source: Any, target: Any) -> None:
        if next(calls):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace_file(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(CheckpointWarning, match="stays at an earlier level") as said:
        found = _kept(tmp_path / "c.json")
    monkeypatch.undo()
    assert len(found.trace) == 3  # two levels could not be kept,
    assert len(said) == 1  # and it is said once
    assert _plain(found) == _plain(whole)
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    assert _plain(_kept(tmp_path / "c.json")) == _plain(whole)


def test_a_disk_that_is_full_when_a_search_goes_on_does_not_end_it(
    begun: Path, whole: SearchResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = begun.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(CheckpointWarning, match="No space left"):
        assert _plain(_kept(begun)) == _plain(whole)
    assert begun.read_bytes() == before


def test_the_same_search_writes_the_same_models(tmp_path: Path) -> None:
    kept = []
    for name in ("a.json", "b.json"):
        _kept(tmp_path / name, replace(SHORT, max_depth=1))
        progress = Checkpoint(tmp_path / name, DATA, LANGUAGE, asdict(replace(SHORT, max_depth=1))).read()
        assert progress is not None
        kept.append(json.loads((tmp_path / name).read_text())["progress"]["seen"])
        assert len(progress.state.seen) == len(kept[-1])
    assert kept[0] == kept[1]


@pytest.mark.slow
def test_the_estimator_goes_on_too(tmp_path: Path) -> None:
    x, y = DATA.X, DATA.y
    model = AutomaticStatistician("mkl", max_depth=2, n_restarts=2, n_jobs=1)
    part = model.fit(x, y, callback=_interrupt_at(1), checkpoint=tmp_path / "c.json")
    assert (part.interrupted_, part.complete_) == (True, False)
    assert model.fit(x, y, checkpoint=str(tmp_path / "c.json")).complete_
    values = model.kernel_.values
    assert model.fit(x, y).kernel_.values == values


Array = NDArray[np.float64]
X = np.arange(48.0)
NOISE = np.random.default_rng(0).normal(size=48)
SEASON = np.sin(2.0 * np.pi * X / 7.0) + 0.2 * NOISE
BOTH = SEASON + 0.2 * X
QUICK = Settings(max_depth=2, restarts=4, n_jobs=1)


def _found(x: Array, y: Array, settings: Settings = QUICK, language: str = "full") -> SearchResult:
    return search(from_arrays(x, y), LANGUAGES[language], settings)


def _leaves(expr: Expr) -> list[Expr]:
    return [expr] if isinstance(expr, Leaf) else [leaf for part in operands(expr) for leaf in _leaves(part)]


def _symbols(kernel: Kernel) -> set[str]:
    return {one.symbol for one in _leaves(kernel.expr) if isinstance(one, Leaf)}


@pytest.fixture(scope="module")
def result() -> SearchResult:
    """A search with two levels, shared by the tests that only look."""
    return _found(X, BOTH)


class Seen(NamedTuple):
    """The same search again, looked at while it goes on."""

    found: SearchResult
    told: list[Watched]
    begun: list[tuple[Expr, int]]
    threads: list[int]


@pytest.fixture(scope="module")
def seen() -> Seen:
    """One search for all that can be seen of one, in a process that has two BLAS threads."""
    told, begun, threads, fits = list[Watched](), list[tuple[Expr, int]](), list[int](), Runner.fits

    def watched(self: Runner, tasks: Sequence[Task], *others: Any) -> list[Fit | None]:
        begun.extend((task.kernel.expr, task.key[1]) for task in tasks if task.key[2:] == (1,))
        return fits(self, tasks, *others)

    def tell(step: Watched) -> None:
        told.append(step)
        threads.extend(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")

    with pytest.MonkeyPatch.context() as patch, threadpool_limits(limits=2):
        patch.setattr(Runner, "fits", watched)
        found = search(from_arrays(X, BOTH), LANGUAGES["full"], QUICK, tell)
    return Seen(found, told, begun, threads)


# What it finds


@pytest.mark.slow
@pytest.mark.parametrize("language", ["full", "interpretable"])
def test_in_pure_noise_there_is_nothing_but_noise(language: str) -> None:
    models = []
    for seed in range(6):
        y = np.random.default_rng(100 + seed).normal(size=48)
        models.append(_found(X, y, Settings(max_depth=1, restarts=4, n_jobs=1, seed=seed), language).best.kernel)
    assert [model for model in models if not _symbols(model) <= {"WN", "C"}] == []
    # Noise that differs by chance between two stretches may pass for a change of noise.
    assert sum(str(model) in ("WN", "C + WN") for model in models) >= 3


def test_a_line_is_found() -> None:
    found = _found(X, 3.0 * X + NOISE, Settings(max_depth=1, restarts=4, n_jobs=1))
    assert str(found.best.kernel) == "Lin + WN"
    assert found.best.kernel.parts[1].named()["sd"] == pytest.approx(1.0, rel=0.3)


@pytest.mark.parametrize("language", ["full", "interpretable"])
def test_a_season_is_found_with_its_period(language: str) -> None:
    found = _found(X, SEASON, Settings(max_depth=1, restarts=4, n_jobs=1), language)
    assert str(found.best.kernel) == "Per + WN"
    assert found.best.kernel.parts[0].named()["period"] == pytest.approx(7.0, rel=0.02)


@pytest.mark.slow
def test_a_season_on_a_trend_is_found(result: SearchResult) -> None:
    assert str(result.best.kernel) == "Per + Lin + WN"


def test_the_right_column_is_named() -> None:
    plane = np.random.default_rng(0).uniform(0.0, 10.0, (40, 2))
    dataset = from_arrays(plane, 2.0 * plane[:, 1] + 0.1 * NOISE[:40], ("age", "body mass"))
    found = search(dataset, LANGUAGES["full"], Settings(max_depth=1, restarts=4, n_jobs=1))
    assert str(found.best.kernel) == "Lin[body mass] + WN"


@pytest.mark.slow
def test_noise_is_in_every_model_of_the_frontier(result: SearchResult) -> None:
    assert all(always_noisy(one.kernel.expr) for one in result.frontier)


# What it says about itself


def test_the_frontier_is_in_order_and_its_numbers_are_true(result: SearchResult) -> None:
    assert result.best == result.frontier[0]
    scores = [one.score for one in result.frontier]
    assert scores == sorted(scores)
    dataset = from_arrays(X, BOTH)
    scales = measure(dataset.X, dataset.y, dataset.columns)
    for one in result.frontier:
        assert -condition(one.kernel, Problem.of(dataset)).log_evidence == pytest.approx(one.nll, abs=1e-4)
        assert one.score == pytest.approx(bic(one.nll, one.kernel.expr, 48) + cycle_penalty(one.kernel, scales))


def test_the_trace_never_gets_worse(result: SearchResult) -> None:
    scores = [step.bic for step in result.trace]
    assert scores == sorted(scores, reverse=True)
    assert [step.level for step in result.trace] == list(range(len(result.trace)))
    assert result.trace[-1].expression == str(result.best.kernel)
    assert result.trace[-1].bic == pytest.approx(result.best.score)
    assert result.trace[-1].score == result.best.score
    assert result.trace[-1].evaluations == result.evaluations


@pytest.mark.slow
def test_every_level_is_told(seen: Seen) -> None:
    found, told = seen.found, seen.told
    both = zip(found.trace, told, strict=True)
    assert [Watched.of(step, one.kernel, "bic") for step, one in both] == told
    assert told[-1].kernel == found.best.kernel
    assert [str(one.kernel) for one in told] == [step.expression for step in found.trace]
    assert not found.interrupted


@pytest.mark.slow
def test_no_expression_is_begun_twice(seen: Seen) -> None:
    found, begun = seen.found, set(seen.begun)
    expressions = {expr for expr, _ in begun}
    assert len(begun) == len(expressions)  # each at one level only, from one start or several
    assert len(expressions) <= sum(step.candidates for step in found.trace[1:])
    assert LANGUAGES["full"].start not in expressions


def test_every_candidate_knows_the_incumbent_that_it_was_made_from(result: SearchResult) -> None:
    assert [one.level for one in result.frontier if one.parent is None] == [0]
    later = [(one, parent) for one, parent in zip(result.frontier, result.parents, strict=True) if one.level]
    strangers = 0
    for one, parent in later:
        assert parent is not None
        origin = result.frontier[parent]
        assert origin.level < one.level
        made = neighbours(origin.kernel, LANGUAGES["full"], variants=2)
        strangers += one.kernel.expr not in {kernel.expr for kernel in made}
    assert strangers <= 0.2 * len(later)  # made of a neighbour: simplified after its fit


# That it repeats


def _numbers(result: SearchResult) -> list[tuple[str, tuple[float, ...], float]]:
    return [(str(one.kernel), one.kernel.values, one.nll) for one in result.frontier]


@pytest.mark.slow
def test_the_same_seed_finds_the_same_to_the_last_bit(result: SearchResult, seen: Seen) -> None:
    assert _numbers(seen.found) == _numbers(result)


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(result: SearchResult) -> None:
    found = _found(X, BOTH, Settings(max_depth=2, restarts=4, n_jobs=2))
    assert _numbers(found) == _numbers(result)
    assert found.evaluations == result.evaluations


@pytest.mark.slow
@pytest.mark.parametrize(("by", "shift", "unit"), [(1.0 / 64.0, 1949.0, 1024.0), (1e6, -1e6, 1e-6)])
def test_units_change_nothing(result: SearchResult, by: float, shift: float, unit: float) -> None:
    found = _found(by * X + shift, unit * BOTH)
    assert str(found.best.kernel) == str(result.best.kernel)
    assert found.best.nll == pytest.approx(result.best.nll + 48 * log(unit), abs=0.01)
    assert found.best.kernel.parts[0].named()["period"] == pytest.approx(7.0 * by, rel=0.02)


@pytest.mark.slow
def test_every_step_has_one_blas_thread(seen: Seen) -> None:
    """With more, sums are taken in another order, and the last digits decide which way a search goes."""
    assert seen.threads
    assert set(seen.threads) == {1}


# That it ends


def test_depth_zero_fits_the_start_alone() -> None:
    found = _found(X, BOTH, Settings(max_depth=0, restarts=1, n_jobs=1))
    assert str(found.best.kernel) == "WN"
    assert found.best.kernel.values[0] == pytest.approx(np.sqrt(np.mean(BOTH**2)), rel=1e-3)
    assert len(found.trace) == 1


def test_without_improvement_it_stops() -> None:
    found = _found(X, NOISE, Settings(max_depth=10, restarts=2, n_jobs=1))
    assert len(found.trace) <= 3
    assert found.stopped == "No neighbour of the last model improved on it."


@pytest.mark.slow
def test_the_time_budget_is_kept() -> None:
    began = time.process_time()  # not the clock on the wall: the machine may have much else to do
    found = _found(X, BOTH, Settings(max_depth=10, restarts=30, n_jobs=1, time_budget=0.2))
    assert time.process_time() - began < 5.0
    assert found.stopped == "The time budget was used up."
    assert not found.interrupted


@pytest.mark.slow
def test_the_clock_on_the_wall_ends_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0.0, 1000.0)  # as on a machine that has much else to do
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(time, "time", lambda: next(clock))
    found = _found(X, BOTH, replace(QUICK, max_depth=1, time_budget=100.0))
    assert found.complete
    assert 0.0 < found.spent < 100.0


@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 2])
def test_an_interruption_keeps_the_best_so_far(level: int, result: SearchResult) -> None:
    found = search(from_arrays(X, BOTH), LANGUAGES["full"], QUICK, _interrupt_at(level))
    assert found.interrupted
    assert len(found.trace) == level + 1
    assert found.trace[-1].expression == str(found.best.kernel) == result.trace[level].expression
    assert "interrupted" in found.stopped


def test_before_the_end_of_the_first_level_nothing_is_known() -> None:
    with pytest.raises(KeyboardInterrupt, match=r"nothing is known yet; start it again"):
        search(from_arrays(X, BOTH), LANGUAGES["full"], QUICK, _interrupt_at(0))


def _interrupt_at(level: int) -> Callable[[StepInfo], None]:
    def interrupt(step: StepInfo) -> None:
        if step.level == level:
            raise KeyboardInterrupt

    return interrupt


# Odd data

ODD = {
    "three rows": from_arrays([0.0, 1.0, 3.0], [1.0, 2.0, 5.0]),
    "constant": from_arrays(X, np.full(48, 3.0)),
    "zero": from_arrays(X, np.zeros(48)),
    "one step": from_arrays(X, np.where(X > 20.0, 1e6, -1e6)),
    "repeated inputs": from_arrays(np.repeat(X[:12], 4), NOISE),
    "one outlier": from_arrays(X, np.where(X == 7.0, 1e9, NOISE)),
    "two columns": from_arrays(np.column_stack([X, X[::-1] ** 2]), NOISE),
    "huge": from_arrays(1e100 * X, 1e100 * NOISE),
    "straight": from_arrays(X, X),
}


@pytest.mark.parametrize("case", sorted(ODD))
def test_odd_data_have_a_model_too(case: str) -> None:
    dataset: Dataset = ODD[case]
    found = search(dataset, LANGUAGES["full"], Settings(max_depth=1, restarts=2, n_jobs=1))
    assert np.isfinite([found.best.nll, found.best.score, *found.best.kernel.values]).all()
    mean, sd = condition(found.best.kernel, Problem.of(dataset)).observations(dataset.X)
    assert np.isfinite(mean).all()
    assert np.isfinite(sd).all()


def test_a_language_of_one_step_is_searched_one_step_deep() -> None:
    found = search(from_arrays(X, BOTH), LANGUAGES["se"], QUICK)
    assert [step.level for step in found.trace] == [0, 1]
    assert str(found.best.kernel) == "SE + WN"


def test_numbers_are_no_classes() -> None:
    answers = load({"a": X, "answer": ["yes", "no"] * 24}, target="answer", inputs=["a"])  # as numbers: 1 and 0
    with pytest.raises(InputError, match="load it with task='class'"):
        search(answers, LANGUAGES["linear"], QUICK, likelihood=Bernoulli())


def test_the_first_level_is_finished_whatever_the_budget(result: SearchResult) -> None:
    found = _found(X, BOTH, replace(QUICK, time_budget=1e-9))
    assert found.stopped == OUT_OF_TIME
    assert [(step.level, step.expression, step.evaluations) for step in found.trace] == [
        (step.level, step.expression, step.evaluations) for step in result.trace[:2]
    ]
    assert found.best.level == 1
