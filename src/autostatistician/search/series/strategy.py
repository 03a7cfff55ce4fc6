"""The strategy for one column of numbers or dates: all rules of the language, steps, few rows that pay for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from autostatistician.inference import Problem
from autostatistician.inference.criteria import CRITERIA, bic
from autostatistician.language.count import effective_parameters
from autostatistician.language.expr import Expr
from autostatistician.language.grammar import neighbours
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.languages import Language
from autostatistician.language.showable import showable
from autostatistician.search.hints import MOST_FREQUENCIES, distinct_frequencies
from autostatistician.search.noise import tails_charge
from autostatistician.search.rounds import Found, Rounds
from autostatistician.search.series.cycles import cycled
from autostatistician.search.series.race import race, race_by_looks
from autostatistician.search.series.steps import scattered, stepped
from autostatistician.search.strategy import Level, Policy

__all__ = ["SeriesStrategy"]

MOST_RACED = 700  # rows of a series on which later stages, too, race; beyond, they go `onwards`
VARIANTS = 2  # starting problem of one expression that come from different rewritings


@dataclass(frozen=True, eq=False)
class SeriesStrategy:
    """How a language is searched on a series; its ``problem`` are in standard units."""

    language: Language
    problem: Problem

    @property
    def policy(self) -> Policy:
        """Several incumbents, and a second look before the end: one column has room for both."""
        return Policy(
            beam=3, looks_again=True, finest=0.0, frequencies=MOST_FREQUENCIES, races_on=self.problem.n <= MOST_RACED
        )

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """Steps, and cycles that stand out, then all that the rules of the language make."""
        return [
            *stepped(kernel, self.problem, self.language),
            *scattered(kernel, self.problem, self.language),
            *cycled(kernel, self.problem, self.language),
            *neighbours(kernel, self.language, variants=VARIANTS),
        ]

    def from_above(self) -> Sequence[Kernel]:
        """None: on one column depth comes from below."""
        return ()

    def is_showable(self, expr: Expr) -> bool:
        """Whether so many rows of a series could show what the expression says."""
        return showable(expr, self.problem.n, series=True)

    def charge(self, expr: Expr) -> float:
        """What few rows add for each number, and what changes owe to heavy tails."""
        return small_sample_charge(expr, self.problem.n) + tails_charge(expr, self.language.tails)

    def gained_by_chance(self, expr: Expr, criterion: str) -> float:
        """What a period, the best of many frequencies, gains under a criterion that charges it as any number."""
        if CRITERIA[criterion].cheap is bic:
            return 0.0
        periods = sum(parameter.name == "period" for parameter in parameters(expr))
        return 2.0 * periods * log(max(distinct_frequencies(self.problem.X[:, 0]), 1.0))

    def race(self, rounds: Rounds, level: Level) -> Found:
        """Every proposal a little, the better ones more, the best anew and to the end."""
        return race_by_looks(rounds, level) if level.goes_on else race(rounds, level)


def small_sample_charge(expr: Expr, n: int) -> float:
    """What is added to the BIC of an expression where its numbers are many for ``n`` rows.

    Then ``log n`` for each is too little: with the correction of Hurvich and Tsai (1989), ``2 p n / (n - p - 1)``.

    >>> from autostatistician.language.text import parse
    >>> [round(small_sample_charge(parse("Lin + WN"), n), 1) for n in (8, 100)]
    [5.8, 0.0]
    """
    numbers = effective_parameters(expr)
    corrected = 2.0 * numbers * n / max(n - numbers - 1, 1)
    return max(corrected - numbers * log(n), 0.0)
