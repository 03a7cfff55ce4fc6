"""Kernels and expressions as nested plain dicts, ready for JSON; reading checks everything and runs no code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, isnan, nan

from autostatistician.errors import ParseError
from autostatistician.i18n.names import did_you_mean
from autostatistician.kernels.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.kernels.kernel import Kernel, unset
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import LEAVES, own_parameters

__all__ = ["expr_from_json", "expr_to_json", "kernel_from_json", "kernel_to_json"]

_MAX_NESTING = 120
# More kernels are refused: no data could tell so many parts apart, and every evaluation would take minutes.
MAX_SYMBOLS = 1000
_CHANGES = {kind.symbol: kind for kind in (ChangePoint, ChangeWindow)}
_OPERATORS = ("sum", "product", *_CHANGES)


def kernel_to_json(kernel: Kernel) -> dict[str, object]:
    """A kernel as nested dicts: ``kernel``, ``column``, ``values`` by name (open ones None), ``operands``.

    >>> from autostatistician.kernels.kernel import leaf
    >>> kernel_to_json(leaf("WN", sd=0.5))
    {'kernel': 'WN', 'values': {'sd': 0.5}}
    >>> kernel_to_json(leaf("SE", "age", lengthscale=2.0))
    {'kernel': 'SE', 'column': 'age', 'values': {'lengthscale': 2.0, 'sd': None}}
    """
    obj = _head(kernel.expr)
    if named := kernel.named():
        obj["values"] = {name: _plain(name, value) for name, value in named.items()}
    if parts := kernel.parts:
        obj["operands"] = [kernel_to_json(part) for part in parts]
    return obj


def expr_to_json(expr: Expr) -> dict[str, object]:
    """An expression as nested dicts: the form of `kernel_to_json` without ``values``.

    >>> expr_to_json(Leaf("SE", "age"))
    {'kernel': 'SE', 'column': 'age'}
    """
    obj = _head(expr)
    if parts := unset(expr).parts:
        obj["operands"] = [expr_to_json(part.expr) for part in parts]
    return obj


def _plain(name: str, value: float) -> float | None:
    if isnan(value):
        return None
    if not isfinite(value):
        raise ValueError(f"expected a finite number for {name}; found {value}; JSON cannot hold it")
    return float(value)


def _head(expr: Expr) -> dict[str, object]:
    match expr:
        case Leaf(symbol=symbol, column=column):
            return _named(symbol, column)
        case Sum():
            return _named("sum", None)
        case Product():
            return _named("product", None)
        case ChangePoint(symbol=symbol, column=column) | ChangeWindow(symbol=symbol, column=column):
            return _named(symbol, column)


def _named(symbol: str, column: str | None) -> dict[str, object]:
    return {"kernel": symbol} if column is None else {"kernel": symbol, "column": column}


def kernel_from_json(obj: object) -> Kernel:
    """Read what `kernel_to_json` wrote.

    Raises
    ------
    ParseError
        When the object is not such a dict: what was expected where, what was found, what to do.

    Examples
    --------
    >>> kernel_from_json({"kernel": "WN", "values": {"sd": 0.5}}).values
    (0.5,)
    """
    return _whole(obj, with_values=True)


def expr_from_json(obj: object) -> Expr:
    """Read what `expr_to_json` wrote; raises `ParseError` when the object is not such a dict.

    >>> expr_from_json({"kernel": "sum", "operands": [{"kernel": "SE"}, {"kernel": "WN"}]}) == Leaf("SE") + Leaf("WN")
    True
    """
    return _whole(obj, with_values=False).expr


def _error(where: str, expected: str, found: object, remedy: str = "save the model again") -> ParseError:
    shown = repr(found)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return ParseError(f"expected {expected} at {where}; found {shown}; {remedy}")


def _whole(obj: object, *, with_values: bool) -> Kernel:
    """Read an object after a look at how much is in it."""
    count, stack = 0, [(obj, 0)]
    while stack:
        (item, depth), count = stack.pop(), count + 1
        if depth > _MAX_NESTING:
            raise ParseError(f"expected at most {_MAX_NESTING} nested kernels; found more; simplify the expression")
        if count > 2 * MAX_SYMBOLS:  # with its sums and products
            raise ParseError(f"expected at most {MAX_SYMBOLS} kernels; found more; simplify the expression")
        if isinstance(item, Mapping) and isinstance(parts := item.get("operands"), Sequence):
            stack.extend((part, depth + 1) for part in parts)
    return _read(obj, "kernel", with_values)


def _read(obj: object, where: str, with_values: bool) -> Kernel:
    if not isinstance(obj, Mapping):
        raise _error(where, "an object with the key 'kernel'", obj)
    if unknown := [key for key in obj if key not in ("kernel", "column", "values", "operands")]:
        raise _error(where, "the keys kernel, column, values, operands only", unknown[0])
    raw = obj.get("operands", [])
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        raise _error(f"{where}.operands", "a list of kernels", raw)
    parts = tuple(_read(part, f"{where}.operands[{index}]", with_values) for index, part in enumerate(raw))
    symbol, column = _symbol(obj.get("kernel"), where), _column(obj.get("column"), where)
    node = _node(symbol, column, len(parts), where)
    values = _values(obj.get("values", {}), node, where) if with_values else (nan,) * len(own_parameters(node))
    return _assembled(node, values, parts)


def _symbol(value: object, where: str) -> str:
    if isinstance(value, str) and (value in LEAVES or value in _OPERATORS):
        return value
    symbols = [*LEAVES, *_OPERATORS]
    remedy = did_you_mean(value, symbols) if isinstance(value, str) else f"use one of {', '.join(symbols)}"
    raise _error(where, "the name of a kernel", value, remedy)


def _column(value: object, where: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise _error(f"{where}.column", "the name of a column", value)


def _node(symbol: str, column: str | None, count: int, where: str) -> Expr:
    """A node of the right kind with empty operands, after checking their number and the column."""
    if column is not None and (symbol in ("sum", "product") or (symbol in LEAVES and not LEAVES[symbol].has_column)):
        raise _error(f"{where}.column", f"no column, as {symbol} acts on none", column)
    wanted, fits = ("two operands or more", count >= 2)
    if symbol in LEAVES:
        wanted, fits = ("no operands", count == 0)
    elif symbol in _CHANGES:
        wanted, fits = ("two operands", count == 2)
    if not fits:
        raise _error(f"{where}.operands", wanted, count)
    empty = Leaf("0")
    nodes: dict[str, Expr] = {
        "sum": Sum((empty, empty)),
        "product": Product((empty, empty)),
        **{name: kind(empty, empty, column) for name, kind in _CHANGES.items()},
    }
    return nodes[symbol] if symbol in nodes else Leaf(symbol, column)


def _values(values: object, node: Expr, where: str) -> tuple[float, ...]:
    wanted = own_parameters(node)
    names = [name for name, _ in wanted]
    if not isinstance(values, Mapping) or set(values) != set(names):
        raise _error(f"{where}.values", f"an object with the keys {names}", values)
    return tuple(_number(values[name], role, f"{where}.values.{name}") for name, role in wanted)


def _number(number: object, role: Role, where: str) -> float:
    if number is None:
        return nan
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise _error(where, "a number or null", number)
    value = float(number) if abs(number) < 1e308 else nan
    if not isfinite(value):
        raise _error(where, "a finite number or null", number)
    if role.positive and value < 0:
        raise _error(where, "a number that is not negative", number)
    return value


def _assembled(node: Expr, values: tuple[float, ...], parts: tuple[Kernel, ...]) -> Kernel:
    match node:
        case Leaf():
            return Kernel(node, values)
        case Sum():
            return Kernel.sum(parts)
        case Product():
            return Kernel.product(parts)
        case ChangePoint() | ChangeWindow():
            return Kernel.change(node, values, parts)
