"""What is taken out of texts, and how lines are fitted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autostatistician.describe.document.document import Paragraph
from autostatistician.report.text import cleaned, cut, slug, text_width, wrapped


@given(st.text(st.characters()))
def test_cleaned_text_is_valid_everywhere(text: str) -> None:
    result = cleaned(text + "\x1b\ud800\u202e")
    assert result.encode().decode() == result
    assert not set(result) & {"\x00", "\x1b", "\u202e", "\ufeff"}
    assert cleaned(result) == result


def test_cleaning_reaches_into_records() -> None:
    assert cleaned(Paragraph("a\x00b", ("f\x07",))) == Paragraph("ab", ("f",))


@given(st.text(max_size=60), st.floats(20.0, 300.0))
def test_lines_fit(text: str, width: float) -> None:
    assert text_width(cut(text, width, 12.0), 12.0) <= width
    lines = wrapped(text, width, 12.0)
    assert len(lines) <= 2
    assert all(text_width(line, 12.0) <= width for line in lines)


@given(st.text())
def test_slugs_need_no_escaping(text: str) -> None:
    assert slug(text).replace("-", "").replace("_", "").isalnum() or set(slug(text)) <= {"-", "_"}
    assert slug(text).isascii()
