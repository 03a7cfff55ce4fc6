"""What is said of new rows."""

from __future__ import annotations

from autostatistician.describe.words.update import advice_text, lacking_text, surprise_text


def test_golden_sentences() -> None:
    assert surprise_text(24, 19, 0.0002, True, None, 2.43) == (
        "19 of the 24 new rows lie within their 95% ranges, each given the rows before. Together they are a surprise "
        "(p below 0.001): the errors are 2.4 times as large as expected."
    )
    assert surprise_text(1200, 1200, 0.004, True, -0.2, 1.0) == (
        "All 1,200 new rows lie within their 95% ranges, each given the rows before. Together they are a surprise "
        "(p = 0.004): they lie on average 0.2 standard deviations below what the model expected."
    )
    assert surprise_text(1, 0, 0.03, False, 2.1, 2.1) == (
        "The new row lies outside its range of 95%. It is no surprise (p = 0.030)."
    )
    assert surprise_text(1, 0, 0.0001, True, None, 4.21) == (
        "The new row lies outside its range of 95%. It is a surprise (p below 0.001): the errors are 4.2 times as "
        "large as expected."
    )


def test_advice() -> None:
    assert advice_text(True, 100, 112, False).startswith("Search again: what the model says")
    assert advice_text(False, 1000, 1600, True) == (
        "Search again: the model was found on 1,000 rows, and 1,600 may show more."
    )
    assert advice_text(False, 100, 112, False).startswith("Nothing speaks for a new search")


def test_columns_without_values() -> None:
    assert lacking_text(["price", "promo"]) == (
        "New rows have no value of 'price', 'promo': they are judged as if they were as usual."
    )
