"""Sentences of people about models: borne out, contradicted or unknown."""

from functools import cache

import pytest
from tests.saved_models.models import saved
from tests.schemas import check

from autostatistician.estimators.loading import memo_of, memo_record
from autostatistician.memo.judging import Memo

TRUE = {
    "airline": [
        "Passenger numbers grew from roughly 127 in 1949 to about 476 in 1960.",
        "Between 1949 and 1960, passengers rose by around 350.",
        "Passengers more or less quadrupled.",
        "Every year the peak comes in July and August, and the trough in November.",
        "November is the quietest month.",
        "Growth was about 13% per year.",
        "There is a strong yearly pattern.",
        "We expect about 450 passengers for January 1961.",
        "The summer peak is about 55% above the low point.",
        "In July, passengers are some 23% above their usual level.",
        "Between 1955 and 1958 passengers rose by about 34%.",
    ],
    "stepped": [
        "In March 2013 sales suddenly jumped by 40.",
        "Sold went up over the ten years as a whole.",
        "The data have a yearly rhythm.",
    ],
    "houses": [
        "Price rises with size, by some 340 in all.",
        "Of either kind, a house has a price 78 above a flat.",
        "A house costs about 78 more than a flat.",
    ],
}
WRONG = {
    "airline": [
        "Passenger numbers shrank from roughly 476 in 1949 to about 127 in 1960.",
        "Between 1949 and 1960, passengers rose by around 150.",
        "Passengers doubled.",
        "Every year the peak comes in February.",
        "July is the quietest month.",
        "Growth was about 30% per year.",
        "There is a strong weekly pattern.",
        "There is no seasonal pattern.",
        "We expect about 700 passengers for January 1961.",
        "The summer peak is about 15% above the low point.",
        "In July, passengers are some 23% below their usual level.",
    ],
    "stepped": [
        "In March 2015 sold suddenly jumped by 40.",
        "In March 2013 sold suddenly fell by 40.",
        "Sold is down.",
    ],
    "houses": [
        "Price falls with size.",
        "The size has no effect on the price.",
        "By kind, a flat is 78 above a house.",
    ],
}
UNKNOWN = {
    "airline": [
        "Fuel cost 35 cents in 1955.",
        "In 1955 there was a strike.",
        "In all of 1961 we expect 9000.",
        "The oil price doubled outliers in 3 cases.",
    ],
    "houses": ["Interest rates rose by 2 percent last spring, said the bank's 14 analysts."],
}


@cache
def memo(name: str) -> Memo:
    return memo_of(saved(name))


def each(of: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(name, sentence) for name, sentences in of.items() for sentence in sentences]


@pytest.mark.parametrize(("name", "sentence"), each(TRUE))
def test_what_is_so_is_borne_out(name: str, sentence: str) -> None:
    assert [checked.verdict.value for checked in memo(name).check(sentence)] == ["borne out"]


@pytest.mark.parametrize(("name", "sentence"), each(WRONG))
def test_what_is_otherwise_is_contradicted_and_the_model_answers(name: str, sentence: str) -> None:
    (checked,) = memo(name).check(sentence)
    assert checked.verdict.value == "contradicted"
    assert checked.claims


def test_sentences_without_numbers_directions_or_dates_are_passed_over() -> None:
    assert memo("airline").check("This memo is by the planning department. We thank all who helped.") == []


def test_a_record_follows_its_schema() -> None:
    text = "Passengers rose by 350 in all.\n\n- They peak in February."
    record = memo_record(memo("airline"), text)
    check(record, "memo-1")
    assert record["counts"] == {"borne out": 1, "contradicted": 1, "unknown": 0, "not checkable": 0}
