"""Equations that were learned: which terms they have, which start is taken, what the page says."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import equations as functions
from autostatistician.estimators.formula import Formula, FormulaTerm, Monomial

Row = dict[str, str]


def wave(period: float, power: int = 0) -> Monomial:
    return Monomial(((0, power),) if power else (), ((0, period, "cos"),))


def formula(*monomials: Monomial, sure: bool = True, logarithmic: bool = False) -> Formula:
    lower = 0.5 if sure else -0.5
    terms = tuple(FormulaTerm(1.0, lower, 1.5, monomial) for monomial in monomials)
    return Formula("y", ("x",), (0.0,), terms, logarithmic, (), 0.0)


def row(name: str, method: str, **more: str) -> Row:
    shared = {"set": name, "method": method, "seed": "0", "code": "1", "fitted": "1", "inside": "1", "ahead": "1"}
    return shared | {"greatest": "1", "terms": "1", "seconds": "1", "size": "3", "formula": "y = x"} | more


def test_a_product_of_waves_is_the_sum_of_two() -> None:
    true = functions.FUNCTIONS["product of two periods"].formula
    slow, quick = 1.0 / (1.0 / 1.1 - 0.25), 1.0 / (1.0 / 1.1 + 0.25)
    x = np.linspace(0.0, 3.0, 7)
    summed = 1.0 + np.sin(2.0 * np.pi * x / quick) - np.sin(2.0 * np.pi * x / slow)
    assert true(x) == pytest.approx(summed)
    assert functions.has_terms_of(formula(wave(slow), wave(1.02 * quick)), true)
    assert not functions.has_terms_of(formula(wave(slow), wave(1.05 * quick)), true)
    assert not functions.has_terms_of(formula(wave(slow)), true)


def test_terms_too_many_or_on_another_scale_are_no_formula_found() -> None:
    true = functions.FUNCTIONS["exponential growth"].formula
    line, square = Monomial(((0, 1),)), Monomial(((0, 2),))
    assert functions.has_terms_of(formula(Monomial(), line, logarithmic=True), true)
    assert not functions.has_terms_of(formula(line), true)
    assert not functions.has_terms_of(formula(line, square, logarithmic=True), true)
    unsure = formula(square, sure=False).terms
    assert functions.has_terms_of(replace(formula(line, logarithmic=True), terms=formula(line).terms + unsure), true)


def test_the_start_is_taken_that_fits_the_rows_best() -> None:
    rows = [row("a", "gplearn", seed=seed, fitted=fit, ahead=ahead) for seed, fit, ahead in ("032", "124", "231")]
    assert import_module("equations").best_starts(rows)["a", "gplearn"]["seed"] == "1"
