"""The search on a series by the evidence of structures: from sums that short series need, on to whatever else pays.

With priors of the numbers one start is mostly enough, and a model that does not pay for its numbers loses by itself. So
a level begins with all sums of a level that wanders, a trend and a cycle of the calendar; from the best of them, the
rules of the language lead on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from typing import Any

from scipy.special import logsumexp

from autostatistician.inference import Problem, Scales, fit
from autostatistician.inference.uncertainty import log_evidence
from autostatistician.language.expr import Expr, Product, Sum
from autostatistician.language.grammar import neighbours
from autostatistician.language.kernel import Kernel, open_names, operands, parameters, unset
from autostatistician.language.languages import Language
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.leaves import is_leaf_of
from autostatistician.language.rewrite import canonical
from autostatistician.language.showable import showable
from autostatistician.language.text import parse
from autostatistician.search.hints import MOST_FREQUENCIES, clear_periods, hints
from autostatistician.search.noise import tails_charge
from autostatistician.search.rounds import Found, Rounds, Trial, merged
from autostatistician.search.series.cycles import cycled
from autostatistician.search.series.steps import scattered, stepped
from autostatistician.search.starts import at_centre
from autostatistician.search.strategy import Level, Policy
from autostatistician.search.structure_prior import StructurePrior, learned_structures
from autostatistician.search.tasks import Effort, Rows, Task

__all__ = ["CYCLES", "EvidenceStrategy", "log_marginal", "sums"]

WANDERING, TRENDS, CYCLES = ("", "Wiener", "Matern12"), ("", "Lin", "IOU", "SE", "Lin + SE"), ("", "Per", "SE * Per")
TWO_CYCLES = ("Per + Per", "SE * Per + Per", "SE * Per + SE * Per")
NAMES = re.compile(r"\w+")  # of leaves
STEPS_OF_SUMS, STEPS_OF_FIRST_LOOK, STEPS, MOST_STEPS = (12, 60), 6, 15, 100
# In deviance: what is farther from the best of its round is given up, and what is so much less probable before the data
# is not looked at. More rows can make up for more.
STEPS_OF_SUGGESTED = 30
REACH, MORE_PER_ROW = 20.0, 0.05
PLAIN_KINDS = (LeafKind.UNBOUNDED, LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.LINE)
LOOKS = 3  # at every proposal
FEWEST_FINALISTS, FINALISTS_ONE_IN, LEADERS = 10, 6, 4
MOST_SUMS = 16  # that are fitted to the end
FEWEST_FOR_CYCLES = 40  # rows that show a cycle which no calendar names


@dataclass(frozen=True, eq=False)
class EvidenceStrategy:
    """How a language is searched on a series by evidence; problem and scales are in standard units."""

    language: Language
    problem: Problem
    scales: Scales
    cycles: tuple[float, ...] = ()  # that more rows than those of the problem show

    @property
    def policy(self) -> Policy:
        """Two incumbents, and an end where nothing is better."""
        return Policy(beam=2, looks_again=False, finest=0.0, frequencies=MOST_FREQUENCIES, begins_above=True)

    @cached_property
    def prior(self) -> StructurePrior:
        """The prior of structures for series like this."""
        return learned_structures(bool(self.scales.only.seasons))

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """Steps, and cycles that stand out, and all that the rules of the language make and is not absurd."""
        limit = self._improbability(kernel.expr) + _reach(self.problem.n)
        found = [
            *stepped(kernel, self.problem, self.language),
            *scattered(kernel, self.problem, self.language),
            *cycled(kernel, self.problem, self.language, self.scales.only.seasons),
            *neighbours(kernel, self.language),
        ]
        return [one for one in found if self._improbability(one.expr) < limit and not has_twins(one.expr)]

    def from_above(self) -> Sequence[Kernel]:
        """The sums, their numbers at the centres of their priors."""
        return [
            with_periods(at_centre(unset(expr), self.scales, periods[0]), periods)
            for expr in self._sums
            for periods in self._periods_of(expr)
        ]

    def _periods_of(self, expr: Expr) -> Iterator[tuple[float, ...]]:
        """With which periods a sum begins; their order matters only where one cycle of two wanders off."""
        count = NAMES.findall(str(unset(expr))).count("Per")
        if not count:
            return iter([(1.0,)])
        wandering = sum(isinstance(one, Product) for one in operands(expr))
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

    def charge(self, expr: Expr) -> float:
        """How improbable an expression is before the data, as a deviance, and what its changes owe to heavy tails."""
        return self._improbability(expr) + tails_charge(expr, self.language.tails)

    def _improbability(self, expr: Expr) -> float:
        return -2.0 * self.prior.log_probability(expr)

    def gained_by_chance(self, expr: Expr, criterion: str) -> float:
        """Nothing: chance is in the evidence."""
        return 0.0

    def race(self, rounds: Rounds, level: Level) -> Found:
        """In the first level the sums; then neighbours: a look at each, some steps for the better ones, the best."""
        if level.from_above:
            return _race_of_sums(rounds, level)
        return _race(rounds, level)


def has_twins(expr: Expr) -> bool:
    """Whether a sum has the same walk, or another term of one free number, twice: one of them would do.

    >>> has_twins(parse("Wiener + Wiener + WN")), has_twins(parse("Wiener + IOU + WN"))
    (True, False)
    """
    parts = operands(expr)
    plain = [one for one in parts if is_leaf_of(one, *PLAIN_KINDS)] if isinstance(expr, Sum) else []
    return len(set(plain)) < len(plain) or any(map(has_twins, parts))


def log_marginal(language: Language, problem: Problem, scales: Scales) -> float:
    """The logarithm of the probability of the data, in standard units, under all sums of the first level together."""
    strategy = EvidenceStrategy(language, problem, scales)
    fits = [fit(one, problem, scales, STEPS_OF_SUMS[0]) for one in strategy.from_above()]
    scores = [2.0 * one.loss + strategy.charge(one.kernel.expr) for one in fits]
    near = _in_reach(fits, scores, _reach(problem.n))
    logs = [
        log_evidence(found.kernel, found.nll, problem, scales) - 0.5 * strategy.charge(found.kernel.expr)
        for found in (fit(one.kernel, problem, scales, STEPS_OF_SUMS[1]) for one in near)
    ]
    return float(logsumexp(logs))


def _reach(n: int) -> float:
    return REACH + MORE_PER_ROW * n


def _in_reach(every: Sequence[Any], scores: Sequence[float], reach: float) -> list[Any]:
    """Those whose score is near that of the best; steps that remain will not make up for more."""
    best = min(scores, default=0.0)
    return [one for one, score in zip(every, scores, strict=True) if score < best + reach]


def _near(rounds: Rounds, trials: Sequence[Trial]) -> list[Trial]:
    """The trials on few rows that are in reach; scores are as if these rows were all, and as much less certain."""
    whole, few = rounds.runner.subsets.whole.n, rounds.runner.subsets.few.n
    return _in_reach(trials, [rounds.score(one, Rows.FEW) for one in trials], _reach(whole) * whole / few)


def _race_of_sums(rounds: Rounds, level: Level) -> Found:
    """All sums some steps, on few rows where there are many; those that are near the best to the end."""
    effort = Effort(1, 1, STEPS_OF_SUMS[0], rows=Rows.FEW)
    first, spent = rounds.run([Task(one.kernel, effort, ()) for one in level.from_above], level.context)
    near = rounds.best(_near(rounds, first), MOST_SUMS, Rows.FEW)
    last, more = rounds.continued(near, STEPS_OF_SUMS[1], level.context)
    return last, spent + more


def _race(rounds: Rounds, level: Level) -> Found:
    context, key = level.context, (rounds.seed, level.number, 1)
    effort = Effort(LOOKS, 0, 0, rows=Rows.FEW)
    made = [one for one in level.proposals if not open_names(one.kernel)]
    others = [one for one in level.proposals if open_names(one.kernel)]
    looks, spent = rounds.run([Task(one.kernel, effort, key, one.parent) for one in others], context)
    near = _near(rounds, looks)
    effort = Effort(1, 1, STEPS_OF_FIRST_LOOK, rows=Rows.FEW)
    first, more = rounds.run([Task(one.kernel, effort, (), one.parent) for one in near], context)
    spent += more
    # What the data suggest comes with its numbers, which are far from the best: a look would only compare these.
    effort = Effort(1, 1, STEPS_OF_SUGGESTED, rows=Rows.FEW)
    suggested, more = rounds.run([Task(one.kernel, effort, (), one.parent) for one in made], context)
    spent, first = spent + more, merged([*first, *suggested], rounds.charge)
    better = rounds.best(first, max(FEWEST_FINALISTS, len(first) // FINALISTS_ONE_IN), Rows.FEW)
    second, more = rounds.continued(better, STEPS, context)
    simpler, extra = rounds.simplified(second, STEPS, context)
    second, spent = merged([*second, *simpler], rounds.charge), spent + more + extra
    last, more = rounds.continued(rounds.best(second, LEADERS), MOST_STEPS, context)
    return merged([*second, *last], rounds.charge), spent + more


def sums(language: Language, cycles: Sequence[str] = CYCLES) -> Iterator[Expr]:
    """The sums with which a search begins, as far as the language has their leaves.

    >>> from autostatistician.language.languages import LANGUAGES
    >>> [str(unset(expr)) for expr in sums(LANGUAGES["mkl"])]
    ['WN', 'SE + WN']
    """
    known = {name for text in language.bases for name in NAMES.findall(text)} | {"WN"}
    level = ("C",) if "C" in known else ()
    for parts in product(WANDERING, TRENDS, cycles):
        text = " + ".join(part for part in (*level, *parts, "WN") if part)
        if known.issuperset(NAMES.findall(text)):
            yield canonical(unset(parse(text))).expr


def with_periods(kernel: Kernel, periods: Sequence[float]) -> Kernel:
    """A kernel with periods in the places of its own, in their order, as far as it has such.

    >>> with_periods(unset(parse("Per + WN")), (7.0,)).values[1]
    7.0
    """
    left = iter(periods)
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    return Kernel(kernel.expr, tuple(next(left, value) if one.name == "period" else value for one, value in every))
