"""What the next level of a search is about: which expressions are looked at, and from which hints they begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.gp import Problem, Scales, condition
from autostatistician.gp.criteria import CRITERIA
from autostatistician.gp.likelihoods import GAUSSIAN, Likelihood
from autostatistician.gp.parameters import LearnedPriors, learned_priors, learned_table_priors
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.grammar import Language
from autostatistician.kernels.kernel import Kernel, open_names
from autostatistician.kernels.traits import has_structure
from autostatistician.search.racing.rounds import Proposal
from autostatistician.search.series.evidence import EvidenceStrategy
from autostatistician.search.series.strategy import SeriesStrategy
from autostatistician.search.starting.hints import Array, ColumnHints, hints
from autostatistician.search.starting.period_detection import cycles
from autostatistician.search.starting.starts import Context
from autostatistician.search.state import SearchState
from autostatistician.search.strategy import Level, Strategy
from autostatistician.search.tables.classes import ClassStrategy
from autostatistician.search.tables.proposals import TableGrammar
from autostatistician.search.tables.screening import alike_columns
from autostatistician.search.tables.strategy import TableStrategy

__all__ = ["Levels", "strategy_for"]

LARGEST_CONSTANT_SPREAD = 1e-12  # relative: below, a target counts as constant
# Kernels of one expression that enter a level, with other parameters known; of those without open ones as many again.
MOST_VARIANTS = 2


def priors_for(kind: Kind, criterion: str, likelihood: Likelihood = GAUSSIAN) -> LearnedPriors | None:
    """What a criterion knows of parameters before it sees data of a kind."""
    if likelihood.is_latent:
        return LearnedPriors({})
    if not CRITERIA[criterion].has_priors:
        return None
    return learned_table_priors() if kind is Kind.TABLE else learned_priors()


def strategy_for(
    dataset: Dataset,
    language: Language,
    problem: Problem,
    scales: Scales,
    criterion: str = "bic",
    cycles: tuple[float, ...] = (),
    likely_sums: tuple[Kernel, ...] = (),
) -> Strategy:
    """The strategy for the kind of a data set, whose problem, scales, cycles and likely sums are in standard units."""
    match dataset.kind:
        case Kind.SERIES:
            if CRITERIA[criterion].has_priors and not problem.likelihood.is_latent:
                return EvidenceStrategy(language, problem, scales, cycles, likely_sums)
            return SeriesStrategy(language, problem)
        case Kind.TABLE:
            has_noise = problem.likelihood.admits(Leaf("WN"))
            categories = frozenset(dataset.levels)
            alike = alike_columns(problem, frozenset(problem.columns) - categories)
            grammar = TableGrammar(language, problem.columns, categories, has_noise, alike)
            strategy = ClassStrategy if problem.likelihood.is_latent else TableStrategy
            return strategy(grammar, problem, scales, CRITERIA[criterion].has_priors)


@dataclass(frozen=True, eq=False)
class Levels:
    """The levels of one search; problem and scales are in standard units."""

    strategy: Strategy
    problem: Problem
    scales: Scales
    learned: Scales | None = None  # see `Context`
    _neighbours: dict[Kernel, Sequence[Kernel]] = field(default_factory=dict)  # of incumbents so far, which often stay

    def after(self, state: SearchState, data_hints: ColumnHints) -> Level:
        """The level that comes after a state."""
        residual = self._of_the_rest(state.incumbents[0].kernel)
        context = Context(self.scales, data_hints, residual, self.learned, self.strategy.policy.finest)
        wide = self.strategy.complete_kernels() if state.level == 0 else ()
        begins_complete = self.strategy.policy.begins_complete  # with what is whole already, and made from nothing
        complete_kernels = [
            Proposal(kernel, None if begins_complete else kernel.expr)
            for kernel in wide
            if self._is_sensible(kernel.expr)
        ]
        proposals = [] if complete_kernels and begins_complete else self._proposals(state)
        return Level(state.level + 1, proposals, complete_kernels, context)

    def objections(self, level: int, winner: Kernel, data_hints: ColumnHints) -> Level:
        """A level about what the data object to a model, which takes part.

        Some of it was proposed before, and given up early beside many others.
        """
        kernels = [kernel for kernel in self.strategy.objections(winner) if self._is_sensible(kernel.expr)]
        proposals = [Proposal(kernel, winner.expr) for kernel in (winner, *kernels)] if kernels else []
        return Level(level, proposals, [], Context(self.scales, data_hints, data_hints, self.learned))

    def hints(self, values: Array, *, detrend: bool) -> ColumnHints:
        """What values (n,) suggest along every column."""
        most = self.strategy.policy.frequencies
        places = zip(self.problem.columns, self.problem.X.T, strict=True)
        return ColumnHints({name: hints(x, values, detrend=detrend, frequencies=most) for name, x in places})

    def _proposals(self, state: SearchState) -> list[Proposal]:
        """The neighbours of the incumbents that were never fitted, those of the leader first.

        Where the last level improved nothing: all neighbours of the leader, which will be drawn anew. Only then is it
        likely that none of them is better.
        """
        proposed: dict[tuple[Expr, bool], list[Proposal]] = {}
        for incumbent in state.incumbents[:1] if state.stalled else state.incumbents:
            for kernel in self._neighbours_of(incumbent.kernel):
                if (state.stalled or kernel.expr not in state.seen) and self._is_sensible(kernel.expr):
                    is_open = bool(open_names(kernel))  # what the data suggest takes no place from what is drawn
                    variants = proposed.setdefault((kernel.expr, is_open), [])
                    if len(variants) < MOST_VARIANTS:
                        variants.append(Proposal(kernel, incumbent.kernel.expr))
        return [variant for variants in proposed.values() for variant in variants]

    def _neighbours_of(self, kernel: Kernel) -> Sequence[Kernel]:
        if kernel not in self._neighbours:
            self._neighbours[kernel] = self.strategy.neighbours(kernel)
        return self._neighbours[kernel]

    def _is_sensible(self, expr: Expr) -> bool:
        """Whether the likelihood admits an expression, and data like these could show what it says."""
        if not self.problem.likelihood.admits(expr):
            return False
        is_constant = self.scales.y_sd < LARGEST_CONSTANT_SPREAD * self.scales.y_rms
        return not has_structure(expr) if is_constant else self.strategy.is_showable(expr)

    def _of_the_rest(self, kernel: Kernel) -> ColumnHints:
        """What the noise of a model suggests: the data minus the posterior mean of its signal.

        Of a long series also which cycles show beside those of the model, however well its other terms bend with them.
        """
        posterior = condition(kernel, self.problem)
        suggested = self.hints(posterior.residual(), detrend=False)
        if self.learned is None:
            return suggested
        cyclic = [term for term in kernel.terms if term.periods]
        rest = self.problem.y - sum((posterior.project(term).mean for term in cyclic), np.zeros(self.problem.n))
        (name,) = self.problem.columns
        return suggested.with_periods(name, cycles(self.problem.X[:, 0], rest, self.scales.only.seasons))
