"""Formulas: as text, LaTeX and SymPy they are one function, that of the model."""

import numpy as np
import pytest

from autostatistician import AutomaticStatistician
from autostatistician.errors import InputError
from autostatistician.estimators.formula import Formula, FormulaTerm, Monomial, coefficients, formula_of, values
from autostatistician.estimators.options import TargetOptions
from autostatistician.gp import condition
from autostatistician.gp.problem import Problem
from autostatistician.kernels.text import parse_kernel

WAVE = Monomial(((0, 2),), ((0, 7.0, "sin"),))
TERMS = (FormulaTerm(3.04, 2.9, 3.18, Monomial()), FormulaTerm(-0.5123, -0.53, -0.49, WAVE))
FORMULA = Formula("sales", ("t",), (1960.0,), TERMS, False, (), 0.0)
X = np.linspace(1950.0, 1970.0, 12)


def test_one_formula_in_three_languages() -> None:
    assert str(FORMULA) == "sales = 3.04 - 0.512 * (t - 1960)^2 * sin(2 pi (t - 1960) / 7)"
    sine = r"\sin\left(\frac{2 \pi}{7} (t - 1960)\right)"
    assert FORMULA.latex == rf"\text{{sales}} = 3.04 - 0.512 \, (t - 1960)^{{2}} \, {sine}"
    expected = 3.04 - 0.5123 * (X - 1960.0) ** 2 * np.sin(2.0 * np.pi * (X - 1960.0) / 7.0)
    assert FORMULA(X) == pytest.approx(expected)
    sympy = pytest.importorskip("sympy")
    assert sympy.lambdify(sympy.Symbol("t"), FORMULA.sympy())(X) == pytest.approx(expected)
    assert FORMULA.ranges[0] == "constant: 3.04 (2.9 to 3.18)"
    with pytest.raises(InputError, match="rows of 1 columns"):
        FORMULA(np.ones((3, 2)))


def test_logarithms_remainders_and_signs() -> None:
    growth = FormulaTerm(-0.5, -0.6, -0.4, Monomial(((0, 1),)))
    other = Formula("y", ("x",), (0.0,), (growth,), True, ("SE",), 0.1)
    assert str(other) == "y = exp(-0.5 * x + remainder)"
    assert other.latex == r"y = \exp\left(-0.5 \, x + r(x)\right)"
    assert not other.exact
    assert other(np.array([2.0])) == pytest.approx(np.exp([-1.0]))


def test_of_a_search() -> None:
    y = np.exp(0.02 * (X - 1950.0)) * (1.0 + 1e-3 * np.cos(9.0 * X))
    model = AutomaticStatistician(
        "equations", max_depth=1, n_jobs=1, target_options=TargetOptions(transform="log")
    ).fit(X[:, None], y)
    formula = model.formula()
    assert formula.logarithmic
    assert formula.exact
    assert formula(X) == pytest.approx(np.exp(0.02 * (X - 1950.0)), rel=5e-3)
    slope = next(term for term in formula.terms if term.monomial == Monomial(((0, 1),)))
    assert slope.lower < 0.02 < slope.upper
    smooth = AutomaticStatistician("se", n_jobs=1).fit(X[:, None], np.sin(0.5 * X))
    with pytest.raises(InputError, match="lines or pure waves"):
        formula_of(smooth.model_)


@pytest.mark.parametrize("seed", range(3))
def test_ranges_of_a_line_are_those_of_least_squares(seed: int) -> None:
    x = np.arange(60.0)
    y = 3.0 + 0.2 * x + 1.5 * np.random.default_rng(seed).standard_normal(60)
    model = AutomaticStatistician("linear", max_depth=1, n_restarts=4, n_jobs=1).fit(x[:, None], y)
    constant, slope = model.formula().terms
    _, cov = np.polyfit(x, y, 1, cov=True)
    halves = [0.5 * (term.upper - term.lower) for term in (slope, constant)]
    assert halves == pytest.approx((1.96 * np.sqrt(cov.diagonal())).tolist(), rel=0.15)


RNG = np.random.default_rng(0)
PLANE = RNG.uniform(50.0, 60.0, (30, 2))
WAVES = 2.0 + 0.3 * (PLANE[:, 0] - 55.0) * (PLANE[:, 1] - 52.0) + np.cos(PLANE[:, 1]) + 0.1 * RNG.normal(size=30)
FORMED = "C(sd=3) + Lin[a](sd=1, location=54) * Lin[b](sd=0.5, location=51) + Cos[b](period=6.3, sd=1)"


def test_they_are_the_posterior_of_the_kernel() -> None:
    kernel, problem, centres = (
        parse_kernel(f"{FORMED} + WN(sd=0.2)"),
        Problem(PLANE, WAVES, ("a", "b")),
        np.array([55.0, 52.0]),
    )
    found = coefficients(kernel, problem, centres)
    signal = condition(kernel, problem).project(parse_kernel(FORMED), PLANE)
    shown = values(found.monomials, PLANE - centres)
    assert shown @ found.mean == pytest.approx(signal.mean, rel=1e-6)
    assert ((shown @ found.covariance) * shown).sum(axis=1) == pytest.approx(signal.variance, rel=1e-4)
    assert found.remainder == ()


def test_what_has_no_formula_is_left() -> None:
    kernel = parse_kernel(f"{FORMED} + SE[a](lengthscale=1, sd=0.5) * C(sd=1) + WN(sd=0.2)")
    problem = Problem(PLANE, WAVES, ("a", "b"))
    found = coefficients(kernel, problem, np.zeros(2))
    rest = condition(kernel, problem).project(parse_kernel("SE[a](lengthscale=1, sd=0.5)"), PLANE)
    assert len(found.remainder) == 1
    assert found.remainder_size == pytest.approx(float(np.sqrt(np.mean(rest.mean**2))), rel=1e-4)
