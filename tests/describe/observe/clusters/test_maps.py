"""Pictures of clusters as arrays."""

from __future__ import annotations

import numpy as np
import pytest
from tests.describe.cluster_cases import LABELS, findings, found

from autostatistician.describe.observe.clusters.maps import latent_map, observed_maps, state_map


def _whole(density: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    return float(density.sum() * (x[1] - x[0]) * (y[1] - y[0]))


def test_densities_have_a_whole_of_one_and_levels_that_hold_their_shares() -> None:
    known = findings()
    (observed,) = known.observed
    for one in (observed, known.latent):
        assert one is not None
        assert _whole(one.density, one.x, one.y) == pytest.approx(1.0, abs=0.12)
        shares = [one.density[one.density >= level].sum() / one.density.sum() for level in one.levels]
        assert shares == pytest.approx([0.9, 0.5], abs=0.02)


def test_of_many_columns_those_are_shown_that_tell_clusters_apart() -> None:
    rng, places = np.random.default_rng(0), np.repeat([1, 2], 20)
    rows = rng.normal(size=(40, 5))
    rows[:, [1, 3, 4]] += 6.0 * (places == 2)[:, None]
    clusters = findings().clusters[:2]
    maps = observed_maps(rows, tuple("abcde"), places, rows, clusters)
    assert sorted((one.x_name, one.y_name) for one in maps) == [("b", "d"), ("b", "e"), ("d", "e")]


def test_rows_of_one_column_stand_at_the_height_of_its_density() -> None:
    known = findings(rows=found().rows[:, :1], columns=("mass",), drawn=found().drawn[:, :1])
    (one,) = known.observed
    assert (one.x_name, one.y_name) == ("mass", "density")
    assert float(np.trapezoid(one.y, one.x)) == pytest.approx(1.0, abs=0.1)
    assert max(y.max() for _, _, y in one.groups) <= one.y.max()


def test_one_latent_coordinate_has_no_map() -> None:
    assert latent_map(found().latent[:, :1], LABELS + 1) is None
    assert state_map(found().latent[:, :1], LABELS * 0 + 1).groups[0][2].tolist() == [0.0] * 40
