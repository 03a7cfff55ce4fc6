"""The groups with names."""

from __future__ import annotations

from itertools import permutations as orders

import numpy as np

from autostatistician.symmetry import permutations, reflection, rotations, swap, translations

GROUPS = {
    "reflection": reflection(2),
    "one column": reflection(3, [1], at=0.7),
    "odd reflection": reflection(2, [0], odd=True),
    "swap": swap(2),
    "particles": swap(4, (0, 1), (2, 3), odd=True),
    "orders": permutations(3),
    "odd orders": permutations(3, odd=True),
    "turns": rotations(2, 5, centre=(0.3, -0.4)),
    "signal": translations(5),
    "image": translations(2, 3),
    "square": rotations(2, 4) * reflection(2, [0], odd=True),
    "quarters": reflection(2, [0]) * reflection(2, [1], at=1.0),
}


def _same_rows(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two sets of rows agree, whatever their order."""
    gaps = np.abs(one[:, None] - other[None]).max(axis=2)
    return bool((gaps.min(axis=0) < 1e-9).all() and (gaps.min(axis=1) < 1e-9).all())


def test_orders_of_the_groups() -> None:
    assert {name: len(one) for name, one in GROUPS.items()} == {
        "reflection": 2, "one column": 2, "odd reflection": 2, "swap": 2, "particles": 2, "orders": 6, "odd orders": 6,
        "turns": 5, "signal": 5, "image": 6, "square": 8, "quarters": 4,
    }  # fmt: skip


def test_orbits_of_named_groups() -> None:
    row = np.array([[1.0, 2.0, 3.0]])
    assert _same_rows(permutations(3).orbit(row)[:, 0], np.array(list(orders([1.0, 2.0, 3.0]))))
    assert reflection(3, [1], at=0.5).orbit(row)[1, 0].tolist() == [1.0, -1.0, 3.0]
    image = np.arange(6.0).reshape(2, 3)
    shifts = [np.roll(image, (a, b), (0, 1)).ravel() for a in range(2) for b in range(3)]
    assert _same_rows(translations(2, 3).orbit(image.reshape(1, -1))[:, 0], np.array(shifts))
    turned = rotations(2, 4, centre=(1.0, 1.0)).orbit(np.array([[2.0, 1.0]]))[:, 0]
    assert _same_rows(turned, np.array([[2.0, 1.0], [1.0, 2.0], [0.0, 1.0], [1.0, 0.0]]))
