"""Random surfaces: glued where they should be and nowhere else."""

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.symmetry import reflection, rotations, shifts_and_turns, view_covariance
from manifolds import MANIFOLDS, _cycle, manifold
from pooling import PaddedShifts, best_match

K = parse_kernel("SE[a](lengthscale=1, sd=1) * SE[b](lengthscale=1, sd=1)")
X = np.random.default_rng(0).uniform(-1.0, 1.0, (12, 2))


def test_padded_shifts_are_the_sum_over_shifted_images() -> None:
    image = np.zeros((1, 9))
    image[0, 0] = 1.0  # in a corner, so that most shifts lose it
    seen = PaddedShifts((3, 3), 1)(image)
    assert seen.points[:, 0].sum(axis=1).tolist() == [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]
    kernel = view_covariance(K, PaddedShifts((2,), 1), X, None, ("a", "b"))
    assert np.linalg.eigvalsh(kernel).min() > -1e-12
    with pytest.raises(InputError, match="3 x 3 pixels"):
        PaddedShifts((3, 3), 1)(X)


def test_turns_of_an_image_are_in_the_group() -> None:
    image = np.arange(9.0)
    orbit = {tuple(row) for row in shifts_and_turns(3).orbit(image[None])[:, 0]}
    assert tuple(np.rot90(np.roll(image.reshape(3, 3), 1, 0)).ravel()) in orbit
    assert tuple(np.flipud(image.reshape(3, 3)).ravel()) not in orbit
    assert len(shifts_and_turns(2)) == 8
    with pytest.raises(InputError, match="at most"):
        shifts_and_turns(9)


def test_the_best_match_is_a_covariance_for_mirrors_and_not_for_turns() -> None:
    def least(group: object) -> float:
        return float(np.linalg.eigvalsh(best_match(K, group, X, ("a", "b"))).min())  # type: ignore[arg-type]

    assert least(reflection(2, [0])) > -1e-12
    assert least(rotations(2, 3)) < -1e-4


def _glued(one: np.ndarray, other: np.ndarray) -> bool:
    return bool(np.allclose(one, other, atol=1e-5 * np.abs(one).max()))


@pytest.mark.parametrize("seed", [0, 1])
def test_sides_are_glued_as_the_topology_says(seed: int) -> None:
    every = {kind: manifold(kind, 11, random_state=seed) for kind in MANIFOLDS}
    across = {kind: _glued(one[0], one[-1]) for kind, one in every.items()}
    along = {kind: _glued(one[:, 0], one[:, -1]) for kind, one in every.items()}
    assert across == {"plane": False, "cylinder": False, "torus": True, "mobius": True, "sphere": False}
    assert along == {"plane": False, "cylinder": True, "torus": True, "mobius": False, "sphere": True}


def test_the_cycle_is_the_published_kernel() -> None:
    x = np.linspace(0.0, 2.0, 30)
    published = np.exp(-2.0 / 10.0 * np.sin(np.pi * np.subtract.outer(x, x)) ** 2)
    assert covariance(_cycle("x", 10.0), x, None, ("x",)) == pytest.approx(published)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kind": "bottle"}, "one of plane, cylinder, torus, mobius, sphere"),
        ({"kind": "plane", "inputs": 3}, "of 2 inputs but for a torus"),
        ({"kind": "torus", "points": 100}, "at most 5000 points"),
    ],
)
def test_what_cannot_be_drawn_is_refused(settings: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        manifold(**settings)  # type: ignore[arg-type]
