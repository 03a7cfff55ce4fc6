"""The search on a series by the evidence of structures: from sums that short series need, on to whatever else pays.

With priors of the parameters one start is mostly enough, and a model that does not pay for its parameters loses by
itself. So a level begins with all sums of a level that wanders, a trend and a cycle of the calendar; from the best of
them, the rules of the language lead on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, filterfalse, permutations, product

import numpy as np
from scipy.special import logsumexp

from autostatistician.gp import Problem, Scales
from autostatistician.gp.evidence import log_evidence
from autostatistician.gp.fitting import Fit, fit
from autostatistician.kernels.expr import Expr, Product, Sum
from autostatistician.kernels.grammar import Language, neighbours
from autostatistician.kernels.kernel import Kernel, Parameter, operands, parameters, unset
from autostatistician.kernels.leaf_row import LeafKind, Role
from autostatistician.kernels.leaves import is_leaf_of
from autostatistician.kernels.rewrite import canonical
from autostatistician.kernels.text import parse
from autostatistician.kernels.traits import showable
from autostatistician.search.scores.noise_penalties import tails_penalty
from autostatistician.search.scores.structure_prior import Season, StructurePrior, is_change, learned_structures
from autostatistician.search.series.proposals import suggested
from autostatistician.search.series.schedules import MOST_SUMS, REACH_OF_BEST, STEPS_FROM_LOOKS, STEPS_OF_SUMS, reach
from autostatistician.search.starting.hints import MOST_FREQUENCIES, clear_periods, hints
from autostatistician.search.starting.starts import at_centre
from autostatistician.search.strategy import Policy

__all__ = ["CYCLES", "EvidenceStrategy", "LikelySums", "sums", "weighed_sums"]

WANDERING, TRENDS, CYCLES = ("", "Wiener", "Matern12"), ("", "Lin", "IOU", "SE", "Lin + SE"), ("", "Per", "SE * Per")
TWO_CYCLES = ("Per + Per", "SE * Per + Per", "SE * Per + SE * Per")
NAMES = re.compile(r"\w+")  # of leaves
PLAIN_KINDS = (LeafKind.UNBOUNDED, LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.LINE)
PERIODS_TO_CHANGE = 4.0  # in which a cycle that drifts becomes another
FEWEST_FOR_CYCLES = 40  # rows that show a cycle which no calendar names


@dataclass(frozen=True, eq=False)
class EvidenceStrategy:
    """How a language is searched on a series by evidence; problem and scales are in standard units."""

    language: Language
    problem: Problem
    scales: Scales
    cycles: tuple[float, ...] = ()  # that more rows than those of the problem show
    likely_sums: tuple[Kernel, ...] = ()  # those with which a search begins, where they were fitted before

    @property
    def policy(self) -> Policy:
        """First the sums."""
        return Policy(finest=0.0, frequencies=MOST_FREQUENCIES, begins_complete=True)

    @cached_property
    def prior(self) -> StructurePrior:
        """The prior of structures for series like this."""
        return learned_structures(Season.of(self.scales))

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """Steps, and cycles that stand out, and all that the rules of the language make and is not absurd."""
        suggestions = suggested(kernel, self.problem, self.language, self.scales.only.seasons)
        return self._probable((*suggestions, *neighbours(kernel, self.language)), kernel)

    def objections(self, kernel: Kernel) -> Sequence[Kernel]:
        """What stands out of what the kernel leaves, whatever the calendar says, and other sums beside its changes."""
        suggestions = suggested(kernel, self.problem, self.language)
        return self._probable((*suggestions, *self._beside_changes(kernel)), kernel)

    def _beside_changes(self, kernel: Kernel) -> Iterator[Kernel]:
        """All sums of the first level with the changes of a kernel, its noise and its constant.

        They were compared before a change was known, which a walk explains as well: no single step leads from a walk
        to a line with a season.
        """
        if any(is_change(term.expr) for term in kernel.terms):
            kept = [term for term in kernel.terms if is_change(term.expr) or _is_level_or_noise(term)]
            for start in self._all_sums():
                yield canonical(Kernel.sum((*filterfalse(_is_level_or_noise, start.terms), *kept)))

    def _probable(self, kernels: Iterable[Kernel], parent: Kernel) -> list[Kernel]:
        limit = self._improbability(parent.expr) + reach(self.problem.n)
        return [kernel for kernel in kernels if self._improbability(kernel.expr) < limit and not has_twins(kernel.expr)]

    def complete_kernels(self) -> Sequence[Kernel]:
        """The sums, their parameters at the centres of their priors; of likely ones those that are open."""
        if self.likely_sums:
            return [at_centre(kernel, self.scales, self.scales.only.range) for kernel in self.likely_sums]
        return self._all_sums()

    def _all_sums(self) -> list[Kernel]:
        starts = [
            with_periods(at_centre(unset(expr), self.scales, periods[0]), periods)
            for expr in self._sums
            for periods in self._periods_of(expr)
        ]
        named = self.cycles or self.scales.only.seasons
        return starts if named else [start for one in starts for start in dict.fromkeys((one, drifting(one)))]

    def _periods_of(self, expr: Expr) -> Iterator[tuple[float, ...]]:
        """With which periods a sum begins; their order matters only where one cycle of two wanders off."""
        count = NAMES.findall(str(unset(expr))).count("Per")
        if not count:
            return iter([(1.0,)])
        wandering = sum(isinstance(part, Product) for part in operands(expr))
        return permutations(self._periods, count) if wandering == 1 else combinations(self._periods, count)

    def is_showable(self, expr: Expr) -> bool:
        """Whether so many rows of a series could show what the expression says; sums of the first level always."""
        return expr in self._sums or showable(expr, self.problem.n, series=True)

    @cached_property
    def _sums(self) -> tuple[Expr, ...]:
        several = TWO_CYCLES if len(self.cycles) > 1 else ()
        return tuple(sums(self.language, (*(CYCLES if self._periods else CYCLES[:1]), *several)))

    @cached_property
    def _periods(self) -> tuple[float, ...]:
        """The cycles with which a search begins: those of the calendar, else the one that stands out of the data.

        A curve that bends quickly enough explains any cycle, and from there no single step leads to the cycle.
        """
        named = self.cycles or tuple(self.scales.only.seasons)
        if named or self.problem.n < FEWEST_FOR_CYCLES:
            return named
        x, y = self.problem.X[:, 0], self.problem.y
        return (clear_periods(x, y) or hints(x, y, detrend=True, frequencies=MOST_FREQUENCIES).periods)[:1]

    def penalty(self, expr: Expr) -> float:
        """How improbable an expression is before the data, as a deviance, and what its changes owe to heavy tails."""
        return self._improbability(expr) + tails_penalty(expr, self.language.tails)

    def _improbability(self, expr: Expr) -> float:
        return -2.0 * self.prior.log_probability(expr)

    def gained_by_chance(self, expr: Expr, criterion: str, candidates: int) -> float:
        """Nothing: chance is in the evidence."""
        return 0.0


def _is_level_or_noise(term: Kernel) -> bool:
    return is_leaf_of(term.expr, LeafKind.NOISE, LeafKind.CONSTANT)


def has_twins(expr: Expr) -> bool:
    """Whether a sum has the same walk, or another term of one free parameter, twice: one of them would do.

    >>> has_twins(parse("Wiener + Wiener + WN")), has_twins(parse("Wiener + IOU + WN"))
    (True, False)
    """
    parts = operands(expr)
    plain = [part for part in parts if is_leaf_of(part, *PLAIN_KINDS)] if isinstance(expr, Sum) else []
    return len(set(plain)) < len(plain) or any(map(has_twins, parts))


@dataclass(frozen=True, eq=False)
class LikelySums:
    """The likely sums of the first level on some data, fitted, and the log probability of the data under all of them.

    The best one comes first. ``looks`` are all sums as they were after a few steps, in standard units.
    """

    fits: tuple[Fit, ...]
    log_marginal: float
    looks: tuple[Kernel, ...]


def weighed_sums(language: Language, problem: Problem, scales: Scales, looks: Sequence[Kernel] = ()) -> LikelySums:
    """The sums of the first level, fitted to data in standard units and weighed by their evidence.

    With the ``looks`` of the same data on another scale, fewer steps are needed from there.
    """
    strategy = EvidenceStrategy(language, problem, scales)
    starts, steps = (looks, STEPS_FROM_LOOKS) if looks else (strategy.complete_kernels(), STEPS_OF_SUMS[0])
    fits = [fit(start, problem, scales, steps) for start in starts]
    scores = np.array([2.0 * fitted.loss + strategy.penalty(fitted.kernel.expr) for fitted in fits])
    near, leading = (scores < scores.min() + limit for limit in (reach(problem.n), REACH_OF_BEST))
    finished = [
        fit(fits[index].kernel, problem, scales, STEPS_OF_SUMS[1]) if leading[index] else fits[index]
        for index in np.argsort(scores, kind="stable")[: min(MOST_SUMS, np.count_nonzero(near))]
    ]
    evidence = [log_evidence(best.kernel, best.nll, problem, scales) for best in finished]
    logs = [log - 0.5 * strategy.penalty(best.kernel.expr) for log, best in zip(evidence, finished, strict=True)]
    likely = tuple(finished[index] for index in np.argsort(-np.array(logs), kind="stable"))
    return LikelySums(likely, float(logsumexp(logs)), tuple(fitted.kernel for fitted in fits))


def sums(language: Language, cycles: Sequence[str] = CYCLES) -> Iterator[Expr]:
    """The sums with which a search begins, as far as the language has their leaves.

    >>> from autostatistician.kernels.grammar import LANGUAGES
    >>> [str(unset(expr)) for expr in sums(LANGUAGES["mkl"])]
    ['WN', 'SE + WN']
    """
    names = {name for text in language.bases for name in NAMES.findall(text)} | {"WN"}
    level = ("C",) if "C" in names else ()
    for parts in product(WANDERING, TRENDS, cycles):
        text = " + ".join(part for part in (*level, *parts, "WN") if part)
        if names.issuperset(NAMES.findall(text)):
            yield canonical(unset(parse(text))).expr


def drifting(kernel: Kernel) -> Kernel:
    """A kernel whose cycles change their shape within a few periods, where a curve multiplies them.

    From a curve as long as the data no single step leads to one that is short: a cycle that drifts is an optimum of
    its own.

    >>> drifting(with_periods(unset(parse("SE * Per + WN")), (7.0,))).values[0]
    28.0
    """
    if isinstance(kernel.expr, Sum):
        return Kernel.sum(tuple(map(drifting, kernel.terms)))
    if not kernel.periods:
        return kernel
    _, period = kernel.periods[0]

    def changed(parameter: Parameter, value: float) -> float:
        is_length = parameter.role is Role.LENGTH and parameter.name != "period"
        return PERIODS_TO_CHANGE * period if is_length else value

    return kernel.mapped(changed)


def with_periods(kernel: Kernel, periods: Sequence[float]) -> Kernel:
    """A kernel with periods in the places of its own, in their order, as far as it has such.

    >>> with_periods(unset(parse("Per + WN")), (7.0,)).values[1]
    7.0
    """
    remaining = iter(periods)
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    return Kernel(
        kernel.expr,
        tuple(next(remaining, value) if parameter.name == "period" else value for parameter, value in every),
    )
