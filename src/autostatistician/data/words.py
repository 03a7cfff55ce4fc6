"""What columns and cells are called in the languages that people write, as ``words.toml`` has it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

__all__ = ["TABLES", "lists", "words"]

TABLES: Mapping[str, Any] = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))


def words(table: str, name: str) -> frozenset[str]:
    """The words of an entry of a table.

    >>> sorted(words("parts", "d"))[:3]
    ['dag', 'day', 'dd']
    """
    return frozenset(word.strip() for word in TABLES[table][name].split(","))


def lists(name: str) -> tuple[tuple[str, ...], ...]:
    """The lists of words of an entry, one a line, each in its order.

    >>> lists("debits")[:2]
    (('s', 'h'), ('d', 'c'))
    """
    return tuple(tuple(line.split(", ")) for line in TABLES["lists"][name].splitlines())
