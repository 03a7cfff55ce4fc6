"""Effects of one column that change with another: known products, and numbers that follow from the joint posterior."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.tables import COLUMNS, bump, dataset, posterior

from autostatistician.decompose.records.table import Interaction
from autostatistician.decompose.table.centred import CentredEffect
from autostatistician.decompose.table.interactions import interaction, strongest_pair
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel, leaf


def _centred() -> CentredEffect:
    return CentredEffect(posterior(), (bump("b") * bump("c"),))


@pytest.fixture(scope="module")
def product() -> Interaction:
    """What b c, given 120 rows, does along b where c is low and where it is high."""
    return interaction(_centred(), "b", "c", np.random.default_rng(0))


def test_what_a_step_does_at_two_places_is_that_of_the_product(product: Interaction) -> None:
    step, (low, high) = product.along_places[1] - product.along_places[0], product.by_places
    assert product.first.number == pytest.approx(step * low, abs=0.2)
    assert product.last.number == pytest.approx(step * high, abs=0.2)
    assert product.difference.number == pytest.approx(product.last.number - product.first.number)
    assert product.difference.number > 4.0 * product.difference.sd
    assert product.share_span[0] <= product.share <= product.share_span[1]
    assert product.share > 0.9


def test_the_places_are_values_of_the_data(product: Interaction) -> None:
    X = dataset().X
    assert set(product.along_places) <= set(X[:, 1])
    assert set(product.by_places) <= set(X[:, 2])
    assert {place for place, _, _ in product.slices} <= set(X[:, 2])


def test_the_difference_is_a_contrast_of_four_corners(product: Interaction) -> None:
    points = np.tile(dataset().X[0], (4, 1))
    corners = [(along, by) for along in product.along_places for by in product.by_places]
    points[:, 1], points[:, 2] = np.transpose(corners)
    joint = posterior().project(bump("b") * bump("c"), points)
    weights = np.array([1.0, -1.0, -1.0, 1.0])  # low low, low high, high low, high high
    assert product.difference.number == pytest.approx(weights @ joint.mean, abs=1e-8)
    assert product.difference.sd == pytest.approx(np.sqrt(weights @ joint.covariance() @ weights), abs=1e-6)


def test_a_slice_is_the_curve_at_its_place(product: Interaction) -> None:
    for place, mean, sd in product.slices:
        points = np.tile(dataset().X[0], (len(product.x), 1))
        points[:, 1], points[:, 2] = product.x, place
        expected = _centred().at(points)
        np.testing.assert_allclose((mean, sd), expected, atol=1e-8)


def test_a_sum_of_effects_has_no_share_beyond_it() -> None:
    data, parts = dataset(60), (bump("a"), bump("b"))
    kernel = Kernel.sum((*parts, leaf("WN", sd=0.05)))
    known = condition(kernel, Problem(data.X, np.sin(data.X[:, 0]) + data.X[:, 1], COLUMNS))
    added = interaction(CentredEffect(known, parts), "a", "b", np.random.default_rng(0))
    assert added.share < 1e-9
    assert added.difference.number == pytest.approx(0.0, abs=1e-8)


def test_the_pair_that_changes_each_other_most_is_found() -> None:
    data = dataset(60)
    parts = (bump("a"), bump("b") * bump("c"))
    known = condition(Kernel.sum((*parts, leaf("WN", sd=0.1))), Problem(data.X, data.y, COLUMNS))
    assert set(strongest_pair(CentredEffect(known, parts)) or ()) == {"b", "c"}


def test_a_column_that_does_not_vary_is_in_no_pair() -> None:
    X = dataset(30).X.copy()
    X[:, 2] = 1.0
    known = condition(bump("b") * bump("c") + leaf("WN", sd=0.1), Problem(X, dataset(30).y, COLUMNS))
    assert strongest_pair(CentredEffect(known, (bump("b") * bump("c"),))) is None
