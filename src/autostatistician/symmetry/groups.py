"""Groups by name: reflections, exchanges, orders, turns and shifts of the columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations as orders
from itertools import product
from math import cos, factorial, pi, prod, sin

import numpy as np
from numpy.typing import ArrayLike

from autostatistician.errors import InputError
from autostatistician.symmetry.elements import MOST_ELEMENTS, MOST_NUMBERS, Group, group, too_many

__all__ = ["permutations", "reflection", "rotations", "shifts_and_turns", "swap", "translations"]


def reflection(columns: int, which: Sequence[int] | None = None, *, at: float = 0.0, odd: bool = False) -> Group:
    """Mirror images: the chosen columns (all by default) all change sides of ``at``; ``odd`` changes the sign as well.

    Reflections of each of several columns by itself are a product: ``reflection(2, [0]) * reflection(2, [1])``.

    >>> reflection(1, at=2.0).orbit(np.array([[5.0]])).ravel().tolist()
    [5.0, -1.0]
    """
    chosen = _chosen(columns, range(columns) if which is None else which)
    side, offset = np.ones(columns), np.zeros(columns)
    side[chosen], offset[chosen] = -1.0, 2.0 * at
    return group([np.eye(columns), (np.diag(side), offset)], (1.0, -1.0 if odd else 1.0))


def swap(columns: int, one: Sequence[int] = (0,), other: Sequence[int] = (1,), *, odd: bool = False) -> Group:
    """The exchange of two blocks of columns, such as the positions of two like particles; ``odd`` changes the sign.

    >>> swap(4, (0, 1), (2, 3)).orbit(np.array([[1.0, 2.0, 3.0, 4.0]])).tolist()
    [[[1.0, 2.0, 3.0, 4.0]], [[3.0, 4.0, 1.0, 2.0]]]
    """
    first, second = _chosen(columns, one), _chosen(columns, other)
    if len(first) != len(second) or set(first) & set(second):
        raise InputError.of("two blocks of as many columns without a common one", f"{one} and {other}", "change them")
    exchanged = list(range(columns))
    for a, b in zip(first, second, strict=True):
        exchanged[a], exchanged[b] = b, a
    return group([range(columns), exchanged], (1.0, -1.0 if odd else 1.0))


def permutations(columns: int, which: Sequence[int] | None = None, *, odd: bool = False) -> Group:
    """All orders of the chosen columns (all by default); ``odd`` changes the sign with every exchange.

    >>> permutations(3)
    Group(6 maps of 3 columns)
    """
    chosen = _chosen(columns, range(columns) if which is None else which)
    if factorial(len(chosen)) > MOST_ELEMENTS:
        raise too_many(f"the {factorial(len(chosen))} orders of {len(chosen)} columns")
    maps = []
    for order in orders(chosen):
        every = list(range(columns))
        for place, column in zip(chosen, order, strict=True):
            every[place] = column
        maps.append(every)
    signs = [round(float(np.linalg.det(np.eye(columns)[every]))) if odd else 1 for every in maps]
    return group(maps, signs)


def rotations(columns: int, times: int, which: tuple[int, int] = (0, 1), *, centre: float | ArrayLike = 0.0) -> Group:
    """Turns by whole multiples of a ``times``-th of a circle in the plane of two columns, about a centre.

    >>> rotations(2, 4).orbit(np.array([[1.0, 0.0]])).round(6).reshape(-1, 2).tolist()
    [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [-0.0, -1.0]]
    """
    first, second = _chosen(columns, which)
    if not 1 <= times <= MOST_ELEMENTS:
        raise InputError.of(f"from 1 to {MOST_ELEMENTS} turns", repr(times), "change their number")
    middle = np.zeros(columns)
    middle[[first, second]] = centre
    maps = []
    for turn in range(times):
        A, angle = np.eye(columns), 2.0 * pi * turn / times
        A[np.ix_([first, second], [first, second])] = [[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]
        maps.append((A, middle - A @ middle))
    return group(maps)


def translations(*shape: int) -> Group:
    """Cyclic shifts of a signal (one number) or of an image in both directions (two); pixels are columns, row by row.

    >>> translations(3).orbit(np.array([[1.0, 2.0, 3.0]])).reshape(-1, 3).tolist()
    [[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]]
    >>> translations(4, 4)
    Group(16 maps of 16 columns)
    """
    if not shape or min(shape) < 1:
        raise InputError.of("the lengths of the sides of an image", repr(shape), "give whole numbers above zero")
    pixels = prod(shape)
    if pixels > MOST_ELEMENTS or pixels**3 > MOST_NUMBERS:
        raise too_many(f"{pixels} shifts of {pixels} pixels")
    image = np.arange(pixels).reshape(shape)
    axes = tuple(range(len(shape)))
    steps = product(*(range(side) for side in shape))
    return group([np.roll(image, [-shift for shift in step], axes).ravel() for step in steps])


def shifts_and_turns(side: int) -> Group:
    """Cyclic shifts of a square image in both directions, quarter turns of it, and all that both together do.

    Pixels are columns, row by row; an image of 8 times 8 pixels has 256 of them.

    >>> shifts_and_turns(3)
    Group(36 maps of 9 columns)
    """
    if side < 1 or 4 * side**2 > MOST_ELEMENTS:
        raise too_many(f"the shifts and turns of an image of {side} times {side} pixels")
    image = np.arange(side**2).reshape(side, side)
    every = product(range(4), range(side), range(side))
    maps = {tuple(np.roll(np.rot90(image, turn), steps, (0, 1)).ravel().tolist()) for turn, *steps in every}
    return group(sorted(maps))


def _chosen(columns: int, which: Sequence[int]) -> list[int]:
    chosen = [int(column) for column in which]
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(range(columns)):
        raise InputError.of(f"different columns from 0 to {columns - 1}", f"{chosen}", "choose others")
    return chosen
