"""Whether all that a page on a table tells of one column agrees: first screen, table of columns, record, statements."""

import re
from collections.abc import Iterator
from typing import Any

from autostatistician.describe.document.document import Document, Table
from autostatistician.describe.words.claims import Statement
from autostatistician.i18n.numbers import percent

ACTS = ("matters", "either")
MOVES = r"(rises|falls) with '{name}'"


def disagreements(document: Document, statements: tuple[Statement, ...] = ()) -> Iterator[str]:
    """What a page says of a column in one place and denies, or says with another number, in another."""
    record: Any = document.record
    facts = {fact["columns"][0]: fact for fact in record["facts"] if fact["fact"] == "matters"}
    texts = (document.abstract, *document.points)
    rows = {row[0]: row for row in _table(document).rows}
    for column in record["columns"]:
        name, told = column["name"], column["told"]
        yield from _of_chances(column, facts[name], rows.get(name), statements)
        named = [text for text in texts if f"'{name}'" in text]
        moved = [way for text in named for way in re.findall(MOVES.format(name=re.escape(name)), text)]
        denied = [text for text in named if "next to no effect" in text and f"'{name}'" in text]
        if told in ACTS and denied:
            yield f"{name} acts, but: {denied[0]}"
        if told == "next to nothing" and moved:
            yield f"{name} has no effect, but {moved[0]}"
        yield from _of_ways(name, moved, record["facts"])


def _table(document: Document) -> Table:
    blocks = [block for section in (*document.sections, *document.found) for block in section.blocks]
    return next(block for block in blocks if isinstance(block, Table) and block.id == "table-columns")


def _of_chances(
    column: dict[str, Any], fact: dict[str, Any], row: tuple[str, ...] | None, statements: tuple[Statement, ...]
) -> Iterator[str]:
    """One probability in the list of columns, in facts, in the table and in statements."""
    name, chance = column["name"], column["probability"]
    if fact["probability"] != chance:
        yield f"{name}: {chance} in the list, {fact['probability']} as a fact"
    if row is not None and row[-1] not in ("–", percent(chance)):
        yield f"{name}: {percent(chance)} in the list, {row[-1]} in the table"
    said = [one.probability for one in statements if one.text == f"'{name}' matters"]
    if said and abs(said[0] - chance) > 1e-9:
        yield f"{name}: {chance} in the list, {said[0]} as a statement"
    if column["told"] in ACTS and chance < 0.5:
        yield f"{name} is '{column['told']}' at {chance}"
    if column["told"] == "next to nothing" and chance > 0.5:
        yield f"{name} has no effect at {chance}"


def _of_ways(name: str, moved: list[str], facts: list[dict[str, Any]]) -> Iterator[str]:
    """Sentences go the way of the course that they tell of, and all of them the same way."""
    known = [fact for fact in facts if fact["fact"] == "course" and fact["columns"] == [name]]
    known += [
        part
        for fact in facts
        if fact["fact"] == "matters"
        for part in fact.get("parts", ())
        if part.get("columns") == [name]
    ]
    one_way = [course for course in known if course["form"] in ("rising", "falling", "straight")]
    for way in moved if one_way else []:
        if all((way == "rises") is (course["lowest"] > course["highest"]) for course in one_way):
            yield f"{name}: {way} in words, not as a fact"
    if len(one_way) == len(known) and len({*moved}) > 1:
        yield f"{name}: {', '.join(moved)}"
