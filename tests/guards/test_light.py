"""What is imported when: the package by itself nothing, an estimator nothing that fits, draws or tells."""

import subprocess
import sys

import pytest

HEAVY = ("jinja2", "joblib", "matplotlib", "narwhals", "numpy", "pandas", "scipy", "sklearn")
ROOMS = ("decompose", "describe", "fitted", "gp", "kernels", "models", "panel", "regressors", "report", "search")


def _loaded_by(code: str) -> set[str]:
    """The modules that are loaded after some code has run in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_package_by_itself_imports_nothing_heavy() -> None:
    loaded = _loaded_by("import autostatistician; dir(autostatistician)")
    assert "autostatistician" in loaded
    assert loaded & set(HEAVY) == set()


@pytest.mark.slow
def test_an_estimator_imports_what_scikit_learn_does_and_no_room_that_fits_or_tells() -> None:
    of_sklearn = _loaded_by("import sklearn.base, sklearn.utils.validation")
    loaded = _loaded_by("import autostatistician; repr(autostatistician.AutomaticStatistician())")
    assert "autostatistician.estimators" in loaded
    assert loaded & set(HEAVY) <= of_sklearn | {"numpy"}
    assert loaded & {"babel", "matplotlib", "jinja2"} == set()
    of_data = {module for module in loaded if module.startswith("autostatistician.data.")}
    assert of_data == {"autostatistician.data.arrays", "autostatistician.data.target_limits"}
    rooms = {module.split(".")[1] for module in loaded if module.startswith("autostatistician.")}
    assert rooms & set(ROOMS) == set()


@pytest.mark.slow
def test_a_worker_of_the_search_imports_neither_statistics_nor_signals_nor_frames() -> None:
    """Half a second of processor for each process that fits: quantiles come from `scipy.special`."""
    loaded = _loaded_by("import autostatistician.search.racing.workers")
    assert "autostatistician.search.racing.tasks" in loaded
    assert loaded & {"matplotlib", "pandas", "scipy.signal", "scipy.stats", "sklearn"} == set()


def test_an_example_is_loaded_without_frames_and_statistics() -> None:
    loaded = _loaded_by("import autostatistician; autostatistician.load_example('airline')")
    assert "autostatistician.data.load" in loaded
    assert loaded & {"narwhals", "pandas", "scipy.signal", "scipy.stats", "sklearn"} == set()


@pytest.mark.slow
def test_what_is_printed_of_a_saved_model_needs_no_picture() -> None:
    """An answer or a forecast imports neither what draws nor what makes pages."""
    code = (
        "import numpy as np; from autostatistician import AutomaticStatistician as A; x = np.arange(20.0)[:, None]; "
        "m = A('linear', max_depth=1, n_restarts=1, n_jobs=1).fit(x, x[:, 0] % 3); m.ask('what'); m.forecast(2)"
    )
    assert _loaded_by(code) & {"matplotlib", "jinja2"} == set()
