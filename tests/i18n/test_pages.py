"""Whole pages in a language of no words: what stays readable there is no message, so that no catalogue can say it."""

import pytest
from tests.i18n.pseudo import english_words, pseudo_page

# The names of data, columns and classes of each page, which are nobody's to translate; those in quotes do not count.
NAMES = {
    "airline": "airline month passengers",
    "columns": "airline month passengers promo price weather noise",
    "table": "",
    "several classes": "balls size age idle red green blue",
    "clusters": "stars mass colour index",
}
SYMBOLS = "SE Per Lin WN"  # kernels in expressions
# What Babel says in the language of the page, which is German there: lists, months and units of time.
GERMAN = (
    "und Januar Februar März April Mai Juni Juli August September Oktober November Dezember Jahr Jahre Monate Wochen"
)
# Notes on data that cases made by hand hold as plain texts; those that the code makes are messages.
PLAIN_NOTES = ("2 rows without a value were left out.", "One row was left out.")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "several classes" else ()) for name in NAMES]
)
def test_no_english_word_is_left(name: str) -> None:
    """Models are made before the language is chosen, as data are read before; the literature keeps its language."""
    made, text = pseudo_page(name)
    lines = [
        line for line in text.splitlines()[:-1] if line.removeprefix("- ") not in (*made.citations, *PLAIN_NOTES)
    ]  # last: facts
    allowed = set(f"{NAMES[name]} {SYMBOLS} {GERMAN}".split())
    assert len(lines) > 10
    assert {word for line in lines for word in english_words(line)} - allowed == set()
