"""Fixtures of the whole suite: where the benchmark data lie, and a word on what was left out without them."""

import gc
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# One BLAS thread, as in the workers of the search, and no window; NumPy and Matplotlib are not imported yet.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("MPLBACKEND", "Agg")

# Nothing fails for being slow (machines are shared), and the examples are the same on every run: a red build can be
# repeated.
_COMMON = {"deadline": None, "derandomize": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("autostatistician", max_examples=15, **_COMMON)
settings.register_profile("merge", max_examples=200, **_COMMON)  # --hypothesis-profile merge: before a merge
settings.load_profile("autostatistician")

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
BENCHMARKS = TESTS / "benchmarks"
SHARED_DATA = ROOT.parent / "shared" / "data"
LONGEST = float(os.environ.get("AUTOSTATISTICIAN_LONGEST_TEST", "0"))  # seconds; 0 for any, as on a slow machine
# Whether `-m 'not slow'` takes the slow tests of a merge, too: what both kinds share is then made once, as CI has it.
SLOW_TESTS_TOO = bool(os.environ.get("AUTOSTATISTICIAN_SLOW_TESTS_TOO"))
# The tests of sentences, which their guard runs once more in a process of its own, and fails with them; without
# translations.
OF_SENTENCES = ("tests/describe/words", "tests/describe/test_golden.py", "src/autostatistician/describe/words")
THEIR_GUARD = "test_every_sentence_is_held_word_for_word"
QUICK_ROOMS = {"cli", "docs", "estimators", "adapters", "fitted", "mcp", "panel", "tests", "web"}
NO_SHARED_DATA = "needs the benchmark data beside the repository (folder shared/data), which are not part of a clone"


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """With several workers each begins with a part of its own, so that models which tests share are fitted once."""
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def selection(expression: str, slow_tests_too: bool) -> str:
    """The expression of marks that is meant, where slow tests are asked for beside the quick ones."""
    return "not long" if slow_tests_too and expression == "not slow" else expression


def pytest_configure(config: pytest.Config) -> None:
    config.option.markexpr = selection(config.option.markexpr, SLOW_TESTS_TOO)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The tests of the benchmarks run where they are asked for."""
    if collection_path != BENCHMARKS or SLOW_TESTS_TOO:
        return None
    asked = [config.invocation_params.dir / arg.partition("::")[0] for arg in config.args]
    return None if any(path.resolve().is_relative_to(collection_path) for path in asked) else True


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Ten thousand tests that are collected are no garbage: nobody looks for some among them, now or later.

    Models and pages that tests share are none either: to look for garbage seldom saves a tenth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(100_000, 50, 100)


def _runs_in_the_guard(item: pytest.Item) -> bool:
    return "translated" not in item.name and any(item.path.is_relative_to(ROOT / place) for place in OF_SENTENCES)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Pages of the documentation run searches; they, long tests and those of the benchmarks join the slow ones.

    Where all of these are asked for, what one of them runs is not run beside it.
    """
    for item in items:
        is_long = item.get_closest_marker("long") is not None
        if is_long or item.path.suffix == ".md" or item.path.is_relative_to(BENCHMARKS):
            item.add_marker(pytest.mark.slow)
    if SLOW_TESTS_TOO and any(item.name == THEIR_GUARD for item in items):
        config.hook.pytest_deselected(items=list(filter(_runs_in_the_guard, items)))
        items[:] = [item for item in items if not _runs_in_the_guard(item)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A test by default takes no more than `LONGEST` seconds of a processor; what takes more is marked as slow."""
    begun = time.process_time()
    yield
    spent = time.process_time() - begun
    if LONGEST and spent > LONGEST and item.get_closest_marker("slow") is None:
        pytest.fail(f"took {spent:.1f} s of a processor: mark it as slow, or make it quicker", pytrace=False)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the benchmark data; the test is skipped where it is absent, also in CI."""
    if not SHARED_DATA.is_dir():
        pytest.skip(NO_SHARED_DATA)
    return SHARED_DATA


def _draw_little(patch: pytest.MonkeyPatch) -> None:
    from autostatistician.fitted import function
    from autostatistician.gp import sampling
    from autostatistician.regressors import estimates

    patch.setattr(sampling, "MOST_EVALUATIONS", 120)
    patch.setattr(sampling, "MOST_EVALUATIONS_WITH_SLICES", 300)
    patch.setattr(sampling, "MOST_DRAWS", 40)
    patch.setattr(function, "DRAWS", 100)
    patch.setattr(estimates, "SWEEPS", 50)


def _keep_outliers(patch: pytest.MonkeyPatch) -> None:
    from autostatistician.data.outliers import NO_SCREENING
    from autostatistician.fitted import fitting

    patch.setattr(fitting, "screened", lambda dataset, n_jobs: (dataset, NO_SCREENING))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Where tests ask what is done with a model, it is found without a look for outliers, and known by few draws.

    Both have tests of their own, and take half of the time of a small search and of what is told of it. A test that
    needs them here is marked ``as_for_users``.
    """
    in_quick_room = item.path.parent.name in QUICK_ROOMS and item.path.is_relative_to(TESTS)
    if not in_quick_room or item.get_closest_marker("as_for_users"):
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        _draw_little(patch)
        _keep_outliers(patch)
        return (yield)


@pytest.fixture
def blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are written with frames in the places of pictures: for tests that ask whether pages are written."""
    from autostatistician.report import figures

    monkeypatch.setattr(figures, "panel_svg", lambda *given, **named: '<svg xmlns="http://www.w3.org/2000/svg"/>')


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name every test that was skipped, by reason: a green run says what it did not look at."""
    tests: dict[str, Counter[str]] = defaultdict(Counter)
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        tests[str(reason).removeprefix("Skipped: ")][report.nodeid.split("[")[0]] += 1
    if tests:
        terminalreporter.section("not run", sep="-")
    for reason, names in tests.items():
        terminalreporter.line(f"{names.total()} tests: {reason}")
        for name, count in names.items():
            terminalreporter.line(f"    {name}" + (f" ({count})" if count > 1 else ""))


@pytest.fixture(autouse=True)
def _memory_as_it_was() -> Iterator[None]:
    """What a test does to the memory of this process, as work of the page does, ends with it: a browser needs more."""
    if sys.platform == "win32":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    yield
    if resource.getrlimit(resource.RLIMIT_AS) != before:
        resource.setrlimit(resource.RLIMIT_AS, before)
