"""Finite groups: those by name are groups, orbits are right, and what is no group is refused."""

from itertools import permutations as orders

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from autostatistician.errors import InputError
from autostatistician.models.symmetry import (
    Group,
    generated,
    group,
    permutations,
    reflection,
    rotations,
    swap,
    translations,
)
from autostatistician.models.symmetry.invariant import Invariant, Rows
from autostatistician.models.symmetry.structure import Action, Invariance, structured

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
ROWS = Rows(RNG.uniform(-2.0, 2.0, (25, 4)), RNG.integers(0, 3, (25, 1)).astype(float))
Y = RNG.normal(size=25)
SWAP = Invariance(Action.EXCHANGE, (0, 1))

GROUPS_OF_INVARIANT = {
    "none": (),
    "odd and round": (Invariance(Action.EXCHANGE, (0, 1), odd=True), Invariance(Action.PERIOD, (0,))),
    "combination": (Invariance(Action.COMBINATION, (0, 1)), Invariance(Action.MIRROR, (2,))),
    "difference": (Invariance(Action.COMMON_SHIFT, (0, 1)), Invariance(Action.PERIOD, (1,)), SWAP),
    "blocks": (Invariance(Action.BLOCKS, (0, 1, 2, 3)), Invariance(Action.POINT, (0, 1))),
    "differences": (Invariance(Action.COMMON_SHIFT, (0, 1, 2)), SWAP, Invariance(Action.EXCHANGE, (1, 2))),
}


def _model(name: str) -> tuple[Invariant, Array]:
    structure = structured(GROUPS_OF_INVARIANT[name], 4)
    assert structure is not None
    model = Invariant.of(structure, ROWS)
    middle = np.array([0.3 * 0.5 * (p.low + p.high) + 0.7 * p.mean for p in model.parameters])
    return model, middle + 0.1 * np.random.default_rng(1).normal(size=len(middle))


@pytest.mark.parametrize("name", GROUPS_OF_INVARIANT)
def test_gradient_of_the_posterior_density(name: str) -> None:
    model, u = _model(name)
    slopes = approx_fprime(u, lambda at: model.objective(ROWS, Y, at)[0], 1e-6)
    assert model.objective(ROWS, Y, u)[1] == pytest.approx(slopes, rel=2e-4, abs=2e-2)


@pytest.mark.parametrize("name", GROUPS_OF_INVARIANT)
def test_it_is_a_covariance_with_these_variances(name: str) -> None:
    model, u = _model(name)
    K = model.covariance(ROWS, ROWS, u)
    assert pytest.approx(K.T) == K
    assert np.linalg.eigvalsh(K).min() > -1e-9 * K.max()
    assert model.variance(ROWS, u) == pytest.approx(K.diagonal())


def test_the_function_has_the_symmetries() -> None:
    model, u = _model("odd and round")
    value = dict(zip(model.names, u, strict=True))
    period = np.exp(value["period", (0,)])
    moved = ROWS.X[:, [1, 0, 2, 3]] + [2.0 * period, -period, 0.0, 0.0]
    there = model.covariance(Rows(moved, ROWS.codes), ROWS, u) - 1.0
    assert there == pytest.approx(1.0 - model.covariance(ROWS, ROWS, u))


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


named = pytest.mark.parametrize("name", GROUPS)


@named
def test_the_orbit_of_every_image_is_the_orbit(name: str) -> None:
    one = GROUPS[name]
    row = np.random.default_rng(3).normal(size=(1, one.columns))
    orbit = one.orbit(row)[:, 0]
    assert orbit[0] == pytest.approx(row[0], abs=0)  # the identity comes first
    assert len({tuple(image.round(9)) for image in orbit}) == len(one)
    for image in orbit:
        assert _same_rows(one.orbit(image[None])[:, 0], orbit)


@named
def test_signs_of_products_are_products_of_signs(name: str) -> None:
    one = GROUPS[name]
    row = np.random.default_rng(4).normal(size=(1, one.columns))
    orbit = one.orbit(row)[:, 0]
    for image, sign in zip(orbit, one.signs, strict=True):
        again = one.orbit(image[None])[:, 0]
        places = np.abs(again[:, None] - orbit[None]).max(axis=2).argmin(axis=1)
        assert (one.signs[places] == sign * one.signs).all()


@given(st.lists(st.permutations(range(4)), min_size=1, max_size=3))
def test_any_permutations_generate_a_group(maps: list[list[int]]) -> None:
    found = generated(maps)
    assert 24 % len(found) == 0  # Lagrange
    again = group([np.eye(4) @ matrix for matrix in found.matrices])
    assert len(again) == len(found)


def test_matrices_offsets_and_permutations_are_the_same_thing() -> None:
    turn = np.array([[0.0, 1.0], [1.0, 0.0]])
    row = np.array([[3.0, 5.0]])
    for maps in ([[0, 1], [1, 0]], [np.eye(2), turn], [np.eye(2), (turn, np.zeros(2))], [range(2), (1, 0)]):
        assert group(maps).orbit(row)[:, 0].tolist() == [[3.0, 5.0], [5.0, 3.0]]


def test_the_product_does_not_count_elements_twice() -> None:
    assert len(swap(2) * swap(2)) == 2
    assert len(permutations(3) * swap(3)) == 6


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: group([[0, 1, 2], [1, 2, 0]]), "found none for map 1 after map 1; add it"),
        (lambda: group([[1, 0]]), "expected the identity among the maps"),
        (lambda: group([[0, 1], [1, 0], np.eye(2)]), "one of them twice"),
        (lambda: group([[0, 1], [1, 0]], (1, 0.5)), "2 signs, each 1 or -1"),
        (lambda: group([[0, 1], [1, 0]], (-1, 1)), "signs of products"),
        (lambda: group([[0, 1, 2], [1, 2, 0], [2, 0, 1]], (1, -1, -1)), "signs of products"),
        (lambda: group([np.eye(2), np.zeros((2, 2))]), "maps that can be undone"),
        (lambda: group([[0, 0]]), "a permutation of the columns, a matrix"),
        (lambda: group([np.eye(2), (np.eye(2), [1.0])]), "with an offset of shape \\(1,\\)"),
        (lambda: group([np.eye(2), np.eye(3)]), "one or more maps of the same columns"),
        (lambda: group([]), "one or more maps"),
        (lambda: group([[[np.nan]]]), "a permutation of the columns, a matrix"),
        (lambda: generated([(np.eye(1), [1.0])]), "at most 256 elements"),
        (lambda: generated([[1, 0], [1, 0]], (1, -1)), "one sign for every element"),
        (lambda: permutations(8), "found the 40320 orders of 8 columns"),
        (lambda: translations(30, 30), "found 900 shifts"),
        (lambda: translations(), "lengths of the sides"),
        (lambda: rotations(2, 0), "from 1 to 256 turns"),
        (lambda: rotations(2, 3, (0, 0)), "different columns from 0 to 1"),
        (lambda: swap(3, (0, 1), (1, 2)), "two blocks of as many columns"),
        (lambda: reflection(2, [2]), "different columns from 0 to 1"),
        (lambda: swap(2) * swap(3, (0,), (1,)), "groups of 2 columns"),
        (lambda: swap(2) * reflection(2, [0]), "found none for map"),
        (lambda: swap(2) * swap(2, odd=True), "one sign for every element"),
    ],
)
def test_what_is_no_group_is_refused(make: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()  # type: ignore[operator]


def test_the_text_of_a_group() -> None:
    assert repr(swap(2)) == "Group(2 maps of 2 columns)"
    assert repr(swap(2, odd=True)) == "Group(2 maps of 2 columns, some with signs)"
    assert isinstance(swap(2), Group)
