"""Blocks of a page: numbers of tables, folds, the note under a picture. The page as a whole: `test_render`."""

from __future__ import annotations

import re

import numpy as np

from autostatistician.describe.document.document import Document, Figure, Panel, Paragraph, Points, Section, Table
from autostatistician.report.html import document_html


def _html(*blocks: object, folded: bool = False) -> str:
    first = Section("first", "First", ())
    return document_html(Document("t", "", "", (first, Section("a", "A", tuple(blocks), folded=folded))))  # type: ignore[arg-type]


def test_tables_are_numbered_in_order() -> None:
    tables = [Table(name, f"caption of {name}", ("h",), (("1",),), (True,)) for name in ("x", "y")]
    text = re.sub(r"<[^>]+>", " ", _html(*tables))
    assert re.search(r"Table\s+1.*caption of x.*Table\s+2.*caption of y", text, re.DOTALL)


def test_folded_sections_are_details() -> None:
    assert "<details" in _html(Paragraph("inside"), folded=True)
    assert "<details" not in re.sub(r"(?s)<head.*?</head>", "", _html(Paragraph("inside")))


def test_a_thinned_picture_says_so() -> None:
    def page(n: int) -> str:
        x = np.arange(float(n))
        return _html(Figure("f", "caption", "alt", (Panel("", "x", "y", (Points(x, np.sin(x), "data"),)),)))

    assert "Of 5,000 observations at most 2,000 are drawn" in page(5000)
    assert "are drawn" not in page(50)
