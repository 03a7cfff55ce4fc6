"""Text and LaTeX: what is written can be read again, and errors help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import ODD_COLUMNS, expressions, kernels

from autostatistician.errors import ParseError
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum, format_expr
from autostatistician.kernels.kernel import Kernel, leaf, unset
from autostatistician.kernels.rewrite import canonical
from autostatistician.kernels.text import MAX_NESTING, format_kernel, parse, parse_kernel

SE, PER, LIN, WN = Leaf("SE"), Leaf("Per"), Leaf("Lin"), Leaf("WN")


@given(expressions(columns=ODD_COLUMNS, max_leaves=12))
def test_parse_reads_what_format_wrote(expr: Expr) -> None:
    assert parse(format_expr(expr)) == expr
    assert parse(format_expr(canonical(unset(expr)).expr)) == canonical(unset(expr)).expr


@given(st.text())
def test_any_column_name_survives(name: str) -> None:
    assert parse(format_expr(Leaf("SE", name) + Leaf("WN"))) == Leaf("SE", name) + Leaf("WN")


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (Sum((Product((SE, PER)), LIN, WN)), "SE * Per + Lin + WN"),
        (Sum((Product((SE, Sum((PER, WN)))), WN)), "SE * (Per + WN) + WN"),
        (ChangePoint(Product((SE, PER)), Sum((LIN, WN)), "age"), "CP[age](SE * Per, Lin + WN)"),
        (ChangeWindow(SE, Leaf("0")), "CW(SE, 0)"),
        (Product((ChangePoint(SE, WN), LIN)), "CP(SE, WN) * Lin"),
        (Leaf("SE", "my col]"), 'SE["my col]"]'),
        (Leaf("SE", "sepal length (cm)"), "SE[sepal length (cm)]"),
    ],
)
def test_texts(expr: Expr, text: str) -> None:
    assert format_expr(expr) == text
    assert parse(text) == expr


@pytest.mark.parametrize(
    "text", ["SE*Per+WN", "  SE  * Per\n+ WN ", "((SE) * (Per)) + (WN)", "SE × Per + WN", "(SE * Per + WN)"]
)
def test_parse_is_lenient_about_form(text: str) -> None:
    assert parse(text) == Sum((Product((SE, PER)), WN))


def test_parse_flattens_and_trims() -> None:
    assert parse("SE + (Per + (Lin + WN))") == Sum((SE, PER, LIN, WN))
    assert parse("SE[ age ]") == parse('SE [ "age" ]') == Leaf("SE", "age")
    assert parse("0 + SE") == Sum((Leaf("0"), SE))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SE +", "expected a kernel such as .* at character 5 .* found the end of the text"),
        ("se + WN", "at character 1 .* found 'se'; did you mean 'SE'?"),
        ("WN + cp(SE, SE)", "at character 6 .* did you mean 'CP'?"),
        (
            "Cauchy",
            "use one of 'SE', 'RQ', 'Matern12', 'Matern32', 'Deep2', 'Deep3', 'Deep', 'Wiener', 'IOU', 'Per', 'Cos'",
        ),
        ("RBF", "did you mean 'SE'?"),
        ("SE Per", "expected '\\+', '\\*' or the end of the text at character 4 .* found 'Per'"),
        ("(SE + WN", "expected '\\)' at character 9"),
        ("CP(SE)", "expected ',' at character 6 .* write CP\\(before, after\\)"),
        ("CW(SE, SE, SE)", "expected '\\)' at character 10 .* write CW\\(outside, inside\\)"),
        ("WN[age]", "expected no column behind WN"),
        ("SE[]", "expected a column name"),
        ('SE["a]', "expected a column name"),
        ('SE["\\q"]', "expected a column name"),
        ("SE - WN", "found '-'"),
        ("SE; import os", "found ';'"),
        ("", "found the end of the text"),
        ("(" * 10_000, f"at most {MAX_NESTING} levels"),
        ("CP(" * 10_000, f"at most {MAX_NESTING} levels"),
    ],
)
def test_errors_say_where_what_and_what_to_do(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse(text)


@given(st.text(alphabet='SEPerLinWCN+*(),[]"\\ 0x', max_size=30))
def test_any_other_text_is_a_parse_error(text: str) -> None:
    try:
        expr = parse(text)
    except ParseError:
        return
    assert parse(format_expr(expr)) == expr


def test_kernel_with_numbers() -> None:
    smooth = leaf("SE", "age", lengthscale=12.3456, sd=1e-7)
    kernel = smooth * (leaf("Lin", sd=2.0, location=0.0) + leaf("WN"))
    wanted = "SE[age](lengthscale=12.35, sd=1e-07) * (Lin(sd=2, location=0) + WN(sd=?))"
    assert format_kernel(kernel) == wanted
    change = Kernel.change_point(leaf("C", sd=1.0), leaf("0"), 1949.25, 2.0, "t")
    assert format_kernel(change, digits=6) == "CP[t](C(sd=1), 0; location=1949.25, steepness=2)"
    assert format_kernel(unset(parse("CW(C, C)"))) == "CW(C(sd=?), C(sd=?); location=?, steepness=?, width=?)"


@given(kernels(columns=ODD_COLUMNS, open_numbers=True))
def test_parse_kernel_reads_what_format_kernel_wrote(kernel: Kernel) -> None:
    text = format_kernel(kernel, digits=17)
    found = parse_kernel(text)
    assert found.expr == kernel.expr
    assert format_kernel(found, digits=17) == text


@given(expressions(columns=ODD_COLUMNS))
def test_numbers_that_are_not_given_are_open(expr: Expr) -> None:
    assert str(parse_kernel(format_expr(expr))) == format_expr(expr)
    assert format_kernel(parse_kernel(format_expr(expr))) == format_kernel(unset(expr))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SE(length=2)", "expected one of lengthscale, sd, with '=' and a number at character 4 .* found 'length'"),
        ("SE(sd=1, sd=2)", "expected one of lengthscale, .* at character 10"),
        ("SE(sd=1", "expected '\\)' at character 8 .* close the parenthesis"),
        ("SE(sd=)", "with '=' and a number"),
        ("SE(sd=1e999)", "a sd above zero"),
        ("WN + SE(lengthscale=-1)", "a lengthscale above zero at character 9"),
        ("CP(SE, WN; place=1)", "one of location, steepness"),
        ("CP(SE, WN; width=1)", "one of location, steepness"),
        ("0()", "one of nothing"),
        ("SE()", "one of lengthscale"),
        ("(SE)(sd=1)", "expected '\\+'"),
    ],
)
def test_errors_in_numbers_say_where(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse_kernel(text)


def test_structures_are_read_without_numbers() -> None:
    with pytest.raises(ParseError, match="found '\\('"):
        parse("SE(sd=1)")
