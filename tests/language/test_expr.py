"""Expressions: flat sums and products, values that can be compared and hashed."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from tests.strategies import expressions

from autostatistician.language.expr import (
    ChangePoint,
    ChangeWindow,
    Expr,
    Leaf,
    Product,
    Sum,
    product_of,
    sum_of,
)

SE, LIN, WN = Leaf("SE"), Leaf("Lin"), Leaf("WN")


@given(expressions(), expressions(), expressions())
def test_addition_and_multiplication_are_associative_and_flat(a: Expr, b: Expr, c: Expr) -> None:
    assert (a + b) + c == a + (b + c) == sum_of((a, b, c))
    assert (a * b) * c == a * (b * c) == product_of((a, b, c))
    assert not any(isinstance(term, Sum) for term in (a + b).terms)
    assert not any(isinstance(factor, Product) for factor in (a * b).factors)


def test_a_product_of_sums_stays_one() -> None:
    assert Product((Sum((SE, LIN)), WN)) == (SE + LIN) * WN


def test_order_columns_and_sides_tell_expressions_apart() -> None:
    different = [SE + LIN, LIN + SE, SE * LIN, Leaf("SE", "a"), ChangePoint(SE, LIN), ChangePoint(LIN, SE)]
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
    asked = "import pickle, sys; from autostatistician.language.expr import *; kept = pickle.load(sys.stdin.buffer); "
    asked += "print(hash(kept) == hash(Leaf('SE') + Leaf('Lin') * Leaf('WN')))"
    told = subprocess.run([sys.executable, "-c", asked], input=pickle.dumps(expr), capture_output=True, check=True)
    assert told.stdout.decode().strip() == "True"
