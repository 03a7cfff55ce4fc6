"""The page of a panel: its rows, its little pictures and what it holds."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest
from tests.describe.panels.made import HOSTILE, made_records

from autostatistician.claims.claim import Claim
from autostatistician.describe.panels.facts import panel_facts
from autostatistician.describe.panels.members import Member
from autostatistician.panel.records import DONE, FAILED, SeriesRecord, claim_of
from autostatistician.report.panel_page import (
    COLUMNS,
    HEIGHT,
    MOST_ROWS,
    WIDTH,
    Row,
    page_file,
    panel_lists,
    panel_page,
    panel_rows,
    sparkline,
    write_panel_page,
)

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
    "records", [(), (SeriesRecord("a", ("a",), FAILED, "Too short.", 2),), (SeriesRecord("a", ("a",), DONE, rows=9),)]
)
def test_next_to_nothing_is_a_page_too(records: tuple[SeriesRecord, ...]) -> None:
    tree = Tree(panel_page(records, "Sales"))
    assert re.search("No series has a model|1 has too few rows to say", "".join(tree.texts))


def rows(every: list[Member], pages: dict[str, str] | None = None) -> tuple[Row, ...]:
    return panel_rows([(member, "") for member in every], panel_facts(every), pages or {})


def done(name: str, *claims: Claim) -> Member:
    return Member(SeriesRecord(name, (name,), DONE, claims=claims))


EVERY = [Member(record) for record in made_records(300)]


def test_those_that_are_listed_come_first_and_the_others_as_in_the_data() -> None:
    made = rows(EVERY)
    assert len(made) == 300
    listed = [row.cells[-1].number or 0.0 for row in made]
    assert listed == sorted(listed, reverse=True)
    plain = [row.name for row, number in zip(made, listed, strict=True) if not number]
    assert plain[:2] == ["store 1/item 1", "store 1/item 2"]


def test_lists_have_pictures_and_sentences() -> None:
    lists = {name: tiles for name, _, tiles in panel_lists([(one, one.name) for one in EVERY], panel_facts(EVERY), {})}
    assert list(lists) == ["late", "most", "unlike", "ahead"]
    assert [tile.name for tile in lists["late"]] == ["store 2/item 16", "store 9/item 1"]
    assert all(tile.picture and tile.text.endswith(".") for tiles in lists.values() for tile in tiles)


def test_cells_say_what_their_numbers_are() -> None:
    row = rows(EVERY[:1])[0]
    assert len(row.cells) == len(COLUMNS) - 1
    assert [cell.text for cell in row.cells] == ["60", "+14%", "+2.7%", "23%", "434", "+3.2%", "4.9%", "0"]
    assert [cell.number is None for cell in row.cells] == [False] * 8
    assert (row.about, row.done, row.group) == ("Rising, with a yearly cycle", True, -1)


def test_what_is_not_known_has_no_number() -> None:
    course = claim_of("rise", -3.0, -4.0, -2.0, name="falls")
    negative = done("b", course, claim_of("season", 1.0, 0.5, 1.5, period=1.0, name="yearly"))
    first, second = rows([Member(SeriesRecord("a", ("a",), FAILED, "Too short.")), negative])
    assert {cell.text for cell in first.cells[1:]} == {"\N{EN DASH}"}
    assert (first.about, first.done) == ("Too short.", False)
    assert [cell.text for cell in second.cells[1:4]] == ["\N{MINUS SIGN}3", "\N{EN DASH}", "yes"]


def test_next_to_nothing_is_short() -> None:
    assert rows([done("a", claim_of("noise", 1.0, 0.9, 1.1, share=1e-6))])[0].cells[6].text == "<0.1%"


@pytest.mark.slow
def test_a_page_has_so_many_rows_and_no_more() -> None:
    many = [Member(replace(RECORD, name=str(number))) for number in range(MOST_ROWS + 5)]
    assert len(rows(many)) == MOST_ROWS


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_files_are_safe(name: str) -> None:
    made = page_file(name)
    assert made == page_file(name) != page_file(f"{name} ")
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    assert len(made) <= 80


def test_an_address_stays_beside_the_page() -> None:
    paths = {"a": "pages/a b?#'.html", "b": "javascript:alert(1)", "c": "//evil.example/x"}
    links = [row.link for row in rows([done(name) for name in "abcd"], paths)]
    assert links == ["./pages/a%20b%3F%23%27.html", "./javascript%3Aalert%281%29", ".///evil.example/x", ""]


RECORD = next(made_records(1))


def points(d: str) -> np.ndarray:
    """The corners of a path."""
    numbers = np.array(re.findall(r"-?\d+", d), dtype=float).reshape(-1, 2)
    return np.cumsum(numbers, axis=0)


def drawn(record: SeriesRecord) -> dict[str, np.ndarray]:
    return {path.attrib["class"]: points(path.attrib["d"]) for path in fromstring(sparkline(record))}


def test_values_forecast_and_range_follow_one_another() -> None:
    paths = drawn(RECORD)
    assert set(paths) == {"v", "f", "b"}
    assert len(paths["v"]) == 60
    assert np.array_equal(paths["v"][-1], paths["f"][0])
    assert (np.diff(paths["v"][:, 0]) >= 0.0).all()
    assert np.argmin(paths["v"][:, 1]) == np.argmax(RECORD.values)  # up is up
    for path in paths.values():
        assert (path >= 0.0).all()
        assert (path <= [WIDTH, HEIGHT]).all()


def test_thinned_values_and_an_unthinned_forecast_keep_their_times() -> None:
    assert RECORD.forecast is not None
    times = tuple(f"{place}" for place in range(0, 600, 10))
    ahead = replace(RECORD.forecast, times=tuple(f"{place}" for place in range(591, 603)))
    paths = drawn(replace(RECORD, times=times, forecast=ahead))
    assert paths["v"][-1, 0] > 0.96 * WIDTH


@pytest.mark.parametrize("values", [(1.0,), (0.0, 0.0), (1e308, -1e308, 5.0), (1e-320, 3e-320), (-5.0, -7.0)])
def test_any_values_are_borne(values: tuple[float, ...]) -> None:
    record = SeriesRecord("a", ("a",), DONE, values=values, times=tuple(map(str, range(len(values)))))
    path = drawn(record)["v"]
    assert len(path) in (len(values), 1, 2)
    assert (path <= [WIDTH, HEIGHT]).all()


def test_no_values_no_picture_and_odd_times_no_trouble() -> None:
    assert sparkline(SeriesRecord("a", ("a",), DONE)) == ""
    assert sparkline(SeriesRecord("a", ("a",), DONE, values=(1.0, float("inf")), times=("1", "2"))) == ""
    assert len(drawn(replace(RECORD, times=("?",) * 60))["v"]) == 60
    assert "b" not in drawn(replace(RECORD, forecast=None))


def test_pictures_are_below_three_kilobytes() -> None:
    sizes = [len(sparkline(record)) for record in made_records(100)]
    assert max(sizes) < 1500
