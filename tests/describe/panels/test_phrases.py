"""Names, sizes and times of a panel, in the language of the page."""

from __future__ import annotations

from autostatistician.describe.panels.phrases import moment, names_text, shift, size_text
from autostatistician.wording.messages import spoken_in


def test_many_names_are_counted() -> None:
    assert names_text(list("abcdef")) == "'a', 'b', 'c', 'd', and 2 more"


def test_sizes_and_times_follow_the_language() -> None:
    assert (shift(0.123), size_text(-0.0123), moment("2024-03-05", "day")) == ("+12%", "1.2%", "on 5 March 2024")
    with spoken_in("de"):
        assert (shift(0.123), size_text(-0.0123)) == ("+12\N{NO-BREAK SPACE}%", "1,2\N{NO-BREAK SPACE}%")
        assert moment("2024-03-01", "month") == "im März 2024"
        assert moment("1987", "year") == "im Jahr 1987"
