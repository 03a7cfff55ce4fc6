"""Hypothesis strategies: random kernel expressions, with and without numbers, for the tests of all rooms."""

from collections.abc import Sequence
from math import nan

from hypothesis import strategies as st

from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, product_of, sum_of
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import LEAVES

__all__ = ["ALL_LEAVES", "GRAMMAR_LEAVES", "ODD_COLUMNS", "expressions", "kernels", "with_numbers"]

ALL_LEAVES = (
    "SE",
    "RQ",
    "Matern12",
    "Matern32",
    "Per",
    "Cos",
    "Deep2",
    "Deep",
    "Wiener",
    "IOU",
    "Cat",
    "Lin",
    "C",
    "WN",
)
GRAMMAR_LEAVES = ("SE", "Per", "Lin", "C", "WN")
# Names of columns that ask for quotes or escapes somewhere.
ODD_COLUMNS = (
    None,
    "age",
    "my col]",
    'say "hi"',
    "a\\b",
    "größe (cm)",
    " padded ",
    "x\ny",
    "{_^%$#&~}",
    "1",
    "[",
    "\u2028",
)


def expressions(
    columns: Sequence[str | None] = (None,),
    symbols: Sequence[str] = ALL_LEAVES,
    max_leaves: int = 12,
    changes: bool = True,
) -> st.SearchStrategy[Expr]:
    """Nested expressions with flat sums and products, in no particular order (not canonical).

    Leaves and changes act on one of ``columns``; ``changes=False`` leaves change points and windows out.
    """
    leaves = st.one_of([_leaf(symbol, columns) for symbol in symbols])
    column = st.sampled_from(columns)

    def larger(smaller: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        several = st.lists(smaller, min_size=2, max_size=3).map(tuple)
        nodes: list[st.SearchStrategy[Expr]] = [several.map(sum_of), several.map(product_of)]
        if changes:
            nodes += [
                st.builds(ChangePoint, smaller, smaller, column),
                st.builds(ChangeWindow, smaller, smaller, column),
            ]
        return st.one_of(nodes)

    return st.recursive(leaves, larger, max_leaves=max_leaves)


def _leaf(symbol: str, columns: Sequence[str | None]) -> st.SearchStrategy[Expr]:
    if not LEAVES[symbol].has_column:
        return st.just(Leaf(symbol))
    return st.sampled_from([Leaf(symbol, column) for column in columns])


# Coarse grids of moderate numbers: equal values occur, and nothing is lost to rounding.
_POSITIVE = st.integers(3, 12).map(lambda step: step / 4)
_ANYWHERE = st.integers(-6, 6).map(lambda step: step / 4)


def with_numbers(expr: Expr, open_numbers: bool = False) -> st.SearchStrategy[Kernel]:
    """The expression with moderate random numbers; ``open_numbers`` lets some of them be NaN."""
    choices = [_ANYWHERE if each.role is Role.LOCATION else _POSITIVE for each in parameters(expr)]
    values = st.tuples(*[st.one_of(st.just(nan), choice) if open_numbers else choice for choice in choices])
    return values.map(lambda found: Kernel(expr, found))


def kernels(
    columns: Sequence[str | None] = (None,),
    symbols: Sequence[str] = ALL_LEAVES,
    max_leaves: int = 12,
    changes: bool = True,
    open_numbers: bool = False,
) -> st.SearchStrategy[Kernel]:
    """Random expressions (see `expressions`) with random numbers (see `with_numbers`)."""
    return expressions(columns, symbols, max_leaves, changes).flatmap(lambda expr: with_numbers(expr, open_numbers))
