"""From records of classes to facts about chances."""

import numpy as np
import pytest
from scipy.special import ndtr
from tests.decompose.table.classes import dataset, decomposition, posterior

from autostatistician.claims.claim import Claim, told
from autostatistician.claims.kinds import Kind
from autostatistician.describe.observe.table.chances import (
    calibration_claim,
    foresight_claim,
    ranking_claim,
    surprise_claims,
)
from autostatistician.describe.observe.table.effects import effect_claims


def _courses() -> dict[str, Claim]:
    d = decomposition()
    every = [course for effect in d.effects for course in told(effect_claims(effect, d), Kind.COURSE)]
    return {one.columns[0]: one for one in every}


def test_chances_are_those_of_rows_whose_other_columns_are_average() -> None:
    """The function at a place, all other parts at their mean over the data, by draws of the joint posterior."""
    data, known = dataset(), posterior()
    course = _courses()["age"]
    told_at = course.of(Kind.CHANCE)
    low, high = np.quantile(data.X[:, 0], (0.1, 0.9), method="nearest")
    assert (*told_at[0].at, *told_at[-1].at) == pytest.approx((low, high))
    rng, chances = np.random.default_rng(0), []
    for at in (low, high):
        points = data.X.copy()
        points[:, 0] = at
        latent = known.project(known.kernel, points)  # the age is one value, all others are those of the data
        chances.append(np.mean(ndtr(latent.draws(rng, 4000).mean(axis=1))))
    found = [one.value for one in (told_at[0], told_at[-1])]
    assert found == pytest.approx(chances, abs=0.03)
    assert course.value == pytest.approx(0.6, abs=0.15)


def test_categories_are_told_at_all_values() -> None:
    first, last = chances = _courses()["kind"].of(Kind.CHANCE)
    assert [one.at for one in chances] == [(0.0,), (1.0,)]
    assert first.value > last.value
    assert all(one.number.low < one.value < one.number.high for one in chances)
    assert all(0.0 < one["rate"] < 1.0 for one in chances)


def test_how_well_is_what_the_record_says() -> None:
    out = decomposition().foreseen
    assert out is not None
    claim = foresight_claim(out, int(out.came.sum()))
    assert (claim.value, claim["wrong"], claim["rows"]) == (out.log_score, out.wrong, len(out.came))
    assert claim["gain"] == pytest.approx(out.log_score - out.log_score_of_share)
    assert ranking_claim(out).number.interval == out.area_span
    assert sum(one["rows"] for one in calibration_claim(out).parts) == len(out.came)
    assert out.roc[1][-1] == 1.0
    for one in surprise_claims(out, ("no", "yes"), lambda row: row + 1):
        assert one.number.value == out.given[int(one["row"]) - 1] < 0.05
