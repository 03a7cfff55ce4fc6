"""Equations that were learned: which terms they have, which start is taken, what the page says."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autostatistician.estimators.formula import Formula, FormulaTerm
from autostatistician.estimators.formula_terms import Monomial

Row = dict[str, str]


@pytest.fixture
def functions(folder: Path) -> Any:
    return import_module("equations_functions")


@pytest.fixture
def section(folder: Path, tmp_path: Path) -> Any:
    """The section from rows of the table."""
    made, empty = import_module("page_equations"), import_module("goals").Tables.read(tmp_path / "none")
    return lambda rows: "\n".join(made.equations(replace(empty, equations=rows)))


def wave(period: float, power: int = 0) -> Monomial:
    return Monomial(((0, power),) if power else (), ((0, period, "cos"),))


def formula(*monomials: Monomial, sure: bool = True, logarithmic: bool = False) -> Formula:
    lower = 0.5 if sure else -0.5
    terms = tuple(FormulaTerm(1.0, lower, 1.5, monomial) for monomial in monomials)
    return Formula("y", ("x",), (0.0,), terms, logarithmic, (), 0.0)


def row(name: str, method: str, **more: str) -> Row:
    shared = {"set": name, "method": method, "seed": "0", "code": "1", "fitted": "1", "inside": "1", "ahead": "1"}
    return shared | {"greatest": "1", "terms": "1", "seconds": "1", "size": "3", "formula": "y = x"} | more


def test_a_product_of_waves_is_the_sum_of_two(functions: Any) -> None:
    true = functions.FUNCTIONS["product of two periods"].formula
    slow, quick = 1.0 / (1.0 / 1.1 - 0.25), 1.0 / (1.0 / 1.1 + 0.25)
    x = np.linspace(0.0, 3.0, 7)
    summed = 1.0 + np.sin(2.0 * np.pi * x / quick) - np.sin(2.0 * np.pi * x / slow)
    assert true(x) == pytest.approx(summed)
    assert functions.has_terms_of(formula(wave(slow), wave(1.02 * quick)), true)
    assert not functions.has_terms_of(formula(wave(slow), wave(1.05 * quick)), true)
    assert not functions.has_terms_of(formula(wave(slow)), true)


def test_terms_too_many_or_on_another_scale_are_no_formula_found(functions: Any) -> None:
    true = functions.FUNCTIONS["exponential growth"].formula
    line, square = Monomial(((0, 1),)), Monomial(((0, 2),))
    assert functions.has_terms_of(formula(Monomial(), line, logarithmic=True), true)
    assert not functions.has_terms_of(formula(line), true)
    assert not functions.has_terms_of(formula(line, square, logarithmic=True), true)
    unsure = formula(square, sure=False).terms
    assert functions.has_terms_of(replace(formula(line, logarithmic=True), terms=formula(line).terms + unsure), true)


def test_the_start_is_taken_that_fits_the_rows_best(folder: Path) -> None:
    rows = [row("a", "gplearn", seed=seed, fitted=fit, ahead=ahead) for seed, fit, ahead in ("032", "124", "231")]
    assert import_module("equations").best_starts(rows)["a", "gplearn"]["seed"] == "1"


def test_the_section_says_where_the_peer_is_ahead(section: Any) -> None:
    assert "Not measured yet." in section([])
    rows = [row("quadratic", "equations"), row("quadratic", "default", greatest="2.1", terms="0")]
    text = section([*rows, row("quadratic", "gplearn", ahead="0.5", terms="", greatest="3")])
    assert "| quadratic | **1.00** | **1.00** | 1.00 | 1.00 | 1.00 | 0.50 |" in text
    assert "Ahead, gplearn has smaller errors than `equations` on 1 (quadratic) and than `extended` on 1" in text
    assert "Inside, gplearn has smaller errors than `equations` on none" in text
    assert "exactly the terms of the\nfunction on 1 of them" in text
    assert "Eureqa's column" not in text  # no series yet


def test_series_without_our_equations_have_a_dash_and_a_mean_of_their_own(folder: Path, tmp_path: Path) -> None:
    made, empty = import_module("page_equations"), import_module("goals").Tables.read(tmp_path / "none")
    forecast = {"axis": "raw", "split": "extrapolation", "method": "extended", "settings": "", "seed": "0"}
    names = ("01-airline", "02-solar")
    best = [float(empty.known["extrapolation"][name, "best"]["rmse"]) for name in names]
    forecasts = [forecast | {"series": name, "rmse": str(2.0 * rmse)} for name, rmse in zip(names, best, strict=True)]
    rows = [row(name, "gplearn", ahead=str(4.0 * rmse)) for name, rmse in zip(names, best, strict=True)]
    rows.append(row("02-solar", "equations", ahead=str(best[1])))
    text = "\n".join(made.equations(replace(empty, equations=rows, extrapolation=forecasts)))
    assert "| 01-airline | – | 2.00 | 4.00 | 3.24 |" in text
    assert "| geometric mean of 1 | 1.00 | 2.00 | 4.00 | 2.64 |" in text
    assert "| geometric mean of 2 | – | 2.00 | 4.00 | 2.92 |" in text
    assert "Of the 1 series with all of them, gplearn has smaller errors than `equations` on none" in text
