"""Generators from what scikit-learn calls random_state."""

import numpy as np
import pytest

from autostatistician._io.seeds import generator, seed_of


def test_a_number_and_a_state_of_that_number_give_the_same_draws() -> None:
    assert seed_of(7) == 327741615  # as it has been, so that fits of earlier versions repeat
    drawn = generator(7).normal(size=3)
    assert drawn == pytest.approx(generator(np.random.RandomState(7)).normal(size=3), abs=0.0)
    assert drawn == pytest.approx(np.random.default_rng(327741615).normal(size=3), abs=0.0)


def test_a_state_moves_on() -> None:
    state = np.random.RandomState(7)
    assert seed_of(state) != seed_of(state)


def test_anything_else_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be used to seed"):
        seed_of("now")
