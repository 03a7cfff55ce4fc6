"""A finite group of affine maps of the columns, and the check that it is one.

An element maps a row ``x`` (d,) to ``A x + b``. It may carry a sign: a function ``f`` has the symmetry of the group
when ``f(g x) = sign(g) f(x)`` for every element, so signs say which of them turn the function over. An element is told
from another by where it takes one fixed row of random numbers, at which two different affine maps never agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations as orders
from itertools import product
from math import cos, factorial, pi, prod, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from autostatistician.errors import InputError

__all__ = [
    "MOST_ELEMENTS",
    "MOST_NUMBERS",
    "Group",
    "Map",
    "generated",
    "group",
    "permutations",
    "reflection",
    "rotations",
    "shifts_and_turns",
    "swap",
    "too_many",
    "translations",
    "trivial",
]  # fmt: skip


Array = NDArray[np.float64]

Map = ArrayLike | tuple[ArrayLike, ArrayLike]

MOST_ELEMENTS = 256

MOST_NUMBERS = 20_000_000  # of all matrices together: 160 MB

IMAGE_TOLERANCE = 1e-8  # of the size of the images of the row


@dataclass(frozen=True, eq=False)
class Group:
    """A finite group of affine maps of ``d`` columns, the identity among them; made by `group` and in `groups`.

    ``group_one * group_two`` holds all products of an element of the one with an element of the other.
    """

    matrices: Array  # (g, d, d)
    offsets: Array  # (g, d)
    signs: Array  # (g,), 1 or -1

    def __len__(self) -> int:
        return len(self.signs)

    def __repr__(self) -> str:
        return f"Group({len(self)} maps of {self.columns} columns{', some with signs' if self.odd else ''})"

    def __mul__(self, other: Group) -> Group:
        if self.columns != other.columns:
            expected, found = f"groups of {self.columns} columns", f"one of {other.columns}"
            raise InputError.of(expected, found, "make both for all columns of the table")
        return _checked(_distinct(_composed(self, other)))

    @property
    def columns(self) -> int:
        """The number of columns, d."""
        return int(self.offsets.shape[1])

    @property
    def odd(self) -> bool:
        """Whether some element turns functions over."""
        return bool((self.signs < 0.0).any())

    def orbit(self, X: Array) -> Array:
        """The images (g, n, d) of rows ``X`` (n, d) under all elements."""
        images = (self.matrices.reshape(-1, self.columns) @ X.T).reshape(len(self), self.columns, len(X))
        return np.asarray(images.transpose(0, 2, 1) + self.offsets[:, None, :])


def group(maps: Iterable[Map], signs: Sequence[float] | None = None) -> Group:
    """A group from all its elements, the identity among them.

    Parameters
    ----------
    maps : iterable
        Each a permutation of the columns (d numbers from 0: column i of the image is column ``p[i]``), a matrix (d, d),
        or a pair of a matrix and an offset (d,).
    signs : sequence of 1 and -1, optional
        One for each map; all 1 without them.

    Raises
    ------
    InputError
        When the maps are no group: one twice, a product of two that is not among them, or signs that are not
        those of products.

    Examples
    --------
    >>> group([[0, 1], [1, 0]]).orbit(np.array([[3.0, 5.0]])).tolist()
    [[[3.0, 5.0]], [[5.0, 3.0]]]
    >>> group([[0, 1, 2], [1, 2, 0]])
    Traceback (most recent call last):
    ...
    autostatistician.errors.InputError: expected all products of the maps among them; found none for ...
    """
    return _checked(_collected(maps, signs))


def generated(maps: Iterable[Map], signs: Sequence[float] | None = None) -> Group:
    """The smallest group that holds some maps (see `group`): their products, and products of those, are added.

    Raises
    ------
    InputError
        When that are too many, as for a shift without end, or signs contradict each other.

    Examples
    --------
    >>> generated([[1, 2, 3, 0]])
    Group(4 maps of 4 columns)
    """
    generators = _collected(maps, signs)
    elements = _distinct(_joined(trivial(generators.columns), generators))
    while True:
        larger = _distinct(_joined(elements, _composed(elements, generators)))
        if len(larger) == len(elements):
            return _checked(elements)
        elements = larger


def trivial(columns: int) -> Group:
    """The identity alone.

    >>> trivial(2)
    Group(1 maps of 2 columns)
    """
    return Group(np.eye(columns)[None], np.zeros((1, columns)), np.ones(1))


def _collected(maps: Iterable[Map], signs: Sequence[float] | None) -> Group:
    pairs = [_affine(map_) for map_ in maps]
    if not pairs or len({len(b) for _, b in pairs}) > 1:
        raise InputError.of("one or more maps of the same columns", f"{len(pairs)} maps", "give others")
    weights = np.ones(len(pairs)) if signs is None else np.asarray(signs, dtype=np.float64)
    if weights.shape != (len(pairs),) or not set(weights) <= {1.0, -1.0}:
        raise InputError.of(f"{len(pairs)} signs, each 1 or -1", f"{signs}", "give one for each map")
    return Group(np.array([A for A, _ in pairs]), np.array([b for _, b in pairs]), weights)


def _affine(mapping: Map) -> tuple[Array, Array]:
    """The matrix and the offset of a map in one of the three ways to write it."""
    pair = isinstance(mapping, tuple) and len(mapping) == 2 and np.ndim(mapping[0]) == 2
    matrix, offset = (mapping[0], mapping[1]) if pair else (mapping, None)  # type: ignore[index]
    A = np.asarray(list(matrix) if isinstance(matrix, range) else matrix, dtype=np.float64)
    d = len(A) if A.ndim else 0
    if A.ndim == 1 and d and sorted(A) == list(range(d)):
        A = np.eye(d)[A.astype(int)]
    b = np.zeros(d) if offset is None else np.asarray(offset, dtype=np.float64)
    if not d or A.shape != (d, d) or b.shape != (d,) or not (np.isfinite(A).all() and np.isfinite(b).all()):
        found = f"one of shape {A.shape}" + ("" if offset is None else f" with an offset of shape {b.shape}")
        raise InputError.of("a permutation of the columns, a matrix, or a matrix with an offset", found, "correct it")
    return A, b


def _joined(first: Group, other: Group) -> Group:
    arrays = ("matrices", "offsets", "signs")
    return Group(*(np.concatenate([getattr(first, name), getattr(other, name)]) for name in arrays))


def _composed(outer: Group, other: Group) -> Group:
    """All elements ``g h``, first h and then g; row by row of the table of products."""
    d, count = outer.columns, len(outer) * len(other)
    if count * d * d > MOST_NUMBERS:
        raise too_many(f"{count} products")
    matrices = np.einsum("gij,hjk->ghik", outer.matrices, other.matrices).reshape(-1, d, d)
    offsets = np.einsum("gij,hj->ghi", outer.matrices, other.offsets) + outer.offsets[:, None]
    return Group(matrices, offsets.reshape(-1, d), np.multiply.outer(outer.signs, other.signs).ravel())


def _images(elements: Group, X: Array) -> Array:
    """Where the elements take each row: (g, n d)."""
    return elements.orbit(X).reshape(len(elements), -1)


def _row(columns: int) -> Array:
    return np.random.default_rng(20140).normal(size=(1, columns))


def _same(first: Array, other: Array) -> NDArray[np.bool_]:
    """Which rows of images (g, d) and (h, d) agree: (g, h)."""
    size = max(float(np.abs(first).max()), float(np.abs(other).max()), 1.0)
    square = (first**2).sum(axis=1)[:, None] + (other**2).sum(axis=1) - 2.0 * first @ other.T
    near = square < 1e-6 * size**2 * first.shape[1]  # rounding of the squares leaves this much open
    rows, columns = np.nonzero(near)
    near[rows, columns] = np.abs(first[rows] - other[columns]).max(axis=1) < IMAGE_TOLERANCE * size
    return np.asarray(near)


def _distinct(elements: Group) -> Group:
    """Every element once, in the order of first appearance.

    Raises
    ------
    InputError
        When one comes with both signs, or there are too many.
    """
    same = _same(images := _images(elements, _row(elements.columns)), images)
    first = same.argmax(axis=1)
    if (elements.signs != elements.signs[first]).any():
        raise InputError.of("one sign for every element", "one with both", "change the signs")
    first_places = np.unique(first)
    if len(first_places) > MOST_ELEMENTS:
        raise too_many(f"more than {MOST_ELEMENTS}")
    return Group(elements.matrices[first_places], elements.offsets[first_places], elements.signs[first_places])


def _checked(elements: Group) -> Group:
    """The same elements with the identity first.

    Raises
    ------
    InputError
        When they are no group.
    """
    row = _row(elements.columns)
    images = _images(elements, row)
    if (np.triu(_same(images, images), 1)).any():
        raise InputError.of("different maps", "one of them twice", "leave one out")
    identity = np.flatnonzero(_same(images, row)[:, 0])
    if not len(identity):
        raise InputError.of("the identity among the maps", "none", "add it, or give the maps to `generated`")
    for index, image in enumerate(elements.orbit(row)):
        same = _same(_images(elements, image), images)
        if not same.any(axis=1).all():
            what = f"none for map {int(same.any(axis=1).argmin())} after map {index}"
            raise InputError.of("all products of the maps among them", what, "add it, or give the maps to `generated`")
        if not same.any(axis=0).all():
            raise InputError.of("maps that can be undone", f"map {index}, which cannot", "leave it out")
        if (elements.signs[same.argmax(axis=1)] != elements.signs * elements.signs[index]).any():
            signs = f"{elements.signs.tolist()}"
            raise InputError.of("signs of products that are products of signs", signs, "change them")
    order = np.argsort(np.arange(len(elements)) != identity[0], kind="stable")
    return Group(elements.matrices[order], elements.offsets[order], elements.signs[order])


def too_many(found: str) -> InputError:
    """The error for a group that does not fit."""
    return InputError.of(f"at most {MOST_ELEMENTS} elements", found, "use fewer maps, or columns")


# --- Groups by name: reflections, exchanges, orders, turns and shifts of the columns --------------------------------


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
