"""What stands on the first screen, and what comes after it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autostatistician.describe.document.document import Document, Figure, Section

__all__ = ["ReadingOrder", "in_order"]


@dataclass(frozen=True, eq=False)
class ReadingOrder:
    """The key picture, the sections of the first screen, and the rest without them."""

    picture: Figure | None
    opening: tuple[Section, ...]
    rest: tuple[Section, ...]


def in_order(document: Document) -> ReadingOrder:
    """Take the first figure of the first section and the opening sections out of a document.

    >>> sections = (Section("brief", "In brief", ()), Section("verdict", "Verdict", (), opening=True))
    >>> order = in_order(Document("t", "", "", sections))
    >>> [section.id for section in order.opening], [section.id for section in order.rest]
    (['verdict'], ['brief'])
    """
    opening = tuple(section for section in document.sections if section.opening)
    rest = tuple(section for section in document.sections if not section.opening)
    if not rest:
        return ReadingOrder(None, opening, ())
    picture = next((block for block in rest[0].blocks if isinstance(block, Figure)), None)
    first = replace(rest[0], blocks=tuple(block for block in rest[0].blocks if block is not picture))
    return ReadingOrder(picture, opening, (first, *rest[1:]))
