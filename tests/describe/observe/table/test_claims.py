"""What models of tables claim."""

from __future__ import annotations

from tests.decompose.table.tables import bump, model

from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.observe.table.claims import table_claims
from autostatistician.language.kernel import Kernel, leaf


def _claims(*models: tuple[Kernel, float]) -> dict[tuple[ClaimKind, tuple[str, ...]], tuple[float, bool]]:
    return {(one.claim.kind, one.claim.columns): (one.probability, one.in_best) for one in table_claims(models)}


def test_columns_matter_alone_and_two_together() -> None:
    noisy = bump("a") + leaf("WN", sd=1.0) * leaf("Lin", "d", sd=1.0, location=0.0)
    assert _claims((model(), 0.75), (noisy, 0.25)) == {
        (ClaimKind.MATTERS, ("a",)): (1.0, True),
        (ClaimKind.MATTERS, ("b",)): (0.75, True),
        (ClaimKind.MATTERS, ("c",)): (0.75, True),
        (ClaimKind.TOGETHER, ("b", "c")): (0.75, True),
        (ClaimKind.SCATTER, ("d",)): (0.25, False),
    }


def test_of_three_columns_a_product_does_not_tell_which_act_together() -> None:
    kinds = {kind for kind, _ in _claims((bump("a") * bump("b") * bump("c") + leaf("WN", sd=1.0), 1.0))}
    assert kinds == {ClaimKind.MATTERS}
