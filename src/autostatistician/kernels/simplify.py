"""Simplification: every rule a small named function in a table, applied to a fixed point.

Exact rules preserve the covariance and need no parameters: where parameters are open (NaN) they act on the
structure alone. The rules of `approximate` act only when the range of the inputs is given. The rules on noise,
constants and repeated squared exponentials follow Lloyd et al. (2014); those on linear leaves are additions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import hypot, isnan, prod, sqrt, tanh

from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.tree import (
    CHANGES,
    ZERO,
    Key,
    Node,
    at_scale,
    change,
    from_kernel,
    leaf_node,
    node_values,
    output_scale,
    plus,
    renewed,
    scaled_node,
    times,
    to_kernel,
)

__all__ = ["PRODUCT_RULES", "SUM_RULES", "Spans", "idle_changes", "simplified", "simplify"]


Spans = Mapping[str, tuple[float, float]]  # the lowest and highest input, by column

ABSENT_WEIGHT = 0.01  # the largest weight on any datum of a side that counts as absent

# Largest change of a correlation that an approximate rule may make. A squared exponential of lengthscale l
# falls by R^2 / (2 l^2) over a range R, so 2e-4 lets it pass for a constant from l = 50 R on.
CORRELATION_TOLERANCE = 2e-4


Rule = Callable[[Sequence[Node]], Sequence[Node]]  # on the operands of one sum or product, which it returns when idle


def simplify(kernel: Kernel | Expr, span: Spans | None = None, tolerance: float = CORRELATION_TOLERANCE) -> Kernel:
    """The simplest equivalent kernel that the rules can reach, in canonical form.

    Parameters
    ----------
    kernel : Kernel or Expr
        Parameters may be open (NaN): exact rules then act on the structure.
    span : mapping of column to (lowest, highest) input, optional
        Allows the approximate rules on the columns it names. A single entry also serves leaves without a column.
    tolerance : float
        Largest change of a leaf's correlation that an approximate rule may make.

    Examples
    --------
    >>> from autostatistician.kernels.kernel import leaf
    >>> k = simplify(leaf("WN", sd=3.0) + leaf("WN", sd=4.0))
    >>> str(k), k.values
    ('WN', (5.0,))
    >>> str(simplify(leaf("SE", lengthscale=1e4, sd=1.0), span={"x": (0.0, 1.0)}))
    'C'
    """
    node = simplified(from_kernel(kernel))
    while span is not None:
        shorter = simplified(approximated(node, span, tolerance))
        if shorter.key == node.key:
            break
        node = shorter
    return to_kernel(node)


def simplified(node: Node) -> Node:
    """Exact simplification of a tree. The result is remembered on the node, so shared branches are done once."""
    if node.simple is None:
        node.simple = _simplified(node)
        node.simple.simple = node.simple
    return node.simple


def _simplified(node: Node) -> Node:
    if not node.parts:
        return node
    parts = [simplified(part) for part in node.parts]
    if node.head in CHANGES:
        return ZERO if all(part.head == "0" for part in parts) else renewed(node, parts)
    whole = renewed(node, parts)
    if whole.head != node.head:
        return simplified(whole)
    rules, gathered = (SUM_RULES, plus) if node.head == "+" else (PRODUCT_RULES, times)
    operands: Sequence[Node] = whole.parts
    for rule in rules:
        if (changed := rule(operands)) is not operands:
            return simplified(gathered(changed))
    return whole


# Sums ------------------------------------------------------------------------------------------------------


def drop_zeros(terms: Sequence[Node]) -> Sequence[Node]:
    """0 + k = k."""
    kept = [term for term in terms if term.head != "0"]
    return terms if len(kept) == len(terms) else (kept or [ZERO])


def begin_together(terms: Sequence[Node]) -> Sequence[Node]:
    """Open beginnings of what wanders off become those of like terms: in a model, all begin where the data do."""
    begun = {(term.head, term.column): term.own[-1] for term in terms if _begins(term) and not isnan(term.own[-1])}
    late = [term for term in terms if _begins(term) and isnan(term.own[-1]) and (term.head, term.column) in begun]
    if not late:
        return terms
    return [
        leaf_node(term.head, term.column, (*term.own[:-1], begun[term.head, term.column])) if term in late else term
        for term in terms
    ]


def _begins(node: Node) -> bool:
    return not node.parts and LEAVES[node.head].of_increments is not None


def merge_equal(terms: Sequence[Node]) -> Sequence[Node]:
    """Terms that agree in all but their scale become one; variances add (WN + WN, C + C, k + k)."""
    return _merged(terms, _likeness, _united)


def _merged(
    nodes: Sequence[Node], likeness: Callable[[Node], object], united: Callable[[list[Node]], Node]
) -> Sequence[Node]:
    """Operands of one likeness united, each group at the place of its first; None is like nothing else."""
    groups: dict[object, list[Node]] = {}
    for index, node in enumerate(nodes):
        groups.setdefault(likeness(node) or index, []).append(node)
    if len(groups) == len(nodes):
        return nodes
    return [united(group) if len(group) > 1 else group[0] for group in groups.values()]


def _united(terms: list[Node]) -> Node:
    return at_scale(max(terms, key=output_scale), hypot(*(output_scale(term) for term in terms)))


def merge_linear(terms: Sequence[Node]) -> Sequence[Node]:
    """R * Lin + R * Lin + ... = R * Lin + R, exactly: both sides are one quadratic form in (1, x) times R.

    Weights w_i = s_i^2 give slope^2 = sum w_i, location = their mean c, and the rest sum w_i (c_i - c)^2.
    """
    groups: dict[object, list[tuple[Node, Node | None, Node]]] = {}
    for term in terms:
        for line, rest in _lines(term):
            if (likeness := _likeness(rest) if rest else ()) is not None:
                groups.setdefault((line.column, likeness), []).append((line, rest, term))
    for group in groups.values():
        if len(group) > 1:
            used = {id(term) for _, _, term in group}
            return [*(term for term in terms if id(term) not in used), *_one_line(group)]
    return terms


def _lines(term: Node) -> list[tuple[Node, Node | None]]:
    """Every way to read a term as one Lin times a rest without a Lin on that column (so no term pairs with itself)."""
    if term.head == "Lin":
        return [(term, None)]
    if term.head != "*":
        return []
    lines = [factor for factor in term.parts if factor.head == "Lin"]
    single = [line for line in lines if sum(other.column == line.column for other in lines) == 1]
    return [(line, times([factor for factor in term.parts if factor is not line])) for line in single]


def _one_line(group: list[tuple[Node, Node | None, Node]]) -> list[Node]:
    first, rest, _ = max(group, key=lambda member: output_scale(member[2]))
    scales = [output_scale(term) for _, _, term in group]
    places = [line.own[1] for line, _, _ in group]
    slope = hypot(*scales)
    place = sum(scale**2 * at for scale, at in zip(scales, places, strict=True)) / slope**2 if slope else places[0]
    spread = hypot(*(scale * (at - place) for scale, at in zip(scales, places, strict=True)))
    line = leaf_node("Lin", first.column, (first.own[0], place))
    merged = [at_scale(times([line, rest]) if rest else line, slope)]
    if spread != 0:
        merged.append(at_scale(rest, spread) if rest else leaf_node("C", None, (spread,)))
    return merged


def _likeness(node: Node) -> tuple[Key, tuple[float, ...]] | None:
    """Structure and all parameters but the scale; None when a value is open, as nothing is known to equal it."""
    likeness = _likeness_numbers(node)
    return None if any(isnan(value) for value in likeness) else (node.key, tuple(likeness))


def _likeness_numbers(node: Node) -> list[float]:
    if node.head == "*":
        return [value for factor in node.parts for value in _likeness_numbers(factor)]
    if node.parts:
        return node_values(node)
    index = LEAVES[node.head].scale_index
    return [value for place, value in enumerate(node.own) if place != index]


# Products --------------------------------------------------------------------------------------------------


def annihilate(factors: Sequence[Node]) -> Sequence[Node]:
    """0 * k = 0."""
    return [ZERO] if any(factor.head == "0" for factor in factors) else factors


def merge_smooth(factors: Sequence[Node]) -> Sequence[Node]:
    """SE * SE = SE, likewise Matern12 and Cat, on the same column: rates of falling add, scales multiply."""
    return _merged(factors, _smooth_likeness, _one_smooth)


def _smooth_likeness(node: Node) -> tuple[str, str | None] | None:
    decay = LEAVES[node.head].decay if not node.parts else None
    merges = node.head == "Cat" or (decay is not None and decay.exponential)
    return (node.head, node.column) if merges else None


def _one_smooth(group: list[Node]) -> Node:
    first = group[0]
    if first.head == "Cat":
        contrast = prod(1 + node.own[0] for node in group) - 1
        return leaf_node("Cat", first.column, (contrast, prod(node.own[1] for node in group)))
    decay = LEAVES[first.head].decay
    assert decay is not None
    lengthscale = sum(node.own[0] ** -decay.power for node in group) ** (-1 / decay.power)
    return leaf_node(first.head, first.column, (lengthscale, prod(node.own[1] for node in group)))


def absorb_in_noise(factors: Sequence[Node]) -> Sequence[Node]:
    """WN * k = WN for every stationary k: only k(0) matters; C, Lin and changes are left to stand."""
    if not any(factor.head == "WN" for factor in factors):
        return factors
    absorbed = [factor for factor in factors if _is_stationary(factor)]
    if len(absorbed) == 1:
        return factors
    noise = leaf_node("WN", None, (prod(_sd(factor) for factor in absorbed),))
    return [noise, *(factor for factor in factors if not _is_stationary(factor))]


def absorb_constants(factors: Sequence[Node]) -> Sequence[Node]:
    """C * k = k with a larger or smaller scale."""
    constants = [factor for factor in factors if factor.head == "C"]
    if not constants:
        return factors
    rest = [factor for factor in factors if factor.head != "C"]
    size = prod(constant.own[0] for constant in constants)
    return [scaled_node(rest[0], size), *rest[1:]] if rest else [leaf_node("C", None, (size,))]


def _is_stationary(node: Node) -> bool:
    if node.parts:
        return node.head not in CHANGES and all(_is_stationary(part) for part in node.parts)
    return LEAVES[node.head].stationary


def _sd(node: Node) -> float:
    """The standard deviation of a stationary kernel."""
    match node.head:
        case "+":
            return hypot(*(_sd(part) for part in node.parts))
        case "*":
            return prod(_sd(part) for part in node.parts)
        case _:
            return output_scale(node)


SUM_RULES: tuple[Rule, ...] = (drop_zeros, begin_together, merge_equal, merge_linear)

PRODUCT_RULES: tuple[Rule, ...] = (annihilate, merge_smooth, absorb_in_noise, absorb_constants)

# --- Approximate rules on leaves ------------------------------------------------------------------------------------


# On one leaf, given the length of the input range and the tolerance; None when idle.
Approximation = Callable[[Node, float, float], Node | None]


def constant_for_flat(node: Node, reach: float, tolerance: float) -> Node | None:
    """A smooth or wandering leaf -> C when it falls by less than the tolerance over the whole range."""
    decay = LEAVES[node.head].decay
    if decay is None or node.own[0] * (tolerance / decay.rate) ** (1 / decay.power) < reach:
        return None
    return leaf_node("C", None, (output_scale(node),))


def smooth_for_mixed(node: Node, reach: float, tolerance: float) -> Node | None:
    """RQ -> SE when alpha is huge: they differ by at most 2 / (e^2 alpha)."""
    near = node.head == "RQ" and node.own[2] >= 0.271 / tolerance
    return leaf_node("SE", node.column, node.own[:2]) if near else None


def cosine_for_round(node: Node, reach: float, tolerance: float) -> Node | None:
    """Per -> Cos when its relative lengthscale l is large: they differ by at most 1 / (2 l^2) to first order."""
    round_ = node.head == "Per" and node.own[0] >= 1 / sqrt(2 * tolerance)
    return leaf_node("Cos", node.column, node.own[1:]) if round_ else None


def constant_for_alike(node: Node, reach: float, tolerance: float) -> Node | None:
    """Cat -> C when the correlation of different categories is one but for the tolerance."""
    return leaf_node("C", None, node.own[1:]) if node.head == "Cat" and node.own[0] <= tolerance else None


APPROXIMATE: tuple[Approximation, ...] = (constant_for_flat, constant_for_alike, smooth_for_mixed, cosine_for_round)


def approximated(node: Node, span: Spans, tolerance: float) -> Node:
    """A tree with the rules applied once to every leaf, and idle edges of changes left out, where a span is known."""
    bounds = span_of(node.column, span)
    if node.parts:
        whole = renewed(node, [approximated(part, span, tolerance) for part in node.parts])
        return without_idle_edges(whole, *bounds) if whole.head in CHANGES and bounds is not None else whole
    if bounds is None or any(isnan(value) for value in node.own):
        return node
    for rule in APPROXIMATE:
        if (changed := rule(node, bounds[1] - bounds[0], tolerance)) is not None:
            return changed
    return node


# --- Changes that take place where there are no data ----------------------------------------------------------------


def without_idle_edges(node: Node, low: float, high: float) -> Node:
    """A change (see `ChangePoint`, `ChangeWindow`) without the edges that lie beyond data from ``low`` to ``high``.

    >>> from autostatistician.kernels.kernel import Kernel, leaf
    >>> from autostatistician.kernels.tree import from_kernel, to_kernel
    >>> k = Kernel.change_window(leaf("C", sd=1.0), leaf("C", sd=2.0), location=0.9, steepness=100.0, width=0.5)
    >>> found = to_kernel(without_idle_edges(from_kernel(k), 0.0, 1.0))
    >>> str(found), found.own
    ('CP(C, C)', (0.65, 100.0))
    """
    if any(isnan(value) for value in node.own):
        return node
    first, second = node.parts
    if node.head != "CW":
        return _point(node, first, second, node.own[0], low, high)
    location, steepness, width = node.own
    opens, closes = location - 0.5 * width, location + 0.5 * width
    if _risen(high, opens, steepness) <= ABSENT_WEIGHT or _risen(low, closes, steepness) >= 1.0 - ABSENT_WEIGHT:
        return first
    if _risen(high, closes, steepness) <= ABSENT_WEIGHT:
        return _point(node, first, second, opens, low, high)
    if _risen(low, opens, steepness) >= 1.0 - ABSENT_WEIGHT:
        return _point(node, second, first, closes, low, high)
    return node


def _point(node: Node, before: Node, after: Node, location: float, low: float, high: float) -> Node:
    """The change point at a location, or the one side of it that there are data on."""
    steepness = node.own[1]
    if _risen(high, location, steepness) <= ABSENT_WEIGHT:
        return before
    if _risen(low, location, steepness) >= 1.0 - ABSENT_WEIGHT:
        return after
    return change("CP", node.column, (location, steepness), (before, after)) if node.head == "CW" else node


def _risen(x: float, location: float, steepness: float) -> float:
    """How far a step has risen at a place, from zero to one."""
    return 0.5 * (1.0 + tanh(steepness * (x - location)))


def span_of(column: str | None, spans: Spans) -> tuple[float, float] | None:
    """The span of the column that a node names, or of the only one where it names none; None where that is not known.

    >>> span_of(None, {"age": (0.0, 1.0)}), span_of(None, {"age": (0.0, 1.0), "mass": (2.0, 3.0)})
    ((0.0, 1.0), None)
    """
    if column is None:
        return next(iter(spans.values())) if len(spans) == 1 else None
    return spans.get(column)


def idle_changes(node: Node, spans: Spans) -> bool:
    """Whether any change of a tree has an edge beyond the data; columns without a span are not looked at."""
    every = ((change, span_of(change.column, spans)) for change in _changes(node))
    return any(span is not None and without_idle_edges(change, *span) is not change for change, span in every)


def _changes(node: Node) -> Iterator[Node]:
    if node.head in CHANGES:
        yield node
    for part in node.parts:
        yield from _changes(part)
