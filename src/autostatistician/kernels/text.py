"""Kernels as text, with or without their parameters: writing and reading."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
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
    format_column,
    product_of,
    sum_of,
)
from autostatistician.kernels.json_form import MAX_SYMBOLS
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaves import LEAVES, own_parameters

__all__ = [
    "MAX_NESTING",
    "format_kernel",
    "parse",
    "parse_kernel",
]

# Deeper texts are refused instead of running into the interpreter's recursion limit.
MAX_NESTING = 60

_TOKEN = re.compile(r"\s*(?:(?P<word>\w+)|(?P<sign>[-+*×·()\[\],])|(?P<other>\S))")
_NUMBER = re.compile(r"\s*(\w+)\s*=\s*(\?|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_QUOTED = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*\]')
_BARE = re.compile(r"\s*([^\]\"]*?)\s*\]")
_CHANGES = {kind.symbol: kind for kind in (ChangePoint, ChangeWindow)}
_OPERATOR_SPELLINGS = {"changepoint": "CP", "changewindow": "CW"}


# Formatting ------------------------------------------------------------------------------------------------


def format_kernel(kernel: Kernel, digits: int = 4) -> str:
    """The text of a kernel with its parameters, rounded to significant digits; open parameters show as "?".

    >>> from autostatistician.kernels.kernel import leaf
    >>> format_kernel(leaf("SE", lengthscale=2.0, sd=1.23456) * leaf("Per", period=1.0))
    'SE(lengthscale=2, sd=1.235) * Per(lengthscale=?, period=1, sd=?)'
    """
    named = ", ".join(f"{name}={_rounded(value, digits)}" for name, value in kernel.named().items())
    parts = [format_kernel(part, digits) for part in kernel.parts]
    match kernel.expr:
        case Leaf(symbol=symbol, column=column):
            return f"{symbol}{format_column(column)}({named})" if named else symbol + format_column(column)
        case Sum():
            return " + ".join(parts)
        case Product(factors=factors):
            pairs = zip(factors, parts, strict=True)
            return " * ".join(f"({text})" if isinstance(factor, Sum) else text for factor, text in pairs)
        case ChangePoint() | ChangeWindow() as change:
            return f"{change.symbol}{format_column(change.column)}({parts[0]}, {parts[1]}; {named})"


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
