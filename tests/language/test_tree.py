"""Trees with their numbers: canonical from the start, nothing lost, shared where nothing changed."""

from __future__ import annotations

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import covariance
from tests.strategies import kernels

from autostatistician.language.kernel import Kernel, leaf
from autostatistician.language.tree import (
    CHANGES,
    Node,
    at_scale,
    from_kernel,
    leaf_node,
    node_values,
    open_count,
    output_scale,
    plus,
    rebuilt,
    renewed,
    scaled_node,
    times,
    to_kernel,
)

X = np.array([-1.0, 0.0, 0.4, 1.5])


def _nodes(node: Node) -> list[Node]:
    return [node, *(below for part in node.parts for below in _nodes(part))]


@given(kernels(max_leaves=8))
def test_a_tree_has_the_covariance_of_its_kernel(kernel: Kernel) -> None:
    again = to_kernel(from_kernel(kernel))
    size = 1.0 + np.abs(covariance(kernel, X)).max()
    np.testing.assert_allclose(covariance(again, X), covariance(kernel, X), atol=1e-9 * size)
    assert to_kernel(from_kernel(again)) == again


@given(kernels(max_leaves=10, open_numbers=True))
def test_sums_and_products_are_flat_and_sorted_by_structure(kernel: Kernel) -> None:
    tree = from_kernel(kernel)
    for node in _nodes(tree):
        assert all(part.head != node.head for part in node.parts) or node.head in CHANGES
        if node.head in ("+", "*"):
            keys = [part.key for part in node.parts]
            assert keys == sorted(keys)
            assert len(keys) > 1
    assert open_count(tree) == sum(map(isnan, kernel.values))
    assert sorted(map(repr, node_values(tree))) == sorted(map(repr, kernel.values))


@given(kernels(max_leaves=6), st.sampled_from([0.5, 2.0, 3.0]))
def test_scaling_multiplies_the_covariance_by_the_square(kernel: Kernel, factor: float) -> None:
    scaled = to_kernel(scaled_node(from_kernel(kernel), factor))
    size = 1.0 + np.abs(covariance(kernel, X)).max()
    np.testing.assert_allclose(covariance(scaled, X), factor**2 * covariance(kernel, X), atol=1e-8 * size)


@given(kernels(max_leaves=4, changes=False), st.sampled_from([0.25, 2.0]))
def test_a_term_can_be_set_to_a_scale(kernel: Kernel, scale: float) -> None:
    term = from_kernel(kernel)
    if term.head == "+":  # sums have no scale of their own
        assert output_scale(term) == 1.0
    else:
        assert output_scale(at_scale(term, scale)) == pytest.approx(scale)


def test_numbers_break_ties_of_structure_and_open_ones_come_last() -> None:
    parts = [leaf_node("WN", None, (value,)) for value in (nan, 2.0, 1.0)]
    found = node_values(plus(parts))
    assert found[:2] == [1.0, 2.0]
    assert isnan(found[2])


def test_a_single_operand_is_itself_and_leaves_without_columns_lose_the_name() -> None:
    node = leaf_node("SE", "a", (1.0, 1.0))
    assert plus([node]) is node
    assert times([node]) is node
    assert leaf_node("C", "a", (1.0,)).column is None
    assert node.column == "a"


def test_what_does_not_change_is_not_made_again() -> None:
    whole = from_kernel(leaf("SE", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0))
    assert renewed(whole, list(whole.parts)) is whole
    assert renewed(whole, [whole.parts[0], leaf_node("WN", None, (2.0,))]) is not whole
    assert rebuilt(whole.parts[0], []) is whole.parts[0]


def test_full_covariances_of_categories_stand_behind_everything_by_their_size() -> None:
    symbols = ["Cat10r1", "Cat2r1", "Cat2r0", "CP", "WN"]
    nodes = [from_kernel(leaf(symbol)) for symbol in symbols if symbol != "CP"]
    nodes.append(from_kernel(Kernel.change_point(leaf("C"), leaf("SE"), location=0.0, steepness=1.0)))
    assert [part.head for part in plus(nodes).parts] == ["WN", "CP", "Cat2r0", "Cat2r1", "Cat10r1"]
