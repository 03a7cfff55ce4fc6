"""A finished page does not contradict itself: each number of a fact has one value, and no value is impossible."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import unescape

import numpy as np
import pandas as pd
import pytest
from tests.describe.golden import CONSISTENT, page
from tests.describe.sentences import sections_of

from autostatistician import AutomaticStatistician
from autostatistician.describe.document.document import Bullets, Document, Paragraph, reading_order
from autostatistician.report import to_html, to_json, to_markdown

NUMBER = r"[−-]?\d[\d,]*(?:\.\d+)?"


def _page(name: str) -> Document:
    return page(name)[0]


def _sentences(page: Document) -> Iterator[str]:
    yield from (page.abstract, *page.points)
    for section in sections_of(reading_order(page)[:-1] + page.found):
        for block in section.blocks:
            if isinstance(block, Paragraph):
                yield block.text
            elif isinstance(block, Bullets):
                yield from block.items


@cache
def _texts(name: str) -> list[str]:
    """The page as people read it, in two formats, without scripts and drawings."""
    page = _page(name)
    html = re.sub(r"<(svg|style|script)\b.*?</\1>", " ", to_html(page), flags=re.DOTALL)
    return [to_markdown(page), unescape(re.sub(r"<[^>]+>", " ", html))]


# What no analyst would write, in pages in English and in German; and what only makers of models want to read.
BANNED = (
    " told ", "As far as the models leave", "drawn towards", "reckon with", "what values come to",
    "may move either way", "of the weight in it", "Try next", "if the model holds", "outliers=", "--", "erzählt",
    "So weit die Modelle", "rechnen mit", "Gewicht darin", "wenn das Modell gilt",
)  # fmt: skip
MOST_WORDS = 900  # before the link to how it was found
SERIES = ("airline", "logarithm", "turning", "noise", "few rows", "checked", "well tested", "counts")


def _before_the_link(page: Document) -> str:
    return to_markdown(replace(page, found=(), warnings=(), citations=()))


@pytest.mark.parametrize("name", [name for name in SERIES if name in CONSISTENT])
def test_the_page_of_a_series_is_short_and_in_plain_words(name: str) -> None:
    text = _before_the_link(_page(name))
    assert [phrase for phrase in BANNED if phrase in re.sub(r":?---+:?", "", text)] == []
    assert len(re.findall(r"[^\W_]+(?:[.,'-][^\W_]+)*", text)) <= MOST_WORDS


@pytest.mark.parametrize("name", CONSISTENT)
def test_sentences_end(name: str) -> None:
    for text in _sentences(_page(name)):
        assert text == "" or text.rstrip().endswith((".", ":")), text
        assert ".." not in text.replace("...", "")
        assert "  " not in text


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSISTENT)
def test_numbers_are_numbers(name: str) -> None:
    for text in _texts(name):
        assert not re.search(r"\b(nan|inf|NaN|Infinity)\b", text)
        assert not re.search(r"(?<![\w.,])[−-]0(?:\.0+)?%?(?![\w.,])", text)
    json.loads(to_json(_page(name)), parse_constant=lambda text: pytest.fail(text))


@pytest.mark.slow
@pytest.mark.parametrize("name", CONSISTENT)
def test_what_is_told_as_probable_is(name: str) -> None:
    told = [*_sentences(_page(name)), *_texts(name)]
    found = [float(one) for text in told for one in re.findall(rf"(?:P = |a probability of )({NUMBER})%", text)]
    assert all(50.0 <= one <= 100.0 for one in found)
    record = _page(name).record["statements"]
    assert isinstance(record, list)
    assert all(one["probability"] >= 0.5 for one in record)


@pytest.mark.parametrize("name", CONSISTENT)
def test_shares_are_within_the_whole(name: str) -> None:
    for text in _sentences(_page(name)):
        for one in re.findall(rf"({NUMBER})% (?:of the variation|of its size|of the values|hangs)", text):
            assert 0.0 <= float(one.replace(",", "").replace("−", "-")) <= 100.0, text
    facts = _page(name).record["facts"]
    assert isinstance(facts, list)
    for fact in facts:
        if fact["fact"] in ("effect", "matters"):
            assert all(0.0 <= one <= 100.0 for one in (fact["number"], *(fact["interval"] or ())))


@pytest.mark.parametrize("name", CONSISTENT)
def test_a_fact_has_one_value(name: str) -> None:
    page = _page(name)
    facts, said = page.record["facts"], page.record["statements"]
    assert isinstance(facts, list)
    assert isinstance(said, list)
    for keys in ([fact["id"] for fact in facts], [one["text"] for one in said]):
        assert len(set(keys)) == len(keys)
    listed = str(page.record["components"])
    for part in (inner for section in page.found if section.id == "parts" for inner in section.sections):
        paragraph = next((block.text for block in part.blocks if isinstance(block, Paragraph)), "")
        for size in re.findall(r"95% lie (within ±[\d.,]+\d%?)", paragraph):
            assert f"95% of it lies {size}" in listed


@pytest.mark.parametrize("name", CONSISTENT)
def test_the_doubt_about_the_model_is_in_the_bands_or_not(name: str) -> None:
    text = " ".join(_sentences(_page(name)))
    includes = "its ranges include the doubt about the model" in text
    assert not (includes and "No band includes the doubt" in text)
    assert "not part of the bands" not in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["table", "table, cut", "table of four"])
def test_a_column_matters_or_does_not(name: str) -> None:
    page = _page(name)
    rows = [row for text in _texts(name)[:1] for row in re.findall(r"^\| (\w) \|.*\| ([^|]*) \|$", text, re.MULTILINE)]
    sentences = [text for text in _sentences(page) if re.match(r"'\w' adds n|It is open whether", text)]
    told = {text.split("'")[1]: text for text in sentences}
    assert rows
    for column, probability in rows:
        if column in told:
            assert "%" not in probability, (column, probability, told[column])


def test_columns_of_a_product_act_together_only_as_measured() -> None:
    text = " ".join(_sentences(_page("table of four")))
    assert not re.search(r"'a', 'b', 'c', and 'd' act together", text)


@pytest.mark.parametrize(
    ("step", "name"), [("B", "business days"), ("D", "days"), ("h", "hour"), ("SMS", ""), ("10s", "")]
)
def test_there_is_a_page_for_steps_of_any_kind(step: str, name: str) -> None:
    times = pd.date_range("2024-01-01", periods=45, freq=step)
    noise = np.random.default_rng(0).normal(10.0, 1.0, 45)
    model = AutomaticStatistician(language="linear", max_depth=1, n_jobs=1).fit(pd.Series(noise, times, name="load"))
    assert name in to_markdown(model.report().document)
