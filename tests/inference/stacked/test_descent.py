"""Descents in lockstep on functions whose minima are known."""

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.stacked.descent import descended


def test_each_finds_its_minimum_within_its_box() -> None:
    scales = np.array([[1.0, 30.0], [5.0, 0.2]])

    def bowl(z: NDArray[np.float64], members: NDArray[np.intp]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        away = z - 1.0
        return (scales[members] * away**2).sum(axis=1), 2.0 * scales[members] * away

    box = np.full((2, 2), -3.0), np.array([[3.0, 3.0], [0.5, 3.0]])
    found = descended(bowl, np.full((2, 2), -2.0), *box, np.array([50, 50]), 1e-12, 1e-8)
    assert found.converged.all()
    assert found.places.round(4).tolist() == [[1.0, 1.0], [0.5, 1.0]]
