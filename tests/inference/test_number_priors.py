"""Priors of numbers: where they lie, and that units of the data change nothing."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.beliefs import beliefs
from autostatistician.inference.number_priors import NumberPrior, NumberPriors, Place, learned_numbers
from autostatistician.inference.scales import measure
from autostatistician.language.kernel import parameters
from autostatistician.language.text import parse

SERIES = np.cumsum(np.random.default_rng(3).normal(size=40)) + 20.0


def test_a_prior_lies_between_its_two_units() -> None:
    prior = NumberPrior(0.5, 0.25, 1.0)
    assert prior.centre(2.0, 2.0) == pytest.approx(2.5)
    assert prior.centre(0.0, 4.0) == pytest.approx(1.5)


@pytest.mark.parametrize("text", ["C + Lin + WN", "SE * Per + Wiener + WN", "IOU + SE + WN"])
def test_learned_priors_move_with_the_units_of_the_data(text: str) -> None:
    expr, x = parse(text), np.arange(40.0)
    plain, changed = (
        beliefs(expr, measure(a * x[:, None], b * SERIES, ("x",), priors=learned_numbers()))
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
    weak, none = (beliefs(parse("RQ + WN"), measure(x, SERIES, ("x",), priors=p)) for p in (NumberPriors({}), None))
    assert weak == none


def test_all_places_of_the_table_are_known() -> None:
    assert {place for _, _, place in learned_numbers().rows} <= set(Place)
    assert all(prior.width > 0.0 and 0.0 <= prior.share <= 1.0 for prior in learned_numbers().rows.values())
