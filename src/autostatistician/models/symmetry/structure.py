"""What several symmetries together mean: the group that they generate, what it leaves of the columns, what it ties.

Columns are measured from centres (where something is mirrored) in units that exchanged columns share; then all finite
symmetries are permutations of the columns with signs. Shifts at will take directions out of the space of the columns;
of a function that does not change along them only what is at right angles is an input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

__all__ = ["MOST_IMAGES", "LengthscaleGroup", "Invariance", "Element", "Action", "Structure", "proposals", "structured"]


Array = NDArray[np.float64]

LEAST_COMMON = 0.5  # of the values of either column that lie in the range of the other, to exchange them

MOST_RATIO = 3.0  # of the spreads of columns whose sum or difference is taken as it stands

LEAST_VALUES = 8  # different ones, for a mirror or a period

MOST_FOR_BLOCKS = 6  # columns: of more there are too many pairs of pairs

MOST_IMAGES = 120  # of a row: all orders of five columns

ROUNDING = 1e-9


class Action(StrEnum):
    """What is done to a row."""

    EXCHANGE = "exchange"  # of two columns
    BLOCKS = "exchange of blocks"  # of two pairs of columns: a with c, and b with d
    MIRROR = "mirror"  # one column changes sides of an unknown point
    POINT = "mirror of two"  # two columns do so together
    SHIFT = "shift"  # one column moves at will
    COMMON_SHIFT = "common shift"  # columns move together
    COUNTER_SHIFT = "counter shift"  # one of two columns moves up as the other moves down
    COMBINATION = "combination"  # both move along an unknown direction
    PERIOD = "period"  # one column moves by an unknown period


@dataclass(frozen=True)
class Invariance:
    """A symmetry: what is done, to which columns (places from 0), and whether it turns the sign.

    >>> Invariance(Action.EXCHANGE, (0, 2)).odd
    False
    """

    kind: Action
    columns: tuple[int, ...]
    odd: bool = False


def proposals(X: Array, columns: Sequence[int]) -> tuple[Invariance, ...]:
    """The symmetries that rows (n, d) could show, of some of their columns.

    Columns are only exchanged, added or subtracted where their numbers can mean the same: where each takes values in
    the range of the other, or varies as much. Mirrors and periods need several different values.

    >>> rows = np.random.default_rng(0).uniform(size=(20, 2)) * [1.0, 9.0]
    >>> sorted({claim.kind.value for claim in proposals(rows, (0, 1))})
    ['combination', 'mirror', 'mirror of two', 'period', 'shift']
    """
    columns = [column for column in columns if np.ptp(X[:, column]) > 0.0]
    return (*_of_one(X, columns), *_of_two(X, columns), *_of_several(X, columns))


def _of_one(X: Array, columns: Sequence[int]) -> Iterator[Invariance]:
    for column in columns:
        yield Invariance(Action.SHIFT, (column,))
        if len(np.unique(X[:, column])) >= LEAST_VALUES:
            yield Invariance(Action.PERIOD, (column,))
            yield from _both_signs(Action.MIRROR, (column,))


def _of_two(X: Array, columns: Sequence[int]) -> Iterator[Invariance]:
    for pair in combinations(columns, 2):
        if _exchangeable(X, *pair):
            yield from _both_signs(Action.EXCHANGE, pair)
        if _alike(X, pair):
            yield Invariance(Action.COMMON_SHIFT, pair)
            yield Invariance(Action.COUNTER_SHIFT, pair)
        if all(len(np.unique(X[:, column])) >= LEAST_VALUES for column in pair):
            yield from _both_signs(Action.POINT, pair)
            yield Invariance(Action.COMBINATION, pair)


def _of_several(X: Array, columns: Sequence[int]) -> Iterator[Invariance]:
    if len(columns) > 2 and _alike(X, columns):
        yield Invariance(Action.COMMON_SHIFT, tuple(columns))
    for four in combinations(columns, 4) if len(columns) <= MOST_FOR_BLOCKS else ():
        for c in four[1:]:
            b, d = (column for column in four[1:] if column != c)
            if _exchangeable(X, four[0], c) and _exchangeable(X, b, d):
                yield from _both_signs(Action.BLOCKS, (four[0], b, c, d))


def _both_signs(kind: Action, columns: tuple[int, ...]) -> tuple[Invariance, Invariance]:
    return Invariance(kind, columns), Invariance(kind, columns, odd=True)


def _exchangeable(X: Array, one: int, other: int) -> bool:
    pairs = (X[:, one], X[:, other]), (X[:, other], X[:, one])
    return all(np.mean((a >= b.min()) & (a <= b.max())) >= LEAST_COMMON for a, b in pairs)


def _alike(X: Array, columns: Sequence[int]) -> bool:
    sds = X[:, list(columns)].std(axis=0)
    return bool(sds.max() <= MOST_RATIO * sds.min())


@dataclass(frozen=True)
class Element:
    """``(g u)_i = sides_i u_places_i``, for functions that become ``sign`` times themselves."""

    places: tuple[int, ...]
    sides: tuple[int, ...]
    sign: int = 1

    def after(self, first: Element) -> Element:
        """First the other, then this."""
        places = tuple(first.places[place] for place in self.places)
        sides = tuple(side * first.sides[place] for side, place in zip(self.sides, self.places, strict=True))
        return Element(places, sides, self.sign * first.sign)

    @property
    def matrix(self) -> Array:
        """The same as a matrix (d, d)."""
        return np.asarray(np.eye(len(self.places))[list(self.places)] * np.array(self.sides)[:, None])


@dataclass(frozen=True, eq=False)
class LengthscaleGroup:
    """Inputs of the function that share a lengthscale: ``u[:, columns] @ basis``, or their angles on a circle."""

    columns: tuple[int, ...]
    basis: Array  # (columns, inputs), orthonormal
    tied: tuple[int, ...]  # the same for blocks that an exchange maps to each other
    periodic: bool = False
    combined: bool = False  # one input along an unknown direction, instead of the basis


@dataclass(frozen=True, eq=False)
class Structure:
    """A group of symmetries; made by `structured`."""

    claims: tuple[Invariance, ...]
    elements: tuple[Element, ...]  # the identity first, none twice for functions that the shifts leave as they are
    across: Array  # (d, d), the projection on what is at right angles to all shifts
    periodic: frozenset[int]
    ties: tuple[int, ...]  # (d,), the first column to which exchanges take each
    units: tuple[int, ...]  # (d,), the same with columns that are added up

    @cached_property
    def blocks(self) -> tuple[LengthscaleGroup, ...]:
        """The inputs that are left, in the order of the columns."""
        blocks = []
        for claim in self.claims:
            if claim.kind is Action.COMBINATION:
                blocks.append(LengthscaleGroup(claim.columns, np.eye(2, 1), claim.columns, combined=True))
        done = {column for block in blocks for column in block.columns}
        for part in _components(self.across):
            if not done & set(part):
                values, vectors = np.linalg.eigh(self.across[np.ix_(part, part)])
                basis = vectors[:, values > 0.5]
                tied = tuple(sorted({self.ties[column] for column in part}))
                if basis.shape[1]:
                    blocks.append(LengthscaleGroup(part, basis, tied, periodic=not self.periodic.isdisjoint(part)))
        return tuple(blocks)

    @cached_property
    def centred(self) -> tuple[int, ...]:
        """The first columns of those that share a centre to be found."""
        moved = {column for g in self.elements for column, side in enumerate(g.sides) if side < 0}
        return tuple(sorted({self.ties[column] for column in moved if self.across[column, column] > ROUNDING}))

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The same for claims that generate the same group."""
        images = frozenset((_bytes(self.across @ g.matrix), g.sign) for g in self.elements)
        combined = frozenset(claim for claim in self.claims if claim.kind is Action.COMBINATION)
        return images, _bytes(self.across), self.periodic, combined

    def holds(self, claim: Invariance) -> bool:
        """Whether the group has a symmetry.

        >>> chain = structured((Invariance(Action.EXCHANGE, (0, 1)), Invariance(Action.EXCHANGE, (1, 2))), 3)
        >>> chain.holds(Invariance(Action.EXCHANGE, (0, 2)))
        True
        """
        d = len(self.ties)
        match claim.kind:
            case Action.PERIOD:
                return claim.columns[0] in self.periodic or not self.across[:, claim.columns[0]].any()
            case Action.COMBINATION:
                plane = self.across[:, list(claim.columns)]
                return claim in self.claims or bool(np.linalg.matrix_rank(plane, tol=ROUNDING) < 2)
            case Action.SHIFT | Action.COMMON_SHIFT | Action.COUNTER_SHIFT:
                return bool(np.abs(self.across @ _direction(claim, d)).max() < ROUNDING)
        generator = _element(claim, d)
        image = _bytes(self.across @ generator.matrix)
        return any(g.sign == generator.sign and _bytes(self.across @ g.matrix) == image for g in self.elements)


def structured(claims: Iterable[Invariance], d: int) -> Structure | None:
    """The group of some symmetries of functions of ``d`` columns; None of those that do not go together.

    That is where a function with all of them is zero, there are too many images of a row, or directions that are to be
    found meet other symmetries of their columns.

    >>> len(structured((Invariance(Action.EXCHANGE, (0, 1)), Invariance(Action.EXCHANGE, (1, 2))), 3).elements)
    6
    >>> structured((Invariance(Action.EXCHANGE, (0, 1)), Invariance(Action.EXCHANGE, (0, 1), odd=True)), 2) is None
    True
    """
    claims = tuple(claims)
    finite = [_element(claim, d) for claim in claims if claim.kind in FINITE]
    elements = _generated(finite, d)
    if elements is None:
        return None
    shifts = [_direction(claim, d) for claim in claims if claim.kind in SHIFTS]
    across = _across([g.matrix @ shift for g in elements for shift in shifts], d)
    left = _distinct(elements, across)
    if left is None:
        return None
    ties = _classes(d, ((column, g.places[column]) for g in left for column in range(d)))
    added = ((claim.columns[0], column) for claim in claims if claim.kind in SHIFTS for column in claim.columns)
    units = _classes(d, [*((column, ties[column]) for column in range(d)), *added])
    periodic = _going_round(claims, ties, across)
    structure = Structure(claims, left, across, periodic, ties, units)
    return structure if _goes_together(structure) else None


FINITE = (Action.EXCHANGE, Action.BLOCKS, Action.MIRROR, Action.POINT)

SHIFTS = (Action.SHIFT, Action.COMMON_SHIFT, Action.COUNTER_SHIFT)


def _element(claim: Invariance, d: int) -> Element:
    places, sides, columns = list(range(d)), [1] * d, claim.columns
    if claim.kind in (Action.EXCHANGE, Action.BLOCKS):
        half = len(columns) // 2
        for a, b in zip(columns[:half], columns[half:], strict=True):
            places[a], places[b] = b, a
    else:
        for column in columns:
            sides[column] = -1
    return Element(tuple(places), tuple(sides), -1 if claim.odd else 1)


def _direction(claim: Invariance, d: int) -> Array:
    direction = np.zeros(d)
    direction[list(claim.columns)] = 1.0
    if claim.kind is Action.COUNTER_SHIFT:
        direction[claim.columns[1]] = -1.0
    return direction


def _generated(generators: list[Element], d: int) -> list[Element] | None:
    elements = [Element(tuple(range(d)), (1,) * d)]
    for g in elements:  # grows as products are found
        for generator in generators:
            if (product := generator.after(g)) not in elements:
                elements.append(product)
        if len(elements) > MOST_IMAGES:
            return None
    return elements


def _across(shifts: list[Array], d: int) -> Array:
    """The projection on what is at right angles to all shifts."""
    if not shifts:
        return np.eye(d)
    _, values, directions = np.linalg.svd(np.array(shifts))
    used = directions[: int((values > ROUNDING).sum())]
    return np.asarray(np.eye(d) - used.T @ used)


def _distinct(elements: list[Element], across: Array) -> tuple[Element, ...] | None:
    """The elements that differ in what they do to functions without the shifts; None where one has both signs."""
    images: dict[bytes, Element] = {}
    for g in elements:
        same = images.setdefault(_bytes(across @ g.matrix), g)
        if same.sign != g.sign:
            return None
    return tuple(images.values())


def _classes(d: int, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """For each of d columns the first of those that are linked with it."""
    first = list(range(d))
    for a, b in pairs:
        low, high = sorted((first[a], first[b]))
        first = [low if place == high else place for place in first]
    return tuple(first)


def _going_round(claims: tuple[Invariance, ...], ties: tuple[int, ...], across: Array) -> frozenset[int]:
    """The columns with a period: also those that are exchanged with one, or only matter by their difference from it."""
    named = {column for claim in claims if claim.kind is Action.PERIOD for column in claim.columns}
    named = {column for column, first in enumerate(ties) if first in {ties[other] for other in named}}
    parts = [part for part in _components(across) if not named.isdisjoint(part)]
    return frozenset(column for part in parts for column in part if across[column, column] > ROUNDING)


def _components(across: Array) -> list[tuple[int, ...]]:
    """The columns in parts that shifts move by themselves."""
    d = len(across)
    linked = [(int(a), int(b)) for a, b in np.argwhere(np.abs(across) > ROUNDING)]
    first = _classes(d, linked)
    return [tuple(column for column in range(d) if first[column] == low) for low in sorted(set(first))]


def _goes_together(structure: Structure) -> bool:
    """Whether the group leaves the distances between inputs as they are, and periods are of one input each."""
    if any(block.periodic and block.basis.shape[1] > 1 for block in structure.blocks):
        return False
    for claim in structure.claims:
        if claim.kind is Action.COMBINATION and not _is_free(claim, structure):
            return False
    blocks = {block.columns for block in structure.blocks}
    for g in structure.elements:  # blocks are mapped to blocks
        if any(tuple(sorted(g.places[column] for column in block)) not in blocks for block in blocks):
            return False
    return True


def _is_free(claim: Invariance, structure: Structure) -> bool:
    """Whether no other symmetry has to do with the columns of a combination."""
    columns = list(claim.columns)
    still = all(g.places[column] == column and g.sides[column] == 1 for g in structure.elements for column in columns)
    spans_all = np.allclose(structure.across[:, columns], np.eye(len(structure.ties))[:, columns])
    others = [other for other in structure.claims if other is not claim and other.kind is Action.COMBINATION]
    disjoint = all(set(columns).isdisjoint(other.columns) for other in others)
    return still and spans_all and disjoint and structure.periodic.isdisjoint(columns)


def _bytes(matrix: Array) -> bytes:
    return np.asarray(np.rint(matrix * 1e6), dtype=np.int64).tobytes()
