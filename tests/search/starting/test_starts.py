"""Starting values: complete, inside the bounds, faithful to what is known, and the same for the same seed."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from tests.strategies import kernels

from autostatistician.inference.parameters.bounds import bounds, cycles_of
from autostatistician.inference.parameters.learned import learned_table_priors
from autostatistician.inference.parameters.scales import measure
from autostatistician.language.kernel import Kernel, leaf, parameters, unset
from autostatistician.language.text import parse
from autostatistician.search.starting.hints import ColumnHints, Hints, hints
from autostatistician.search.starting.starts import Context, draws

X = np.arange(60.0)[:, None] / 59.0
Y = np.sin(2.0 * np.pi * X[:, 0] / 0.2) + 0.1 * np.random.default_rng(0).normal(size=60)
SCALES = measure(X, Y, ("x",))
DATA = ColumnHints({"x": hints(X[:, 0], Y, detrend=True)})
CONTEXT = Context(SCALES, DATA, DATA)


def _rng() -> np.random.Generator:
    return np.random.default_rng(5)


@given(kernels(max_leaves=6, open_numbers=True))
def test_starts_are_complete_and_inside_the_bounds(kernel: Kernel) -> None:
    found = draws(kernel, CONTEXT, _rng(), 6)
    assert len(found) == 6
    for start in found:
        assert start.expr == kernel.expr
        for parameter, known, value in zip(parameters(kernel.expr), kernel.values, start.values, strict=True):
            low, high = bounds(parameter, SCALES)
            if low == high:  # held by its row
                assert value == (low if isnan(known) else known)
                continue
            assert low <= value <= high or (parameter.node == parse("Lin") and parameter.name == "sd" and value > 0.0)


@given(kernels(max_leaves=6, open_numbers=True))
def test_gentle_starts_keep_what_is_known(kernel: Kernel) -> None:
    gentle, bold = draws(kernel, CONTEXT, _rng(), 2)
    every = zip(parameters(kernel.expr), kernel.values, gentle.values, bold.values, strict=True)
    shapes = {index for index, _ in cycles_of(kernel.expr)}
    for index, (parameter, known, kept, jittered) in enumerate(every):
        low, high = bounds(parameter, SCALES)
        if index in shapes and isnan(kernel.values[index + 1]):  # a period that is drawn may ask for a rounder wave
            assert isnan(known) or kept >= min(max(known, low), high)
        elif not isnan(known):
            assert kept == (known if low == high else min(max(known, low), high))
            if parameter.role.positive and low < known < high:
                assert 0.5 * known < jittered < 2.0 * known


def test_draws_differ_from_each_other_and_repeat_with_the_seed() -> None:
    kernel = unset(parse("SE * Per + CW(Lin, WN) + RQ"))
    first, again = (draws(kernel, CONTEXT, _rng(), 20) for _ in range(2))
    assert first == again
    assert len(set(first)) == 20


def test_periods_are_drawn_near_those_of_the_data() -> None:
    starts = draws(leaf("Per"), CONTEXT, _rng(), 40)
    near = [start for start in starts if start.named()["period"] == pytest.approx(0.2, rel=0.1)]
    assert len(near) >= 10


def test_columns_have_their_own_suggestions() -> None:
    plane = np.column_stack([X[:, 0], X[::-1, 0]])
    suggested = ColumnHints({"a": Hints((0.1,), (), 1.0, 1.0), "b": Hints((0.2,), (), 1.0, 1.0)})
    context = Context(measure(plane, Y, ("a", "b")), suggested, suggested)
    found = {name: [k.named()["period"] for k in draws(leaf("Per", name), context, _rng(), 40)] for name in ("a", "b")}
    assert np.median(found["a"]) == pytest.approx(0.1, rel=0.2)
    assert np.median(found["b"]) == pytest.approx(0.2, rel=0.2)


def test_of_an_open_cycle_of_a_table_the_first_start_has_the_period_of_its_own_column() -> None:
    several = np.column_stack([np.random.default_rng(1).permutation(X[:, 0]), X[:, 0]])
    scales = measure(several, Y, ("a", "b"), priors=learned_table_priors())
    found = ColumnHints({name: hints(several[:, i], Y, detrend=True) for i, name in enumerate("ab")})
    start, *_ = draws(unset(parse("SE[a] * Per[b] + WN")), Context(scales, found, found), _rng(), 1)
    period = next(
        value for one, value in zip(parameters(start.expr), start.values, strict=True) if one.name == "period"
    )
    assert period == pytest.approx(0.2, rel=0.05)
