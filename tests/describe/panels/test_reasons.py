"""Why series stand out (the words themselves: `spoken_panels`)."""

from __future__ import annotations

from autostatistician.describe.panels.reasons import MOST_REASONS, reasons_text
from autostatistician.describe.panels.surprises import Reason, Surprise

GROWTH = Reason("growth", 5.0, 0.47, 0.0, 0.05)


def test_few_reasons_are_told_and_none_twice() -> None:
    others = tuple(Reason("rare", 2.0, what=name) for name in ("weekly", "monthly", "daily"))
    text = reasons_text(Surprise("a", (GROWTH, GROWTH, *others)))
    assert text.count(". ") + 1 == MOST_REASONS
    assert text.startswith("Grows by 60% per year; half of all series lie between 0% and +5.1%. Has a weekly cycle")
