"""What symmetries together generate, and which do not go together."""

from __future__ import annotations

import pytest

from autostatistician.symmetry.claims import Claim, Kind
from autostatistician.symmetry.structure import structured

SWAP, OTHER = Claim(Kind.EXCHANGE, (0, 1)), Claim(Kind.EXCHANGE, (1, 2))
MIRROR, ODD = Claim(Kind.MIRROR, (0,)), Claim(Kind.MIRROR, (0,), odd=True)


@pytest.mark.parametrize(
    ("claims", "held", "not_held"),
    [
        ((SWAP, MIRROR), (Claim(Kind.MIRROR, (1,)), Claim(Kind.POINT, (0, 1))), (ODD, OTHER)),
        (
            (ODD, Claim(Kind.MIRROR, (1,), odd=True)),
            (Claim(Kind.POINT, (0, 1)),),
            (SWAP, Claim(Kind.POINT, (0, 1), True)),
        ),
        ((Claim(Kind.SHIFT, (0,)),), (MIRROR, Claim(Kind.PERIOD, (0,)), Claim(Kind.COMBINATION, (0, 1))), (ODD, SWAP)),
        ((Claim(Kind.COMMON_SHIFT, (0, 1)), SWAP), (Claim(Kind.POINT, (0, 1)),), (MIRROR, Claim(Kind.SHIFT, (0,)))),
        ((Claim(Kind.PERIOD, (0,)), SWAP), (Claim(Kind.PERIOD, (1,)),), (Claim(Kind.PERIOD, (2,)),)),
        ((Claim(Kind.COMMON_SHIFT, (0, 1)), MIRROR), (Claim(Kind.SHIFT, (1,)),), (Claim(Kind.SHIFT, (2,)),)),
        ((Claim(Kind.COUNTER_SHIFT, (0, 1)),), (SWAP,), (Claim(Kind.COMMON_SHIFT, (0, 1)),)),
    ],
)
def test_what_follows(claims: tuple[Claim, ...], held: tuple[Claim, ...], not_held: tuple[Claim, ...]) -> None:
    structure = structured(claims, 3)
    assert structure is not None
    assert all(map(structure.holds, (*claims, *held)))
    assert not any(map(structure.holds, not_held))


def test_sizes_and_the_same_group_from_others() -> None:
    first = structured((SWAP, OTHER), 3)
    again = structured((OTHER, Claim(Kind.EXCHANGE, (0, 2))), 3)
    assert first is not None
    assert again is not None
    assert (len(first.elements), first.key) == (6, again.key)
    assert first.ties == (0, 0, 0)


@pytest.mark.parametrize(
    "claims",
    [
        (MIRROR, ODD),  # only zero is both
        (Claim(Kind.SHIFT, (0,)), ODD),
        (Claim(Kind.COMBINATION, (0, 1)), SWAP),
        (Claim(Kind.COMBINATION, (0, 1)), Claim(Kind.COMBINATION, (1, 2))),
        (Claim(Kind.COMMON_SHIFT, (0, 1, 2)), Claim(Kind.PERIOD, (0,))),  # two differences are left to go round
        tuple(Claim(Kind.EXCHANGE, (k, k + 1)) for k in range(5)),  # 720 images
    ],
)
def test_what_does_not_go_together(claims: tuple[Claim, ...]) -> None:
    assert structured(claims, 6) is None
