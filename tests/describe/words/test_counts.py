"""What is said of counts, word for word."""

from __future__ import annotations

import pytest
from tests.describe.spoken.scales import COUNTS

from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.words.claims import statements


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (ClaimKind.NO_NOISE, "No scatter beyond chance that can be seen"),
        (ClaimKind.NOISE, "Scatter beyond chance, of the same size throughout"),
        (ClaimKind.NOISE_OF_A_STRETCH, "Scatter beyond chance whose size differs from stretch to stretch"),
        (ClaimKind.CHANGING_NOISE, "Scatter beyond chance whose size changes along the data"),
    ],
)
def test_claims_on_noise(kind: ClaimKind, said: str) -> None:
    claims = [WeighedClaim(Claim(kind), 0.9, True)]
    assert [told.text for told in statements(claims, COUNTS)] == [said]
    if kind is ClaimKind.NOISE:
        assert [told.text for told in statements(claims, COUNTS, steady=False)] == ["Scatter beyond chance"]
