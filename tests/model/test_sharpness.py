"""How sure chances should be: the power of their odds by rows that are left out."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.model.sharpness import sharpened, sharpness_of

RNG = np.random.default_rng(1)
CHANCE = RNG.uniform(0.02, 0.98, 3000)
CAME = RNG.uniform(size=3000) < CHANCE


@pytest.mark.parametrize("power", [0.6, 1.0, 2.0])
def test_what_chances_were_raised_to_is_taken_back(power: float) -> None:
    assert sharpness_of(sharpened(CHANCE, 1.0 / power), CAME) == pytest.approx(power, rel=0.08)


def test_few_rows_say_little_and_rows_that_are_all_right_not_everything() -> None:
    assert sharpness_of(sharpened(CHANCE[:15], 0.5), CAME[:15]) < 1.6
    right = sharpness_of(np.full(300, 0.9), np.ones(300, dtype=bool))
    assert 1.2 < right < 3.0


def test_sharper_chances_keep_their_order_and_their_side() -> None:
    ranked = np.array([0.0, 0.2, 0.5, 0.6, 1.0])
    sharper = sharpened(ranked, 1.7)
    assert (np.diff(sharper) > 0.0).all()
    assert sharper[2] == pytest.approx(0.5)
    assert sharpened(ranked, 1.0) is ranked
