"""Notes on the data of a panel (the words themselves: `spoken_panels`)."""

from __future__ import annotations

from autostatistician.describe.panels.facts import Kind
from autostatistician.describe.panels.notes import LONGEST, kind_text, steps_text


def test_one_step_is_not_worth_a_sentence() -> None:
    assert steps_text([]) == steps_text([Kind("month", ("a", "b"))]) == ""


def test_a_note_is_one_line_and_not_too_long() -> None:
    text = kind_text(Kind(400 * "long\n", ("a\nb",)), 2)
    assert text.startswith("'a b': long long")
    assert len(text) <= LONGEST + len("'a b': ")
    assert "\n" not in text
