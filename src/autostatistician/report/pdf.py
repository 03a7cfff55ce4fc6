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

from autostatistician.describe.document import Block, Bullets, Document, Figure, Paragraph, Section, Table
from autostatistician.errors import InputError
from autostatistician.report.figures import columns, figure_print
from autostatistician.report.text import cleaned, slug
from autostatistician.report.thin import drawing_note

__all__ = ["check_typst", "document_pdf"]


def check_typst() -> None:
    """Raise an `InputError` unless the compiler of the extra ``pdf`` is installed."""
    try:
        import typst  # noqa: F401
    except ImportError:
        raise InputError.of(
            "the package typst for reports as .pdf",
            "that it is not installed",
            "pip install 'autostatistician[pdf]', or write .html and print it from a browser",
        ) from None


def document_pdf(document: Document) -> bytes:
    """The document as a PDF (A4). The same document gives the same bytes.

    Raises
    ------
    InputError
        When typst is not installed (the extra ``pdf``).
    """
    check_typst()
    import matplotlib
    import typst

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
        document, ids = self.document, _Ids()
        targets = {slug(one.id) for one in _every(document.sections)}
        record = {
            "title": document.title.strip() or "Report",  # a tagged file must have a title
            "subtitle": document.subtitle,
            "abstract": document.abstract,
            "warnings": list(document.warnings),
            "citations": list(document.citations),
            "sections": [self._section(one, ids, targets) for one in document.sections],
        }
        self.data = json.dumps(record).encode()

    def _section(self, section: Section, ids: _Ids, targets: set[str]) -> dict[str, object]:
        return {
            "id": ids.unique(slug(section.id)),
            "title": section.title,
            "blocks": [self._block(block, targets) for block in section.blocks],
            "sections": [self._section(inner, ids, targets) for inner in section.sections],
        }

    def _block(self, block: Block, targets: set[str]) -> dict[str, object]:
        match block:
            case Paragraph(text=text, emphasis=emphasis):
                return {"kind": "paragraph", "text": text, "emphasis": emphasis}
            case Bullets(items, links):
                known = [slug(link) if link and slug(link) in targets else "" for link in links]
                every = zip(items, [*known, *[""] * len(items)], strict=False)
                return {"kind": "bullets", "items": [{"text": text, "link": link} for text, link in every]}
            case Table(header=header, rows=rows, numeric=numeric, caption=caption, notes=notes):
                known_as = {"header": header, "rows": rows, "numeric": numeric}
                return {"kind": "table", "caption": caption, "notes": notes, **known_as}
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
