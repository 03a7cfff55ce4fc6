"""Kernel expressions: frozen, hashable trees without parameters (the structure of a model).

An expression is a leaf (`SE`, `Per`, ...), a sum, a product, a change point or a change window. A leaf names the column
it acts on; ``column=None`` means "the only column there is".

Expressions as text: ``SE * Per + Lin + WN``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from autostatistician.errors import InputError

__all__ = [
    "ChangePoint", "ChangeWindow", "Expr", "Leaf", "Product", "Sum", "expr_of", "format_column", "format_expr",
    "latex_text", "operands", "product_of", "stable_key", "sum_of", "to_latex", "written",
]  # fmt: skip


class _Algebra:
    """``+`` and ``*`` build sums and products; nested nodes of the same type are flattened."""

    __slots__ = ("_hash",)

    def __hash__(self) -> int:
        """Kept once it is known: trees are looked up again and again, and walking them costs more than that."""
        try:
            return self._hash  # type: ignore[no-any-return, attr-defined]
        except AttributeError:
            value = hash((type(self), *[getattr(self, name) for name in self.__slots__]))
            object.__setattr__(self, "_hash", value)
            return value

    def __add__(self, other: Expr) -> Expr:
        if not isinstance(other, _Algebra):
            return NotImplemented
        return sum_of((self, other))  # type: ignore[arg-type]

    def __mul__(self, other: Expr) -> Expr:
        if not isinstance(other, _Algebra):
            return NotImplemented
        return product_of((self, other))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Leaf(_Algebra):
    """A base kernel by its symbol (a key of `leaves.LEAVES`) on one column."""

    symbol: str
    column: str | None = None
    __hash__ = _Algebra.__hash__


@dataclass(frozen=True, slots=True)
class Sum(_Algebra):
    """A sum of two or more expressions, none of them a `Sum`."""

    terms: tuple[Expr, ...]
    __hash__ = _Algebra.__hash__


@dataclass(frozen=True, slots=True)
class Product(_Algebra):
    """A product of two or more expressions, none of them a `Product`."""

    factors: tuple[Expr, ...]
    __hash__ = _Algebra.__hash__


@dataclass(frozen=True, slots=True)
class ChangePoint(_Algebra):
    """``before`` acts below a location of the column, ``after`` above it.

    Covariance: ``a(x) before(x, x') a(x') + (1 - a(x)) after(x, x') (1 - a(x'))`` with
    ``a(x) = (1 - tanh(steepness * (x - location))) / 2`` (Lloyd et al. 2014, with steepness for 1 / s).
    """

    symbol: ClassVar[str] = "CP"
    before: Expr
    after: Expr
    column: str | None = None
    __hash__ = _Algebra.__hash__


@dataclass(frozen=True, slots=True)
class ChangeWindow(_Algebra):
    """``inside`` acts within a window of the column, ``outside`` elsewhere.

    Covariance: ``(1 - w(x)) outside(x, x') (1 - w(x')) + w(x) inside(x, x') w(x')``, where w is the product of
    a rising step at ``location - width / 2`` and a falling one at ``location + width / 2``, each
    ``(1 +- tanh(steepness * (x - edge))) / 2`` (Lloyd et al. 2014). The order of the operands is that of the
    authors' code: outside first.
    """

    symbol: ClassVar[str] = "CW"
    outside: Expr
    inside: Expr
    column: str | None = None
    __hash__ = _Algebra.__hash__


Expr = Leaf | Sum | Product | ChangePoint | ChangeWindow


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of a node, in the order in which their parameters are stored."""
    match expr:
        case Leaf():
            return ()
        case Sum(terms=parts) | Product(factors=parts):
            return parts
        case ChangePoint(before=first, after=second) | ChangeWindow(outside=first, inside=second):
            return (first, second)


def sum_of(terms: tuple[Expr, ...]) -> Expr:
    """The sum of one or more expressions, flattened; a single term is returned as it is.

    >>> sum_of((Leaf("SE"), Leaf("WN") + Leaf("C")))
    Sum(terms=(Leaf(symbol='SE', column=None), Leaf(symbol='WN', column=None), Leaf(symbol='C', column=None)))
    """
    flat = tuple(part for term in terms for part in (term.terms if isinstance(term, Sum) else (term,)))
    return flat[0] if len(flat) == 1 else Sum(flat)


def product_of(factors: tuple[Expr, ...]) -> Expr:
    """The product of one or more expressions, flattened; a single factor is returned as it is.

    >>> product_of((Leaf("SE"),))
    Leaf(symbol='SE', column=None)
    """
    flat = tuple(part for factor in factors for part in (factor.factors if isinstance(factor, Product) else (factor,)))
    return flat[0] if len(flat) == 1 else Product(flat)


_PLAIN_COLUMN = re.compile(r"[\w.()/%-]+(?: +[\w.()/%-]+)*")


def expr_of(given: Any) -> Expr:
    """The expression that is given, or that of a kernel.

    Raises
    ------
    InputError
        When something else is given.
    """
    expr = getattr(given, "expr", given)
    if not isinstance(expr, Expr):
        raise InputError.of("an expression or a kernel", type(given).__name__, "read texts with parse or parse_kernel")
    return expr


def format_expr(expr: Expr) -> str:
    """The text of an expression, with parentheses only where they are needed.

    Law: ``parse(format_expr(e)) == e`` for every expression whose sums and products are flat.

    >>> format_expr(Product((Leaf("SE"), Sum((Leaf("Per", "time of day"), Leaf("C"))))))
    'SE * (Per[time of day] + C)'
    """
    return stable_key(expr_of(expr))


def format_column(column: str | None) -> str:
    r"""The text that names a column behind a symbol: nothing, the plain name, or the name in JSON quotes.

    It is a part of `stable_key`, so it never changes.

    >>> format_column("age"), format_column("my col]"), format_column(None)
    ('[age]', '["my col]"]', '')
    """
    if column is None:
        return ""
    return f"[{column}]" if _PLAIN_COLUMN.fullmatch(column) else f"[{json.dumps(column, ensure_ascii=False)}]"


# --- Expressions as LaTeX mathematics -------------------------------------------------------------------------------


def to_latex(expr: Expr) -> str:
    r"""The expression as LaTeX mathematics (without the dollar signs).

    >>> to_latex(Leaf("SE") * Leaf("Per", "age") + Leaf("WN"))
    '\\mathrm{SE} \\times \\mathrm{Per}_{\\text{age}} + \\mathrm{WN}'
    """
    expr = expr_of(expr)
    match expr:
        case Leaf(symbol=symbol, column=column):
            return ("0" if symbol == "0" else rf"\mathrm{{{symbol}}}") + _latex_column(column)
        case Sum(terms=terms):
            return " + ".join(to_latex(term) for term in terms)
        case Product(factors=factors):
            return r" \times ".join(_latex_grouped(factor) for factor in factors)
        case ChangePoint() | ChangeWindow():
            first, second = map(to_latex, operands(expr))
            return rf"\mathrm{{{expr.symbol}}}{_latex_column(expr.column)}\left({first},\, {second}\right)"


def _latex_grouped(expr: Expr) -> str:
    return rf"\left({to_latex(expr)}\right)" if isinstance(expr, Sum) else to_latex(expr)


_LATEX = str.maketrans(
    {char: "\\" + char for char in "{}$&%#_"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "\n": " ", "\r": " "}
)


def latex_text(text: str) -> str:
    r"""Text with the signs escaped that mean something to LaTeX.

    >>> latex_text("a_b")
    'a\\_b'
    """
    return text.translate(_LATEX)


def _latex_column(column: str | None) -> str:
    return "" if column is None else rf"_{{\text{{{latex_text(column)}}}}}"


# --- Stable keys of expressions -------------------------------------------------------------------------------------


def stable_key(expr: Expr) -> str:
    """A text that tells structures apart and never changes: another form of it would change every draw of a search.

    >>> stable_key(Product((Leaf("SE"), Sum((Leaf("Per", "time of day"), Leaf("C"))))))
    'SE * (Per[time of day] + C)'
    """
    return written(expr, [stable_key(part) for part in operands(expr)])


def written(expr: Expr, parts: Sequence[str], numbers: str = "") -> str:
    """The text of a node from those of its operands and of its own parameters.

    >>> written(Leaf("SE", "age"), (), "sd=1"), written(ChangePoint(Leaf("C"), Leaf("SE")), ("C", "SE"))
    ('SE[age](sd=1)', 'CP(C, SE)')
    """
    match expr:
        case Leaf():
            return f"{expr.symbol}{format_column(expr.column)}" + (f"({numbers})" if numbers else "")
        case Sum():
            return " + ".join(parts)
        case Product(factors=factors):
            pairs = zip(factors, parts, strict=True)
            return " * ".join(f"({text})" if isinstance(factor, Sum) else text for factor, text in pairs)
        case ChangePoint() | ChangeWindow():
            inside = ", ".join(parts) + (f"; {numbers}" if numbers else "")
            return f"{expr.symbol}{format_column(expr.column)}({inside})"
