"""Models that were searched once, for tests of what is done with a model: ``python -m tests.saved_models.models``.

The command searches those that are not there; after a change of searches that is meant, delete ``*.json`` first. No
model may be changed by a test: all tests of a process are given the same one.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests import promoted
from tests.fitted.saving import KINDS
from tests.mcp.tables import write_tables

from autostatistician import AutomaticStatistician
from autostatistician.data.load import load
from autostatistician.estimators.loading import Fitted, estimator_of, load_estimator
from autostatistician.gp import sampling

__all__ = ["MODELS", "kept", "main", "place", "saved"]

FOLDER = Path(__file__).parent
WITH_THEIR_OWN = ("estimators.test_futures", "estimators.test_reports", "fitted.test_covariate_record",
                  "fitted.test_counts", "test_report_numbers")  # fmt: skip
ONE_WORKER = {"n_jobs": 1, "n_restarts": 2}


def _airline() -> Fitted:
    return AutomaticStatistician(max_depth=3, **ONE_WORKER).fit("airline")


def _stepped() -> Fitted:
    """Months with a slope of 24 a year, a season of 20 and a jump of 40 in March 2013."""
    x = np.arange(120) / 12.0
    y = 100.0 + 24.0 * x + 10.0 * np.sin(2.0 * np.pi * x) + 40.0 * (np.arange(120) >= 38)
    sold = y + np.random.default_rng(3).normal(size=120)
    table = pd.DataFrame({"month": pd.date_range("2010-01-01", periods=120, freq="MS"), "sold": sold})
    return AutomaticStatistician(max_depth=4, **ONE_WORKER).fit(table, "sold")


def _promotions(plan: bool) -> Fitted:
    rows = promoted.table() if plan else promoted.table()[: promoted.ROWS]
    return AutomaticStatistician("linear", max_depth=1, **ONE_WORKER).fit(rows, "sales")


def _of_agents(name: str, depth: int = 2) -> Fitted:
    """A model as it is made for an agent, of one of the tables of tests of agents."""
    with TemporaryDirectory() as folder:
        write_tables(Path(folder))
        data = load(Path(folder, f"{name}.csv"), name=name, task="auto")
    return estimator_of(data)(max_depth=depth, **ONE_WORKER).fit(data)


MODELS: dict[str, Callable[[], Any]] = {
    "airline": _airline,
    "stepped": _stepped,
    "promotions": lambda: _promotions(plan=False),
    "promotions-plan": lambda: _promotions(plan=True),
    "levels": lambda: _of_agents("levels"),
    "visits": lambda: _of_agents("visits", 3),
    "houses": lambda: _of_agents("houses"),
    "people": lambda: _of_agents("people"),
    "counts": KINDS["counts"],
    "kinds": KINDS["three classes"],
}


def place(name: str) -> Path:
    """The file of a model."""
    return FOLDER / f"{name}.json"


def saved(name: str) -> Any:
    """The model of a name, as a search left it; one for tests with few draws, and one for the others."""
    return _loaded(name, sampling.MOST_DRAWS)


@cache
def _loaded(name: str, draws: int) -> Any:
    return load_estimator(place(name))


def kept(name: str) -> Callable[[Callable[[], Any]], Any]:
    """Makes the search of a file of tests a fixture of it: the model of this name, as the search left it."""

    def fixture(search: Callable[[], Any]) -> Any:
        MODELS[name] = search
        return pytest.fixture(lambda: saved(name), scope="module", name=search.__name__)

    return fixture


def main() -> None:
    """Search what is not there."""
    for module in WITH_THEIR_OWN:
        import_module(f"tests.{module}")
    for name, search in MODELS.items():
        if not place(name).exists():
            search().save(place(name))


if __name__ == "__main__":  # the module that files of tests import has their models, too
    import_module("tests.saved_models.models").main()
