"""Keys of structures: the ones that seeds were made from since the first version, and one for every structure."""

from __future__ import annotations

from zlib import crc32

import pytest
from hypothesis import given
from tests.strategies import expressions

from autostatistician.language.expr import ChangePoint, ChangeWindow, Expr, Leaf, Product, Sum
from autostatistician.language.keys import stable_key

SE, LINE, LEVEL, NOISE = Leaf("SE"), Leaf("Lin"), Leaf("C"), Leaf("WN")

# Written out, not computed: a change of any of these changes what every search draws.
PINNED = [
    (NOISE, "WN", 625456635),
    (SE * Leaf("Per") + LINE + NOISE, "SE * Per + Lin + WN", 3409730271),
    (Product((SE, Sum((LEVEL, LINE)))), "SE * (C + Lin)", 3406329333),
    (ChangePoint(LEVEL, SE + NOISE), "CP(C, SE + WN)", 4198561725),
    (ChangeWindow(LINE, ChangePoint(SE, LEVEL, "t"), "t") + NOISE, "CW[t](Lin, CP[t](SE, C)) + WN", 2529176913),
    (
        Leaf("Cat", "fly ash (kg/m^3)") + Leaf("Matern32", "water 1"),
        'Cat["fly ash (kg/m^3)"] + Matern32[water 1]',
        3873150345,
    ),
    (Leaf("SE", "größe] + WN"), 'SE["größe] + WN"]', 3527180981),
]


@pytest.mark.parametrize(("expr", "key", "seed"), PINNED)
def test_keys_and_the_seeds_made_from_them_never_change(expr: Expr, key: str, seed: int) -> None:
    assert stable_key(expr) == key
    assert crc32(key.encode()) == seed


HOSTILE = ("a", "a b", "a] + SE[b", 'a"', "a, C")


@given(expressions(HOSTILE, max_leaves=4), expressions(HOSTILE, max_leaves=4))
def test_two_structures_have_two_keys(one: Expr, other: Expr) -> None:
    assert (stable_key(one) == stable_key(other)) == (one == other)
