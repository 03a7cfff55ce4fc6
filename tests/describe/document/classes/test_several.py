"""The page on several classes: one page, names that are no other's, a record with one for each class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from tests.decompose.table.several import found, found_over_time, nothing

from autostatistician.describe.document.document import Bullets, Document, Figure, Section, Table
from autostatistician.describe.questions import Answer
from autostatistician.describe.tell import answer, document, result, sentences, statements
from autostatistician.errors import InputError


@pytest.fixture(scope="module")
def made() -> Document:
    return document(found())


def _every(sections: tuple[Section, ...]) -> Iterator[Section]:
    for section in sections:
        yield section
        yield from _every(section.sections)


def test_each_class_has_its_section_between_what_all_share(made: Document) -> None:
    ids = [section.id for section in made.sections]
    assert ids == ["brief", "verdict", "class-1", "class-2", "class-3", "checks", "method"]
    assert [section.title for section in made.sections[2:5]] == [
        f"What tells {name!r} from the rest" for name in ("red", "green", "blue")
    ]


def test_names_are_no_others_and_links_lead_somewhere(made: Document) -> None:
    every = list(_every(made.sections))
    blocks = [block for section in every for block in section.blocks]
    names = [section.id for section in every] + [one.id for one in blocks if isinstance(one, Figure | Table)]
    assert max(Counter(names).values()) == 1
    links = {link for block in blocks if isinstance(block, Bullets) for link in block.links if link}
    assert links <= {section.id for section in every}


def test_the_record_holds_one_for_each_class(made: Document) -> None:
    record = result(found())
    each = record["each"]
    assert isinstance(each, dict)
    assert list(each) == record["classes"] == ["red", "green", "blue"]
    assert each["red"]["classes"] == ["not red", "red"]
    assert record["wrong"] == pytest.approx(found().foreseen.wrong)
    assert record["sentences"] == list(sentences(found()))
    assert {text.text.split(":")[0] for text in statements(found())} <= {"'red'", "'green'", "'blue'"}
    assert made.record["expression"] == record["expression"]


@pytest.mark.slow
def test_where_nothing_is_found_little_is_said() -> None:
    (told,) = sentences(nothing())
    assert told.startswith("Nothing was found: no column tells anything about the classes of 'colour'")
    assert document(nothing()).abstract == told


def test_questions_are_answered() -> None:
    def of(question: str) -> Answer:
        return answer(found_over_time(), question)

    assert of("what").sentences[0] == "'frost' is likelier in January."
    assert any("repeats every year" in text for text in of("seasons").sentences)
    assert any("'sun' rises" in text for text in of("trend").sentences)
    assert any(text.startswith("Rely on") for text in of("sure").sentences)
    assert of("columns").sentences == sentences(found_over_time())
    with pytest.raises(InputError, match="what, columns and sure"):
        answer(found(), "trend")
    with pytest.raises(InputError, match="one of what"):
        answer(found(), "nothing")
