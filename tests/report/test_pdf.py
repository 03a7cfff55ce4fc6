"""Reports on paper: all that is said is there, hostile text is text, and the same document gives the same bytes."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader
from tests.report import factory

from autostatistician.describe.document.document import Bullets, Document, Paragraph, Section
from autostatistician.errors import InputError
from autostatistician.report import to_pdf, write


def words(pdf: bytes) -> str:
    """All text of a file, without the breaks that the setting brought in."""
    pages = (page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)
    return "".join(" ".join(pages).replace("-\n", "").split())


@pytest.fixture(scope="module")
def pdf() -> bytes:
    return to_pdf(factory.airline_like())


@pytest.mark.slow
def test_title_and_every_section_are_in_it(pdf: bytes) -> None:
    document, found = factory.airline_like(), words(pdf)
    assert PdfReader(io.BytesIO(pdf)).metadata["/Title"] == document.title
    for text in (document.title, document.subtitle, *(section.title for section in document.sections)):
        assert "".join(text.split()) in found


def test_the_same_document_gives_the_same_bytes(pdf: bytes) -> None:
    assert to_pdf(factory.airline_like()) == pdf


def test_the_file_is_tagged_and_its_figures_have_words(pdf: bytes) -> None:
    root = PdfReader(io.BytesIO(pdf)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"].startswith("en")


def test_hostile_text_is_printed_literally() -> None:
    found = words(to_pdf(factory.hostile()))
    assert "<script>alert('$x_1$')</script>" in found.replace("\u2019", "'").replace("\u2018", "'")
    typst = Section("s", "#panic()", (Paragraph('#read("/etc/passwd") @x <y> $z$ \\u{41} = no heading'),))
    found = words(to_pdf(Document("#let x = 1", "_a_", "", (typst,))))
    for text in ("#letx=1", "_a_", "#panic()", "@x<y>$z$", "=noheading"):
        assert text in found


def test_links_lead_to_sections_even_to_those_of_equal_names() -> None:
    inner = Section("part", "A part", (Paragraph("words"),))
    start = Section("brief", "In brief", (Bullets(("see the part", "see nothing"), ("part", "nowhere")),))
    reader = PdfReader(io.BytesIO(to_pdf(Document("t", "", "", (start, inner, inner)))))
    links = [note.get_object() for page in reader.pages for note in page.get("/Annots", [])]
    assert len([link for link in links if link["/Subtype"] == "/Link"]) == 1


def test_the_verdict_comes_first_and_details_last() -> None:
    inner = Section("good", "Rely on", (Bullets(("one thing",)),))
    part = Section("part", "A part", (Paragraph("words"),), (Section("rest", "What remains", (), folded=True),))
    verdict = Section("verdict", "Verdict", (), (inner,), opening=True)
    found = words(to_pdf(Document("t", "", "", (part, verdict, Section("method", "Method", ())), ("a note",))))
    order = ["Verdict", "Relyon", "onething", "Apart", "words", "anote", "Method", "Details", "Whatremains"]
    assert sorted(order, key=found.index) == order


def test_an_empty_document_renders() -> None:
    assert to_pdf(Document("", "", "", ())).startswith(b"%PDF")


def test_written_by_its_suffix(tmp_path: Path, pdf: bytes) -> None:
    assert write(factory.airline_like(), tmp_path / "r.pdf").read_bytes() == pdf


def test_without_the_extra_there_is_a_word_on_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(InputError, match="pip install typst, or write"):
        write(factory.airline_like(), tmp_path / "r.pdf")
    assert not list(tmp_path.iterdir())
