"""Claims in words, and how probabilities are to be read."""

from __future__ import annotations

from tests.describe.spoken.wholes import UNITS

from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.words.claims import statements


def test_those_of_the_best_model_come_first_then_the_probable_ones() -> None:
    weights = [(0.2, False), (0.9, False), (0.1, True), (1.0, True)]
    told = statements([WeighedClaim(Claim(ClaimKind.CHANGE, 1950.0 + i), *one) for i, one in enumerate(weights)], UNITS)
    assert [(one.probability, one.in_best) for one in told] == [(1.0, True), (0.1, True), (0.9, False), (0.2, False)]


def test_noise_is_of_one_size_only_where_the_data_agree() -> None:
    noise = [WeighedClaim(Claim(ClaimKind.NOISE), 1.0, True)]
    told = {steady: statements(noise, UNITS, steady=steady)[0].text for steady in (True, False)}
    assert told == {True: "Random noise of the same size throughout", False: "Random noise"}
