"""Expressions, the table of leaves, and kernels: structure and numbers side by side."""

from __future__ import annotations

import operator
from math import isnan
from typing import Any

import pytest
from hypothesis import given
from tests.strategies import kernels

from autostatistician.language.expr import ChangePoint, Leaf, Product, Sum, product_of, sum_of
from autostatistician.language.kernel import Kernel, leaf, open_names, operands, parameters, placed, size, unset
from autostatistician.language.leaf_row import Role
from autostatistician.language.leaves import LEAVES
from autostatistician.language.text import parse

SE, WN = Leaf("SE"), Leaf("WN")


def test_operators_flatten_their_own_kind_only() -> None:
    assert Sum((SE, WN, SE)) == SE + WN + SE
    assert Product((SE, Sum((WN, SE)), SE)) == SE * (WN + SE) * SE
    assert Sum((Product((SE, WN)), Product((SE, WN)))) == (SE * WN) + (SE * WN)
    assert sum_of((SE,)) is SE
    assert product_of((SE,)) is SE


@given(kernels(columns=(None, "a")))
def test_parts_and_own_numbers_make_the_kernel_again(kernel: Kernel) -> None:
    parts = kernel.parts
    assert tuple(part.expr for part in parts) == operands(kernel.expr)
    assert kernel.own + tuple(value for part in parts for value in part.values) == kernel.values
    assert kernel.rebuilt(parts) == kernel
    assert tuple(kernel.named().values()) == kernel.own
    assert size(kernel.expr) == len(parameters(kernel.expr)) == len(kernel.values)
    assert hash(kernel) == hash(Kernel(kernel.expr, kernel.values))


@given(kernels())
def test_parameters_lead_to_their_nodes(kernel: Kernel) -> None:
    for parameter, value in zip(parameters(kernel.expr), kernel.values, strict=True):
        node = kernel
        for step in parameter.path:
            node = node.parts[step]
        assert node.expr == parameter.node
        assert node.named()[parameter.name] == value


def test_mapped_sees_every_parameter() -> None:
    kernel = Kernel.change_point(leaf("Lin", sd=1.0, location=2.0), leaf("WN", sd=3.0), 4.0, 5.0, "t")
    found = kernel.mapped(lambda parameter, value: -value if parameter.role is Role.LOCATION else value)
    assert found.values == (-4.0, 5.0, 1.0, -2.0, 3.0)
    assert found.expr == ChangePoint(Leaf("Lin"), WN, "t")


def test_open_numbers() -> None:
    assert all(map(isnan, unset(parse("CW(SE, Per)")).values))
    assert leaf("SE", sd=1.0).values[1] == 1.0
    assert isnan(leaf("SE", sd=1.0).values[0])


def test_wrong_numbers_and_names_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 2 values for this expression; found 1"):
        Kernel(SE, (1.0,))
    with pytest.raises(ValueError, match="found \\['scale'\\]"):
        leaf("SE", scale=1.0)


@pytest.mark.parametrize("symbol", LEAVES)
def test_every_leaf_has_at_most_one_output_scale_and_a_name(symbol: str) -> None:
    row = LEAVES[symbol]
    scales = [name for name, role in row.names_and_roles if role in (Role.SD, Role.SLOPE, Role.DIFFUSION)]
    assert scales == ([] if symbol == "0" else ["sd"])
    assert row.name
    assert parse(symbol) == Leaf(symbol)


def test_names_of_open_numbers() -> None:
    assert open_names(leaf("SE", sd=1.0) * leaf("Per", lengthscale=1.0, sd=1.0)) == {"lengthscale", "period"}
    assert open_names(leaf("WN", sd=1.0)) == set()


def test_numbers_of_operands_follow_each_other() -> None:
    parts = tuple(parse(text) for text in ("SE * Per", "WN", "CP(C, C)"))
    assert [at for _, at in placed(parts, 1)] == [1, 6, 7]


@pytest.mark.parametrize("other", ["SE", 1, None])
def test_what_is_no_kernel_cannot_be_added_to_one(other: Any) -> None:
    for one in (leaf("WN", sd=1.0), Leaf("SE")):
        for combine in (operator.add, operator.mul):
            with pytest.raises(TypeError, match=r"unsupported operand|can't multiply"):
                combine(one, other)
