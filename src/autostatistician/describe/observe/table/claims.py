"""What models of a table claim: which columns matter, alone, together and for the scatter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autostatistician.describe.facts.claim import Claim, WeighedClaim
from autostatistician.describe.facts.kinds import ClaimKind
from autostatistician.describe.observe.claims import weighed_claims
from autostatistician.language.kernel import Kernel
from autostatistician.language.rewrite import components
from autostatistician.language.traits import columns_of, is_noise

__all__ = ["table_claims"]


def table_claims(models: Sequence[tuple[Kernel, float]]) -> tuple[WeighedClaim, ...]:
    """What weighted models (the best first) claim of columns.

    >>> from autostatistician.language.kernel import leaf
    >>> one = leaf("SE", "age", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0)
    >>> [(told.claim.kind.value, told.claim.columns, told.probability) for told in table_claims([(one, 1.0)])]
    [('matters', ('age',), 1.0)]
    """
    return weighed_claims(models, _claims, lambda claim, other: claim == other)


def _claims(kernel: Kernel) -> Iterator[Claim]:
    for part in components(kernel):
        columns = sorted(columns_of(part.expr))
        alone = ClaimKind.SCATTER if is_noise(part.expr) else ClaimKind.MATTERS
        yield from (Claim(alone, columns=(name,)) for name in columns)
        if alone is ClaimKind.MATTERS and len(columns) == 2:  # of more, a product does not tell which of them do
            yield Claim(ClaimKind.TOGETHER, columns=tuple(columns))
