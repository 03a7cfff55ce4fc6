"""Claims are weighed by all models that make them."""

from __future__ import annotations

from autostatistician.describe.facts.claim import Claim
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.observe.claims import weighed_claims
from autostatistician.language.kernel import Kernel, leaf

A, B, C = (leaf("WN", sd=float(sd)) for sd in (1, 2, 3))
TREND, CHANGE = Claim(ClaimKind.TREND), Claim(ClaimKind.CHANGE, 10.0)
CLAIMS = {A: [CHANGE], B: [Claim(ClaimKind.CHANGE, 10.4), Claim(ClaimKind.CHANGE, 9.8), TREND], C: [TREND]}


def _close(one: Claim, other: Claim) -> bool:
    return one.kind is other.kind and abs(one.number - other.number) < 1.0


def _weighed(*models: tuple[Kernel, float]) -> dict[Claim, tuple[float, bool]]:
    weighed = weighed_claims(models, CLAIMS.__getitem__, _close)
    return {one.claim: (round(one.probability, 6), one.in_best) for one in weighed}


def test_a_model_counts_once_for_claims_that_are_alike() -> None:
    assert _weighed((A, 0.5), (B, 0.3), (C, 0.2)) == {CHANGE: (0.8, True), TREND: (0.5, False)}


def test_what_is_hardly_probable_is_not_known() -> None:
    assert _weighed((A, 0.97), (C, 0.03)) == {CHANGE: (0.97, True)}


def test_a_best_model_that_claims_nothing_makes_no_claim_of_the_next() -> None:
    empty = weighed_claims([(A, 0.6), (B, 0.4)], lambda kernel: CLAIMS[kernel] if kernel is B else [], _close)
    assert [one.in_best for one in empty] == [False, False]
