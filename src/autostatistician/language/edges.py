"""Changes that take place where there are no data: the side that no datum is on says nothing, and is left out.

A window that closes behind the last datum is a change point. Its likelihood is the same with a parameter less, and its
forecast does not go back, at a place of which the data know nothing, to what was before the window.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan, tanh

from autostatistician.language.tree import CHANGES, Node, change

__all__ = ["ABSENT_WEIGHT", "Spans", "idle_changes", "span_of", "without_idle_edges"]

Spans = Mapping[str, tuple[float, float]]  # the lowest and highest input, by column

ABSENT_WEIGHT = 0.01  # the largest weight on any datum of a side that counts as absent


def without_idle_edges(node: Node, low: float, high: float) -> Node:
    """A change (see `ChangePoint`, `ChangeWindow`) without the edges that lie beyond data from ``low`` to ``high``.

    >>> from autostatistician.language.kernel import Kernel, leaf
    >>> from autostatistician.language.tree import from_kernel, to_kernel
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
