"""Five functions whose formula is known, for `equations.py`: their rows, and whether a formula has their terms.

They were written down, with their noise and seeds, before any method had seen them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autostatistician.data.load import load
from autostatistician.estimators.formula import Formula, FormulaTerm
from autostatistician.estimators.formula_terms import Monomial
from common import Array, Split

__all__ = ["FUNCTIONS", "Function", "has_terms_of"]

N, UNTIL, AHEAD = 100, 10.0, 12.5  # rows, the end of their stretch, the end of the one to predict
NOISE = 0.05  # standard deviation, over that of the function at the rows
GRID = 501  # places from the first row to the end of what is predicted
SAME_PERIOD = 0.03  # relative difference up to which two waves are the same

Atom = tuple[int, float]  # a power, and cycles in a unit of the column (0 for none)


@dataclass(frozen=True, eq=False)
class Function:
    """A formula, and the seed of the noise around it."""

    formula: Formula
    seed: int

    @property
    def grid(self) -> Array:
        """Places (GRID,) over both stretches."""
        return np.linspace(0.0, AHEAD, GRID)

    @property
    def span(self) -> float:
        """The range of the function over both stretches."""
        return float(np.ptp(self.formula(self.grid)))

    def split(self) -> Split:
        """Noisy rows to learn from, and the function itself on the grid ahead of them."""
        x = np.linspace(0.0, UNTIL, N)
        y = self.formula(x)
        y = y + np.random.default_rng(self.seed).normal(0.0, NOISE * float(np.std(y)), N)
        ahead = self.grid[self.grid > UNTIL]
        return Split(load(x[:, None], y, axis="raw"), ahead[:, None], self.formula(ahead))


def _formula(terms: dict[Monomial, float], *, logarithmic: bool = False) -> Formula:
    exact = tuple(FormulaTerm(number, number, number, monomial) for monomial, number in terms.items())
    return Formula("y", ("x",), (0.0,), exact, logarithmic, (), 0.0)


def _sine(period: float, power: int = 0) -> Monomial:
    return Monomial(((0, power),) if power else (), ((0, period, "sin"),))


_LEVEL, _LINE, _SQUARE = Monomial(), Monomial(((0, 1),)), Monomial(((0, 2),))
_PERIODS = Monomial((), ((0, 4.0, "sin"), (0, 1.1, "cos")))
FUNCTIONS = {
    "line and sine": Function(_formula({_LEVEL: 2.0, _LINE: 0.5, _sine(2.5): 1.5}), 0),
    "quadratic": Function(_formula({_LEVEL: 1.0, _LINE: -1.2, _SQUARE: 0.25}), 1),
    "growing sine": Function(_formula({_LEVEL: 3.0, _sine(2.0): 0.5, _sine(2.0, 1): 0.3}), 2),
    "exponential growth": Function(_formula({_LEVEL: float(np.log(2.0)), _LINE: 0.25}, logarithmic=True), 3),
    "product of two periods": Function(_formula({_LEVEL: 1.0, _PERIODS: 2.0}), 4),
}


def has_terms_of(found: Formula, true: Formula) -> bool:
    """Whether a formula is made of the terms of another, no more and no fewer; levels and numbers do not count.

    Products of waves are taken as the sum of waves that they are; terms whose range holds zero are left out.
    """
    if not found.exact or found.logarithmic != true.logarithmic:
        return False
    ours, theirs = _atoms(found), _atoms(true)
    return _are_among(ours, theirs) and _are_among(theirs, ours)


def _atoms(formula: Formula) -> set[Atom]:
    atoms: set[Atom] = set()
    for term in formula.terms:
        if term.lower <= 0.0 <= term.upper:
            continue
        cycles = {0.0}
        for _, period, _ in term.monomial.waves:
            cycles = {abs(known + sign / period) for known in cycles for sign in (-1.0, 1.0)}
        atoms |= {(sum(power for _, power in term.monomial.powers), each) for each in cycles}
    return atoms - {(0, 0.0)}


def _are_among(some: set[Atom], others: set[Atom]) -> bool:
    return all(
        any(power == other and abs(cycles - theirs) <= SAME_PERIOD * cycles for other, theirs in others)
        for power, cycles in some
    )
