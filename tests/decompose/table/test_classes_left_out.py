"""How well classes are foreseen: against scikit-learn, and against leaving rows out one by one."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.metrics import roc_curve as sklearn_roc
from tests.decompose.table.classes import dataset, posterior

from autostatistician.decompose.records.classes import Foreseen
from autostatistician.decompose.table.classes_left_out import (
    area_under,
    calibration_bins,
    judged,
    leave_one_out_of_classes,
    probability_of_bins,
)
from autostatistician.inference.engines.approximate import ApproximatePosterior
from autostatistician.language.kernel import leaf

RNG = np.random.default_rng(5)
CHANCE = RNG.uniform(0.02, 0.98, 300)
CAME = RNG.uniform(size=300) < CHANCE


@pytest.fixture(scope="module")
def out() -> Foreseen:
    return leave_one_out_of_classes(posterior())


def test_scores_are_those_of_scikit_learn() -> None:
    found = judged(CAME, CHANCE, CHANCE)
    assert found.log_score == pytest.approx(-log_loss(CAME, CHANCE))
    assert found.wrong == pytest.approx(np.mean((CHANCE > 0.5) != CAME))
    assert found.area == pytest.approx(roc_auc_score(CAME, CHANCE))
    false_alarms, hits, _ = sklearn_roc(CAME, CHANCE, drop_intermediate=False)
    np.testing.assert_allclose(found.roc, [false_alarms, hits])
    assert abs(found.calibration) < 2.5


def test_the_range_of_the_area_is_as_wide_as_other_tables_let_it_be() -> None:
    area, (low, high) = area_under(CAME, CHANCE)
    others = []
    for _ in range(400):
        rows = RNG.integers(0, 300, 300)
        others.append(roc_auc_score(CAME[rows], CHANCE[rows]))
    assert low < area < high
    assert (high - low) == pytest.approx(2 * 1.96 * np.std(others), rel=0.12)
    sure = area_under(np.array([True] * 5 + [False] * 20), np.arange(25.0)[::-1])
    assert sure[0] == 1.0
    assert 0.4 < sure[1][0] < 0.6


def test_the_curve_and_ties() -> None:
    alike = np.round(CHANCE, 1)
    assert area_under(CAME, alike)[0] == pytest.approx(roc_auc_score(CAME, alike))
    false_alarms, hits, _ = sklearn_roc(CAME, alike, drop_intermediate=False)
    np.testing.assert_allclose(judged(CAME, CHANCE, alike).roc, [false_alarms, hits])


def test_bins_hold_every_row_once_and_ranges_their_shares() -> None:
    bins = calibration_bins(CAME, CHANCE)
    assert len(bins) == 10
    assert sum(one.rows for one in bins) == 300
    assert sum(one.rows * one.share for one in bins) == pytest.approx(CAME.sum())
    assert all(one.span[0] <= one.share <= one.span[1] for one in bins)
    assert sum(one.span[0] <= one.chance <= one.span[1] for one in bins) >= 8
    tied = calibration_bins(CAME, 0.25 + 0.5 * np.round(CHANCE))
    assert [one.rows for one in tied] == [int(np.sum(CHANCE < 0.5)), int(np.sum(CHANCE >= 0.5))]


def test_rows_that_differ_by_being_left_out_alone_are_one_group() -> None:
    of_others = (CAME.sum() - CAME) / (len(CAME) - 1.0)
    assert len(calibration_bins(CAME, of_others)) == 1
    assert probability_of_bins(CAME, of_others) > 0.5


def test_shares_far_from_the_chances_are_seen_where_the_squared_errors_balance() -> None:
    chance = np.repeat([0.2, 0.4, 0.6, 0.8], 50)
    came = np.arange(200) % 50 < np.repeat([10, 5, 15, 40], 50)
    assert abs(judged(came, chance, chance).calibration) < 1.96
    assert judged(came, chance, chance).bins_p < 1e-6
    assert probability_of_bins(CAME, CHANCE) > 0.05


@pytest.mark.parametrize(("power", "side"), [(3.0, 1.0), (0.3, -1.0)])
def test_chances_that_are_too_extreme_or_too_cautious_are_told_apart(power: float, side: float) -> None:
    odds = (CHANCE / (1.0 - CHANCE)) ** power
    assert side * judged(CAME, odds / (1.0 + odds), CHANCE).calibration > 1.96


def test_each_row_is_foreseen_from_the_others_alone(out: Foreseen) -> None:
    known = posterior()
    assert isinstance(known, ApproximatePosterior)
    for row in (0, 17, 101):
        without = known.without(np.array([row]))
        assert isinstance(without, ApproximatePosterior)
        assert out.chance[row] == pytest.approx(without.probability(known.X[[row]])[0], abs=2e-3)
    assert out.log_score > out.log_score_of_share + 0.05
    assert out.wrong < out.wrong_of_share


def test_rows_that_are_alike_are_not_put_in_the_wrong_order() -> None:
    """Leaving one row out puts equal rows in the opposite order of their classes; leaving out pairs does not."""
    data = dataset()
    found = leave_one_out_of_classes(posterior(data, leaf("Cat", "kind", sd=1.0, contrast=1.0) + leaf("C", sd=1.0)))
    kind = data.X[:, 1]
    expected = roc_auc_score(data.y > 0, kind == 0)
    assert roc_auc_score(found.came, found.chance) < expected - 0.1
    assert found.area == pytest.approx(expected, abs=1e-9)
