"""Dates in the words of the languages that Babel knows; files of whole countries are in `test_countries`."""

from __future__ import annotations

from datetime import date

import pytest
from babel.dates import format_date

from autostatistician.data.times.dates import parse_times
from autostatistician.data.times.languages import distinct_words, folded, languages_of, tidied

DAYS = [date(2020, month, 3 * month) for month in range(1, 10)] + [
    date(2021, 10, 11),
    date(2021, 11, 30),
    date(2021, 12, 24),
]


@pytest.mark.parametrize(
    "code", ["de", "fr", "es", "it", "nl", "pl", "cs", "sv", "da", "fi", "ru", "uk", "el", "ro", "id"]
)
@pytest.mark.parametrize("width", ["medium", "long"])
def test_dates_as_babel_writes_them_are_read_back(code: str, width: str) -> None:
    parsed = parse_times([format_date(day, width, locale=code) for day in DAYS])
    assert parsed is not None
    assert parsed.times.astype("M8[D]").tolist() == DAYS


def test_case_accents_widths_and_digits_do_not_matter() -> None:
    assert folded("FÉVR. ２０２１") == folded("févr. 2021") == "fevr. 2021"
    assert folded("١٢") == folded("१२") == "12"


def test_separators_are_made_plain() -> None:
    assert tidied(["3. 1. 2020", "3 / 1 / 2020", "2020. 1. 3."]) == ["3.1.2020", "3/1/2020", "2020.1.3"]


def test_words_are_translated_by_the_language_that_knows_all_of_them() -> None:
    (german, *others) = languages_of(["3. März 2021", "5. Dez 2021"])
    assert {one.code[:2] for one in (german, *others)} == {"de"}
    assert german.translated(["3. März 2021", "5. Dez 2021"]) == ["3 Mar 2021", "5 Dec 2021"]
    assert german.order == "dmy"


@pytest.mark.parametrize("cells", [["red", "blue"], ["x1", "x2"], ["Bond 2020 film", "Jaws 1975 film"]])
def test_words_that_are_no_dates_have_no_language(cells: list[str]) -> None:
    assert languages_of(cells) == ()


def test_a_word_that_means_two_months_is_settled_by_the_order_of_the_rows() -> None:
    """In Croatian `listopad` is October, in Polish and Czech November."""
    assert parse_times(["1 listopad 2020", "1 listopad 2021"]) is None
    parsed = parse_times(["1 rujan 2020", "1 listopad 2020", "1 studeni 2020"])
    assert parsed is not None
    assert parsed.times.astype("M8[M]").astype(str).tolist() == ["2020-09", "2020-10", "2020-11"]


def test_of_cells_with_the_same_words_one_is_looked_at() -> None:
    assert distinct_words([f"{day} Mai 2020" for day in range(1, 30)]) == ["1 Mai 2020"]
