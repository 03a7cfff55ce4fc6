"""The page on classes: what it says is what its facts say."""

from __future__ import annotations

import re

import pytest
from tests.decompose.table.classes import decomposition, nothing
from tests.describe.spoken.classes_fitted import made_page

from autostatistician.describe.document.classes.page import ClassPage, class_page
from autostatistician.describe.document.document import Document, Section
from autostatistician.describe.observe.table.findings import class_findings, scale_for
from autostatistician.describe.tell import document, result, sentences


@pytest.fixture(scope="module")
def made() -> Document:
    return made_page()


@pytest.fixture(scope="module")
def page() -> ClassPage:
    return class_page(class_findings(decomposition()), scale_for(decomposition()))


def test_sentences_carry_the_chances_of_the_facts(page: ClassPage) -> None:
    first = page.sentences()[0]
    course = page.story.effects[0].effect.facts[1]
    told = [f"{100.0 * one.chance:.0f}% (" for one in course.chances]  # type: ignore[attr-defined]
    assert all(each in first for each in told)
    assert re.search(r"falls from \d+% .* to \d+% .*; the odds are divided by \d", first)
    assert page.sentences()[-1].startswith("When each row is foreseen from all the others")


def test_every_number_of_the_record_is_a_fact(page: ClassPage) -> None:
    record = result(decomposition())
    out = decomposition().foreseen
    assert out is not None
    assert record["log_score"] == pytest.approx(out.log_score)
    assert record["area"] == pytest.approx(out.area)
    assert record["classes"] == ["no", "yes"]
    names = {fact["fact"] for fact in record["facts"]}  # type: ignore[attr-defined]
    assert {"Foresight", "Ranking", "Calibration", "ChanceCourse", "EffectShare", "ColumnRelevance"} <= names
    assert len(page.part_sentences()) == 2


def test_words_of_scatter_and_logarithms_stay_away(made: Document) -> None:
    def texts(section: Section) -> str:
        own = " ".join(str(block) for block in section.blocks)
        return own + " ".join(texts(one) for one in section.sections)

    whole = " ".join(texts(one) for one in made.sections)
    assert not re.search(r"scatter|residual|variation in the data|clear of chance", whole)


@pytest.mark.slow
def test_on_noise_nothing_is_found() -> None:
    (told,) = sentences(nothing())  # and nothing of rows foreseen by it: all have the same chance
    assert told.startswith("Nothing was found")
    page = document(nothing())
    assert page.abstract == told
    assert "checks" not in [section.id for section in page.sections]
