from __future__ import annotations

import json

import numpy as np
import pytest

from autostatistician.covariates.effects import Clock
from autostatistician.covariates.fitted import CovariateEffects, estimated, prepared
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.inference import Problem, condition
from autostatistician.language.kernel import leaf

ROWS = 120


def _effects(*, trending: bool = False) -> tuple[CovariateEffects, Covariates]:
    rng = np.random.default_rng(7)
    x = np.arange(float(ROWS))
    promo, price, noise = (rng.random(ROWS) < 0.2).astype(float), rng.normal(5.0, 0.5, ROWS), rng.standard_normal(ROWS)
    shop = rng.integers(0, 3, ROWS).astype(float)
    y = 0.05 * x + 25.0 * promo - 6.0 * (price - 5.0) + 4.0 * (shop == 2.0) + rng.normal(0.0, 2.0, ROWS)
    noise = x + 3.0 * noise if trending else noise
    columns = Covariates(
        x,
        (
            Covariate("promo", promo),
            Covariate("price", price),
            Covariate("noise", noise),
            Covariate("shop", shop, ("a", "b", "c")),
        ),
    )
    time = leaf("C", sd=10.0) + leaf("SE", lengthscale=60.0, sd=5.0) + leaf("WN", sd=2.0)
    posterior = condition(time, Problem(x, y))
    return estimated(prepared(columns, Clock(0.0, ROWS - 1.0, 1.0, 0.0), x), posterior, y, float(y.std()), 0), columns


def test_effects_are_found_with_their_sizes() -> None:
    effects, _ = _effects()
    assert set(effects.acting) == {"promo", "price", "shop"}
    low, high = np.quantile(effects.curve("promo", np.array([1.0])), [0.025, 0.975])
    assert low < 25.0 < high
    steep = effects.curve("price", np.array([4.5, 5.5]))
    assert (steep[:, 1] - steep[:, 0]).mean() == pytest.approx(-6.0, abs=1.0)
    levels = effects.curve("shop", np.arange(3.0)).mean(axis=0)
    assert levels[2] - levels[0] == pytest.approx(4.0, abs=1.5)
    assert effects.probabilities["noise"] < 0.3


def test_a_column_that_trends_gets_nothing_of_the_trend() -> None:
    effects, _ = _effects(trending=True)
    assert effects.probabilities["noise"] < 0.5
    assert effects.probabilities["promo"] > 0.99


def test_what_all_add_is_the_sum_of_what_each_adds() -> None:
    effects, columns = _effects()
    x = columns.x[::7]
    total = sum(effects.added_by(name, x) for name in columns.names)
    assert np.allclose(total, effects.added(x))


@pytest.mark.slow
def test_usual_values_add_nothing() -> None:
    effects, columns = _effects()
    usual = tuple(
        Covariate(column.name, np.full(ROWS, effects.scale_of(column.name).usual), column.levels)
        for column in columns.table
    )
    assert not effects.added(columns.x, Covariates(columns.x, usual)).any()


@pytest.mark.slow
def test_the_record_keeps_every_draw() -> None:
    effects, columns = _effects()
    again = CovariateEffects.from_json(json.loads(json.dumps(effects.to_json())), columns)
    assert np.allclose(again.added(columns.x), effects.added(columns.x), atol=1e-9)
    assert again.effects == effects.effects


def test_a_record_that_does_not_fit_its_effects_is_refused() -> None:
    effects, columns = _effects()
    record = effects.to_json()
    record["draws"] = [row[:-1] for row in record["draws"]]
    with pytest.raises(ValueError, match="do not fit"):
        CovariateEffects.from_json(record, columns)


def test_the_days_of_an_event_act_together() -> None:
    rng = np.random.default_rng(9)
    x = np.arange(400.0)
    day = (np.arange(400) % 100 == 50).astype(float)
    flags = {0: day, -1: np.roll(day, -1), 1: np.roll(day, 1)}
    y = 20.0 * flags[0] + 8.0 * flags[-1] + rng.standard_normal(400)
    columns = Covariates(
        x,
        tuple(
            Covariate(f"feast {days:+d}", values, group="holidays", event="feast", days=days)
            for days, values in flags.items()
        ),
    )
    posterior = condition(leaf("C", sd=1.0) + leaf("WN", sd=1.0), Problem(x, y))
    effects = estimated(prepared(columns, Clock(0.0, 399.0, 1.0, 7.0), x), posterior, y, float(y.std()), 0)
    assert {str(effect) for effect in effects.effects} == {f"Lin[feast {days:+d}]" for days in flags}
    assert set(effects.probabilities.values()) == {effects.probabilities["feast +0"]}
    sizes = [effects.curve(f"feast {days:+d}", np.array([1.0])).mean() for days in (0, -1, 1)]
    assert sizes == pytest.approx([20.0, 8.0, 0.0], abs=1.5)
