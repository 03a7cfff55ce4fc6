"""First coordinates: lines are straight, rings are open, any shape of table has some."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.latent.beginning import first_places, principal_places, tree_places


def test_a_ring_is_cut_where_its_rows_are_farthest_apart() -> None:
    angle = 2.0 * np.pi * np.delete(np.arange(30), 11) / 30
    places = tree_places(np.column_stack([np.cos(angle), np.sin(angle)]), 2)
    assert np.ptp(places[:, 1]) < 1e-6
    along = np.roll(places[:, 0], -11)
    assert (np.diff(along) > 0.0).all() or (np.diff(along) < 0.0).all()


def test_rows_that_are_alike_stay_together() -> None:
    places = tree_places(np.array([[0.0], [0.0], [3.0]]), 1)[:, 0]
    assert abs(places[0] - places[1]) < 1e-3
    assert abs(places[2] - places[0]) == pytest.approx(3.0, abs=1e-3)


@pytest.mark.parametrize("shape", [(2, 1), (2, 4), (6, 3)])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_there_are_as_many_coordinates_as_asked_for(shape: tuple[int, int], dimensions: int) -> None:
    Y = np.random.default_rng(0).standard_normal(shape)
    found = tree_places(Y, min(dimensions, shape[1]))
    assert found.shape == (shape[0], min(dimensions, shape[1]))
    assert np.isfinite(found).all()
    assert np.isfinite(tree_places(np.zeros(shape), 1)).all()


@pytest.mark.parametrize(("dimensions", "tree_first"), [(3, True), (2, False)])
def test_chains_begin_with_the_tree_and_principal_components_in_turn(dimensions: int, tree_first: bool) -> None:
    Y = np.random.default_rng(0).standard_normal((9, 3))
    tree, principal = tree_places(Y, dimensions), principal_places(Y, dimensions)
    for chain in range(4):
        wanted = tree if (chain % 2 == 0) == tree_first else principal
        np.testing.assert_array_equal(first_places(Y, dimensions, chain), wanted)


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (2, 4)])
def test_principal_coordinates_go_along_the_widest_directions(shape: tuple[int, int]) -> None:
    Y = np.random.default_rng(0).standard_normal(shape)
    Y -= Y.mean(axis=0)
    X = principal_places(Y, 2)
    assert (X * X).mean() == pytest.approx(1.0)
    largest = np.linalg.eigvalsh(Y @ Y.T)[::-1][:2]
    np.testing.assert_allclose(X.T @ X, np.diag(largest) * 2 * len(Y) / largest.sum(), atol=1e-9)
