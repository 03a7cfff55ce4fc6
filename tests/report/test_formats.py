"""Documents as HTML, JSON, Markdown and PDF."""

import io
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from tests.report import factory

from autostatistician.describe.document.document import (
    Bullets,
    Document,
    Figure,
    Line,
    Marker,
    Panel,
    Paragraph,
    Points,
    Section,
    Table,
)
from autostatistician.errors import InputError
from autostatistician.report import to_pdf, write
from autostatistician.report.figures import page_style
from autostatistician.report.jsonform import plain, to_json
from autostatistician.report.render import escaped, to_html, to_markdown


def _html(*blocks: object, folded: bool = False) -> str:
    first = Section("first", "First", ())
    return to_html(Document("t", "", "", (first, Section("a", "A", tuple(blocks), folded=folded))))  # type: ignore[arg-type]


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


LINE = Line(np.array([1 / 3, np.inf]), np.array([1e-9 / 3, 2.0]), "l")


def test_records_name_their_kind_and_round_their_arrays() -> None:
    assert plain(LINE) == {"kind": "line", "x": [0.333333, None], "y": [3.33333e-10, 2.0], "label": "l", "role": "mean"}


def test_times_are_iso_and_no_time_is_null() -> None:
    assert plain(np.array(["2020-02-29", "NaT"], "M8[D]")) == ["2020-02-29", None]
    assert plain(Marker("2020-01-01", "end")) == {"kind": "marker", "x": "2020-01-01", "label": "end"}


def test_what_is_no_plain_data_is_refused() -> None:
    with pytest.raises(AssertionError, match="not plain data"):
        plain(object())


def test_keys_are_sorted_at_every_depth() -> None:
    def keys_in_order(pairs: list[tuple[str, object]]) -> dict[str, object]:
        names = [name for name, _ in pairs]
        assert names == sorted(names)
        return dict(pairs)

    text = to_json(Document("t", "", "", (), record={"b": {"z": 1, "a": [1, 2]}, "a": None}))
    value = json.loads(text, object_pairs_hook=keys_in_order)
    assert value["record"] == {"a": None, "b": {"a": [1, 2], "z": 1}}
    assert text.endswith("}\n")


def test_positions_stand_once_and_layers_name_theirs() -> None:
    months = np.arange("1949-01", "1951-01", dtype="M8[M]").astype("M8[s]")
    line = Line(months, np.linspace(0.0, 100.0, 24) + 1 / 3, "l")
    points = Points(months, np.arange(24.0) + 0.12345, "p")
    computed = Points(months, np.linspace(0.0, 100.0, 24) + 1 / 3, "c")
    figure = Figure("f", "", "", (Panel("", "", "", (line, points, computed, Marker("1950-01-01", "end"))),))
    value = json.loads(to_json(Document("t", "", "", (Section("s", "", (figure, figure)),))))
    assert list(value["axes"]) == ["axis-1"]
    assert value["axes"]["axis-1"][:2] == ["1949-01-01", "1949-02-01"]
    first, second = value["sections"][0]["blocks"]
    assert first == second
    drawn, seen, less, end = first["panels"][0]["layers"]
    assert (drawn["x"], seen["x"], end["x"]) == ("axis-1", "axis-1", "1950-01-01")
    assert (drawn["y"][0], seen["y"][0], less["y"][0]) == (0.33, 0.12345, 0.333)


def test_a_small_curve_on_a_high_level_is_not_lost() -> None:
    line = Line(np.array([0.0, 1.0]), np.array([1e6 + 0.01, 1e6 + 0.02]), "l")
    value = json.loads(
        to_json(Document("", "", "", (Section("s", "", (Figure("f", "", "", (Panel("", "", "", (line,)),)),)),)))
    )
    low, high = value["sections"][0]["blocks"][0]["panels"][0]["layers"][0]["y"]
    assert high - low == pytest.approx(0.01, rel=1e-3)


def test_a_clock_is_told_where_there_is_one() -> None:
    assert plain(np.array(["2020-02-29T00:00", "2020-02-29T12:00"], "M8[s]")) == [
        "2020-02-29T00:00:00", "2020-02-29T12:00:00",
    ]  # fmt: skip


@given(st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), max_size=40))
def test_escapes_can_be_undone(text: str) -> None:
    assert re.sub(r"\\(.)", r"\1", escaped(text)) == " ".join(text.split())


@given(st.text("|\\`*_ab\n<", max_size=12))
def test_cells_never_break_their_row(text: str) -> None:
    table = Table("t", "c", ("one", "two"), ((f"a{text}", "x"),), (False, True))
    lines = to_markdown(Document("t", "", "", (Section("s", "S", (table,)),))).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 3
    assert {len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) for row in rows} == {3}


def test_the_choice_comes_before_the_abstract() -> None:
    text = to_markdown(Document("t", "", "abstract", (), choice="chosen"))
    assert text.index("chosen") < text.index("abstract")


def test_lists_link_to_sections_that_exist() -> None:
    text = to_markdown(Document("t", "", "", (Section("s", "S", (Bullets(("a", "b"), ("s", "nowhere")),)),)))
    assert "(#s)" in text
    assert "nowhere" not in text


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


def test_points_come_first_and_how_it_was_found_last() -> None:
    part = Section("part", "A part", (Paragraph("words"),))
    found_last = (Section("method", "Method", ()),)
    made = Document(
        "t", "", "It rose.", (part,), ("a note",), points=("one thing",), careful=("doubt",), found=found_last
    )
    found = words(to_pdf(made))
    order = ["Itrose", "onething", "carefulwith", "doubt", "Apart", "words", "Howthiswasfound", "Method", "anote"]
    assert sorted(order, key=found.index) == order


def test_an_empty_document_renders() -> None:
    assert to_pdf(Document("", "", "", ())).startswith(b"%PDF")


def test_written_by_its_suffix(tmp_path: Path, pdf: bytes) -> None:
    assert write(factory.airline_like(), tmp_path / "r.pdf").read_bytes() == pdf


@pytest.mark.parametrize("package", ["typst", "matplotlib"])
def test_without_the_extra_there_is_a_word_on_what_to_do(
    package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=f"pip install {package}, or write"):
        write(factory.airline_like(), tmp_path / "r.pdf")
    assert not list(tmp_path.iterdir())
    if package == "matplotlib":
        with pytest.raises(InputError, match="the package matplotlib for figures"), page_style():
            pass
