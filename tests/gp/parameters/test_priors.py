"""Free numbers in the coordinates in which they are nearly normal."""

from dataclasses import replace
from math import exp, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import expressions

from autostatistician.gp.parameters.free import FreeParameters, starts
from autostatistician.gp.parameters.priors import JointPrior, ParameterPrior
from autostatistician.gp.parameters.scales import (
    ColumnScale,
    LeafContext,
    LearnedPrior,
    LearnedPriors,
    Scales,
    learned_priors,
    learned_table_priors,
    measure,
)
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import parameters, unset
from autostatistician.kernels.leaf_row import Amount, LogNormal, Unit
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse, parse_kernel
from autostatistician.kernels.traits import effective_parameters

X = np.random.default_rng(0).uniform(size=(30, 2))
SCALES = measure(X, np.sin(9.0 * X[:, 0]), ("a", "b"))


def test_the_first_start_keeps_what_is_given_and_all_are_inside() -> None:
    kernel = parse_kernel("SE[a](lengthscale=0.7) * SE[b] + Lin[a] + WN")
    free = FreeParameters.of(kernel.expr, SCALES)
    found = starts(kernel, SCALES, np.random.default_rng(1), 4)
    assert len({one.values for one in found}) == 4
    assert found[0].values[0] == 0.7 != found[1].values[0]
    for one in found:
        assert free.inside(one.values) == pytest.approx(one.values)


def test_noise_begins_below_the_rest_and_lengths_reach_the_next_rows() -> None:
    (start,) = starts(unset(parse("SE[a] + SE[b] + WN")), SCALES, np.random.default_rng(0), 1)
    length, size, _, _, noise = start.values
    assert noise == pytest.approx(0.3 * size)
    assert length >= 0.2 * SCALES.columns["a"].range - 1e-9


PRIOR = JointPrior(np.array([0.5, -1.0, 2.0]), np.array([1.0, 0.5, 2.0]), np.array([True, True, False]), 0.7)
COVARIANCE = np.diag(PRIOR.width**2) + 0.7**2 * np.outer([1, 1, 0], [1, 1, 0])


def test_as_the_normal_distribution_that_it_is() -> None:
    u = np.array([1.0, 1.0, -1.0])
    expected = np.linalg.solve(COVARIANCE, u - PRIOR.mean)
    value, slope = PRIOR.penalty(u)
    np.testing.assert_allclose(slope, expected)
    assert value == pytest.approx(0.5 * float((u - PRIOR.mean) @ expected))


def test_draws_have_that_covariance() -> None:
    rng = np.random.default_rng(0)
    drawn = np.array([PRIOR.draw(rng) for _ in range(4000)])
    np.testing.assert_allclose(drawn.mean(axis=0), PRIOR.mean, atol=0.1)
    np.testing.assert_allclose(np.cov(drawn.T), COVARIANCE, atol=0.25)


TERM, FACTOR = LeafContext.TERM, LeafContext.FACTOR
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
    assert {place for _, _, place in priors.rows} <= set(LeafContext)
    assert all(prior.width > 0.0 and 0.0 <= prior.share <= 1.0 for prior in priors.rows.values())


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
    here, there = (FreeParameters.of(expr, _scales(*units)).priors() for units in ((), (12.0, -7.0, 1e3)))
    for one, other in zip(here, there, strict=True):
        assert other.width == pytest.approx(one.width)
        name = parameters(expr)[one.index].name
        by = log(12.0)
        moved = {"lengthscale": by, "period": by, "sd": log(1e3), "steepness": -by, "location": 0.0}
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
    scales = measure(
        x, 2.0 * x[:, 0], ("x",), priors=LearnedPriors({("Lin", "sd", LeafContext.TERM): LearnedPrior(0, 0, 1)})
    )
    (slope, _) = FreeParameters.of(parse("Lin"), scales).priors()
    assert abs(slope.coordinate(2.0) - slope.mean) < 4.0 * slope.width
