"""What is proposed on a table: changes of an expression, and products and sums over all columns.

The neighbours of an expression (`kernels.grammar`) grow with the columns times the leaves times the places, and
most of them are one of a few kinds. On a table each column enters as the first base of the language, a smooth
function, and may become another leaf afterwards; changes of structure along a column are left to series, and noise
is of one size. Products stay products: distributed over their sums, every term would need parameters of its own.

Depth comes cheaper from above than from below: the first level also looks at products and sums over all columns
(Duvenaud et al. 2013 began with every base on every column), from which whatever the data do not need is taken away.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import nan

from autostatistician.gp import Scales
from autostatistician.kernels.grammar import Language, Operator, vocabulary_of
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.leaves import LEAVES, is_leaf_of, own_parameters
from autostatistician.kernels.simplify import simplified
from autostatistician.kernels.tree import (
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

__all__ = ["TableGrammar", "without"]

STARTS_OF_LENGTHSCALES = (0.3, 1.0, 3.0)  # in ranges of the columns
START_OF_NOISE = 0.3  # standard deviations of the target


@dataclass(frozen=True)
class TableGrammar:
    """The language on the columns of a table.

    Parameters
    ----------
    language : Language
        Bases and rules.
    columns : tuple of str
        All inputs.
    categories : frozenset of str
        Those of them that hold categories.
    has_noise : bool
        Whether models hold noise, which those of some likelihoods do not.
    alike : tuple of (str, str)
        Pairs of columns that are nearly the same, each of which may stand in the place of the other.
    entering : tuple of str, optional
        Those that may multiply what is there, or come in its place; by default all.

    Examples
    --------
    >>> from autostatistician.kernels.grammar import LANGUAGES
    >>> from autostatistician.kernels.kernel import leaf
    >>> table = TableGrammar(LANGUAGES["mkl"], ("a", "b"), frozenset())
    >>> [str(kernel) for kernel in table.neighbours(leaf("SE", "a", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0))]
    ['SE[a] + SE[a] + WN', 'SE[a] + SE[b] + WN', 'SE[b] + WN', 'WN']
    """

    language: Language
    columns: tuple[str, ...]
    categories: frozenset[str]
    has_noise: bool = True
    alike: tuple[tuple[str, str], ...] = ()
    entering: tuple[str, ...] | None = None

    def neighbours(self, kernel: Kernel) -> list[Kernel]:
        """The expressions one change away from a kernel, simplified; new parameters are open."""
        root, nodes = from_kernel(kernel), dict[Key, Node]()
        for candidate in (*_neighbours(root, self._rules), *self._swapped(root)):
            node = simplified(candidate)
            before = nodes.get(node.key)
            if node.key != root.key and (before is None or open_count(node) < open_count(before)):
                nodes[node.key] = node
        return [to_kernel(node) for node in nodes.values()]

    def _swapped(self, root: Node) -> Iterator[Node]:
        """The expression on columns that are nearly the same as its own, with its parameters."""
        for pair in self.alike:
            for old, new in (pair, pair[::-1]):
                swapped = _with_column(root, old, new)
                if swapped.key != root.key:
                    yield swapped

    def over_all_columns(self, scales: Scales, curves: int | None = None) -> list[Kernel]:
        """Products and sums over all columns, with noise and a level, from several starting values each.

        Of so many kinds of ``curves``, the smoothest first; of all by default.
        """
        nodes: list[Node] = []
        for symbol in _curves(self.language)[:curves]:
            for length in STARTS_OF_LENGTHSCALES:
                over = [self._smooth(base, symbol, length) for base in self._rules.enter]
                rest = self._level_and_noise(scales)
                share = scales.y_sd / len(over) ** 0.5
                nodes += [plus([scaled_node(times(over), scales.y_sd), *rest])] if self._rules.multiply else []
                nodes += [plus([*(scaled_node(base, share) for base in over), *rest])] if self._rules.add else []
        return [to_kernel(node) for node in nodes]

    @property
    def has_curves(self) -> bool:
        """Whether some leaf of the language is a smooth function with a lengthscale."""
        return bool(_curves(self.language))

    @property
    def reachable(self) -> frozenset[str]:
        """The columns on which the language has a leaf."""
        return frozenset(filter(None, map(_column, self._rules.bases)))

    def smooth(self, column: str, length: float, sd: float) -> Kernel:
        """The smoothest curve of the language along a column, or its categories."""
        base = next(base for base in self._rules.bases if _column(base) == column)
        return to_kernel(scaled_node(self._smooth(base, _curves(self.language)[0], length), sd))

    def _smooth(self, base: Node, symbol: str, length: float) -> Node:
        column = _column(base)
        if column in self.categories:
            return leaf_node(base.head, column, (1.0,) * len(base.own))
        return leaf_node(symbol, column, (length, 1.0))

    def _level_and_noise(self, scales: Scales) -> list[Node]:
        noise = leaf_node("WN", None, (START_OF_NOISE * scales.y_sd,))
        level = leaf_node("C", None, (max(abs(scales.y_mean), START_OF_NOISE * scales.y_sd),))
        return [level] * ("C" in self.language.bases) + [noise] * self.has_noise

    @property
    def choices(self) -> int:
        """Among how many bases on all columns a change chooses."""
        return len(self._rules.bases)

    @cached_property
    def _rules(self) -> _Rules:
        operators = self.language.operators
        bases = [
            base
            for base in vocabulary_of(self.language, self.columns, self.categories).bases
            if base.head != "WN" and not _wanders_off(base)
        ]
        first: dict[str, Node] = {}
        for base in bases:
            if (column := _column(base)) is not None:
                first.setdefault(column, base)
        enter = tuple(base for name, base in first.items() if self.entering is None or name in self.entering)
        return _Rules(
            enter=enter,
            bases=tuple(bases),
            add=Operator.ADD in operators,
            replace=Operator.REPLACE in operators,
            delete=Operator.DELETE in operators,
            multiply=enter if Operator.MULTIPLY in operators else (),
            multiply_const=enter if Operator.MULTIPLY_CONST in operators else (),
        )


def _curves(language: Language) -> list[str]:
    """The leaves of a lengthscale and a size among its bases, smooth ones first: sums and products are made of each."""
    powers = {
        symbol: row.decay.power
        for symbol, row in ((text, LEAVES[text]) for text in language.bases if text in LEAVES)
        if row.decay is not None and [name for name, _ in row.names_and_roles] == ["lengthscale", "sd"]
    }
    return sorted(powers, key=powers.__getitem__, reverse=True)


def without(kernel: Kernel, columns: Collection[str | None]) -> Kernel:
    """The kernel without all leaves on some columns; None stands for levels.

    >>> from autostatistician.kernels.kernel import leaf
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
        if is_leaf_of(base.expr, LeafKind.CYCLIC):
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
    """A leaf with the parameters of the one in whose place it comes, where both have the same ones."""
    alike = own_parameters(base.expr) == own_parameters(node.expr)
    return leaf_node(base.head, base.column, node.own) if alike else base


def _with_column(node: Node, old: str, new: str) -> Node:
    """The node with one column in the place of another."""
    if not node.parts:
        return leaf_node(node.head, new, node.own) if node.column == old else node
    return rebuilt(node, [_with_column(part, old, new) for part in node.parts])


def _without(node: Node, columns: Collection[str | None]) -> Node:
    """The node without all leaves on some columns; noise stays."""
    if not node.parts:
        return ZERO if node.head != "WN" and node.column in columns else node
    kept = [part for part in (_without(part, columns) for part in node.parts) if part.head != "0"]
    return rebuilt(node, kept) if kept else ZERO


def _is_noisy(node: Node) -> bool:
    return node.head == "WN" or any(_is_noisy(part) for part in node.parts)


def _wanders_off(node: Node) -> bool:
    """Whether a leaf of an expression is one for series: along a column of a table nothing begins and wanders off."""
    is_unbounded = not node.parts and LEAVES[node.head].kind is LeafKind.UNBOUNDED
    return is_unbounded or any(_wanders_off(part) for part in node.parts)


def _column(node: Node) -> str | None:
    return node.column or next((column for column in map(_column, node.parts) if column is not None), None)
