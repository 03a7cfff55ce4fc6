"""Approximate rules on leaves: what differs from something simpler by less than data within a range can show.

They change the correlation of a leaf by less than a tolerance over the range of the inputs. Changes beyond the data
go with them (see `edges`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan, sqrt

from autostatistician.language.edges import Spans, span_of, without_idle_edges
from autostatistician.language.leaves import LEAVES
from autostatistician.language.tree import CHANGES, Node, leaf_node, output_scale, renewed

__all__ = ["APPROXIMATE", "CORRELATION_TOLERANCE", "Approximation", "approximated"]

# Largest change of a correlation that an approximate rule may make. A squared exponential of lengthscale l
# falls by R^2 / (2 l^2) over a range R, so 2e-4 lets it pass for a constant from l = 50 R on.
CORRELATION_TOLERANCE = 2e-4


@dataclass(frozen=True, slots=True)
class Approximation:
    """An approximate rule on one leaf, given the length of the input range and the tolerance (None: idle)."""

    name: str
    statement: str
    apply: Callable[[Node, float, float], Node | None]


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


def _approximation(apply: Callable[[Node, float, float], Node | None]) -> Approximation:
    return Approximation(apply.__name__, (apply.__doc__ or "").splitlines()[0], apply)


APPROXIMATE = tuple(
    _approximation(apply) for apply in (constant_for_flat, constant_for_alike, smooth_for_mixed, cosine_for_round)
)


def approximated(node: Node, span: Spans, tolerance: float) -> Node:
    """A tree with the rules applied once to every leaf, and idle edges of changes left out, where a span is known."""
    bounds = span_of(node.column, span)
    if node.parts:
        whole = renewed(node, [approximated(part, span, tolerance) for part in node.parts])
        return without_idle_edges(whole, *bounds) if whole.head in CHANGES and bounds is not None else whole
    if bounds is None or any(isnan(value) for value in node.own):
        return node
    for rule in APPROXIMATE:
        if (changed := rule.apply(node, bounds[1] - bounds[0], tolerance)) is not None:
            return changed
    return node
