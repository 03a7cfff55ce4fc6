"""The page of a panel: whole, small, closed to the network, and deaf to hostile names."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.describe.panels.made import HOSTILE, made_records

from autostatistician.panel.records import DONE, FAILED, SeriesRecord
from autostatistician.report.panel_page.page import panel_page, write_panel_page

VOID = {"meta", "input"}


class Tree(HTMLParser):
    """Which tags open and close, and the texts between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


PAGE = panel_page(made_records(200), "Sales <b>", pages={"store 1/item 1": "pages/a.html"}, command="report {}".format)
TREE = Tree(PAGE)


def test_it_loads_nothing_and_runs_its_own_script_alone() -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", PAGE, re.DOTALL)
    policy = next(a["content"] or "" for tag, a in TREE.tags if tag == "meta" and "http-equiv" in a)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" in policy
    assert {tag for tag, _ in TREE.tags} & {"link", "img", "iframe", "object", "base", "form"} == set()
    assert [name for _, attrs in TREE.tags for name in attrs if name.startswith("on") or name == "src"] == []
    assert "http" not in re.sub(r'http-equiv|xmlns="[^"]*"', "", PAGE)


def test_hostile_names_are_texts() -> None:
    texts = "\n".join(TREE.texts)
    names = [name for name in HOSTILE if name and name.isprintable() and len(name) < 100]
    assert len(names) > 8
    for name in names:
        assert f"odd/{name}" in texts
    assert PAGE.count("<script") == 1
    assert "\u202e" not in PAGE


def test_ids_are_unique_and_the_table_is_one_for_all_readers() -> None:
    ids = [attrs["id"] for _, attrs in TREE.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert sum(tag == "tr" for tag, _ in TREE.tags) == 201
    assert {attrs.get("scope") for tag, attrs in TREE.tags if tag == "th"} == {"col", "row"}
    assert [attrs["aria-sort"] for _, attrs in TREE.tags if "aria-sort" in attrs] == ["descending"]
    (shown,) = [attrs for tag, attrs in TREE.tags if tag == "p" and attrs.get("id") == "shown"]
    assert (shown["role"], shown["aria-live"]) == ("status", "polite")


def test_links_lead_to_pages_and_a_command_makes_the_others() -> None:
    links = {attrs["href"] for tag, attrs in TREE.tags if tag == "a"}
    assert links == {"#report", "./pages/a.html"}
    assert "<code>report store 1/item 2</code>" in PAGE
    assert "<code>" not in panel_page(made_records(5), "Sales")


@pytest.mark.slow
def test_a_thousand_series_are_small_enough(tmp_path: Path) -> None:
    path = write_panel_page(made_records(1000), tmp_path / "panel.html", "Sales")
    assert path.stat().st_size < 3_000_000
    assert path.read_text(encoding="utf-8") == panel_page(made_records(1000), "Sales")


@pytest.mark.parametrize(
    "records",
    [(), (SeriesRecord("a", ("a",), FAILED, "Too short.", 2),), (SeriesRecord("a", ("a",), DONE, rows=9),)],
)
def test_next_to_nothing_is_a_page_too(records: tuple[SeriesRecord, ...]) -> None:
    tree = Tree(panel_page(records, "Sales"))
    assert re.search("No series has a model|1 has too few rows to say", "".join(tree.texts))
