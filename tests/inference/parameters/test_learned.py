"""Priors of numbers: where they lie, and that units of the data change nothing."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.parameters.learned import (
    LearnedPrior,
    LearnedPriors,
    Place,
    learned_priors,
    learned_table_priors,
)
from autostatistician.inference.parameters.scales import measure
from autostatistician.language.expr import Leaf
from autostatistician.language.kernel import parameters
from autostatistician.language.text import parse

TERM, FACTOR = Place.TERM, Place.FACTOR
SERIES = np.cumsum(np.random.default_rng(3).normal(size=40)) + 20.0


def test_a_prior_lies_between_its_two_units() -> None:
    prior = LearnedPrior(0.5, 0.25, 1.0)
    assert prior.centre(2.0, 2.0) == pytest.approx(2.5)
    assert prior.centre(0.0, 4.0) == pytest.approx(1.5)


@pytest.mark.parametrize("text", ["C + Lin + WN", "SE * Per + Wiener + WN", "IOU + SE + WN"])
def test_learned_priors_move_with_the_units_of_the_data(text: str) -> None:
    expr, x = parse(text), np.arange(40.0)
    plain, changed = (
        FreeParameters.of(expr, measure(a * x[:, None], b * SERIES, ("x",), priors=learned_priors())).priors()
        for a, b in ((1.0, 1.0), (3.0, 7.0))
    )
    powers = {"Lin": -1.0, "IOU": -1.0, "Wiener": -0.5}
    for one, other in zip(plain, changed, strict=True):
        name, symbol = parameters(expr)[one.index].name, getattr(parameters(expr)[one.index].node, "symbol", "")
        if one.column is None and name == "sd":
            assert other.mean - one.mean == pytest.approx(powers.get(symbol, 0.0) * np.log(3.0) + np.log(7.0))
        if one.column is None and name in ("lengthscale", "period") and symbol != "Per":
            assert other.mean - one.mean == pytest.approx(np.log(3.0))
        assert other.width == pytest.approx(one.width)


def test_numbers_that_were_never_learned_keep_their_weak_prior() -> None:
    x = np.arange(40.0)[:, None]
    weak, none = (
        FreeParameters.of(parse("RQ + WN"), measure(x, SERIES, ("x",), priors=p)).priors()
        for p in (LearnedPriors({}), None)
    )
    assert weak == none


def test_leaves_that_name_columns_have_the_priors_of_tables_in_the_units_of_their_columns() -> None:
    expr, rng, priors = parse("SE[a] * SE[b] + Lin[b] + WN"), np.random.default_rng(1), learned_table_priors()
    X, y = rng.uniform(size=(30, 2)), rng.normal(size=30)
    scales = measure(X * [1.0, 50.0], 7.0 * y, ("a", "b"), priors=priors)
    every = parameters(expr)
    known = {(every[one.index].node, every[one.index].name): one for one in FreeParameters.of(expr, scales).priors()}
    length, size, noise = (
        priors.rows[key] for key in (("SE", "lengthscale", FACTOR), ("SE", "sd", FACTOR), ("WN", "sd", TERM))
    )
    for name in "ab":
        one = known[Leaf("SE", name), "lengthscale"]
        assert (one.mean, one.width) == pytest.approx((length.mean + np.log(scales.columns[name].range), length.width))
    (whole,) = (known[key] for key in known if key in {(Leaf("SE", name), "sd") for name in "ab"})
    assert whole.mean == pytest.approx(size.mean + np.log(scales.y_sd))
    assert known[Leaf("WN"), "sd"].mean == pytest.approx(noise.mean + np.log(scales.y_sd))
    slope = priors.rows["Lin", "sd", TERM].mean + np.log(scales.y_sd / scales.columns["b"].range)
    assert known[Leaf("Lin", "b"), "sd"].mean == pytest.approx(slope)


@pytest.mark.parametrize("priors", [learned_priors(), learned_table_priors()], ids=["series", "tables"])
def test_all_places_of_the_tables_are_known(priors: LearnedPriors) -> None:
    assert {place for _, _, place in priors.rows} <= set(Place)
    assert all(prior.width > 0.0 and 0.0 <= prior.share <= 1.0 for prior in priors.rows.values())
