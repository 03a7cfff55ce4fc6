"""The strategy for one column of numbers or dates: rules of the language, steps, what few rows pay for parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from autostatistician.gp import Problem
from autostatistician.gp.criteria import CRITERIA, bic
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.grammar import Language, neighbours
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.traits import effective_parameters, showable
from autostatistician.search.scores.noise_penalties import tails_penalty
from autostatistician.search.series.proposals import suggested
from autostatistician.search.starting.hints import MOST_FREQUENCIES, distinct_frequencies
from autostatistician.search.strategy import Policy, Strategy

__all__ = ["SeriesStrategy"]

VARIANTS = 2  # kernels of one expression that come from different rewritings


@dataclass(frozen=True, eq=False)
class SeriesStrategy(Strategy):
    """How a language is searched on a series; its ``problem`` is in standard units."""

    language: Language
    problem: Problem

    @property
    def policy(self) -> Policy:
        """Functions as fine as the data."""
        return Policy(finest=0.0, frequencies=MOST_FREQUENCIES)

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """Steps, and cycles that stand out, then all that the rules of the language make."""
        return [*self.objections(kernel), *neighbours(kernel, self.language, variants=VARIANTS)]

    def objections(self, kernel: Kernel) -> Sequence[Kernel]:
        """Steps, stretches and cycles that stand out of what the kernel leaves."""
        return list(suggested(kernel, self.problem, self.language))

    def is_showable(self, expr: Expr) -> bool:
        """Whether so many rows of a series could show what the expression says."""
        return showable(expr, self.problem.n, series=True)

    def penalty(self, expr: Expr) -> float:
        """What few rows add for each parameter, and what changes owe to heavy tails."""
        return small_sample_penalty(expr, self.problem.n) + tails_penalty(expr, self.language.tails)

    def gained_by_chance(self, expr: Expr, criterion: str, candidates: int) -> float:
        """What the best of many gains that all fit nothing: about twice the logarithm of their number.

        A period is the best of many frequencies, too, under a criterion that charges it as any parameter.
        """
        gained = 2.0 * log(max(candidates, 1))
        if CRITERIA[criterion].cheap is bic:
            return gained
        periods = sum(parameter.name == "period" for parameter in parameters(expr))
        return gained + 2.0 * periods * log(max(distinct_frequencies(self.problem.X[:, 0]), 1.0))


def small_sample_penalty(expr: Expr, n: int) -> float:
    """What is added to the BIC of an expression where its parameters are many for ``n`` rows.

    Then ``log n`` for each is too little: with the correction of Hurvich and Tsai (1989), ``2 p n / (n - p - 1)``.

    >>> from autostatistician.kernels.text import parse
    >>> [round(small_sample_penalty(parse("Lin + WN"), n), 1) for n in (8, 100)]
    [5.8, 0.0]
    """
    count = effective_parameters(expr)
    corrected = 2.0 * count * n / max(n - count - 1, 1)
    return max(corrected - count * log(n), 0.0)
