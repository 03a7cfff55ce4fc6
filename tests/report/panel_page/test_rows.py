"""The rows of the table: numbers to sort by, texts to read, and addresses that lead nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.describe.panels.made import HOSTILE, made_records

from autostatistician.describe.panels.facts import panel_facts
from autostatistician.describe.panels.traits import SeriesTraits, traits_of
from autostatistician.report.panel_page.rows import COLUMNS, MOST_ROWS, Row, page_file, panel_rows


def rows(every: list[SeriesTraits], pages: dict[str, str] | None = None) -> tuple[Row, ...]:
    return panel_rows([(traits, "") for traits in every], panel_facts(every), pages or {})


EVERY = [traits_of(record) for record in made_records(300)]


def test_the_surprising_ones_come_first_and_the_others_as_in_the_data() -> None:
    made = rows(EVERY)
    assert len(made) == 300
    strengths = [row.cells[-1].number or 0.0 for row in made]
    assert strengths == sorted(strengths, reverse=True)
    assert [bool(row.why) for row in made] == [strength > 0.0 for strength in strengths]
    plain = [row.name for row in made if not row.why]
    assert plain[:2] == ["store 1/item 1", "store 1/item 2"]


def test_cells_say_what_their_numbers_are() -> None:
    row = rows(EVERY[:1])[0]
    assert len(row.cells) == len(COLUMNS) - 1
    assert [cell.text for cell in row.cells] == ["60", "+14%", "+2.7%", "23%", "434", "+3.2%", "4.9%", "0"]
    assert [cell.number is None for cell in row.cells] == [False] * 8
    assert (row.about, row.done, row.group) == ("Rising, with a yearly cycle", True, -1)


def test_what_is_not_known_has_no_number() -> None:
    failed, negative = SeriesTraits("a", False, "Too short."), SeriesTraits("b", True, rise=-3.0, seasons=("yearly",))
    first, second = rows([failed, negative])
    assert {cell.text for cell in first.cells[1:]} == {"\N{EN DASH}"}
    assert (first.about, first.done) == ("Too short.", False)
    assert [cell.text for cell in second.cells[1:4]] == ["\N{MINUS SIGN}3", "\N{EN DASH}", "yes"]


def test_next_to_nothing_is_short() -> None:
    assert rows([SeriesTraits("a", True, noise=1e-6)])[0].cells[6].text == "<0.1%"


def test_a_page_has_so_many_rows_and_no_more() -> None:
    many = [replace(EVERY[0], name=str(number)) for number in range(MOST_ROWS + 5)]
    assert len(rows(many)) == MOST_ROWS


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_files_are_safe(name: str) -> None:
    made = page_file(name)
    assert made == page_file(name) != page_file(f"{name} ")
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    assert len(made) <= 80


def test_an_address_stays_beside_the_page() -> None:
    paths = {"a": "pages/a b?#'.html", "b": "javascript:alert(1)", "c": "//evil.example/x"}
    links = [row.link for row in rows([SeriesTraits(name, True) for name in "abcd"], paths)]
    assert links == ["./pages/a%20b%3F%23%27.html", "./javascript%3Aalert%281%29", ".///evil.example/x", ""]
