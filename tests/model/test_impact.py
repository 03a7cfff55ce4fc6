"""The effect of an event is that of the rows after it beside what the rows before say; earlier dates test it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.promoted import ROWS, fitted, table

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.model import impact
from autostatistician.model.impact import EffectSize, impact_of
from autostatistician.model.predictions import Options
from autostatistician.search.run import Settings

QUICK = Settings(1, 2, n_jobs=1)
X = np.arange(60.0)
Y = 10.0 + 0.3 * X + np.random.default_rng(1).standard_normal(60)


def _event(size: float) -> Dataset:
    return from_arrays(X, Y + size * (X >= 50.0))


@pytest.mark.slow
def test_an_effect_is_found_and_no_effect_is_not() -> None:
    answer = impact_of(_event(5.0), 50.0, "linear", QUICK, Options())
    assert answer.average.lower < 5.0 < answer.average.upper
    assert answer.total.mean == pytest.approx(10.0 * answer.average.mean)
    assert answer.share is not None
    assert answer.share.mean == pytest.approx(answer.total.mean / answer.mean.sum())
    assert answer.is_event
    assert len(answer.placebos) >= 12
    none = impact_of(_event(0.0), 50.0, "linear", QUICK, Options())
    assert none.average.lower < 0.0 < none.average.upper
    assert not none.is_event
    np.testing.assert_array_equal(none.mean, answer.mean)  # of the rows before alone
    np.testing.assert_array_equal(none.placebos, answer.placebos)


@pytest.mark.slow
def test_columns_are_as_they_were_after_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(impact, "PLACEBOS", 2)
    rows = table()[:ROWS]
    rows.loc[52:, "promo"] = 1.0 - rows.loc[52:, "promo"]
    rows["sales"] += 20.0 * (rows["promo"] - table()[:ROWS]["promo"])
    answer = impact_of(load(rows, target="sales"), fitted().dataset_.x[52], "linear", QUICK, Options())
    assert abs(answer.average.mean) < 1.0
    assert answer.model.effects is not None
    assert answer.model.effects.clock.last == fitted().dataset_.x[51]


def test_placebos_have_the_size_of_chance() -> None:
    noise = [from_arrays(X, 10.0 + np.random.default_rng(seed).standard_normal(60)) for seed in range(4)]
    sizes = np.concatenate([impact_of(data, 55.0, "linear", QUICK, Options()).placebos for data in noise])
    assert 0.5 < np.sqrt(np.mean(sizes**2)) < 1.6


def test_few_earlier_dates_are_no_test() -> None:
    answer = impact_of(from_arrays(X[:16], Y[:16] + 9.0 * (X[:16] >= 14.0)), 14.0, "linear", QUICK, Options())
    assert not answer.tested
    assert answer.is_event == (answer.p_value < 0.05)
    tested = replace(answer, placebos=np.zeros(19), size=1.0)
    assert tested.tested
    assert tested.placebo_p == 0.05
    assert replace(answer, placebos=np.array([2.0, -2.0, 0.1]), size=1.0).placebo_p == 0.75


def test_dates_without_rows_around_them_are_refused() -> None:
    for since in (5.0, 99.0):
        with pytest.raises(InputError, match="before the event"):
            impact_of(_event(0.0), since, "linear", QUICK, Options())


def test_estimates_have_their_ends_in_order() -> None:
    assert EffectSize.of(-10.0, 1.0, 2.0).lower == pytest.approx(-5.98, abs=1e-3)
