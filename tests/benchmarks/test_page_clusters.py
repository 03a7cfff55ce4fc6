"""The section about clusters of any shape."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the table."""
    made, empty = import_module("page_clusters"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows: "\n".join(made.clusters(replace(empty, clusters=rows)))


def rows(name: str, rand: str, density: str, method: str = "warped-2", folds: int = 10) -> list[dict[str, str]]:
    told = {"rand": rand, "adjusted": rand, "density": density, "clusters": "2", "seconds": "3.0", "sweeps": "9"}
    return [told | {"set": name, "method": method, "code": "1", "fold": str(fold)} for fold in range(folds)]


def test_without_rows_it_says_so(section: Any) -> None:
    assert "Not measured yet." in section([])


def test_bold_is_what_reaches_the_best_published_figure(section: Any) -> None:
    text = section([*rows("2-curve", "0.856", "-0.95"), *rows("iris", "0.8", "-1.6", folds=3)])
    assert "| warped mixture, two coordinates | **0.86** | – | – | – | 0.80 (3) |" in text
    assert "| -0.95 | – | – | – | **-1.60** (3) |" in text
    assert text.count("not below the best published figure on 1 of\n8 sets") == 2
    assert "| iWMM Q=2, published | 0.86 | 0.99 |" in text


def test_methods_without_a_density_or_labels_have_none(section: Any) -> None:
    text = section([*rows("iris", "0.7", "", "hdbscan"), *rows("iris", "", "-2.0", "kernel-density")])
    index, _, density = text.partition("### Mean log density")
    assert "HDBSCAN" in index
    assert "HDBSCAN" not in density
    assert "kernel density" not in index.partition("### Rand")[2]


def test_densities_are_compared_with_those_of_kernels_on_the_same_folds(section: Any) -> None:
    kernels = rows("iris", "", "-2.0", "kernel-density")
    kernels[0] |= {"density": "-3.0"}
    text = section([*rows("iris", "0.7", "-1.5", folds=2), *kernels])
    assert "| warped mixture, two coordinates | – | – | – | – | +1.00 | – | – | – |" in text
    assert "| iWMM Q=2, published | +1.57 |" in text


def test_seeds_are_told_by_their_mean_and_the_worst(folder: Path, tmp_path: Path) -> None:
    made, empty = import_module("page_clusters"), import_module("goals").Tables.read(tmp_path / "none")
    told = {"set": "arms", "rows": "100", "known": "0", "chains": "1", "sweeps": "9", "density": "-2.0", "seconds": "3"}
    seeds = [
        told | {"method": "now", "seed": str(k), "rand": rand, "code": "1"} for k, rand in enumerate(["1.0", "0.8"])
    ]
    lines = made.clusters(replace(empty, clusters=rows("iris", "0.7", "-2.0"), cluster_seeds=seeds))
    assert "| arms | 100 | 0 | one set of functions for all | 9 | 2 | 0.90 | 0.80 | -2.00 | 3.00 |" in lines


def test_chains_are_told_by_the_number_of_rows(folder: Path, tmp_path: Path) -> None:
    made, empty = import_module("page_clusters"), import_module("goals").Tables.read(tmp_path / "none")
    told = {"sweeps": "9", "ms": "2.0", "r_hat": "1.01", "ess": "80.0", "ess_per_second": "4.0", "code": "1"}
    chains = [told | {"set": "pinwheel", "rows": "250"}, told | {"set": "2-curve", "rows": "100"}]
    lines = made.clusters(replace(empty, clusters=rows("iris", "0.7", "-2.0"), cluster_chains=chains))
    found = [line for line in lines if line.startswith(("| 2-curve |", "| pinwheel |"))]
    assert found == [
        "| 2-curve | 100 | 9 | 2.0 | 1.01 | 80.0 | 4.0 |",
        "| pinwheel | 250 | 9 | 2.0 | 1.01 | 80.0 | 4.0 |",
    ]
