"""Pages, texts and records: complete, well formed, safe, the same each time; files whole or not there."""

import itertools
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from tests.describe.sentences import sections_of
from tests.report import factory

from autostatistician.describe.document.document import Bullets, Document, Figure, Paragraph, Section, Table
from autostatistician.errors import InputError
from autostatistician.report import to_html, to_json, to_markdown, write
from autostatistician.report.text import cleaned

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Checks that tags are balanced while it collects what the tests ask for."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs)
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] for _, attrs in self.tags if attribute in attrs]


@pytest.fixture(scope="module")
def html() -> str:
    return to_html(factory.airline_like())


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def _facts(document: Document) -> list[str]:
    """Every text of a document that a reader has to find."""
    found = [document.title, document.subtitle, document.abstract, *document.points, *document.careful]
    found += [*document.warnings, *document.citations]
    assert document.picture is not None
    found += [document.picture.caption, document.picture.alt]
    for section in sections_of((*document.sections, *document.found)):
        found.append(section.title)
        for block in section.blocks:
            match block:
                case Paragraph(text):
                    found.append(text)
                case Bullets(items):
                    found += items
                case Table():
                    found += [block.caption, *block.header, *(cell for row in block.rows for cell in row), block.notes]
                case Figure():
                    found += [block.caption, block.alt]
    return [text for text in found if text]


def test_every_fact_is_in_every_format(page: Page) -> None:
    document = factory.airline_like()
    shown = page.text + "".join(page.values("aria-label"))
    markdown = re.sub(r"\\(.)", r"\1", to_markdown(document))
    strings = to_json(document)
    for fact in _facts(document):
        assert fact in shown
        assert fact in markdown
        assert json.dumps(fact, ensure_ascii=False)[1:-1] in strings


def test_ids_are_unique_and_links_lead_to_them(page: Page) -> None:
    ids = page.values("id")
    assert len(set(ids)) == len(ids) > 20
    links = page.values("href")
    assert len(links) > 10
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    assert set(page.values("aria-labelledby")) <= set(ids)


def test_equal_ids_in_a_document_are_told_apart_and_dead_links_are_plain_text() -> None:
    table = Table("same", "c", ("h",), (("1",),), (True,))
    blocks = (table, table, Bullets(("dead", "alive", "none"), ("nowhere", "same")))
    page = Page(to_html(Document("t", "", "", (Section("same", "A", blocks), Section("same", "B", ())))))
    assert len(set(page.values("id"))) == len(page.values("id"))
    assert page.values("href").count("#same") >= 1
    assert "#nowhere" not in page.values("href")
    assert "alive" in page.text
    assert "dead" in page.text
    assert "none" in page.text


def test_page_is_self_contained(page: Page, html: str) -> None:
    loading = {"script", "link", "img", "iframe", "object", "embed", "base", "form", "audio", "video", "source", "use"}
    assert not loading & {tag for tag, _ in page.tags}
    assert not page.values("src")
    assert page.values("style") != []
    assert not re.search(r"url\(|@import|@font-face", html)
    policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy
    assert "script" not in policy


def test_page_has_landmarks_and_headings_in_order(page: Page) -> None:
    tags = [tag for tag, _ in page.tags]
    assert tags.count("main") == tags.count("h1") == tags.count("nav") == 1
    levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in itertools.pairwise(levels))
    assert ("html", {"lang": "en"}) in page.tags
    tables = [attrs for tag, attrs in page.tags if tag == "table"]
    assert len(tables) == 2
    assert {attrs["aria-labelledby"] for attrs in tables} <= set(page.values("id"))
    assert tags.count("figcaption") == tags.count("figure") == 6
    assert all(attrs.get("aria-label") for _, attrs in page.tags if attrs.get("role") == "img")
    assert all(attrs["scope"] in ("col", "row") for tag, attrs in page.tags if tag == "th")
    assert tags.count("details") == tags.count("summary") == 1


def test_key_figure_stands_before_the_first_section(html: str) -> None:
    assert html.index('<figure id="figure-data"') < html.index('<section id="summary"')
    assert re.findall(r"<strong>Figure (\d)\.", html) == list("123456")


def test_the_first_screen_comes_first_and_how_it_was_found_last_behind_one_fold() -> None:
    sections, found = (
        (Section("s", "Forecast", (Paragraph("so"),)),),
        (Section("m", "Model checks", (Paragraph("x"),)),),
    )
    made = Document(
        "t", "", "It rose.", sections, ("a note",), {}, ("a source",),
        picture=factory.key_figure(), points=("one thing",), careful=("a doubt",), found=found,
    )  # fmt: skip
    html, markdown = to_html(made), to_markdown(made)
    order = ["It rose", "one thing", "careful with", "a doubt", ">Forecast</h2", "<details>", "Model checks</h3"]
    order += ["a note", "a source"]
    main = html[html.index("<main") :]
    assert sorted(order, key=main.index) == order
    assert main.index("It rose") < main.index("figure-data") < main.index("one thing")
    assert html.count("<details>") == 1
    assert markdown.index("It rose") < markdown.index("> **Figure 1.") < markdown.index("one thing")
    assert markdown.index("## Forecast") < markdown.index("## How this was found") < markdown.index("### Model checks")


def test_lines_are_not_broken_inside_of_equations() -> None:
    html = to_html(Document("t", "", "", (Section("s", "S", (Paragraph("(P = 90%), see part 2 of 3"),)),)))
    assert "(P\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}90%), see part\N{NO-BREAK SPACE}2 of 3" in html


def test_hostile_text_is_printed_literally_in_html() -> None:
    html = to_html(factory.hostile())
    page = Page(html)
    assert not {"script", "b", "img"} & {tag for tag, _ in page.tags}
    assert page.text.count(cleaned(factory.HOSTILE)) >= 15
    assert "\x00" not in html
    assert "\u202e" not in html
    assert len(set(page.values("id"))) == len(page.values("id"))
    assert all(link.startswith("#") for link in page.values("href"))
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]


def test_hostile_text_is_escaped_in_markdown() -> None:
    text = to_markdown(factory.hostile())
    plain = re.sub(r"\\.", "", text).replace('<a id="', "").replace('"></a>', "")
    assert not re.search(r"[<`$~|]|\*\*d|\]\(https", "\n".join(x for x in plain.split("\n") if not x.startswith("| ")))
    assert {line.count("|") for line in plain.split("\n") if line.startswith("| ")} == {3}
    for line in ("# title", "1. item", "- item", "+ item", "> quote", "--- rule", "---", "12) item"):
        assert to_markdown(Document("t", "", line, ())).split("\n\n")[1].strip() != line


def test_markdown_links_lead_to_anchors() -> None:
    text = to_markdown(factory.airline_like())
    links, anchors = re.findall(r"\]\(#([^)]*)\)", text), re.findall(r'<a id="([^"]*)"></a>', text)
    assert len(links) == 3
    assert set(links) <= set(anchors)
    assert len(set(anchors)) == len(anchors)


def test_json_holds_everything_and_is_strict() -> None:
    document = factory.airline_like()

    def refuse(constant: str) -> object:
        raise AssertionError(constant)

    value = json.loads(to_json(document), parse_constant=refuse)
    assert value["record"] == document.record
    assert value["kind"] == "document"
    figure = value["picture"]
    assert figure["kind"] == "figure"
    assert [layer["kind"] for layer in figure["panels"][0]["layers"]].count("points") == 1
    points = figure["panels"][0]["layers"][4]
    assert value["axes"][points["x"]][:2] == ["2010-01-01", "2010-02-01"]
    assert all(round(y, 3) == y for y in points["y"])  # they were computed, and stand on a height of hundreds
    assert list(value) == sorted(value)


def test_json_has_null_for_what_is_not_a_number() -> None:
    record: dict[str, object] = {"a": float("nan"), "b": np.float64("inf"), "c": (np.int64(3), True, None)}
    assert json.loads(to_json(Document("t", "", "", (), record=record)))["record"] == {
        "a": None, "b": None, "c": [3, True, None],
    }  # fmt: skip
    json.loads(to_json(factory.hostile()))


@pytest.mark.slow
def test_same_bytes_in_another_process(html: str) -> None:
    document = factory.airline_like()
    assert to_html(document) == html
    code = (
        "import sys; from tests.report import factory; from autostatistician.report import *;"
        "d = factory.airline_like(); sys.stdout.buffer.write((to_html(d) + to_markdown(d) + to_json(d)).encode())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "LC_ALL": "C"}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, cwd=Path(__file__).parents[2]
    )
    assert run.stdout.decode() == html + to_markdown(document) + to_json(document)


def test_an_empty_document_renders() -> None:
    empty = Document("t", "", "", ())
    assert "<h1>t</h1>" in to_html(empty)
    assert to_markdown(empty) == "# t\n"
    assert json.loads(to_json(empty))
    Page(to_html(empty))


def test_page_is_small(html: str) -> None:
    assert len(html) < 200_000


@pytest.mark.parametrize("name", ["r.html", "r.HTM", "r.md", "r.markdown", "r.json"])
def test_write_by_suffix(tmp_path: Path, name: str) -> None:
    document = Document("Title", "", "", ())
    path = write(document, str(tmp_path / name))
    expected = {"h": to_html, "m": to_markdown, "j": to_json}[path.suffix[1].lower()](document)
    assert path.read_bytes().decode() == expected
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("r.docx", ".html, .htm, .pdf, .md, .markdown, .json; found the suffix '.docx'"),
        ("r", "no suffix in 'r'"),
        ("missing/r.html", "an existing folder"),
        ("folder.html", "the path of a file"),
    ],
)
def test_write_refuses_with_a_remedy(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InputError, match=re.escape(words)):
        write(Document("t", "", "", ()), tmp_path / name)
    assert os.listdir(tmp_path) == ["folder.html"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "r.html"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match="No space left on device"):
        write(Document("t", "", "", ()), target)
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["r.html"]


def test_a_document_that_cannot_be_rendered_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="not plain data"):
        write(Document("t", "", "", (), record={"x": object()}), tmp_path / "r.json")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="links need special rights on Windows")
def test_a_link_stays_a_link_and_what_it_points_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("old", encoding="utf-8")
    link = tmp_path / "link.md"
    link.symlink_to("real.md")
    assert write(Document("Title", "", "", ()), link) == link
    assert link.is_symlink()
    assert (tmp_path / "real.md").read_text(encoding="utf-8").startswith("# ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.md", "real.md"]
