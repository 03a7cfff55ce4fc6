"""A difference is the sum of what parts, columns and chance give, as the posterior has them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.promoted import PRICE, PROMOTION, fitted, table

from autostatistician.data.dataset import from_arrays
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.errors import InputError
from autostatistician.language.rewrite import components
from autostatistician.language.traits import is_noise
from autostatistician.model.differences import difference
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.search.run import Settings


@pytest.fixture(scope="module")
def model() -> Model:
    return fitted().model_


def test_the_sum_closes_and_columns_give_what_they_do(model: Model) -> None:
    frame, x, parts = table(), model.dataset.x, components(model.kernel)
    change = difference(model, parts, x[50:51], x[10:11])
    assert change.total == pytest.approx(frame["sales"][50] - frame["sales"][10])
    assert sum(share.mean for share in change.shares) == pytest.approx(change.total, abs=1e-12)
    assert change.shares[-1].kind == "chance"
    assert change.seen == (True, True)
    wanted = {
        "promo": PROMOTION * (frame["promo"][50] - frame["promo"][10]),
        "price": PRICE * (frame["price"][50] - frame["price"][10]),
    }
    for share in change.shares:
        if share.kind == "column":
            assert abs(share.mean - wanted[share.name]) < 4.0 * share.sd + 1e-9
    sizes = [abs(share.mean) for share in change.shares if share.kind == "column"]
    assert sizes == sorted(sizes, reverse=True)


def test_parts_are_those_of_the_posterior_without_columns(model: Model) -> None:
    plain = replace(model, effects=None)
    x, parts = model.dataset.x, components(model.kernel)
    signal = [part for part in parts if not is_noise(part)]
    change = difference(plain, parts, x[50:51], x[10:11])
    means = [plain.posterior.project(part, x[[50, 10], None]).mean for part in signal]
    wanted = [mean[0] - mean[1] for mean in means if mean[0] != mean[1]]
    assert [share.mean for share in change.shares[:-1]] == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(3))
def test_ranges_are_those_of_a_straight_line_whose_zero_and_level_are_open(seed: int) -> None:
    x = np.arange(40.0)
    y = 3.0 + 0.4 * x + 1.5 * np.random.default_rng(seed).standard_normal(40)
    line = fit_model(from_arrays(x, y), "linear", Settings(1, 4, "bic", None, 1))
    change = difference(line, components(line.kernel), x[-1:], x[:1])
    _, cov = np.polyfit(x, y, 1, cov=True)
    wanted = 39.0 * np.sqrt(cov[0, 0])
    assert [share.sd for share in change.shares if share.index == 0] == pytest.approx([wanted], rel=0.15)
    assert change.shares[-1].sd == pytest.approx(wanted, rel=0.15)


def test_what_is_expected_stands_where_there_is_no_value(model: Model) -> None:
    x = model.dataset.x
    change = difference(model, components(model.kernel), x[-1:] + 14.0, x[-1:])
    assert change.seen == (False, True)
    noise = float(np.sqrt(model.posterior.noise_variance(x[:1, None])[0]))
    assert change.shares[-1].sd >= noise
    assert sum(share.mean for share in change.shares) == pytest.approx(change.total, abs=1e-12)


def test_a_value_that_was_set_aside_is_one_of_the_data(model: Model) -> None:
    kept = replace(model.dataset, X=model.dataset.X[:-1], y=model.dataset.y[:-1])
    outlier = Outlier(float(model.dataset.x[-1]), 500.0, 130.0)
    plain = replace(model, dataset=kept, screening=Screening((outlier,)), effects=None)
    change = difference(plain, components(plain.kernel), model.dataset.x[-1:], model.dataset.x[:1])
    assert change.values[0] == 500.0
    assert change.shares[-1].mean > 300.0


def test_times_have_rows_and_not_too_many(model: Model) -> None:
    parts = components(model.kernel)
    for at, against in ((np.zeros(0), np.zeros(1)), (np.zeros(3000), np.zeros(1))):
        with pytest.raises(InputError, match="two times"):
            difference(model, parts, at, against)
