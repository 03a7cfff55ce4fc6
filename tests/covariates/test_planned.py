from __future__ import annotations

import numpy as np
import pytest

from autostatistician.covariates.effects import Clock
from autostatistician.covariates.planned import filled, unplanned
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis

X = np.arange(24.0)


def test_a_plan_is_kept_and_the_rest_is_as_a_season_before() -> None:
    values = np.append(np.sin(X), 9.0)  # the row after the last target is a plan
    columns = Covariates(np.append(X, 24.0), (Covariate("temperature", values),))
    after = np.arange(24.0, 27.0)
    clock = Clock(0.0, 23.0, 1.0, 12.0)
    assert filled(columns, after, clock).of("temperature", after).tolist() == [9.0, np.sin(13.0), np.sin(14.0)]
    assert unplanned(columns, after, clock) == ("temperature",)
    assert unplanned(columns, after[:1], clock) == ()


def test_without_a_season_numbers_stay_and_flags_are_as_usual() -> None:
    columns = Covariates(X, (Covariate("price", 5.0 + 0.1 * X), Covariate("promo", (X == 23.0).astype(float))))
    after = np.array([24.0, 25.0])
    later = filled(columns, after, Clock(0.0, 23.0, 1.0, 0.0))
    assert later.of("price", after) == pytest.approx([7.3, 7.3])
    assert np.isnan(later.of("promo", after)).all()


def test_rows_between_the_data_and_the_first_asked_are_there_for_what_comes_late() -> None:
    columns = Covariates(X, (Covariate("price", X),))
    later = filled(columns, np.array([27.0]), Clock(0.0, 23.0, 1.0, 12.0))
    assert later.of("price", np.array([25.0, 27.0])).tolist() == [13.0, 15.0]


def test_the_past_is_left_alone() -> None:
    columns = Covariates(X, (Covariate("price", X),))
    assert filled(columns, X, Clock(0.0, 23.0, 1.0, 12.0)) is columns


def test_days_are_as_whole_weeks_before_that_make_a_year() -> None:
    """A week alone would repeat that of Christmas until the spring."""
    axis = Axis("day", "day", "day", 1.0, "2014-01-01")
    days = np.arange(365.0)
    clock = Clock.of(Dataset(days[:, None], days, ("day",), "y", axis))
    assert (clock.season, clock.before, clock.shift) == (7.0, 365.2425, 364.0)
    columns = Covariates(days, (Covariate("temperature", days),))
    after = np.array([365.0, 400.0])
    assert filled(columns, after, clock).of("temperature", after).tolist() == [1.0, 36.0]
