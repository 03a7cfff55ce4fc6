"""What is said of plans, and of what if."""

from __future__ import annotations

from tests.describe.spoken.answers import MONTH

from autostatistician.describe.words.answers.plans import (
    ASSOCIATION,
    what_if_texts,
)


def test_what_if() -> None:
    several = what_if_texts(
        "promo = 0", (2025.0, 2025.5), (-25.0, -28.0, -22.0), (-175.0, -196.0, -154.0), (-0.1, -0.2, 0.0), MONTH
    )
    assert several == (
        "With promo = 0, 'sales' would be 25 lower (95% range 22 to 28) on average from January 2025 to July 2025, in "
        "total 175 lower (95% range 154 to 196): −10% of the forecast.",
        "This is what went together in the data, all else unchanged: an association, not a proof that one causes the "
        "other.",
    )
    ranges = ((2.0, 1.0, 3.0), (2.0, 1.0, 3.0))
    assert what_if_texts("promo = 1", (2025.0, 2025.0), *ranges, None, MONTH) == (
        "With promo = 1, 'sales' would be 2 higher (95% range 1 to 3) in January 2025.", ASSOCIATION,
    )  # fmt: skip
    assert what_if_texts("promo = 1", (2025.0, 2025.0), (0.0,) * 3, (0.0,) * 3, None, MONTH) == (
        "With promo = 1 the forecast of 'sales' stays as it is: nothing else acts on it in this model.",
    )
