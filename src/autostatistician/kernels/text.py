"""Kernels as text, with or without their parameters: writing and reading.

Kernels and expressions as nested plain dicts, ready for JSON; reading checks everything and runs no code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan

from autostatistician.errors import ParseError
from autostatistician.i18n.names import did_you_mean
from autostatistician.kernels.expr import (
    ChangePoint,
    ChangeWindow,
    Expr,
    Leaf,
    Product,
    Sum,
    product_of,
    sum_of,
    written,
)
from autostatistician.kernels.kernel import Kernel, as_kernel, unset
from autostatistician.kernels.leaf_row import Role
from autostatistician.kernels.leaves import LEAVES, own_parameters

__all__ = [
    "MAX_NESTING", "expr_from_json", "expr_to_json", "format_kernel", "kernel_from_json", "kernel_to_json", "parse",
    "parse_kernel",
]  # fmt: skip


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
    symbol, column = getattr(expr, "symbol", type(expr).__name__.lower()), getattr(expr, "column", None)
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
    return Kernel(node, values).rebuilt(parts)


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
    first, second = Leaf("0"), Leaf("0")
    if symbol in LEAVES:
        return Leaf(symbol, column)
    if symbol in _CHANGES:
        return _CHANGES[symbol](first, second, column)
    return Sum((first, second)) if symbol == "sum" else Product((first, second))


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


# Deeper texts are refused instead of running into the interpreter's recursion limit.
MAX_NESTING = 60

_TOKEN = re.compile(r"\s*(?:(?P<word>\w+)|(?P<sign>[-+*×·()\[\],])|(?P<other>\S))")
_NUMBER = re.compile(r"\s*(\w+)\s*=\s*(\?|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_QUOTED = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*\]')
_BARE = re.compile(r"\s*([^\]\"]*?)\s*\]")
_OPERATOR_SPELLINGS = {"changepoint": "CP", "changewindow": "CW"}


# Formatting ------------------------------------------------------------------------------------------------


def format_kernel(kernel: Kernel | Expr, digits: int = 4) -> str:
    """The text of a kernel with its parameters, rounded to significant digits; open parameters show as "?".

    >>> from autostatistician.kernels.kernel import leaf
    >>> format_kernel(leaf("SE", lengthscale=2.0, sd=1.23456) * leaf("Per", period=1.0))
    'SE(lengthscale=2, sd=1.235) * Per(lengthscale=?, period=1, sd=?)'
    """
    kernel = as_kernel(kernel)
    named = ", ".join(f"{name}={_rounded(value, digits)}" for name, value in kernel.named().items())
    parts = [format_kernel(part, digits) for part in kernel.parts]
    return written(kernel.expr, parts, named)


def _rounded(value: float, digits: int) -> str:
    return "?" if isnan(value) else f"{value:.{digits}g}"


# Parsing ---------------------------------------------------------------------------------------------------


def parse(text: str) -> Expr:
    """Read an expression.

    ``*`` binds tighter than ``+``; ``CP(a, b)`` is before, after; ``CW(a, b)`` is outside, inside; a column follows
    its symbol in brackets, in JSON quotes if its name holds a quote or bracket.

    Raises
    ------
    ParseError
        When the text is not an expression: what was expected where, what was found, what to do.

    Examples
    --------
    >>> parse("SE * Per[age] + WN")
    ... # doctest: +NORMALIZE_WHITESPACE
    Sum(terms=(Product(factors=(Leaf(symbol='SE', column=None), Leaf(symbol='Per', column='age'))),
               Leaf(symbol='WN', column=None)))
    """
    return _Reader(text).whole()


def parse_kernel(text: str) -> Kernel:
    """Read an expression with its parameters, as `format_kernel` writes it; those not given are open (NaN).

    A leaf has its parameters in parentheses, a change has them after its operands and a semicolon.

    Raises
    ------
    ParseError
        As for `parse`; also for names of parameters that the leaf does not have, and sizes that are not positive.

    Examples
    --------
    >>> parse_kernel("SE(lengthscale=2, sd=1.5) + WN").values
    (2.0, 1.5, nan)
    >>> format_kernel(parse_kernel("CP[age](C(sd=1), C(sd=2); location=40, steepness=0.5)"))
    'CP[age](C(sd=1), C(sd=2); location=40, steepness=0.5)'
    """
    reader = _Reader(text, numbered=True)
    return Kernel(reader.whole(), tuple(reader.values))


@dataclass(frozen=True, slots=True)
class _Token:
    text: str  # "" at the end
    start: int
    stop: int


class _Reader:
    """A recursive-descent parser: one token of look-ahead, one method per level of binding."""

    def __init__(self, text: str, *, numbered: bool = False) -> None:
        self.source, self.numbered = text, numbered
        self.symbols = 0
        self.values: list[float] = []  # of the nodes read so far, in preorder; empty when no parameters are read
        self.token = self._next(0)

    def _next(self, start: int) -> _Token:
        match = _TOKEN.match(self.source, start)
        if match is None:
            return _Token("", len(self.source), len(self.source))
        return _Token(match.group().lstrip(), match.end() - len(match.group().lstrip()), match.end())

    def _step(self) -> _Token:
        token, self.token = self.token, self._next(self.token.stop)
        return token

    def error(self, expected: str, remedy: str, at: _Token | None = None) -> ParseError:
        at = at or self.token
        found = f"'{at.text}'" if at.text else "the end of the text"
        return ParseError(f"expected {expected} at character {at.start + 1} of the kernel; found {found}; {remedy}")

    def _take(self, sign: str, remedy: str) -> None:
        if self.token.text != sign:
            raise self.error(f"'{sign}'", remedy)
        self._step()

    def whole(self) -> Expr:
        expr = self.sum(0)
        if self.token.text:
            raise self.error("'+', '*' or the end of the text", "remove what is too much, or put an operator before it")
        return expr

    def sum(self, depth: int) -> Expr:
        return sum_of(self._chain("+", self.product, depth))

    def product(self, depth: int) -> Expr:
        return product_of(self._chain("*×·", self.factor, depth))

    def _chain(self, signs: str, operand: Callable[[int], Expr], depth: int) -> tuple[Expr, ...]:
        operands = [operand(depth)]
        while self.token.text and self.token.text in signs:
            self._step()
            operands.append(operand(depth))
        return tuple(operands)

    def factor(self, depth: int) -> Expr:
        if depth > MAX_NESTING:
            raise self.error(f"at most {MAX_NESTING} levels of parentheses", "simplify the expression")
        if self.token.text == "(":
            self._step()
            inner = self.sum(depth + 1)
            self._take(")", "close the parenthesis")
            return inner
        word = self._step()
        self.symbols += 1
        if self.symbols > MAX_SYMBOLS:
            raise self.error(f"at most {MAX_SYMBOLS} kernels in one expression", "simplify the expression", word)
        if word.text in _CHANGES:
            return self._change(word, depth + 1)
        if word.text in LEAVES:
            leaf = Leaf(word.text, self._column(LEAVES[word.text].has_column, word))
            if self._own_numbers(leaf, "(", len(self.values)):
                self._take(")", "close the parenthesis")
            return leaf
        raise self.error("a kernel such as SE or CP(SE, Lin)", _remedy(word.text), word)

    def _change(self, word: _Token, depth: int) -> Expr:
        operands = "outside, inside" if word.text == "CW" else "before, after"
        remedy = f"write {word.text}({operands})"
        column, place = self._column(True, word), len(self.values)
        self._take("(", remedy)
        first = self.sum(depth)
        self._take(",", remedy)
        second = self.sum(depth)
        change = _CHANGES[word.text](first, second, column)
        self._own_numbers(change, ";", place)
        self._take(")", remedy)
        return change

    def _own_numbers(self, node: Expr, opening: str, place: int) -> bool:
        """Read the parameters of a node behind the opening sign, if it is there; they go before those from place on."""
        if not self.numbered:
            return False
        given: dict[str, float] = {}
        names = {name: role.positive for name, role in own_parameters(node)}
        there = self.token.text == opening
        if there:
            self._step_into(names, given)
        self.values[place:place] = [given.get(name, nan) for name in names]
        return there

    def _step_into(self, names: dict[str, bool], given: dict[str, float]) -> None:
        stop = self.token.stop
        while True:
            at = self._next(stop)
            match = _NUMBER.match(self.source, stop)
            if match is None or match[1] not in names or match[1] in given:
                missing = ", ".join(name for name in names if name not in given) or "nothing"
                raise self.error(f"one of {missing}, with '=' and a number", "write name=number", at)
            value = nan if match[2] == "?" else float(match[2])
            if not isnan(value) and not (isfinite(value) and (value > 0.0 or not names[match[1]])):
                raise self.error(f"a {match[1]} above zero", "correct the number", at)
            given[match[1]] = value
            self.token = self._next(match.end())
            if self.token.text != ",":
                return
            stop = self.token.stop

    def _column(self, allowed: bool, word: _Token) -> str | None:
        if self.token.text != "[":
            return None
        if not allowed:
            raise self.error(f"no column behind {word.text}, which acts on none", "remove the brackets")
        start = self.token.stop
        match = _QUOTED.match(self.source, start) or _BARE.match(self.source, start)
        name = _unquoted(match.group(1)) if match else None
        if match is None or name is None:
            raise self.error("a column name in brackets", 'write [name] or ["name"]')
        self.token = self._next(match.end())
        return name


def _unquoted(name: str) -> str | None:
    if not name.startswith('"'):
        return name or None
    try:
        return str(json.loads(name))
    except ValueError:
        return None


def _remedy(word: str) -> str:
    if not re.fullmatch(r"\w+", word):
        return "write a kernel there"
    others = _OPERATOR_SPELLINGS | {name: symbol for symbol, row in LEAVES.items() for name in row.spellings}
    if word.lower() in others:
        return f"did you mean {others[word.lower()]!r}?"
    return did_you_mean(word, [symbol for symbol in LEAVES if symbol != "0"] + [*_CHANGES])
