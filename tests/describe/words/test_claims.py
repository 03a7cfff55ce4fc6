"""Claims in words, and how probabilities are to be read."""

from __future__ import annotations

import pytest
from tests.describe.factory import MONTHLY, MONTHS, units_on

from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.words.claims import statements, sureness_text

UNITS = units_on(MONTHLY, MONTHS)
TOLD = {
    Claim(ClaimKind.CYCLE, 1.0): "A yearly cycle",
    Claim(ClaimKind.GROWING_CYCLE, 10.8): "A 10.8-year cycle whose swings grow or shrink",
    Claim(ClaimKind.CHANGE, 1955.4): "A change around May 1955",
    Claim(ClaimKind.NO_NOISE): "No noise that can be seen",
    Claim(ClaimKind.TREND): "A straight line or a slow curve",
}
OF_COLUMNS = {
    Claim(ClaimKind.MATTERS, columns=("age",)): "'age' matters",
    Claim(ClaimKind.TOGETHER, columns=("age", "ash")): "'age' and 'ash' act together",
    Claim(ClaimKind.SCATTER, columns=("age",)): "The scatter changes with 'age'",
}


@pytest.mark.parametrize("claim", TOLD)
def test_claims_of_series(claim: Claim) -> None:
    assert statements([WeighedClaim(claim, 1.0, True)], UNITS)[0].text == TOLD[claim]


@pytest.mark.parametrize("claim", OF_COLUMNS)
def test_claims_of_columns(claim: Claim) -> None:
    assert statements([WeighedClaim(claim, 1.0, True)])[0].text == OF_COLUMNS[claim]


def test_those_of_the_best_model_come_first_then_the_probable_ones() -> None:
    weights = [(0.2, False), (0.9, False), (0.1, True), (1.0, True)]
    told = statements([WeighedClaim(Claim(ClaimKind.CHANGE, 1950.0 + i), *one) for i, one in enumerate(weights)], UNITS)
    assert [(one.probability, one.in_best) for one in told] == [(1.0, True), (0.1, True), (0.9, False), (0.2, False)]


def test_equal_claims_of_columns_come_by_name() -> None:
    claims = [WeighedClaim(Claim(ClaimKind.MATTERS, columns=(name,)), 1.0, True) for name in "cab"]
    assert [one.text for one in statements(claims)] == ["'a' matters", "'b' matters", "'c' matters"]


def test_a_model_without_a_majority_is_the_likeliest() -> None:
    assert "has a probability of 63% among those that were tried" in sureness_text(0.63, "that were tried")
    assert sureness_text(0.49, "that were tried").startswith("No model among those that were tried has half")


def test_a_simpler_model_is_nearly_as_likely_only_where_it_is() -> None:
    assert "of models that are nearly as likely the simpler one is told" in sureness_text(0.1, "tried", 0.3)
    assert "nearly" not in sureness_text(0.001, "tried", 0.3, nearly=False)


def test_noise_is_of_one_size_only_where_the_data_agree() -> None:
    noise = [WeighedClaim(Claim(ClaimKind.NOISE), 1.0, True)]
    told = {steady: statements(noise, UNITS, steady=steady)[0].text for steady in (True, False)}
    assert told == {True: "Random noise of the same size throughout", False: "Random noise"}
