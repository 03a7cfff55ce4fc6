"""The search on tables of several columns: what is proposed, and from where it begins.

The neighbours of an expression (`language.grammar`) grow with the columns times the leaves times the places, and
most of them are one of a few kinds. On a table each column enters as the first base of the language, a smooth
function, and may become another leaf afterwards; changes of structure along a column are left to series, and noise
is of one size. Products stay products: distributed over their sums, every term would need numbers of its own.

Depth comes cheaper from above than from below: the first level also looks at products and sums over all columns
(Duvenaud et al. 2013 began with every base on every column), from which whatever the data do not need is taken away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf, log, nan

from autostatistician.inference.optimise import Fit
from autostatistician.inference.scales import Scales
from autostatistician.language.expr import Expr
from autostatistician.language.grammar import Language, words_of
from autostatistician.language.kernel import Kernel, open_names, parameters
from autostatistician.language.simplify import simplified
from autostatistician.language.traits import columns_of
from autostatistician.language.tree import (
    ZERO,
    Key,
    Node,
    from_kernel,
    leaf_node,
    open_count,
    plus,
    rebuilt,
    scaled_node,
    times,
    to_kernel,
)
from autostatistician.search.effort import Found, Heats, merged
from autostatistician.search.race import Heat, Rows, Task
from autostatistician.search.starts import Context

__all__ = ["Table", "table_race", "without"]

# How many of the proposals are fitted on few rows, in how many steps; the next ones from where the former ended.
ON_FEW = ((40, 6), (12, 12))
SEMIFINALISTS, STEPS_ON_MORE = 6, 15
FINALISTS, STEPS = 2, (60, 25)  # on all rows; fewer steps where these are very many
STEPS_OF_WIDE, STEPS_WITHOUT = 30, 4

WIDE = ("SE", "Matern32", "Matern12")  # leaves of which products and sums over all columns are made
LONG = frozenset(WIDE)  # leaves whose numbers are a lengthscale and a size
PERIODIC = frozenset({"Per", "Cos"})
LENGTHS, NOISE = (0.3, 1.0, 3.0), 0.3  # where they begin: in ranges of the columns, and of the target's deviation


@dataclass(frozen=True)
class Table:
    """The language on the columns of a table, and how many frequencies can be told apart along all of them together.

    Examples
    --------
    >>> from autostatistician.language.grammar import LANGUAGES
    >>> from autostatistician.language.kernel import leaf
    >>> table = Table(LANGUAGES["mkl"], ("a", "b"), frozenset())
    >>> [str(kernel) for kernel in table.proposals(leaf("SE", "a", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0))]
    ['SE[a] + SE[a] + WN', 'SE[a] + SE[b] + WN', 'SE[b] + WN', 'WN']
    """

    language: Language
    columns: tuple[str, ...]
    categories: frozenset[str]
    frequencies: float = 1.0

    def charge(self, expr: Expr) -> float:
        """What the choice of its periods adds to the BIC of an expression: ``2 log frequencies`` for each.

        A cycle is the best of as many looks as there are frequencies along the columns, and the best of many looks at
        noise gains twice the logarithm of their number. In other words, data settle a frequency to a fraction of its
        distance from the next one, not of itself: on one regular series, a charge of 3 log n instead of log n (Djuric
        1996, A model selection rule for sinusoids in white Gaussian noise).

        >>> from autostatistician.language.grammar import LANGUAGES
        >>> from autostatistician.language.text import parse
        >>> table = Table(LANGUAGES["full"], ("a", "b"), frozenset(), frequencies=100.0)
        >>> [round(table.charge(parse(text)), 2) for text in ("SE[a] + WN", "SE[a] * Per[b] + WN")]
        [0.0, 9.21]
        """
        periods = sum(parameter.name == "period" for parameter in parameters(expr))
        return 2.0 * periods * log(max(self.frequencies, 1.0))

    def proposals(self, kernel: Kernel) -> list[Kernel]:
        """The expressions one change away from a kernel, simplified; new numbers are open."""
        root, found = from_kernel(kernel), dict[Key, Node]()
        for candidate in _neighbours(root, self._rules):
            node = simplified(candidate)
            known = found.get(node.key)
            if node.key != root.key and (known is None or open_count(node) < open_count(known)):
                found[node.key] = node
        return [to_kernel(node) for node in found.values()]

    def wide(self, scales: Scales) -> list[Kernel]:
        """Products and sums over all columns, with noise and a level, from several starting values each."""
        found: list[Node] = []
        for symbol in WIDE:
            if symbol in self.language.bases:
                for length in LENGTHS:
                    over = [self._smooth(base, symbol, length) for base in self._rules.enter]
                    rest = self._level_and_noise(scales)
                    share = scales.y_sd / len(over) ** 0.5
                    found += [plus([scaled_node(times(over), scales.y_sd), *rest])] if self._rules.multiply else []
                    found += [plus([*(scaled_node(one, share) for one in over), *rest])] if self._rules.add else []
        return [to_kernel(node) for node in found]

    def _smooth(self, base: Node, symbol: str, length: float) -> Node:
        column = _column(base)
        if column in self.categories:
            return leaf_node(base.head, column, (1.0,) * len(base.own))
        return leaf_node(symbol, column, (length, 1.0))

    def _level_and_noise(self, scales: Scales) -> list[Node]:
        noise = leaf_node("WN", None, (NOISE * scales.y_sd,))
        level = leaf_node("C", None, (max(abs(scales.y_mean), NOISE * scales.y_sd),))
        return [level, noise] if "C" in self.language.bases else [noise]

    @cached_property
    def _rules(self) -> _Rules:
        operators = self.language.operators
        bases = [base for base in words_of(self.language, self.columns, self.categories).bases if base.head != "WN"]
        first: dict[str, Node] = {}
        for base in bases:
            if (column := _column(base)) is not None:
                first.setdefault(column, base)
        enter = tuple(first.values())
        return _Rules(
            enter=enter,
            bases=tuple(bases),
            add="add" in operators,
            replace="replace" in operators,
            delete="delete" in operators,
            multiply=enter if "multiply" in operators else (),
            multiply_const=enter if "multiply_const" in operators else (),
        )


def without(kernel: Kernel, columns: Collection[str | None]) -> Kernel:
    """The kernel without all leaves on some columns; None stands for levels.

    >>> from autostatistician.language.kernel import leaf
    >>> str(without(leaf("SE", "a") * leaf("SE", "b") + leaf("SE", "b") + leaf("WN"), ["b"]))
    'SE[a] + WN'
    """
    return to_kernel(simplified(_without(from_kernel(kernel), columns)))


@dataclass(frozen=True)
class _Rules:
    """What a change may bring: ``enter`` holds the first base of every column, ``bases`` all of them."""

    enter: tuple[Node, ...]
    bases: tuple[Node, ...]
    add: bool
    replace: bool
    delete: bool
    multiply: tuple[Node, ...]
    multiply_const: tuple[Node, ...]


def _neighbours(root: Node, rules: _Rules) -> Iterator[Node]:
    """One change in a sum: a term more, all of the signal multiplied, a term changed or gone."""
    terms = root.parts if root.head == "+" else (root,)
    if rules.add:
        yield from (plus((root, base)) for base in rules.bases)
        yield from (plus((root, term)) for term in _cycles(rules))
    noise, signal = [term for term in terms if _is_noisy(term)], [term for term in terms if not _is_noisy(term)]
    if len(signal) > 1:
        yield from (plus((*noise, new)) for new in _multiplied(plus(signal), rules))
    for index, term in enumerate(terms):
        others = (*terms[:index], *terms[index + 1 :])
        if not _is_noisy(term):
            yield from (plus((*others, new)) for new in _term(term, rules))
            if rules.delete and others:
                yield plus(others)


def _cycles(rules: _Rules) -> Iterator[Node]:
    """A cycle along one column that changes along another: alone, neither of the two shows."""
    for base in rules.bases if rules.multiply else ():
        if base.head in PERIODIC:
            yield from (times((base, other)) for other in rules.multiply if _column(other) != base.column)


def _multiplied(node: Node, rules: _Rules) -> Iterator[Node]:
    for base in rules.multiply:
        yield times((node, base))
    for base in rules.multiply_const:
        yield times((node, plus((base, leaf_node("C", None, (nan,))))))


def _term(node: Node, rules: _Rules) -> Iterator[Node]:
    """One change in a term of a sum."""
    if node.head == "C":
        return
    yield from _multiplied(node, rules)
    yield from _inner(node, rules)


def _factor(node: Node, rules: _Rules) -> Iterator[Node]:
    """One change in a factor of a product."""
    if rules.add:
        yield from (plus((node, base)) for base in rules.enter)
    yield from _inner(node, rules)


def _inner(node: Node, rules: _Rules) -> Iterator[Node]:
    """One change below a node; a leaf becomes another on its column, or that with which another column enters."""
    if not node.parts and rules.replace and node.head != "C":
        mine = [base for base in rules.bases if _column(base) == node.column]
        yield from (_inheriting(base, node) for base in mine if base.head != node.head)
        yield from (base for base in rules.enter if base not in mine)
    for index, part in enumerate(node.parts):
        others = (*node.parts[:index], *node.parts[index + 1 :])
        changed = _factor(part, rules) if node.head == "*" else _term(part, rules)
        yield from (rebuilt(node, (*others, new)) for new in changed)
        if rules.delete:
            yield rebuilt(node, others)


def _inheriting(base: Node, node: Node) -> Node:
    """A leaf with the lengthscale and size of the one in whose place it comes, where both have them."""
    return leaf_node(base.head, base.column, node.own) if {base.head, node.head} <= LONG else base


def _without(node: Node, columns: Collection[str | None]) -> Node:
    """The node without all leaves on some columns; noise stays."""
    if not node.parts:
        return ZERO if node.head != "WN" and node.column in columns else node
    kept = [part for part in (_without(part, columns) for part in node.parts) if part.head != "0"]
    return rebuilt(node, kept) if kept else ZERO


def _is_noisy(node: Node) -> bool:
    return node.head == "WN" or any(_is_noisy(part) for part in node.parts)


def _column(node: Node) -> str | None:
    return node.column or next((column for column in map(_column, node.parts) if column is not None), None)


# The race of one level ---------------------------------------------------------------------------------------


def table_race(heats: Heats, proposals: list[Kernel], wide: list[Kernel], context: Context, level: int) -> Found:
    """The fits of a level that are worth keeping, and the evaluations that all of its fits took.

    Proposals are looked at and ranked on few rows, the better ones fitted on more, the last on all. The ``wide`` ones
    are freed of what the data do not need before they join.
    """
    found, spent = heats.run([Task(k, _looks(k, heats.restarts), (heats.seed, level, 1)) for k in proposals], context)
    for count, steps in ON_FEW:
        better = [fit.kernel for fit in heats.best(merged(found), count, Rows.FEW)]
        found, more = heats.continued(better, steps, context, Rows.FEW)
        spent += more
    freed, more = _from_above(heats, wide, context)
    found, spent = merged([*found, *freed]), spent + more
    if heats.runner.arena.larger is not heats.runner.arena.subset:
        found = heats.best(found, SEMIFINALISTS, Rows.FEW)
        found, more = heats.continued([fit.kernel for fit in found], STEPS_ON_MORE, context, Rows.MORE)
        spent += more
    few = heats.runner.arena.larger is heats.runner.arena.whole
    leaders = heats.best(found, FINALISTS, Rows.MORE)
    last, more = heats.continued([fit.kernel for fit in leaders], STEPS[0] if few else STEPS[1], context)
    simpler, extra = heats.simplified(last, STEPS[0] if few else STEPS[1], context)
    return merged([*(found if few else ()), *last, *simpler]), spent + more + extra


def _looks(kernel: Kernel, restarts: int) -> Heat:
    """Some looks at a proposal; more where a period must be met, or the side on which a line crosses zero."""
    opened = open_names(kernel)
    times = 4 if "period" in opened else 3 if "location" in opened else 1
    return Heat(max(2, 2 * restarts // 5) * times, 0, 0, rows=Rows.FEW)


def _from_above(heats: Heats, kernels: list[Kernel], context: Context) -> Found:
    """Products and sums over all columns, fitted on few rows and freed of the columns that these do not need."""
    begun, spent = heats.continued(kernels, STEPS_OF_WIDE // 3, context, Rows.FEW)
    wide, more = heats.continued([fit.kernel for fit in merged(begun)], STEPS_OF_WIDE, context, Rows.FEW)
    spent += more
    done: list[Fit] = []
    while wide:
        every = [
            (fit, name, without(fit.kernel, [name]))
            for fit in wide
            for name in (None, *sorted(columns_of(fit.kernel.expr)))
        ]
        trials = [trial for trial in every if trial[2].expr != trial[0].kernel.expr]
        fits, more = heats.continued([kernel for _, _, kernel in trials], STEPS_WITHOUT, context, Rows.FEW)
        spent += more
        known = {one.kernel.expr: heats.score(one.kernel, one.nll, Rows.FEW) for one in merged(fits)}
        shorter = []
        for fit in wide:
            limit = heats.score(fit.kernel, fit.nll, Rows.FEW)
            scores = [(known.get(k.expr, inf), index) for index, (other, _, k) in enumerate(trials) if other is fit]
            spare = sorted(one for one in scores if one[0] < limit)
            # Columns that stand in for each other look spare together: half of them at a time.
            names = [trials[index][1] for _, index in spare[: (len(spare) + 1) // 2]]
            shorter += [without(fit.kernel, names)] if names else []
            done += [] if names else [fit]
        wide, more = heats.continued(shorter, STEPS_OF_WIDE // 2, context, Rows.FEW)
        wide, spent = merged(wide), spent + more
    return merged(done), spent
