"""Learning of priors: sums over fitted models, shares of structures, what the corpus of tables is."""

from dataclasses import astuple
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from autostatistician.data.dataset import Kind, from_arrays
from autostatistician.gp import Problem
from autostatistician.gp.parameters.scales import LeafContext, LearnedPrior, measure
from autostatistician.kernels.kernel import leaf
from autostatistician.kernels.traits import columns_of
from autostatistician.search.starting.standardisation import standard

SETS = 5.0
ROWS = np.arange(40.0)[:, None]
NOISE = np.random.default_rng(0).normal(size=40)


@pytest.fixture
def learn() -> Any:
    pytest.importorskip("statsmodels")
    return import_module("learn")


def _seen(learn: Any, mean: float, share: float, width: float, count: int, variance: float = 0.0) -> Any:
    rng = np.random.default_rng(1)
    ratios, errors = rng.uniform(0.0, 4.0, count), width * rng.standard_normal(count)
    total = learn.NO_MOMENTS
    for u, r in zip(ratios.tolist(), (mean + share * ratios + errors).tolist(), strict=True):
        total = total.added(
            learn.Moments.of(of_step=2.0, of_whole=2.0 + u, mean=2.0 + r, variance=variance, weight=1.0)
        )
    return total


def test_mean_share_and_width_are_found_again(learn: Any) -> None:
    found = _seen(learn, -1.0, 0.5, 0.6, 2000).prior(LearnedPrior(0.0, 0.0, 2.0), SETS)
    assert (found.mean, found.share, found.width) == pytest.approx((-1.0, 0.5, 0.6), abs=0.05)


def test_few_series_change_little(learn: Any) -> None:
    before = LearnedPrior(0.0, 0.0, 1.0)
    assert learn.NO_MOMENTS.prior(before, SETS) == before
    assert abs(_seen(learn, 3.0, 0.0, 0.1, 1).prior(before, SETS).mean) < 1.0


def test_uncertain_parameters_make_wide_priors(learn: Any) -> None:
    before = LearnedPrior(0.0, 0.0, 1.0)
    sure, unsure = (_seen(learn, 0.0, 0.0, 0.4, 300, variance).prior(before, SETS) for variance in (0.0, 1.0))
    assert unsure.width > 1.0 > sure.width


def test_what_was_added_is_taken_off_again(learn: Any) -> None:
    all_but_one, one = _seen(learn, 0.0, 0.2, 0.4, 20), _seen(learn, 1.0, 0.0, 0.5, 1)
    assert astuple(all_but_one.added(one).added(one, -1.0)) == pytest.approx(astuple(all_but_one))


def test_locations_and_periods_are_left_out_and_places_are_told(learn: Any) -> None:
    cycle = leaf("SE", sd=1.0, lengthscale=20.0) * leaf("Per", sd=1.0, lengthscale=1.0, period=7.0)
    kernel = leaf("Lin", sd=0.1, location=3.0) + cycle + leaf("WN", sd=1.0)
    found = dict(learn.seen_parameters(kernel, Problem(ROWS, NOISE, ("x",)), measure(ROWS, NOISE, ("x",)), 0.25))
    assert {key[:2] for key in found} >= {("Lin", "sd"), ("SE", "lengthscale"), ("WN", "sd")}
    assert not any(name in {"location", "period"} for _, name, _ in found)
    assert found["SE", "lengthscale", LeafContext.CYCLE].weight == 0.25


def test_the_variance_is_that_of_the_posterior(learn: Any) -> None:
    [(_, seen)] = learn.seen_parameters(
        leaf("WN", sd=float(NOISE.std())), Problem(ROWS, NOISE, ("x",)), measure(ROWS, NOISE, ("x",)), 1.0
    )
    assert seen.rr - seen.r**2 == pytest.approx(1.0 / (2.0 * 40.0 + 1.0 / 2.0**2), rel=0.01)


def test_shares_add_up_to_one_and_keep_what_was_never_seen(learn: Any) -> None:
    found = learn.smoothed({"a": 3.0}, {"a": 0.5, "b": 0.5})
    assert sum(found.values()) == pytest.approx(1.0)
    assert 0.0 < found["b"] < 0.5 < found["a"]


NAMES = ("a", "b", "idle")
RNG = np.random.default_rng(2)
X = RNG.uniform(size=(60, 3))
Y = np.sin(5.0 * X[:, 0]) + X[:, 1] + 0.1 * RNG.normal(size=60)


def test_the_corpus_has_none_of_the_sets_that_it_is_judged_by(learn: Any) -> None:
    every = {one.name: one for one in learn.tables()}
    assert {name.split(":")[0] for name in every} == {*learn.OF_STATSMODELS, *learn.OF_SKLEARN}
    judged = import_module("regression").SETS
    assert not any(name.startswith((*judged, "boston", "california")) for name in every)
    assert all(one.kind is Kind.TABLE and 10 < one.n <= learn.MOST_ROWS for one in every.values())
    assert all(np.isfinite(one.X).all() and np.ptp(one.y) > 0.0 for one in every.values())


def test_a_table_tells_of_its_noise(learn: Any) -> None:
    seen = learn.of_table(from_arrays(X, Y, NAMES), learn.first_guess("first_table_numbers.csv"))
    noise = [moments for key, moments in seen if key == ("WN", "sd", LeafContext.TERM)]
    assert sum(moments.weight for moments in noise) == pytest.approx(1.0, abs=0.05)
    found = sum(moments.r - moments.u for moments in noise)
    assert found == pytest.approx(np.log(0.1 / np.std(Y)), abs=0.3)


def test_a_product_is_fitted_with_and_without_the_column_that_has_no_effect(learn: Any) -> None:
    _, problem, scales = standard(from_arrays(X, Y, NAMES), priors=learn.first_guess("first_table_numbers.csv"))
    start = next(one for one in learn.starts(NAMES, scales) if str(one) == "SE[a] * SE[b] * SE[idle] + C + WN")
    found = [one for one, _ in learn.fitted(start, problem, scales)]
    assert [columns_of(one.expr) for one in found] == [{*NAMES}, {"a", "b"}]
