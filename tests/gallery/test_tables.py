"""The tables of the sources that are made in seconds."""

from __future__ import annotations

import pytest

import tables
from autostatistician.language.languages import LANGUAGES
from look import Absent
from tables import MODELS, PAGE, expressible, listed, phrases, said_of, sizes, table


def test_languages_beside_models_are_there() -> None:
    assert all(model.language in {"", *LANGUAGES} for model in MODELS)


@pytest.mark.slow
def test_models_and_phrases_on_the_page_are_those_of_today() -> None:
    written = PAGE.read_text(encoding="utf-8")
    nouns, modifiers = phrases()
    for row in (*nouns, *modifiers):
        assert table(row, []).splitlines()[0] in written
    for row in expressible():
        *told, evidence = row
        (line,) = (line for line in written.splitlines() if line.startswith(f"| {told[0]} |"))
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        assert cells[:-1] == told
        assert float(cells[-1]) == pytest.approx(float(evidence), abs=3.0)


def test_a_sentence_is_of_the_part_that_is_asked_for() -> None:
    assert said_of("WN(sd=1.0)") == "Random noise"
    assert said_of(f"{tables.leaf('Per')} * {tables.leaf('Lin')}").startswith("A yearly cycle")
    change = tables.CHANGES["CP(k, C)"].format(tables.leaf("WN"))
    assert said_of(change) == "Random noise, which applies until January 2005"


def test_sizes_are_those_of_the_files() -> None:
    try:
        rows = sizes("clustering", "clusters")
    except Absent as reason:
        pytest.skip(f"{reason}")
    assert ["iris", "150", "4", "3"] in rows
    assert len(rows) == 8
    written = PAGE.read_text(encoding="utf-8")
    assert all(table(row, []).splitlines()[0] in written for row in rows)


def test_the_page_ends_with_the_list_of_all_tables() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(listed()), "run docs/gallery/tables.py"
