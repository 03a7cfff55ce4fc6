"""Names of columns in words."""

from __future__ import annotations

from autostatistician.wording.names import clean_name, measured, quoted


def test_names_stay_on_one_short_line() -> None:
    assert clean_name("a\n b") == "a b"
    assert len(clean_name("x" * 500)) == 60
    assert clean_name("ab " * 20, 10) == "ab ab ab…"
    assert quoted("a\n b") == "'a b'"


def test_only_known_units_are_taken_off() -> None:
    assert measured("depth  (m)") == ("depth", "m")
    assert measured("depth (mean)") == ("depth (mean)", "")
    assert measured("(m)") == ("(m)", "")
