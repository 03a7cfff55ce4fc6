"""Expressions, the table of leaves, and kernels: structure and numbers side by side."""

import operator
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError
from math import isnan
from typing import Any

import pytest
from hypothesis import given
from tests.strategies import expressions, kernels

from autostatistician.errors import InputError
from autostatistician.kernels import (
    canonical,
    effective_parameters,
    format_expr,
    format_kernel,
    held_values,
    simplify,
    sum_of_products,
    to_latex,
)
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, product_of, sum_of
from autostatistician.kernels.kernel import Kernel, leaf, open_names, operands, parameters, placed, size, unset
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse

SE, LIN, WN = Leaf("SE"), Leaf("Lin"), Leaf("WN")


@given(expressions(), expressions(), expressions())
def test_addition_and_multiplication_are_associative_and_flat(a: Expr, b: Expr, c: Expr) -> None:
    assert (a + b) + c == a + (b + c) == sum_of((a, b, c))
    assert (a * b) * c == a * (b * c) == product_of((a, b, c))
    assert not any(isinstance(term, Sum) for term in (a + b).terms)
    assert not any(isinstance(factor, Product) for factor in (a * b).factors)


def test_order_columns_and_sides_tell_expressions_apart() -> None:
    both = (SE, LIN), (LIN, SE)
    different = [*(a + b for a, b in both), *(ChangePoint(a, b) for a, b in both), SE * LIN, Leaf("SE", "a")]
    different += [ChangeWindow(SE, LIN), ChangePoint(SE, LIN, "a")]
    assert len(set(different)) == len(different)
    assert hash(SE + LIN) == hash(Leaf("SE") + Leaf("Lin"))


def test_expressions_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        SE.symbol = "RQ"  # type: ignore[misc]


@given(expressions())
def test_copies_have_the_same_hash(expr: Expr) -> None:
    assert hash(pickle.loads(pickle.dumps(expr))) == hash(expr) == hash(eval(repr(expr)))


def test_a_hash_is_not_taken_to_another_process() -> None:
    expr = SE + LIN * WN
    assert hash(expr)
    asked = "import pickle, sys; from autostatistician.kernels.expr import *; kept = pickle.load(sys.stdin.buffer); "
    asked += "print(hash(kept) == hash(Leaf('SE') + Leaf('Lin') * Leaf('WN')))"
    told = subprocess.run([sys.executable, "-c", asked], input=pickle.dumps(expr), capture_output=True, check=True)
    assert told.stdout.decode().strip() == "True"


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
    assert [at for _, at in placed(parse("SE * Per + WN + CP(C, C)"), 1)] == [1, 6, 7]
    assert [at for _, at in placed(parse("CW(SE, WN)"), 1)] == [4, 6]  # behind the three of the window itself


@pytest.mark.parametrize("other", ["SE", 1, None])
def test_what_is_no_kernel_cannot_be_added_to_one(other: Any) -> None:
    for one in (leaf("WN", sd=1.0), Leaf("SE")):
        for combine in (operator.add, operator.mul):
            with pytest.raises(TypeError, match=r"unsupported operand|can't multiply"):
                combine(one, other)


def test_what_acts_on_structure_takes_kernels_and_expressions_alike() -> None:
    kernel = leaf("SE", lengthscale=1.0, sd=1.0) * leaf("C", sd=2.0) + leaf("WN", sd=0.3)
    for act in (format_expr, to_latex, effective_parameters, held_values):
        assert act(kernel) == act(kernel.expr)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="an expression or a kernel; found str"):
            act("SE")  # type: ignore[arg-type]
    for change in (simplify, canonical, sum_of_products):
        assert change(kernel).expr == change(kernel.expr).expr
    assert format_kernel(leaf("SE").expr) == "SE(lengthscale=?, sd=?)"


def test_a_leaf_that_is_none_is_said() -> None:
    with pytest.raises(InputError, match="the symbol of a leaf; found 'Foo'"):
        leaf("Foo")
