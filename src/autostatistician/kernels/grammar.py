"""The grammar of the search: which expressions are one step away.

The nine rules are those of Duvenaud (2014, app. C) and Lloyd et al. (2014): every sub-expression S may be rewritten,
and so may every group of operands of a sum or product, taken as one.

The languages of the search: which leaves and steps each may use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from math import nan

from autostatistician.errors import InputError
from autostatistician.i18n.names import did_you_mean
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel, unset
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.rewrite import expanded
from autostatistician.kernels.simplify import simplified
from autostatistician.kernels.text import parse
from autostatistician.kernels.tree import (
    CHANGES,
    Key,
    Node,
    change,
    from_kernel,
    leaf_node,
    node_values,
    open_count,
    plus,
    rebuilt,
    times,
    to_kernel,
)

__all__ = [
    "LANGUAGES", "MOST_OPERANDS_IN_ALL_GROUPS", "OF_THE_LIBRARY", "RULES", "Language", "Operator", "Vocabulary",
    "named", "neighbours", "sums", "vocabulary_of",
]  # fmt: skip


class Operator(StrEnum):
    """A step of the search, from a sub-expression S to another; B is a base expression, C the constant."""

    ADD = "add"  # S + B
    MULTIPLY = "multiply"  # S * B
    REPLACE = "replace"  # B
    MULTIPLY_CONST = "multiply_const"  # S * (B + C)
    CHANGE_POINT = "change_point"  # CP(S, S)
    CHANGE_WINDOW = "change_window"  # CW(S, S)
    BLACKOUT = "blackout"  # CW(S, C): constant inside the window
    BURST = "burst"  # CW(C, S): constant outside the window
    DELETE = "delete"  # one of the operands of S, or S without some of them


@dataclass(frozen=True, slots=True)
class Language:
    """What a search may use.

    Parameters
    ----------
    name : str
        As the user writes it.
    bases : sequence of str
        Texts of the base expressions, without columns: mostly one leaf, but ``SE * Cos`` or ``Lin + C`` will do.
    operators : collection of Operator
        Steps that the search may take, or their values, such as "add".
    additive : bool
        Whether every expression is brought to its sum of products.
    start : Expr
        Where the search begins.
    max_depth : int or None
        Steps from there at most; None leaves it to the search.
    transforms : tuple of str
        Scales of the target that may be chosen: "none", and "log" for models of the logarithm.
    categories : tuple of str
        Texts of the base expressions on columns of categories; the other bases act on columns of numbers alone.
    unbounded : tuple of str
        Texts of base expressions that wander without bound. They need priors of their parameters: criteria that fit
        these to the data alone do without.
    criterion : str
        What a search for the model of a series goes by unless something else is asked for.
    tails : float
        By how many nats noise with heavy tails, which the language cannot say, describes the data at hand better than
        Gaussian noise of one size: changes and noise of several sizes must gain more.

    Raises
    ------
    InputError
        When there is no such step, or bases are one text.
    ParseError
        When a base is no expression.
    """

    name: str
    bases: tuple[str, ...]
    operators: frozenset[Operator] = frozenset(Operator)
    additive: bool = True
    start: Expr = Leaf("WN")  # noqa: RUF009 - it is frozen
    max_depth: int | None = None
    transforms: tuple[str, ...] = ("none",)
    categories: tuple[str, ...] = ()
    unbounded: tuple[str, ...] = ()
    criterion: str = "bic"  # as in the papers behind the languages
    tails: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.bases, str):
            raise InputError.of("a tuple of base expressions", repr(self.bases), f"write ({self.bases!r},)")
        for base in self.bases:
            parse(base)
        if unknown := [name for name in self.operators if name not in list(Operator)]:
            steps = ", ".join(Operator)
            raise InputError.of(f"operators among {steps}", repr(unknown[0]), did_you_mean(str(unknown[0]), Operator))
        object.__setattr__(self, "bases", tuple(self.bases))
        object.__setattr__(self, "operators", frozenset(map(Operator, self.operators)))

    @property
    def with_priors(self) -> Language:
        """The same language with the bases that are ``unbounded``, for searches with priors of their parameters."""
        return replace(self, bases=(*self.bases, *self.unbounded), unbounded=())


def sums(language: Language) -> Language:
    """The same language without products and changes, on the scale of the data.

    >>> sorted(map(str, sums(LANGUAGES["extended"]).operators)), sums(LANGUAGES["extended"]).transforms
    (['add', 'delete', 'replace'], ('none',))
    """
    return replace(language, operators=language.operators & _GROWTH, transforms=("none",))


class _Languages(dict[str, Language]):
    def __missing__(self, name: str) -> Language:
        raise InputError.of("the name of a language", f"'{name}'", did_you_mean(str(name), self))


_NOISE = Leaf("WN")
_ALL = frozenset(Operator)
_GROWTH = frozenset({Operator.ADD, Operator.REPLACE, Operator.DELETE})
_PRODUCTS = frozenset({Operator.ADD, Operator.MULTIPLY, Operator.REPLACE})
_ABCD, _GROUPS = ("SE", "Per", "Lin", "C", "WN"), ("Cat",)

# Beyond the original: levels and slopes that wander, data on a logarithmic scale.
_EXTENDED = Language(
    "extended",
    (*_ABCD, "Matern12", "Matern32"),
    _ALL,
    True,
    _NOISE,
    None,
    ("none", "log"),
    _GROUPS,
    ("Wiener", "IOU"),
    "evidence",
)

LANGUAGES: dict[str, Language] = _Languages(
    (language.name, language)
    for language in (
        _EXTENDED,
        # Deep kernels in the place of those of Matern.
        Language("deep", (*_ABCD, "Deep2", "Deep3", "Deep"), _ALL, True, _NOISE, None, ("none", "log"), _GROUPS),
        # Lloyd et al. (2014): the accuracy and the interpretability variant of ABCD.
        Language("full", _ABCD, _ALL, False, _NOISE, categories=_GROUPS),
        Language("interpretable", _ABCD, _ALL, True, _NOISE, categories=_GROUPS),
        # Lines, waves, constants and products of them: every model is a formula.
        Language("equations", ("Lin", "Cos", "C"), _PRODUCTS | _GROWTH, True, _NOISE, None, ("none", "log")),
        # The baselines of the same paper: one model each ...
        Language("linear", ("Lin",), frozenset({Operator.ADD}), False, Leaf("C") + _NOISE, 1),
        Language("se", ("SE",), frozenset({Operator.ADD}), False, _NOISE, 1),
        # ... and searches over poorer languages.
        Language("mkl", ("SE",), _GROWTH, False, _NOISE),
        Language("changepoint", ("SE", "WN"), _GROWTH | {Operator.CHANGE_POINT}, True, _NOISE),
        Language("spectral", ("SE * Cos",), _GROWTH, False, _NOISE),
        Language("tci", ("SE", "Per"), _GROWTH, False, _NOISE),
        # Duvenaud et al. (2013), whose linear and periodic kernels had a constant inside.
        Language("cks2013", ("SE", "Lin + C", "Per + C", "RQ"), _PRODUCTS, False, _NOISE),
    )
)


OF_THE_LIBRARY = frozenset(LANGUAGES)


def named(language: str | Language) -> str:
    """The name of a language; one of the caller's own is known by it from then on, in the place of an earlier one.

    Raises
    ------
    InputError
        When one of the library has its name.

    Examples
    --------
    >>> named("full"), named(Language("curves", ("SE", "WN")))
    ('full', 'curves')
    >>> del LANGUAGES["curves"]
    """
    if not isinstance(language, Language):
        return language
    if language.name in OF_THE_LIBRARY and LANGUAGES[language.name] != language:
        raise InputError.of("a name that no other language has", repr(language.name), "choose another one")
    LANGUAGES[language.name] = language
    return language.name


# Sums and products with more operands than this have only single operands, pairs, and all but one rewritten as
# a group, instead of all 2^n - 2 proper subsets.
MOST_OPERANDS_IN_ALL_GROUPS = 6


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The base expressions of a language on the columns at hand, with open parameters."""

    bases: tuple[Node, ...]
    factors: tuple[Node, ...]  # bases that can multiply: all but the constant
    columns: tuple[str | None, ...]  # of numbers, where something can change


# Rules on one sub-expression -------------------------------------------------------------------------------

_CONSTANT = leaf_node("C", None, (nan,))


# Of S and what the language has; B and C as with `Operator`. Groups of sums and products are left out elsewhere.
RULES: dict[Operator, Callable[[Node, Vocabulary], Iterable[Node]]] = {
    Operator.ADD: lambda node, has: [plus((node, base)) for base in has.bases],
    Operator.MULTIPLY: lambda node, has: [times((node, base)) for base in has.factors],
    Operator.REPLACE: lambda node, has: has.bases,
    Operator.MULTIPLY_CONST: lambda node, has: [times((node, plus((base, _CONSTANT)))) for base in has.factors],
    Operator.CHANGE_POINT: lambda node, has: _changes("CP", has, node, node),
    Operator.CHANGE_WINDOW: lambda node, has: _changes("CW", has, node, node),
    Operator.BLACKOUT: lambda node, has: _changes("CW", has, node, _CONSTANT),
    Operator.BURST: lambda node, has: _changes("CW", has, _CONSTANT, node),
    Operator.DELETE: lambda node, has: node.parts if node.head in CHANGES else (),
}


def _changes(head: str, vocabulary: Vocabulary, first: Node, second: Node) -> list[Node]:
    """A change between two operands, with open parameters, on each of the columns."""
    values = (nan,) * (2 if head == "CP" else 3)
    return [change(head, column, values, (first, second)) for column in vocabulary.columns]


# The neighbours --------------------------------------------------------------------------------------------


def neighbours(
    kernel: Kernel,
    language: Language,
    columns: Sequence[str | None] = (None,),
    variants: int = 1,
    categories: Collection[str | None] = (),
) -> tuple[Kernel, ...]:
    """Every expression one rule away: canonical, simplified exactly, never the kernel's own.

    Inherited parameters are kept (both copies of a change carry them), new ones are open (NaN). Different rewritings
    may give one structure with different parameters, such as a line in the place of either of two smooth functions: of
    these the ones with the most known parameters stay, else the first.

    Parameters
    ----------
    kernel : Kernel
        Where to start from.
    language : Language
        Bases, rules and form.
    columns : sequence of column names
        The inputs that new leaves and changes may act on; None is "the only one".
    variants : int
        How many kernels of one structure may stay.
    categories : collection of column names
        Those of the columns that hold categories.

    Raises
    ------
    InputError
        When given an expression without parameters, or the name of a language.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> from autostatistician.kernels.grammar import LANGUAGES
    >>> [str(k) for k in neighbours(leaf("WN", sd=1.0), LANGUAGES["mkl"])]
    ['SE + WN', 'SE']
    """
    if not isinstance(kernel, Kernel) or not isinstance(language, Language):
        given = f"{type(kernel).__name__} and {type(language).__name__}"
        raise InputError.of("a Kernel and a Language", given, "take parse_kernel and LANGUAGES")
    root, vocabulary = from_kernel(kernel), vocabulary_of(language, tuple(columns), frozenset(categories))
    form = _additive if language.additive else simplified
    same = {root.key, simplified(root).key, form(root).key}
    by_key: dict[Key, list[Node]] = {}
    for candidate in _rewritings(root, language.operators, vocabulary):
        node = form(candidate)
        if node.key not in same:
            _keep(node, by_key.setdefault(node.key, []), variants)
    return tuple([to_kernel(node) for nodes in by_key.values() for node in nodes])


def _keep(node: Node, known: list[Node], variants: int) -> None:
    """Add a node to the variants of its structure, unless its values are there or better known ones fill the room."""
    if known and (variants > 1 or open_count(node) < open_count(known[0])):
        texts = [repr(node_values(other)) for other in known]  # as text, because NaN differs from itself
        if repr(node_values(node)) in texts:
            return
    elif known:
        return
    known.append(node)
    known.sort(key=open_count)
    del known[variants:]


def _additive(node: Node) -> Node:
    return simplified(expanded(node))


def _rewritings(node: Node, operators: frozenset[Operator], vocabulary: Vocabulary) -> Iterator[Node]:
    for name, rule in RULES.items():
        if name in operators:
            yield from rule(node, vocabulary)
    for index, part in enumerate(node.parts):
        others = node.parts[:index], node.parts[index + 1 :]
        for changed in _rewritings(part, operators, vocabulary):
            yield rebuilt(node, (*others[0], changed, *others[1]))
        if Operator.DELETE in operators and node.head not in CHANGES:
            yield rebuilt(node, (*others[0], *others[1]))
    if node.head not in CHANGES:
        yield from _group_rewritings(node, operators, vocabulary)


def _group_rewritings(node: Node, operators: frozenset[Operator], vocabulary: Vocabulary) -> Iterator[Node]:
    """The rules applied to every group of two or more operands, taken as one sub-expression."""
    for group in _groups(len(node.parts)):
        inside = rebuilt(node, [node.parts[index] for index in group])
        rest = [part for index, part in enumerate(node.parts) if index not in group]
        for name, rule in RULES.items():
            if name in operators:
                for changed in rule(inside, vocabulary):
                    yield rebuilt(node, (changed, *rest))
        if Operator.DELETE in operators:
            yield rebuilt(node, rest)


@lru_cache
def _groups(count: int) -> tuple[frozenset[int], ...]:
    sizes = range(2, count) if count <= MOST_OPERANDS_IN_ALL_GROUPS else (2, count - 1)
    return tuple(frozenset(group) for size in sizes for group in combinations(range(count), size))


@lru_cache(maxsize=64)
def vocabulary_of(language: Language, columns: tuple[str | None, ...], categories: frozenset[str | None]) -> Vocabulary:
    """The bases of a language on some columns; those of ``categories`` get the bases for categories alone."""
    measured = tuple(column for column in columns if column not in categories)
    placed = [(_open(text), column) for text in language.bases for column in measured]
    if not measured:
        placed = [
            (node, None)
            for node in map(_open, language.bases)
            if node.head in LEAVES and not LEAVES[node.head].has_column
        ]
    placed += [(_open(text), column) for text in language.categories for column in columns if column in categories]
    nodes = {node.key: node for base, column in placed for node in [_on_column(base, column)]}
    factors = tuple(node for node in nodes.values() if node.head != "C")
    return Vocabulary(tuple(nodes.values()), factors, measured)


def _open(text: str) -> Node:
    return from_kernel(unset(parse(text)))


def _on_column(node: Node, column: str | None) -> Node:
    if node.parts:
        return rebuilt(node, [_on_column(part, column) for part in node.parts])
    return leaf_node(node.head, column, node.own)
