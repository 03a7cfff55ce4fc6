"""JSON: kernels survive the round trip through text, and nothing malformed gets in."""

import json
from math import inf, isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import expressions, kernels

from autostatistician.errors import ParseError
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.text import expr_from_json, expr_to_json, kernel_from_json, kernel_to_json, parse

COLUMNS = (None, "age", 'odd "]\\')


@given(kernels(columns=COLUMNS, open_numbers=True))
def test_kernels_round_trip_through_json_text(kernel: Kernel) -> None:
    found = kernel_from_json(json.loads(json.dumps(kernel_to_json(kernel), allow_nan=False)))
    assert found.expr == kernel.expr
    assert all(a == b or (isnan(a) and isnan(b)) for a, b in zip(found.values, kernel.values, strict=True))


@given(expressions(columns=COLUMNS))
def test_expressions_round_trip_through_json_text(expr: Expr) -> None:
    assert expr_from_json(json.loads(json.dumps(expr_to_json(expr)))) == expr


def test_form() -> None:
    kernel = Kernel.change_point(leaf("C", sd=2.0), leaf("0"), 1.5, nan, "t")
    assert kernel_to_json(kernel) == {
        "kernel": "CP",
        "column": "t",
        "values": {"location": 1.5, "steepness": None},
        "operands": [{"kernel": "C", "values": {"sd": 2.0}}, {"kernel": "0"}],
    }
    assert expr_to_json(parse("SE + WN")) == {"kernel": "sum", "operands": [{"kernel": "SE"}, {"kernel": "WN"}]}


NOISE = {"kernel": "WN", "values": {"sd": 1.0}}


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (None, "expected an object with the key 'kernel'"),
        ([], "expected an object"),
        ({}, "expected the name of a kernel"),
        ({"kernel": "Lin2", "values": {}}, "did you mean 'Lin'"),
        ({"kernel": ["WN"]}, "expected the name of a kernel"),
        ({"kernel": "WN"}, "expected an object with the keys \\['sd'\\]"),
        ({"kernel": "WN", "values": {"sd": 1.0, "x": 2}}, "at kernel.values"),
        ({"kernel": "WN", "values": {"sd": "1"}}, "expected a number or null at kernel.values.sd"),
        ({"kernel": "WN", "values": {"sd": True}}, "expected a number or null"),
        ({"kernel": "WN", "values": {"sd": -1.0}}, "not negative"),
        ({"kernel": "WN", "values": {"sd": inf}}, "finite"),
        ({"kernel": "WN", "values": {"sd": 10**400}}, "finite"),
        ({"kernel": "WN", "column": "a", "values": {"sd": 1.0}}, "no column"),
        ({"kernel": "SE", "column": 3, "values": {"lengthscale": 1, "sd": 1}}, "name of a column"),
        ({"kernel": "sum", "operands": [NOISE]}, "two operands or more"),
        ({"kernel": "sum", "operands": "WN"}, "a list of kernels"),
        ({"kernel": "CP", "values": {"location": 0, "steepness": 1}, "operands": [NOISE] * 3}, "two operands"),
        ({"kernel": "WN", "values": {"sd": 1.0}, "operands": [NOISE]}, "no operands"),
        ({"kernel": "sum", "operands": [NOISE, {"kernel": "XX"}]}, "at kernel.operands\\[1\\]"),
        ({"kernel": "WN", "values": {"sd": 1.0}, "__class__": "os"}, "the keys kernel, column, values, operands only"),
    ],
)
def test_malformed_objects_are_refused_with_the_place(obj: object, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        kernel_from_json(obj)


def test_too_deep_nesting_is_refused() -> None:
    obj: dict[str, object] = dict(NOISE)
    for _ in range(5000):
        obj = {"kernel": "sum", "operands": [obj, NOISE]}
    with pytest.raises(ParseError, match="nested"):
        kernel_from_json(obj)


def test_infinite_numbers_are_not_written() -> None:
    with pytest.raises(ValueError, match="finite"):
        kernel_to_json(leaf("WN", sd=inf))


_KEYS = st.sampled_from(["kernel", "column", "values", "operands", "sd", "lengthscale"])
_SCALARS = st.one_of(
    st.none(), st.booleans(), st.floats(), st.integers(), st.sampled_from(["SE", "WN", "sum", "CP", "x"])
)
_OBJECTS = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=8
)


@given(_OBJECTS)
def test_any_object_is_a_kernel_or_a_parse_error(obj: object) -> None:
    try:
        kernel = kernel_from_json(obj)
    except ParseError:
        return
    assert kernel_from_json(kernel_to_json(kernel)).expr == kernel.expr
