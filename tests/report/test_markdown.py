"""Markdown prints any text literally, and its tables keep their shape."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from autostatistician.describe.document.document import Bullets, Document, Section, Table
from autostatistician.report.markdown import document_markdown, escaped


@given(st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), max_size=40))
def test_escapes_can_be_undone(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", escaped(text)) == " ".join(text.split())


@given(st.text("|\\`*_ab\n<", max_size=12))
def test_cells_never_break_their_row(text: str) -> None:
    table = Table("t", "c", ("one", "two"), ((text, "x"),), (False, True))
    lines = document_markdown(Document("t", "", "", (Section("s", "S", (table,)),))).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 3
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows} == {3}


def test_the_choice_comes_before_the_abstract() -> None:
    text = document_markdown(Document("t", "", "abstract", (), choice="chosen"))
    assert text.index("chosen") < text.index("abstract")


def test_lists_link_to_sections_that_exist() -> None:
    text = document_markdown(Document("t", "", "", (Section("s", "S", (Bullets(("a", "b"), ("s", "nowhere")),)),)))
    assert "(#s)" in text
    assert "nowhere" not in text
