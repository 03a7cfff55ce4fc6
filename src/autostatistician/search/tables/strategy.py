"""The strategy for a table: one leader, smooth functions of its columns first, cycles that pay for being chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lgamma, log

from autostatistician.gp import Problem, Scales
from autostatistician.gp.criteria import CRITERIA, bic
from autostatistician.kernels.expr import Expr, Leaf, Sum
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaves import nodes_of
from autostatistician.kernels.traits import leaf_columns, showable
from autostatistician.search.constants import ODDS_FOR_LEAF
from autostatistician.search.scores.structure_prior import terms_of
from autostatistician.search.starting.hints import distinct_frequencies
from autostatistician.search.strategy import Policy, Strategy
from autostatistician.search.tables.proposals import TableGrammar

__all__ = ["TableStrategy", "choice_of_columns"]

POLICY = Policy(finest=0.1, frequencies=400, leader_stays=True, odds_for_leaf=ODDS_FOR_LEAF)


@dataclass(frozen=True, eq=False)
class TableStrategy(Strategy):
    """How a language is searched on a table; problem and scales are in standard units."""

    grammar: TableGrammar
    problem: Problem
    scales: Scales
    by_evidence: bool = False  # whether a criterion leaves it to a prior what the choice of columns costs

    @property
    def policy(self) -> Policy:
        """Smooth functions that bend less than from row to row."""
        return POLICY

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """The changes that a table allows."""
        return self.grammar.neighbours(kernel)

    def complete_kernels(self) -> Sequence[Kernel]:
        """Products and sums over all columns."""
        return self.grammar.over_all_columns(self.scales)

    def is_showable(self, expr: Expr) -> bool:
        """Whether so many rows of a table could show what the expression says."""
        return showable(expr, self.problem.n, series=False)

    def penalty(self, expr: Expr) -> float:
        """What the choice of its periods adds to the score of an expression: ``2 log frequencies`` for each.

        Where parameters have priors, structures have one, too (see `_improbable`).

        A cycle is the best of as many fits as there are frequencies along the columns, and the best of many fits to
        noise gains twice the logarithm of their number. In other words, data settle a frequency to a fraction of its
        distance from the next one, not of itself: on one regular series, a penalty of 3 log n instead of log n (Djuric
        1996, A model selection rule for sinusoids in white Gaussian noise).
        """
        periods = sum(parameter.name == "period" for parameter in parameters(expr))
        return 2.0 * periods * log(max(self.frequencies, 1.0)) + (self._improbable(expr) if self.by_evidence else 0.0)

    def _improbable(self, expr: Expr) -> float:
        """What an expression costs before the data: where parameters have learned priors, each leaf is one of all."""
        if self.scales.priors is not None and self.scales.priors.rows:
            return 2.0 * sum(_leaves(part) for part in terms_of(expr)) * log(2.0 * self.grammar.choices)
        return choice_of_columns(expr, len(self.problem.columns))

    def gained_by_chance(self, expr: Expr, criterion: str, candidates: int) -> float:
        """What the choice of its columns gains where there is nothing; a period is charged for (`penalty`).

        Candidates share the columns, so the best of them gains far less than the best of as many that share nothing:
        of 159 tables of noise (20 to 200 rows, 2 to 10 columns) one gained more than this by BIC.
        """
        if CRITERIA[criterion].cheap is bic:
            return choice_of_columns(expr, len(self.problem.columns))
        return 2.0 * log(max(candidates, 1))

    @cached_property
    def frequencies(self) -> float:
        """How many frequencies can be told apart along the columns of numbers, all together."""
        columns = zip(self.problem.columns, self.problem.X.T, strict=True)
        numeric = [x for name, x in columns if name not in self.grammar.categories]
        return sum(distinct_frequencies(x, POLICY.frequencies) for x in numeric)


def choice_of_columns(expr: Expr, columns: int) -> float:
    """What the choice among so many columns adds to a deviance: minus twice the log of its prior probability.

    Every count of single-column effects is as probable as any other, and so are all choices of so many (Scott and
    Berger 2010, Bayes and empirical-Bayes multiplicity adjustment in the variable-selection problem). A term of k
    columns is one of all of them, and half as probable for each; a leaf more on a column of a term is one among all.

    >>> from autostatistician.kernels.text import parse
    >>> [round(choice_of_columns(parse(text), 3), 2) for text in ("C", "SE[a] + C", "SE[a] + SE[a] * SE[b] + C")]
    [0.0, 2.2, 7.17]
    """
    every = [leaf_columns(term) for term in (expr.terms if isinstance(expr, Sum) else (expr,))]
    sets = [frozenset(used) for used in every]
    singles = [columns for columns in sets if len(columns) == 1]
    ways = _log_choices(columns, len(set(singles)))
    ways += sum(_log_choices(columns, len(subset)) + len(subset) * log(2.0) for subset in sets if len(subset) > 1)
    again = sum(map(len, every)) - sum(map(len, sets)) + len(singles) - len(set(singles))
    return 2.0 * (ways + again * log(columns))


def _log_choices(n: int, k: int) -> float:
    """The logarithm of in how many ways so many of all can be chosen."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _leaves(expr: Expr) -> int:
    return sum(isinstance(node, Leaf) for node in nodes_of(expr))
