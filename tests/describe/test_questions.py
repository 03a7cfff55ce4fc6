"""Answers to the few questions that anyone asks of a model."""

import numpy as np
import pytest
from tests.decompose.table import classes, tables
from tests.describe import factory
from tests.describe.covariate_cases import PRICE, PROMO, with_columns
from tests.describe.factory import component, decomposition

from autostatistician.data.outliers import Outlier, Screening
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.tell import answer, document, result, sentences
from autostatistician.errors import InputError
from autostatistician.forms import QUESTIONS
from autostatistician.kernels.kernel import leaf

AIRLINE = factory.airline()
SCATTER = leaf("WN", sd=1.0)
CHRISTMAS = tuple(Outlier(358.0 + 365.0 * year, 38.0, 50.0, returns="date 12 25 0") for year in range(3))
ENDING = (Outlier(1090.0, 70.0, 50.0, ending=True),)


def _noise(rows: tuple[Outlier, ...]) -> Decomposition:
    """White noise by day beside rows that stand out."""
    x = np.arange(1096.0)
    part = component(SCATTER, x)
    screening = Screening(rows, 50.0, lasting=0.4)
    return decomposition((part,), x, part.mean, factory.DAILY, signal_r2=0.0, screening=screening)


def test_what_was_found_is_the_first_screen_of_the_report() -> None:
    made = document(AIRLINE)
    assert answer(AIRLINE, "what").sentences == (made.abstract, *made.points)


@pytest.mark.parametrize(
    ("rows", "told"),
    [(CHRISTMAS, "On 25 December each year"), (ENDING, "last value"), ((), "No trend and no pattern was found")],
)
def test_sentences_and_the_answer_to_what_tell_the_same_of_noise(rows: tuple[Outlier, ...], told: str) -> None:
    model = _noise(rows)
    *said, part = sentences(model)
    assert part.startswith("Random noise")
    assert any(told in sentence for sentence in said)
    asked = answer(model, "what")
    assert set(said) <= set(asked.sentences)
    facts = {fact["id"] for fact in asked.facts}
    assert facts >= {fact["id"] for fact in result(model)["facts"] if str(fact["id"]).startswith("outliers/")}  # type: ignore[attr-defined]
    assert len(asked.numbers) == len(asked.facts)
    if rows:
        assert told in answer(model, "events").sentences[0]


def test_days_that_come_again_are_told_beside_structure_as_well() -> None:
    x = np.arange(1096.0)
    parts = component(leaf("Lin", sd=1.0, location=0.0), x), component(SCATTER, x)
    model = decomposition(parts, x, parts[0].mean + parts[1].mean, factory.DAILY, screening=Screening(CHRISTMAS, 50.0))
    assert sentences(model)[0].startswith("On 25 December each year")
    assert sentences(model)[0] in answer(model, "what").sentences


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
        with pytest.raises(InputError, match="one of what, columns, sure"):
            answer(model, "trend")
    with pytest.raises(InputError, match="one of what, trend"):
        answer(AIRLINE, "weather")
