"""Every sentence about a symmetry, word for word."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.symmetry.claims import Claim, Kind, proposals
from autostatistician.symmetry.finding import FittedStructure, FoundSymmetries
from autostatistician.symmetry.invariant import Invariant, Rows
from autostatistician.symmetry.structure import structured
from autostatistician.symmetry.telling import Symmetry, told

ROWS = Rows(np.linspace(0.0, 4.0, 36).reshape(9, 4)[::-1] % 1.9, np.zeros((9, 0)))
PAIR = (0, 1)
SWAPS = (Claim(Kind.EXCHANGE, PAIR), Claim(Kind.EXCHANGE, (1, 2)))


def _told(*claims: Claim, sd: float = 0.01, probability: float = 1.0) -> list[str]:
    """The sentences on a group that was found with these symmetries, among others of no weight."""
    groups = []
    for some in (claims, ()):
        structure = structured(some, 4)
        assert structure is not None
        model = Invariant.of(structure, ROWS)
        u = np.array([0.25 * p.low + 0.75 * p.high for p in model.parameters])
        share = probability if some else 1.0 - probability
        groups.append(FittedStructure(model, u, np.full(len(u), sd), float(np.log(max(share, 1e-300))), 0.0))
    found = FoundSymmetries(tuple(groups), proposals(ROWS.X, range(4)), (0.0, 1.0))
    return [symmetry.text for symmetry in told(found, "abcd", (1.25, 0.02))]


@pytest.mark.parametrize(
    ("claims", "texts"),
    [
        (SWAPS[:1], ["Swapping a and b changes nothing"]),
        (
            (Claim(Kind.EXCHANGE, PAIR, odd=True),),
            ["Swapping a and b turns values over about the level 1.250 (± 0.040)"],
        ),
        (SWAPS, ["Swapping any two of a, b, and c changes nothing"]),
        ((Claim(Kind.BLOCKS, (0, 1, 2, 3)),), ["Swapping a and b with c and d changes nothing"]),
        ((Claim(Kind.MIRROR, (0,)),), ["Mirroring a about 1.067 (± 0.012) changes nothing"]),
        (
            (Claim(Kind.MIRROR, (0,)), SWAPS[0]),
            [
                "Mirroring a and b (each by itself) about 1.067 (± 0.012) changes nothing",
                "Swapping a and b changes nothing",
            ],
        ),
        (
            (Claim(Kind.POINT, PAIR),),
            ["Mirroring a and b together about 1.067 (± 0.012) and 1.110 (± 0.012) changes nothing"],
        ),
        ((Claim(Kind.SHIFT, (1,)),), ["b makes no difference"]),
        ((Claim(Kind.COMMON_SHIFT, PAIR),), ["Of a and b only the difference matters"]),
        ((Claim(Kind.COMMON_SHIFT, (0, 1, 2, 3)),), ["Of a, b, c, and d only the differences matter"]),
        ((Claim(Kind.COUNTER_SHIFT, PAIR),), ["Of a and b only the sum matters"]),
        ((Claim(Kind.COMBINATION, PAIR),), ["Of a and b only a + 1.000 (± 0.040) b matters"]),
        ((Claim(Kind.PERIOD, (0,)),), ["Every 1.025 (± 0.021) of a all comes again"]),
        (
            (Claim(Kind.PERIOD, (0,)), SWAPS[0]),
            ["Every 1.025 (± 0.021) of a and b (each by itself) all comes again", "Swapping a and b changes nothing"],
        ),
    ],
)
def test_sentences(claims: tuple[Claim, ...], texts: list[str]) -> None:
    assert _told(*claims) == texts


def test_what_is_not_known_or_not_likely_is_not_told() -> None:
    assert _told(Claim(Kind.MIRROR, (0,)), sd=0.5) == ["Mirroring a changes nothing"]
    assert _told(Claim(Kind.MIRROR, (0,)), probability=0.4) == []


def test_nothing_is_certain() -> None:
    texts = [str(Symmetry("b makes no difference", "shift", ("b",), False, p)) for p in (1.0, 0.98)]
    assert texts == ["b makes no difference (P = more than 99.9%).", "b makes no difference (P = 98%)."]
