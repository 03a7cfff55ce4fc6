"""Markdown of the pages of results: the texts of `text/` with what the tables say in their places.

A place is `{name.value}`, where ``name`` is a function that `fills` knows; `{made[corpus]}` names the file of a table
and the code that made it, and `{shown[columns by columns.summary of method; coverage]}` shows these columns of what
that function of a module makes of the rows of a table (without `of`: all). Of what has not been measured a function,
or one of its values, is None: the paragraph is left out, and a section with none of its numbers whole.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from string import Formatter
from types import SimpleNamespace
from typing import Any

from rows import Tables

Row = dict[str, Any]
Values = Mapping[str, object]

PLACE = re.compile(r"(?<!{){(?!made)[\w. \[\],;/%]+[:}]")
FILLS: dict[str, Callable[[Tables], Values | None]] = {}


# Pieces ----------------------------------------------------------------------------------------------------


def rounded(value: float | None) -> str:
    """Four digits, without powers of ten; a dash for nothing."""
    return "–" if value is None else f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.4g}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    first, *others = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in (head, *rows))
    return "\n".join([first, "|" + "---|" * len(head), *others])


def rows_of(rows: Sequence[Row]) -> str:
    """A table of rows as they are."""
    return table(list(rows[0]), [[str(value) for value in row.values()] for row in rows])


def number(value: float | None, form: str = ".3f") -> str:
    return "–" if value is None else f"{value:{form}}"


def bold(text: str, wanted: bool | None) -> str:
    return f"**{text}**" if wanted else text


def made_by(rows: Sequence[Row], table: str) -> str:
    """The file of a table, and which code made it or how many versions did."""
    codes = list(dict.fromkeys(row["code"] for row in rows))
    code = f"`{codes[0]}`" if len(codes) == 1 else f"{len(codes)} versions"
    return f"[`{table}`](../../benchmarks/results/{table}) ({code})."


# Texts with their numbers ----------------------------------------------------------------------------------


class NotMeasured(Exception):
    """There are no rows of what a text is about."""


def fills(make: Callable[[Tables], Values | None]) -> Callable[[Tables], Values | None]:
    """A function whose values stand in the texts under its name."""
    FILLS[make.__name__] = make
    return make


class _Places(dict[str, object]):
    """What the names in the texts stand for; every function is asked once."""

    def __init__(self, tables: Tables, **given: object) -> None:
        super().__init__(made=_Made(tables), shown=_Shown(tables), **given)
        self.tables = tables

    def __missing__(self, name: str) -> object:
        values = FILLS[name](self.tables)
        self[name] = SimpleNamespace(**values) if values else None
        return self[name]


class _Made:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def __getitem__(self, name: str) -> str | None:
        rows = getattr(self.tables, name)
        return made_by(rows, self.tables.file_of(name)) if rows else None


class _Shown(_Made):
    def __getitem__(self, name: str) -> str | None:
        table, _, how = name.partition(" by ")
        place, _, columns = how.partition(" of ")
        module, _, summary = place.partition(".")
        rows = getattr(self.tables, table)
        found = getattr(import_module(module), summary)(rows) if rows else None
        asked = columns.split("; ") if columns else list(found[0]) if found else []
        return rows_of([{column: row[column] for column in asked} for row in found]) if found else None


class _Filler(Formatter):
    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        name = re.split(r"[.\[]", field_name)[0]
        found = None if kwargs[name] is None else super().get_field(field_name, args, kwargs)
        if found is None or found[0] is None:
            raise NotMeasured(field_name)
        return found


def filled(text: str, tables: Tables, **given: object) -> str:
    """A text with its numbers, without what was not measured."""
    places = _Places(tables, **given)
    title, *chapters = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    first = _section(title, places) or f"{title.splitlines()[0]}\n\n"
    return (first + "".join(_chapter(one, places) for one in chapters)).rstrip() + "\n"


def _chapter(text: str, places: _Places) -> str:
    """A section with those of the next level in it; nothing where all that have numbers were left out."""
    sections = re.split(r"^(?=### )", text, flags=re.MULTILINE)
    found = [_section(one, places) for one in sections]
    asked = [made for one, made in zip(sections, found, strict=True) if PLACE.search(one)]
    return "".join(found) if any(asked) or not asked else ""


def _section(text: str, places: _Places) -> str:
    """What stands from a heading to the next; nothing where every paragraph with a number was left out."""
    paragraphs = [(one, _paragraph(one, places)) for one in text.rstrip("\n").split("\n\n")]
    asked = [made for one, made in paragraphs if PLACE.search(one)]
    if asked and not any(asked):
        return ""
    return "\n\n".join(made for _, made in paragraphs if made is not None) + "\n\n"


def _paragraph(text: str, places: _Places) -> str | None:
    try:
        return _Filler().vformat(text, (), places)
    except NotMeasured:
        return None
