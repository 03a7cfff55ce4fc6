"""Free numbers in the coordinates in which they are nearly normal."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import expressions

from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.parameters.learned import LearnedPrior, LearnedPriors, Place
from autostatistician.inference.parameters.priors import ParameterPrior
from autostatistician.inference.parameters.scales import ColumnScale, Scales, measure
from autostatistician.language.count import effective_parameters
from autostatistician.language.expr import Expr
from autostatistician.language.kernel import parameters
from autostatistician.language.leaf_row import Amount, LogNormal, Unit
from autostatistician.language.leaves import LEAVES
from autostatistician.language.text import parse

Y = np.random.default_rng(0).normal(3.0, 2.0, 40)


def _scales(by: float = 1.0, shift: float = 0.0, unit: float = 1.0) -> Scales:
    return measure(by * np.arange(40.0)[:, None] + shift, unit * Y, ("x",))


@given(expressions(max_leaves=6))
def test_every_number_but_held_values_is_free(expr: Expr) -> None:
    assert len(FreeParameters.of(expr, _scales()).priors()) == effective_parameters(expr)


@given(expressions(max_leaves=6))
def test_coordinates_and_values_are_inverse_and_bounds_hold_the_mean(expr: Expr) -> None:
    for belief in FreeParameters.of(expr, _scales()).priors():
        assert belief.low < belief.high
        assert belief.width > 0.0
        for at in (belief.low, belief.mean, belief.high):
            assert belief.coordinate(belief.value(at)) == pytest.approx(at, abs=1e-9)


@pytest.mark.parametrize("column", [None, ColumnScale(1.0, 5.0, 0.5, 1.0)])
@pytest.mark.parametrize("at", [-1.0, 0.0, 2.0])
def test_the_slope_is_that_of_what_the_evidence_differentiates_by(column: ColumnScale | None, at: float) -> None:
    belief, step = ParameterPrior(0, column, 0.0, 1.0, -9.0, 9.0), 1e-6
    seen = log if column is None else float
    expected = (seen(belief.value(at + step)) - seen(belief.value(at - step))) / (2.0 * step)
    assert belief.slope(at) == pytest.approx(expected, rel=1e-6)


def test_units_move_the_coordinates_of_sizes_and_lengths_and_nothing_else() -> None:
    expr = parse("SE + Lin + Per + CP(WN, C)")
    here, there = (
        FreeParameters.of(expr, _scales()).priors(),
        FreeParameters.of(expr, _scales(by=12.0, shift=-7.0, unit=1e3)).priors(),
    )
    for one, other in zip(here, there, strict=True):
        assert other.width == pytest.approx(one.width)
        name = parameters(expr)[one.index].name
        moved = {
            "lengthscale": log(12.0),
            "period": log(12.0),
            "sd": log(1e3),
            "steepness": -log(12.0),
            "location": 0.0,
        }
        if one.index != _place(expr, "Per", "lengthscale"):
            slope = -log(12.0) if one.index == _place(expr, "Lin", "sd") else 0.0
            assert other.mean - one.mean == pytest.approx(moved[name] + slope, abs=1e-6)


def _place(expr: Expr, symbol: str, name: str) -> int:
    every = enumerate(parameters(expr))
    return next(at for at, one in every if one.name == name and getattr(one.node, "symbol", "") == symbol)


def test_a_detailed_cycle_of_a_short_period_is_held_at_what_the_places_can_show() -> None:
    (free, *_), (held, *_) = (
        FreeParameters.of(parse("Per"), _scales()).priors(values) for values in ((1.0, 20.0, 1.0), (1.0, 2.5, 1.0))
    )
    assert held.low > free.low
    assert held.at_bound(exp(held.low))
    assert not held.at_bound(exp(held.low + 0.1))


@given(st.sampled_from([0.0, -1.0]))
def test_nothing_is_below_every_bound(value: float) -> None:
    assert ParameterPrior(0, None, 0.0, 1.0, -9.0, 9.0).coordinate(value) == -inf


def test_a_prior_of_a_row_comes_before_that_of_its_role(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its median is in units of the data, here a tenth of their range."""
    row = LEAVES["SE"]
    prior = LogNormal(Amount(0.1, Unit.RANGE), 0.7)
    numbers = (replace(row.parameter("lengthscale"), prior=prior), row.parameter("sd"))
    before = FreeParameters.of(parse("SE"), _scales()).priors()
    monkeypatch.setitem(LEAVES, "SE", replace(row, parameters=numbers))
    after = FreeParameters.of(parse("SE"), _scales(by=12.0)).priors()
    assert (after[0].mean, after[0].width) == (pytest.approx(log(0.1 * 39.0 * 12.0)), 0.7)
    assert before[0].width > 0.7
    assert after[1] == before[1]


def test_the_slope_of_an_exact_line_is_no_surprise() -> None:
    """Neighbours differ by the slope alone, so steps about it are nothing; in units of nothing it would be vast."""
    x = np.arange(30.0)[:, None]
    scales = measure(x, 2.0 * x[:, 0], ("x",), priors=LearnedPriors({("Lin", "sd", Place.TERM): LearnedPrior(0, 0, 1)}))
    (slope, _) = FreeParameters.of(parse("Lin"), scales).priors()
    assert abs(slope.coordinate(2.0) - slope.mean) < 4.0 * slope.width
