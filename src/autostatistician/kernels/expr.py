"""Kernel expressions: frozen, hashable trees without parameters (the structure of a model).

An expression is a leaf (`SE`, `Per`, ...), a sum, a product, a change point or a change window.
A leaf names the column it acts on; ``column=None`` means "the only column there is".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["ChangePoint", "ChangeWindow", "Expr", "Leaf", "Product", "Sum", "product_of", "sum_of"]


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
