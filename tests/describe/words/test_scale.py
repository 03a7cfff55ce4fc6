"""Whether parts add up or multiply, word for word."""

from __future__ import annotations

from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.describe.words.scale import scale_sentence

UNITS = units_on(MONTHLY, MONTHS)


def test_the_scale_is_said() -> None:
    assert scale_sentence(UNITS) == "The model is of the logarithm of 'sales': its parts multiply."
