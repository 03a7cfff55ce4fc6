"""Answers to the few questions that anyone asks of a model."""

from __future__ import annotations

import pytest
from tests.decompose.table import classes, tables
from tests.describe import factory
from tests.describe.covariate_cases import PRICE, PROMO, with_columns

from autostatistician.describe.tell import answer, document, result
from autostatistician.errors import InputError
from autostatistician.forms import QUESTIONS

AIRLINE = factory.airline()


def test_what_was_found_is_the_abstract_of_the_report() -> None:
    assert answer(AIRLINE, "what").sentences == (document(AIRLINE).abstract,)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_has_an_answer_whose_facts_are_those_of_the_report(question: str) -> None:
    told = answer(AIRLINE, question)
    assert told.sentences
    record = result(AIRLINE)
    every = [*record["function"], *record["facts"]]  # type: ignore[misc]
    assert all(fact in every for fact in told.facts if fact.get("fact") != "Statement")
    assert str(told).splitlines()[0] == told.sentences[0].splitlines()[0]


def test_how_sure_holds_the_verdict_and_the_statements_with_their_probabilities() -> None:
    told = answer(AIRLINE, "sure")
    statements = result(AIRLINE)["statements"]
    assert isinstance(statements, list)
    assert {fact["text"]: fact["probability"] for fact in told.facts}.items() >= {
        (statement["text"], statement["probability"]) for statement in statements
    }


def test_columns_beside_a_series_are_told() -> None:
    told = answer(with_columns(PROMO, PRICE), "columns")
    assert any("'price'" in sentence for sentence in told.sentences)
    assert told.facts


def test_tables_and_classes_have_columns_and_no_course() -> None:
    for model in (tables.decomposition(tables.model(), tables.dataset(60)), classes.decomposition()):
        assert answer(model, "columns").facts == tuple(result(model)["facts"])  # type: ignore[arg-type]
        assert answer(model, "sure").sentences
        with pytest.raises(InputError, match="ask what, columns or sure"):
            answer(model, "trend")
    with pytest.raises(InputError, match="one of what, trend"):
        answer(AIRLINE, "weather")
