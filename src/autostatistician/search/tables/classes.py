"""The strategy for classes on a table: from sums of the columns that act, to what features say that a model lacks.

Every level asks all columns of the table, and pairs of them, beside the model that leads (`additive.objections`); the
neighbours of its expression are looked at along those that answer. What features ask for comes with its size and is
fitted to all rows, whatever a first look at few of them would say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from autostatistician.gp import condition
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.simplify import simplified
from autostatistician.kernels.traits import columns_of, leaf_columns
from autostatistician.kernels.tree import from_kernel, to_kernel
from autostatistician.search.tables.additive import FeatureBlock, Objection, blocks_of, eliminated, objections
from autostatistician.search.tables.proposals import TableGrammar
from autostatistician.search.tables.strategy import TableStrategy

__all__ = ["ClassStrategy"]

# From which log odds of being there a column stays in sums: hardly, clearly and surely.
ODDS = (0.0, 2.0, 4.0)
MOST_IN_SUMS = 40  # columns from which elimination begins
MOST_IN_PRODUCTS = 10  # columns of the products over all, from which columns are taken away
MOST_PAIRED = 12  # columns not in the model whose pairs are asked
NEW, NEW_PAIRS = 3, 2  # columns and pairs of them that neighbours are made of
SURE = 10.0  # likelihood ratio, as a deviance, of a column that is looked at in any case
MOST_SUGGESTED = 6


@dataclass(frozen=True, eq=False)
class ClassStrategy(TableStrategy):
    """How a language is searched on a table of classes; problem and scales are in standard units."""

    def neighbours(self, kernel: Kernel) -> Sequence[Kernel]:
        """What features suggest, and the changes that a table allows along columns that may act."""
        if not (self.grammar.has_curves or "Lin" in self.grammar.language.bases):
            return super().neighbours(kernel)
        used = columns_of(kernel.expr)
        asked = self._objections(kernel)
        singles, pairs = _best_of_columns(asked), [one for one in asked if len(one.columns) > 1 and one.gain > 0.0]
        new = [one for one in singles if not used.issuperset(one.columns)]
        lately = dict.fromkeys(name for one in (*new[:NEW], *pairs[:NEW_PAIRS]) for name in one.columns)
        looked_at = [name for name in self.grammar.columns if name in used or name in lately]
        suggested = [one for at, one in enumerate(new) if at < NEW or one.ratio >= SURE][:MOST_SUGGESTED]
        together = [one for one in pairs[:NEW_PAIRS] if not _has_together(kernel, one)]
        added = [kernel + self._term(one) for one in (*suggested, *together)]
        brought = (not used and self._sums) or map(_in_order, added)  # at first, sums hold what would be added
        return [*brought, *self._along(looked_at, tuple(lately)).neighbours(kernel)]

    def complete_kernels(self) -> Sequence[Kernel]:
        """Products over the columns that may act; sums are among the neighbours of a level alone."""
        if not self.grammar.has_curves:
            return ()
        names = [name for one in self._sums for name in sorted(columns_of(one.expr))]
        names += [name for one in self._of_level if one.gain > 0.0 or len(one.columns) == 1 for name in one.columns]
        likely = set(list(dict.fromkeys(names))[:MOST_IN_PRODUCTS])
        over = self._along([name for name in self.grammar.columns if name in likely])
        return over.over_all_columns(self.scales, curves=1)

    def _along(self, columns: Sequence[str], entering: tuple[str, ...] | None = None) -> TableGrammar:
        """The grammar on some of the columns."""
        alike = tuple(pair for pair in self.grammar.alike if not set(columns).isdisjoint(pair))
        return replace(self.grammar, columns=tuple(columns), alike=alike, entering=entering)

    def _objections(self, kernel: Kernel) -> list[Objection]:
        function = condition(kernel, self.problem, "laplace").signal()[0]
        return objections(self.problem, self._blocks, columns_of(kernel.expr), function, MOST_PAIRED)

    @cached_property
    def _blocks(self) -> dict[str, tuple[FeatureBlock, ...]]:
        every = blocks_of(self.problem, self.grammar.categories)
        return {name: own for name, own in every.items() if name in self.grammar.reachable}

    @cached_property
    def _of_level(self) -> list[Objection]:
        """What columns and pairs tell beside a level alone."""
        return self._objections(leaf("C", sd=1.0))

    @cached_property
    def _sums(self) -> tuple[Kernel, ...]:
        """The sums that backward elimination leaves, with a level."""
        sums = []
        likely = list(dict.fromkeys(name for one in self._of_level for name in one.columns))[:MOST_IN_SUMS]
        for one in eliminated(self.problem, {name: self._blocks[name] for name in likely}, ODDS):
            sizes: dict[str, tuple[bool, float]] = {}
            for block, variance in zip(one.blocks, one.variances, strict=True):
                is_line, before = sizes.get(block.column, (True, 0.0))
                sizes[block.column] = is_line and block.is_line, before + variance
            terms = [self._leaf(name, is_line, size) for name, (is_line, size) in sizes.items()]
            sums.append(_in_order(sum(terms, leaf("C", sd=1.0))))
        return tuple({kernel.expr: kernel for kernel in sums if self.problem.likelihood.admits(kernel.expr)}.values())

    def _term(self, objection: Objection) -> Kernel:
        first, *others = objection.columns
        term = self._leaf(first, objection.is_line, objection.variance)
        for name in others:
            term = term * self._leaf(name, objection.is_line, 1.0)
        return term

    def _leaf(self, name: str, is_line: bool, variance: float) -> Kernel:
        """A line, or a curve as long as the standard deviation of a column, of some variance; or its categories."""
        x = self.problem.X[:, self.problem.columns.index(name)]
        if name in self.grammar.categories:
            return self.grammar.smooth(name, 1.0, 1.0)
        if "Lin" in self.grammar.language.bases and (is_line or not self.grammar.has_curves):
            return leaf("Lin", name, sd=float(variance**0.5 / x.std()), location=float(x.mean()))
        return self.grammar.smooth(name, float(x.std()), float(variance**0.5))


def _in_order(kernel: Kernel) -> Kernel:
    return to_kernel(simplified(from_kernel(kernel)))


def _best_of_columns(asked: Sequence[Objection]) -> list[Objection]:
    """Of every column the line or the curve that gains more, with the likelihood ratio of the line."""
    ratios = {one.columns: one.ratio for one in asked if one.ratio}
    first = {one.columns: one for one in reversed(asked) if len(one.columns) == 1}
    best = [replace(one, ratio=ratios.get(one.columns, 0.0)) for one in first.values()]
    return sorted(best, key=lambda one: -one.gain)


def _has_together(kernel: Kernel, pair: Objection) -> bool:
    return any(set(pair.columns) <= set(leaf_columns(term.expr)) for term in kernel.terms)
