"""A document as PDF, set by Typst: one template, and the document beside it as data.

No text of the document becomes markup, because the template reads it from JSON. Fonts are those that Typst and
matplotlib carry, so the same document gives the same bytes on every machine. The file is tagged for screen readers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from autostatistician.describe.document.document import Block, Bullets, Document, Figure, Paragraph, Section, Table
from autostatistician.errors import InputError
from autostatistician.report.figures import columns, figure_print
from autostatistician.report.order import in_order
from autostatistician.report.text import cleaned, slug, unbroken
from autostatistician.report.thin import drawing_note
from autostatistician.wording.messages import say, spoken_in

__all__ = ["check_typst", "to_pdf"]

_LONG = 30  # letters of a cell from which its column takes the room that is left


def check_typst() -> None:
    """Raise an `InputError` unless the compiler of the extra ``pdf`` is installed."""
    try:
        import typst  # noqa: F401
    except ImportError:
        raise InputError.of(
            "the package typst for reports as .pdf",
            "that it is not installed",
            "pip install typst, or write .html and print it from a browser",
        ) from None


def to_pdf(document: Document) -> bytes:
    """A PDF of pages in A4, tagged for screen readers. The same document gives the same bytes.

    Raises
    ------
    InputError
        When typst is not installed (the extra ``pdf``).
    """
    check_typst()
    import matplotlib
    import typst

    with spoken_in(document.language):
        made = _Made(cleaned(document))
    template = (files("autostatistician.report") / "templates" / "report.typ").read_bytes()
    sources: Any = {"main.typ": template, "report.json": made.data, **made.figures}  # more than its stubs know of
    fonts = [str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")]
    return typst.compile(
        sources, format="pdf", font_paths=fonts, ignore_system_fonts=True, pdf_standards="ua-1", timestamp=0
    )


@dataclass
class _Made:
    """The files that the template reads: one record of the document, one picture for every figure."""

    document: Document
    figures: dict[str, bytes] = field(default_factory=dict)
    data: bytes = b""

    def __post_init__(self) -> None:
        document, order, ids = self.document, in_order(self.document), _Ids()
        targets = {slug(section.id) for section in _every(document.sections)}
        record = {
            "title": document.title.strip() or say("Report"),  # a tagged file must have a title
            "language": document.language,
            "words": {"notes": say("Please note"), "sources": say("Sources"), "details": say("Details")},
            "subtitle": document.subtitle,
            "choice": document.choice,
            "abstract": document.abstract,
            "picture": None if order.picture is None else self._figure(order.picture),
            "opening": [self._section(section, ids, targets) for section in order.opening],
            "warnings": list(document.warnings),
            "citations": list(document.citations),
            "sections": [self._section(section, ids, targets) for section in order.rest if not section.folded],
            # what a page would show folded stands at the end of a paper
            "details": [self._section(section, ids, targets) for section in _every(order.rest) if section.folded],
        }
        self.data = json.dumps(record).encode()

    def _section(self, section: Section, ids: _Ids, targets: set[str]) -> dict[str, object]:
        return {
            "id": ids.unique(slug(section.id)),
            "title": section.title,
            "blocks": [self._block(block, targets) for block in section.blocks],
            "sections": [self._section(inner, ids, targets) for inner in section.sections if not inner.folded],
        }

    def _block(self, block: Block, targets: set[str]) -> dict[str, object]:
        match block:
            case Paragraph(text=text, emphasis=emphasis):
                return {"kind": "paragraph", "text": unbroken(text), "emphasis": emphasis}
            case Bullets(items, links):
                anchors = [slug(link) if link and slug(link) in targets else "" for link in links]
                every = zip(items, [*anchors, *[""] * len(items)], strict=False)
                return {"kind": "bullets", "items": [{"text": unbroken(text), "link": link} for text, link in every]}
            case Table(header=header, rows=rows, numeric=numeric, caption=caption, notes=notes):
                longest = [max((len(row[i]) for row in rows), default=0) for i in range(len(header))]
                wide = [size == max(longest) > _LONG for size in longest]
                cells = {"header": header, "rows": rows, "numeric": numeric, "wide": wide}
                return {"kind": "table", "caption": caption, "notes": notes, **cells}
            case Figure():
                return self._figure(block)

    def _figure(self, figure: Figure) -> dict[str, object]:
        name = f"figure-{len(self.figures) + 1}.svg"
        self.figures[name] = figure_print(figure)
        caption = f"{figure.caption} {drawing_note(figure)}".strip()
        width = 100 if columns(figure) > 1 else 88
        return {"kind": "figure", "file": name, "alt": figure.alt or caption, "caption": caption, "width": width}


class _Ids:
    """Ids that no other section has."""

    def __init__(self) -> None:
        self.used: dict[str, int] = {}

    def unique(self, wanted: str) -> str:
        self.used[wanted] = self.used.get(wanted, 0) + 1
        return wanted if self.used[wanted] == 1 else self.unique(f"{wanted}-{self.used[wanted]}")


def _every(sections: tuple[Section, ...]) -> Iterator[Section]:
    for section in sections:
        yield section
        yield from _every(section.sections)
