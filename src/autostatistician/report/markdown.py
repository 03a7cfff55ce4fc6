"""A document as Markdown (CommonMark with tables); figures are told, not shown: caption and alternative text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from autostatistician.describe.document.document import (
    Block,
    Bullets,
    Document,
    Figure,
    Paragraph,
    Section,
    Table,
    reading_order,
)
from autostatistician.i18n.messages import say, spoken_in
from autostatistician.report.text import cleaned, slug
from autostatistician.report.thin import drawing_note

__all__ = ["escaped", "to_markdown"]

# Punctuation that can start markup anywhere: emphasis, code, links, HTML, entities, tables, mathematics, deletions.
_ACTIVE = re.compile(r"([\\`*_\[\]<>&|$~#])")
# At the start of a line also lists, numbered lists and rules.
_START = re.compile(r"^([-+](?=[\s-]|$)|\d+(?=[.)](?:\s|$)))")


def escaped(text: str) -> str:
    r"""Text that prints literally wherever it stands on a line.

    >>> escaped("a|b <script> `x` *y*")
    'a\\|b \\<script\\> \\`x\\` \\*y\\*'
    >>> escaped("1. no list"), escaped("- none either"), escaped("-1.5")
    ('1\\. no list', '\\- none either', '-1.5')
    """
    text = _ACTIVE.sub(r"\\\1", " ".join(text.split()))
    return _START.sub(lambda match: match[0] + "\\" if match[0].isdigit() else "\\" + match[0], text)


def to_markdown(document: Document) -> str:
    """CommonMark with tables: blocks apart by empty lines, anchors of sections; of figures caption and text."""
    with spoken_in(document.language):
        return _markdown(cleaned(document))


def _markdown(document: Document) -> str:
    sections = reading_order(document)
    targets = frozenset(_ids(sections))
    figures, tables = count(1), count(1)
    head = [f"# {escaped(document.title)}"]
    head += [f"*{escaped(document.subtitle)}*"] if document.subtitle.strip() else []
    head += [escaped(document.choice)] if document.choice else []
    head += [f"**{escaped(document.abstract)}**"] if document.abstract.strip() else []
    parts = list(head)
    parts += _block(document.picture, targets, figures, tables) if document.picture else []
    parts += _block(Bullets(document.points), targets, figures, tables) if document.points else []
    for section in sections:
        parts += _section(section, 2, targets, figures, tables)
    return "\n\n".join(parts) + "\n"


def _ids(sections: tuple[Section, ...]) -> Iterator[str]:
    for section in sections:
        yield slug(section.id)
        yield from _ids(section.sections)


def _section(
    section: Section, level: int, targets: frozenset[str], figures: Iterator[int], tables: Iterator[int]
) -> Iterator[str]:
    yield f'<a id="{slug(section.id)}"></a>'
    yield f"{'#' * level} {escaped(section.title)}"
    for block in section.blocks:
        yield from _block(block, targets, figures, tables)
    for inner in section.sections:
        yield from _section(inner, min(level + 1, 6), targets, figures, tables)


def _block(block: Block, targets: frozenset[str], figures: Iterator[int], tables: Iterator[int]) -> Iterator[str]:
    match block:
        case Paragraph(text=text, emphasis=emphasis):
            yield ("> " if emphasis else "") + escaped(text)
        case Bullets(items, links):
            yield "\n".join(f"- {_item(item, link, targets)}" for item, link in _pairs(items, links))
        case Table():
            yield f"**{say('Table {number}.', number=next(tables))}** {escaped(block.caption)}"
            yield _table(block)
            if block.notes.strip():
                yield escaped(block.notes)
        case Figure():
            note = drawing_note(block)
            caption = f"{block.caption} {note}" if note else block.caption
            yield f"> **{say('Figure {number}.', number=next(figures))}** {escaped(caption)}\n>\n> {escaped(block.alt)}"


def _pairs(items: tuple[str, ...], links: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return zip(items, (*links, *[""] * len(items)), strict=False)


def _item(text: str, link: str, targets: frozenset[str]) -> str:
    return f"[{escaped(text)}](#{slug(link)})" if link and slug(link) in targets else escaped(text)


def _table(table: Table) -> str:
    rule = ["---:" if numeric else ":---" for numeric in table.numeric]
    rows = [[escaped(cell) for cell in row] for row in (table.header, *table.rows)]
    lines = [rows[0], rule, *rows[1:]]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
