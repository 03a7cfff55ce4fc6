"""The formula of a model whose parts are constants, lines and waves: as text, LaTeX and SymPy, with ranges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import floor, isfinite, log10
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician.errors import InputError, check_installed
from autostatistician.fitted.averaged_parts import averaged_parts
from autostatistician.fitted.ensemble import ensemble
from autostatistician.gp import condition
from autostatistician.gp.count_likelihoods import Sited
from autostatistician.gp.covariance import covariance
from autostatistician.gp.engines.exact import MOST_ROWS, check_rows
from autostatistician.gp.likelihoods import Gaussian
from autostatistician.gp.problem import Problem
from autostatistician.i18n.numbers import as_written
from autostatistician.kernels.expr import Leaf, Product, latex_text
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.rewrite import components, sum_of_products
from autostatistician.kernels.traits import column_index, is_noise

if TYPE_CHECKING:
    from autostatistician.fitted.model import Model

__all__ = ["Formula", "FormulaTerm", "formula_of"]


Array = NDArray[np.float64]

PARAMETRIC = ("C", "Lin", "Cos")

RANGE = 1.959963984540054  # standard deviations to either side of a range of 95 %


@dataclass(frozen=True)
class FormulaTerm:
    """A coefficient with its 95 % range, and what it multiplies."""

    coefficient: float
    lower: float
    upper: float
    monomial: Monomial

    @property
    def digits(self) -> int:
        """Significant digits that the range leaves: two of its half."""
        half = 0.5 * (self.upper - self.lower)
        if not half > 0.0 or self.coefficient == 0.0:
            return 6
        return min(max(floor(log10(abs(self.coefficient))) - floor(log10(half)) + 2, 1), 12)


@dataclass(frozen=True, eq=False)
class Formula:
    """``target = sum of terms (+ remainder)``, or of the logarithm of the target; ranges hold given the periods.

    ``str()`` is the formula as text, `latex` as LaTeX, `sympy` as an expression of SymPy; called with positions or rows
    it gives values.
    """

    target: str
    columns: tuple[str, ...]
    centres: tuple[float, ...]
    terms: tuple[FormulaTerm, ...]
    logarithmic: bool
    remainder: tuple[str, ...]  # kernels of parts that have no formula, such as smooth curves
    remainder_size: float  # root mean square of these parts at the data, on the scale of the terms

    @property
    def exact(self) -> bool:
        """Whether the formula is the whole model, but for noise."""
        return not self.remainder

    def __call__(self, X: ArrayLike) -> Array:
        """The formula at rows (n, d), or positions (n,) of one column, without the remainder."""
        rows = np.asarray(X, dtype=np.float64)
        rows = rows[:, None] if rows.ndim == 1 else rows
        if rows.shape[1:] != (len(self.columns),):
            raise InputError.of(f"rows of {len(self.columns)} columns", f"{rows.shape}", "give all columns in order")
        shown = values(tuple(term.monomial for term in self.terms), rows - np.array(self.centres))
        total = shown @ np.array([term.coefficient for term in self.terms])
        return np.asarray(np.exp(total) if self.logarithmic else total)

    def __str__(self) -> str:
        terms = [_written(term, self._text(term.monomial), " * ") for term in self.terms]
        right = _added([*terms, *(["+ remainder"] if self.remainder else [])])
        return f"{self.target} = exp({right})" if self.logarithmic else f"{self.target} = {right}"

    @property
    def ranges(self) -> tuple[str, ...]:
        """A line for each coefficient with its range of 95 %."""
        return tuple(
            f"{self._text(term.monomial) or 'constant'}: {_number(term.coefficient, term.digits)} "
            f"({_number(term.lower, term.digits)} to {_number(term.upper, term.digits)})"
            for term in self.terms
        )

    @property
    def latex(self) -> str:
        """The formula as LaTeX mathematics, without dollar signs."""
        terms = [_written(term, self._latex(term.monomial), r" \, ") for term in self.terms]
        right = _added([*terms, *(["+ r(x)"] if self.remainder else [])])
        name = _latex_name(self.target)
        return rf"{name} = \exp\left({right}\right)" if self.logarithmic else f"{name} = {right}"

    def sympy(self) -> Any:
        """The right side as an expression of SymPy in symbols named after the columns.

        Raises
        ------
        InputError
            When SymPy is not there.
        """
        check_installed("sympy", "such a formula")
        import sympy

        total = sympy.Integer(0)
        centred = [sympy.Symbol(name) - centre for name, centre in zip(self.columns, self.centres, strict=True)]
        for term in self.terms:
            product = sympy.Float(term.coefficient)
            for column, power in term.monomial.powers:
                product *= centred[column] ** power
            for column, period, wave in term.monomial.waves:
                product *= getattr(sympy, wave)(2 * sympy.pi * centred[column] / period)
            total += product
        if self.remainder:
            total += sympy.Function("remainder")(*map(sympy.Symbol, self.columns))
        return sympy.exp(total) if self.logarithmic else total

    def _text(self, monomial: Monomial) -> str:
        powers = [f"{self._apart(column)}{f'^{power}' if power > 1 else ''}" for column, power in monomial.powers]
        waves = [
            f"{wave}(2 pi {self._apart(column)} / {_number(period, 5)})" for column, period, wave in monomial.waves
        ]
        return " * ".join((*powers, *waves))

    def _latex(self, monomial: Monomial) -> str:
        powers = [
            f"{self._apart(column, _latex_name)}{f'^{{{power}}}' if power > 1 else ''}"
            for column, power in monomial.powers
        ]
        waves = [
            rf"\{wave}\left(\frac{{2 \pi}}{{{_number(period, 5)}}} {self._apart(column, _latex_name)}\right)"
            for column, period, wave in monomial.waves
        ]
        return r" \, ".join((*powers, *waves))

    def _apart(self, column: int, written: Callable[[str], str] = str) -> str:
        """A column less its centre, its name as it is ``written``."""
        name, centre = written(self.columns[column]), self.centres[column]
        sign = "-" if centre > 0.0 else "+"
        return f"({name} {sign} {as_written(abs(centre))})" if centre else name


def formula_of(model: Model) -> Formula:
    """The formula of a fitted model.

    Raises
    ------
    InputError
        When the target is no number on its own scale or that of its logarithm, no part but a level has a formula, or
        there are too many rows.
    """
    problem, transform = model.problem, model.transform
    law = problem.likelihood
    is_number = isinstance(law, Gaussian) and not isinstance(law, Sited) and model.dataset.noise is None
    if not is_number or transform.name not in ("none", "log"):
        other = "classes, counts, shares or a scale whose shape was learned"
        raise InputError.of("a target of numbers for a formula", other, "use `report`")
    check_rows(problem.n, MOST_ROWS)
    centres = np.array([round_centre(column) for column in problem.X.T])
    best = coefficients(model.kernel, problem, centres)
    believed = averaged_parts(model, ensemble(model), components(model.kernel))
    kernels = [with_periods(member.posterior.kernel, model.kernel) for member in believed.members]
    of_models = [coefficients(kernel, problem, centres) for kernel in kernels]
    middle, covariance = believed.mixed([(other.mean, other.covariance) for other in of_models])
    best = replace(best, covariance=covariance + np.outer(middle - best.mean, middle - best.mean))
    level_alone = not any(monomial.powers or monomial.waves for monomial in best.monomials)
    if level_alone and (best.remainder or not best.monomials):
        parts = ", ".join(map(str, best.remainder)) or "noise"
        remedy = "use `report`, or search a language of lines and waves (language='linear')"
        raise InputError.of("lines or pure waves in the model, for a formula", f"only {parts}", remedy)
    logarithmic = transform.name == "log"
    level = float(np.log(transform.scale)) - transform.shift if logarithmic else 0.0
    columns, target = problem.columns, model.dataset.target
    remainder = tuple(map(str, best.remainder))
    terms = _formula_terms(best, level)
    return Formula(target, columns, tuple(centres.tolist()), terms, logarithmic, remainder, best.remainder_size)


def _formula_terms(estimates: Coefficients, level: float) -> tuple[FormulaTerm, ...]:
    """The terms with ranges; ``level`` is added to the constant."""
    sds = np.sqrt(np.maximum(estimates.covariance.diagonal(), 0.0))
    monomials, means = list(estimates.monomials), estimates.mean.tolist()
    spreads = sds.tolist()
    if level and Monomial() not in monomials:
        monomials, means, spreads = [Monomial(), *monomials], [0.0, *means], [0.0, *spreads]
    terms = []
    for monomial, mean, sd in zip(monomials, means, spreads, strict=True):
        value = mean + (level if monomial == Monomial() else 0.0)
        terms.append(FormulaTerm(value, value - RANGE * sd, value + RANGE * sd, monomial))
    return tuple(terms)


def _number(value: float, digits: int) -> str:
    """A number that programs can read as well.

    >>> _number(-1234.567, 6), _number(0.00001234, 2)
    ('-1234.57', '1.2e-05')
    """
    return f"{value:.{digits}g}" if isfinite(value) else "nan"


def _written(term: FormulaTerm, shown: str, times: str) -> str:
    sign = "-" if term.coefficient < 0.0 else "+"
    number = _number(abs(term.coefficient), term.digits)
    return f"{sign} {number}{times}{shown}" if shown else f"{sign} {number}"


def _added(terms: list[str]) -> str:
    """Terms with their signs, the first one's where it is needed."""
    text = " ".join(terms)
    return text.removeprefix("+ ") if text.startswith("+") else text.replace("- ", "-", 1)


def _latex_name(name: str) -> str:
    return name if len(name) == 1 and name.isalpha() else rf"\text{{{latex_text(name)}}}"


# --- The parametric terms of a kernel as functions with coefficients, and what the data say about these -------------


@dataclass(frozen=True, order=True)
class Monomial:
    """A product of powers of columns, and of waves of them; columns are places, measured from their centres."""

    powers: tuple[tuple[int, int], ...] = ()  # column, power
    waves: tuple[tuple[int, float, str], ...] = ()  # column, period, "cos" or "sin"

    def times(self, other: Monomial) -> Monomial:
        """The product of two.

        >>> Monomial(((0, 1),)).times(Monomial(((0, 2), (1, 1))))
        Monomial(powers=((0, 3), (1, 1)), waves=())
        """
        powers: dict[int, int] = defaultdict(int)
        for column, power in (*self.powers, *other.powers):
            powers[column] += power
        return Monomial(tuple(sorted(powers.items())), tuple(sorted((*self.waves, *other.waves))))


Combined = dict[Monomial, float]


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Posterior means (m,) and covariances (m, m) of coefficients of monomials, and the terms that have no formula."""

    monomials: tuple[Monomial, ...]
    mean: Array
    covariance: Array
    remainder: tuple[Kernel, ...]
    remainder_size: float  # root mean square of these at the data


def coefficients(kernel: Kernel, problem: Problem, centres: Array) -> Coefficients:
    """What data say about the coefficients of a kernel's constants, lines and waves, given its parameters."""
    terms = sum_of_products(kernel).terms
    formed = [term for term in terms if _is_parametric(term)]
    non_parametric = [term for term in terms if not _is_parametric(term)]
    features = [feature for term in formed for feature in _features(term, problem.columns, centres)]
    monomials = tuple(sorted({monomial for feature in features for monomial in feature}))
    mixing = np.array([[feature.get(monomial, 0.0) for feature in features] for monomial in monomials])
    shown = values(monomials, problem.X - centres) @ mixing if features else np.zeros((problem.n, 0))
    posterior = condition(kernel, problem)
    whitened, target = posterior.whitened(shown), posterior.whitened(problem.y)
    rest = tuple(term for term in non_parametric if not is_noise(term))
    size = 0.0
    if rest:
        remainder = covariance(Kernel.sum(rest), problem.X, problem.X, problem.columns)
        remainder = posterior.whitened(remainder).T @ target
        size = float(np.sqrt(np.mean(remainder**2)))
    spread = np.eye(len(features)) - whitened.T @ whitened
    mixing = mixing.reshape(len(monomials), len(features))
    return Coefficients(monomials, mixing @ (whitened.T @ target), mixing @ spread @ mixing.T, rest, size)


def with_periods(kernel: Kernel, of: Kernel) -> Kernel:
    """A kernel with the periods of another one of the same structure.

    >>> from autostatistician.kernels.kernel import leaf
    >>> with_periods(leaf("Cos", period=3.0, sd=2.0), leaf("Cos", period=4.0, sd=1.0)).named()
    {'period': 4.0, 'sd': 2.0}
    """
    named = zip(parameters(kernel.expr), kernel.values, of.values, strict=True)
    return Kernel(kernel.expr, tuple(there if each.name == "period" else own for each, own, there in named))


def values(monomials: tuple[Monomial, ...], centred: Array) -> Array:
    """Monomials (n, m) at rows (n, d) of distances from the centres."""
    shown = np.ones((len(centred), len(monomials)))
    for place, monomial in enumerate(monomials):
        for column, power in monomial.powers:
            shown[:, place] *= centred[:, column] ** power
        for column, period, wave in monomial.waves:
            turn = 2.0 * np.pi * centred[:, column] / period
            shown[:, place] *= np.cos(turn) if wave == "cos" else np.sin(turn)
    return shown


def round_centre(column: Array) -> float:
    """A round number in the middle of a column that lies far from zero, else zero.

    >>> round_centre(np.array([1949.0, 1961.0])), round_centre(np.array([-1.0, 2.0]))
    (1960.0, 0.0)
    """
    middle, span = 0.5 * float(column.min() + column.max()), float(np.ptp(column))
    if span == 0.0 or abs(middle) <= span:
        return 0.0
    return round(middle, -floor(log10(span)))


def _factors(term: Kernel) -> tuple[Kernel, ...]:
    return term.parts if isinstance(term.expr, Product) else (term,)


def _is_parametric(term: Kernel) -> bool:
    return all(isinstance(factor.expr, Leaf) and factor.expr.symbol in PARAMETRIC for factor in _factors(term))


def _features(term: Kernel, columns: tuple[str, ...], centres: Array) -> list[Combined]:
    """The functions of a term whose coefficients are standard normal beforehand."""
    features: list[Combined] = [{Monomial(): 1.0}]
    for factor in _factors(term):
        features = [_product(one, other) for one in features for other in _of_leaf(factor, columns, centres)]
    return features


def _of_leaf(factor: Kernel, columns: tuple[str, ...], centres: Array) -> list[Combined]:
    assert isinstance(factor.expr, Leaf)
    number = factor.named()
    if factor.expr.symbol == "C":
        return [{Monomial(): number["sd"]}]
    column = column_index(factor.expr.column, columns)
    if factor.expr.symbol == "Lin":
        beyond = number["sd"] * (float(centres[column]) - number["location"])
        return [{Monomial(((column, 1),)): number["sd"], Monomial(): beyond}]
    return [{Monomial(waves=((column, number["period"], wave),)): number["sd"]} for wave in ("cos", "sin")]


def _product(one: Combined, other: Combined) -> Combined:
    product: Combined = defaultdict(float)
    for first, size in one.items():
        for second, factor in other.items():
            product[first.times(second)] += size * factor
    return dict(product)
