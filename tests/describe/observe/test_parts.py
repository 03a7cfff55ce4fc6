"""What is observed of the parts of a series: heads, curves and sizes."""

import json
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.factory import MONTHLY, MONTHS, ZERO, component, decomposition, observed, scatter, units_on

from autostatistician.decompose.records.function import Estimate, LevelChange, Witness
from autostatistician.describe.axis.places import rows_around
from autostatistician.describe.document.document import Bullets, Table
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    ConstantLevel,
    DampedTrend,
    Extrapolation,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    SmoothVariation,
    Trend,
    Wandering,
)
from autostatistician.describe.observe.series.anatomy import ComponentView, component_view, place_told
from autostatistician.describe.observe.series.curves import part_curves, series_curves
from autostatistician.describe.observe.series.heads import head_fact, rate_scatter
from autostatistician.describe.observe.series.parts import component_facts, units_for
from autostatistician.describe.observe.series.whole import model_facts
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words.description import description, extrapolation
from autostatistician.describe.words.parts import find, statement
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.report.render import to_markdown

UP = np.linspace(0.0, 100.0, 144)


def _facts(kernel: Kernel, **changes: object) -> tuple[Fact, ...]:
    return observed(kernel, **changes)[0]  # type: ignore[arg-type]


def test_every_fact_has_a_distinct_id_a_unit_and_evidence() -> None:
    for found in (factory.airline(), factory.solar(), factory.noise_only(), factory.several_cycles()):
        facts = [*model_facts(found), *(f for part in found.components for f in component_facts(part, found))]
        ids = [fact.id for fact in facts]
        assert len(set(ids)) == len(ids)
        assert all(fact.unit and fact.evidence for fact in facts)
        json.dumps([fact_json(fact) for fact in facts], allow_nan=False)


@pytest.mark.parametrize(
    ("kernel", "kind"),
    [
        (leaf("C", sd=1.0), ConstantLevel),
        (leaf("WN", sd=1.0) * leaf("Lin", sd=1.0, location=1900.0), NoiseLevel),
        (leaf("SE", lengthscale=1.0, sd=1.0) * leaf("Lin", sd=1.0, location=1900.0), SmoothVariation),
        (leaf("SE", lengthscale=0.01, sd=1.0), SmoothVariation),
        (leaf("SE", lengthscale=1.0, sd=1.0) * leaf("Per", lengthscale=1.0, period=1.0, sd=1.0), Periodicity),
        (leaf("Lin", sd=1.0, location=1900.0), LinearTrend),
        (leaf("Lin", sd=1.0, location=1900.0) * leaf("Lin", sd=1.0, location=1.0), PolynomialTrend),
    ],
)
def test_the_head_goes_by_priority(kernel: Kernel, kind: type) -> None:
    assert isinstance(_facts(kernel)[0], kind)


def test_a_flat_line_has_no_direction() -> None:
    flat = _facts(leaf("Lin", sd=1.0, location=1900.0), mean=np.zeros(144))[0]
    assert isinstance(flat, LinearTrend)
    assert (flat.direction, flat.number) == (0, 0.0)


@pytest.mark.parametrize(("sd", "direction"), [(1.0, 1), (4.5, 1), (6.0, 1), (7.0, 0), (np.nan, 0)])
def test_a_slope_counts_where_its_sign_is_probable(sd: float, direction: int) -> None:
    line = _facts(leaf("Lin", sd=1.0, location=1900.0), mean=UP, slope_sd=sd)[0]
    assert isinstance(line, LinearTrend)
    assert line.direction == direction


def test_a_trend_is_steady_only_when_monotonic_and_certain() -> None:
    kernel = leaf("SE", lengthscale=20.0, sd=1.0)
    for mean, sd, steady in ((UP, 0.1, True), (UP[::-1].copy(), 0.1, True), (UP, 9.0, False), (None, 0.1, False)):
        trend = find(_facts(kernel, mean=mean, slope_sd=sd), Trend)
        assert trend is not None
        assert trend.steady is steady


@pytest.mark.parametrize("drift", [None, 0.7, 50.0])
def test_how_exactly_a_cycle_repeats(drift: float | None) -> None:
    cycle = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
    kernel = cycle if drift is None else leaf("SE", lengthscale=drift, sd=1.0) * cycle
    fact = _facts(kernel)[0]
    assert isinstance(fact, Periodicity)
    assert fact.drift == (drift if drift is None else pytest.approx(drift))


def test_a_smooth_cycle_is_a_wave() -> None:
    details = [_facts(leaf("Per", lengthscale=scale, period=2.0, sd=1.0))[0] for scale in (7.3, 7.5)]
    assert isinstance(details[0], Periodicity)
    assert isinstance(details[1], Periodicity)
    assert (details[0].detail, details[1].detail) == (pytest.approx(7.3 / np.pi), None)


@pytest.mark.parametrize(
    ("places", "kind"),
    [
        ((1940.0,), "grows"),
        ((1970.0,), "shrinks"),
        ((1955.0,), "away"),
        ((1940.0, 1945.0), "grows"),
        ((1970.0, 1975.0), "shrinks"),
        ((1940.0, 1955.0), "polynomial"),
    ],
)
def test_how_swings_change(places: tuple[float, ...], kind: str) -> None:
    lines = tuple(leaf("Lin", sd=1.0, location=place) for place in places)
    change = find(_facts(Kernel.product((leaf("SE", lengthscale=1.0, sd=1.0), *lines))), AmplitudeChange)
    assert change is not None
    assert change.kind == kind
    ends = [np.prod([abs(position - place) for place in places]) for position in (MONTHS[-1], MONTHS[0])]
    assert change.number == pytest.approx(ends[0] / ends[1])


def test_intervals_are_cut_to_the_data() -> None:
    kernel = Kernel.change_window(leaf("C", sd=1.0), ZERO, 1949.0, 5.0, 4.0)
    active = find(_facts(kernel), ActiveInterval)
    assert active is not None
    assert active.shown == ((1951.0, inf),)


def test_how_long_a_change_takes() -> None:
    for steepness, abrupt in ((1.0, False), (100.0, True)):
        change = find(_facts(Kernel.change_point(ZERO, leaf("C", sd=1.0), 1955.0, steepness)), ChangeSteepness)
        assert change is not None
        assert change.abrupt is abrupt
        # From 10 % to 90 % of 0.5 + 0.5 tanh(steepness (x - location)).
        half = change.number / 2
        assert 0.5 + 0.5 * np.tanh(steepness * half) == pytest.approx(0.9)


def test_sizes_are_those_where_the_part_applies() -> None:
    mean = np.where(MONTHS < 1955, 0.0, 10.0 + MONTHS - 1955)
    kernel = Kernel.change_point(ZERO, leaf("SE", lengthscale=1.0, sd=1.0), 1955.0, 50.0)
    size = find(_facts(kernel, mean=mean), Amplitude)
    assert size is not None
    assert size.low == pytest.approx(10.0)


def test_whether_a_part_reaches_beyond_the_data() -> None:
    flat = leaf("C", sd=1.0)
    cases = (
        (flat, False, inf),
        (Kernel.change_point(flat, ZERO, 1955.0, 9.0), True, 1955.0),
        (Kernel.change_point(flat, ZERO, 1965.0, 9.0), False, 1965.0),
        (Kernel.change_window(flat, ZERO, 1955.0, 9.0, 2.0), False, inf),
        (Kernel.change_window(ZERO, flat, 1955.0, 9.0, 2.0), True, 1956.0),
    )
    for kernel, ended, until in cases:
        fact = find(_facts(kernel), Extrapolation)
        assert fact is not None
        assert (fact.ended, fact.number) == (ended, pytest.approx(until))


WN = leaf("WN", sd=3.0)
NORMAL = scatter(WN, MONTHS)


@pytest.mark.parametrize(("left", "rows"), [(0.6 * NORMAL, 144), (NORMAL, 144), (np.linspace(-3.7, 3.5, 12), 12)])
def test_the_noise_is_told_that_new_values_have(left: np.ndarray, rows: int) -> None:
    """The other parts take up some of the noise of the values that they were fitted to."""
    facts, units = observed(WN, x=MONTHS[:rows], mean=left)
    assert "95% of it lies within ±5.9." in statement(facts, units)
    assert "Of new values of 'passengers', 95% lie within ±5.9 of the rest of the model." in description(facts, units)


CYCLE = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
WAVE = np.cos(2.0 * np.pi * MONTHS)


def _change(place: float, mean: np.ndarray) -> AmplitudeChange | None:
    kernel = leaf("SE", lengthscale=4.0, sd=1.0) * CYCLE * leaf("Lin", sd=1.0, location=place)
    return find(observed(kernel, mean=mean)[0], AmplitudeChange)


@pytest.mark.parametrize(
    ("place", "size", "told"),
    [
        (1940.0, np.linspace(1.0, 9.0, 144), True),
        (1940.0, np.linspace(9.0, 1.0, 144), False),
        (1970.0, np.linspace(9.0, 1.0, 144), True),
        (1970.0, np.linspace(1.0, 9.0, 144), False),
        (1955.0, 1.0 + np.abs(np.linspace(-6.0, 6.0, 144)), True),
        (1955.0, 8.0 - np.abs(np.linspace(-6.0, 6.0, 144)), False),
        (1955.0, np.linspace(9.0, 1.0, 144), False),
    ],
)
def test_swings_are_said_to_change_as_they_did(place: float, size: np.ndarray, told: bool) -> None:
    assert (_change(place, size * WAVE) is not None) is told


def test_two_gradual_changes_that_cross_leave_a_part_between_them() -> None:
    level = leaf("C", sd=9.0)
    inner = Kernel.change_point(leaf("0"), level, 1955.2, 2.0)
    between = Kernel.change_point(inner, leaf("0"), 1954.8, 2.0)
    bump = 5.0 * np.exp(-(((MONTHS - 1955.0) / 0.5) ** 2))
    part = component(between, MONTHS, bump)
    found = decomposition((part,), MONTHS, bump + 0.1 * np.cos(7.0 * MONTHS), MONTHLY)
    assert sentences(found)[0].startswith("A constant level of 4.9, which applies from November 1954 until March 1955")


def test_a_slope_that_is_forgotten_within_a_row_is_a_level_that_wanders() -> None:
    kernels = [leaf("IOU", sd=3.0, lengthscale=memory, location=1949.0) for memory in (0.01, 2.0)]
    heads = [type(observed(kernel, mean=np.cumsum(NORMAL))[0][0]) for kernel in kernels]
    assert heads == [Wandering, DampedTrend]


def test_a_cycle_that_is_forgotten_before_it_is_over_is_a_curve() -> None:
    facts = _facts(leaf("SE", lengthscale=0.6, sd=1.0) * leaf("Per", lengthscale=3.8, period=1.0, sd=1.0))
    assert find(facts, Periodicity) is None
    assert find(facts, SmoothVariation) is not None


LEVEL = leaf("C", sd=5.0)
OUTAGE = LevelChange(
    MONTHS[39], MONTHS[40], MONTHS[60], Estimate(-260.0, -270.0, -250.0, 1.0), 300.0, 1.0, 20, 84, True,
    Witness("difference", -260.0, -280.0, -240.0, True),
)  # fmt: skip


def _view(kernel: Kernel, **changes: object) -> ComponentView:
    return component_view("part-1", component(kernel, MONTHS, **changes), MONTHS, units_on(MONTHLY, MONTHS))  # type: ignore[arg-type]


def test_it_acts_where_its_gates_are_open() -> None:
    view = _view(Kernel.change_point(LEVEL, ZERO, 1955.0, 40.0))
    assert (view.where == (MONTHS <= 1955.0)).all()


def test_between_two_rows_the_nearest_stands_for_it() -> None:
    place = MONTHS[30] + 0.4 / 12
    view = _view(Kernel.change_window(ZERO, LEVEL, place, 100.0, 0.2 / 12))
    assert np.flatnonzero(view.where).tolist() == [30]


def test_outside_of_the_data_all_rows_stand_for_it() -> None:
    assert _view(Kernel.change_point(ZERO, LEVEL, 1999.0, 40.0)).where.all()


def test_ranges_are_the_quantiles_of_the_draws() -> None:
    draws = np.exp(np.random.default_rng(0).normal(size=(400, 1)))
    view = _view(LEVEL, numbers=draws)
    assert view.interval(lambda part: part.leaves[0].named()["sd"]) == pytest.approx(np.quantile(draws, (0.025, 0.975)))
    assert view.share(lambda part: part.leaves[0].named()["sd"] > 1.0) == pytest.approx(np.mean(draws > 1.0))
    assert view.interval(lambda part: 3.0) is None  # the data leave nothing open


def test_without_draws_nothing_is_known_of_doubt() -> None:
    view = _view(LEVEL)
    assert view.interval(lambda part: 1.0) is None
    assert view.share(lambda part: True) is None


def test_an_outage_has_the_dates_that_the_data_show() -> None:
    """The model knows its edges to a row or two."""
    place, width = MONTHS[49], 22.0 / 12
    kernel = Kernel.change_window(LEVEL, ZERO, place, 20.0, width) + Kernel.change_window(
        ZERO, LEVEL, place, 20.0, width
    )
    rows = np.arange(len(MONTHS))
    part = component(kernel, MONTHS, np.where((rows > 38) & (rows < 61), 86.0, 301.0))
    units = units_on(MONTHLY, MONTHS)
    view = component_view("part-1", part, MONTHS, units, (OUTAGE,))
    head = head_fact(view)
    assert isinstance(head, ConstantLevel)
    assert head.stepped
    assert round(head.number) == 301
    first, last = view.part.steps[0].edges
    assert rows_around(first, units)[1] == pytest.approx(MONTHS[40])
    assert rows_around(last, units)[1] == pytest.approx(MONTHS[60])


def test_a_step_that_is_told_is_dated_by_its_record_alone() -> None:
    """The part has no levels and no date of its own beside those of the headline."""
    kernel = Kernel.change_point(LEVEL, ZERO, MONTHS[41], 40.0) + Kernel.change_point(ZERO, LEVEL, MONTHS[41], 40.0)
    mean = np.where(np.arange(len(MONTHS)) < 40, 300.0, 40.0)
    lasts = replace(OUTAGE, until=None, rows=104, lasting=104)
    told, untold = (_of_step(kernel, mean, happened) for happened in ((lasts,), ()))
    assert told == "A level that steps.  The level stays as it is."
    assert "The fall around June 1952" in untold
    assert "it lies between 40 and 300" in untold


def _of_step(kernel: Kernel, mean: np.ndarray, happened: tuple[LevelChange, ...]) -> str:
    part = component(kernel, MONTHS, mean)
    found = decomposition((part, component(WN, MONTHS, NORMAL)), MONTHS, mean + NORMAL, MONTHLY)
    facts, units = component_facts(part, found, happened), units_for(found)
    return f"{statement(facts, units)} {description(facts, units)} {extrapolation(facts, units)}"


@pytest.mark.parametrize("begins", [(38, 42), (30, 52)])
def test_a_change_within_the_rows_where_a_step_may_lie_is_that_step(begins: tuple[int, int]) -> None:
    known = replace(OUTAGE, begins=(MONTHS[begins[0]], MONTHS[begins[1]]))
    units = units_on(MONTHLY, MONTHS)
    place = place_told(MONTHS[50], (known,), units)
    assert (place is not None) is (begins[1] > 45)
    assert place is None or rows_around(place, units)[1] == pytest.approx(MONTHS[40])


def test_a_change_far_from_what_happened_stays_where_it_is() -> None:
    part = component(Kernel.change_point(LEVEL, ZERO, MONTHS[80], 40.0), MONTHS)
    view = component_view("part-1", part, MONTHS, units_on(MONTHLY, MONTHS), (OUTAGE,))
    assert view.part.gates[0].location == MONTHS[80]
    assert not any(view.part.gates[0].seen)


D = factory.airline()


def test_what_is_left_falls_part_by_part_to_what_the_last_leaves() -> None:
    left = D.modelled.copy()
    for part, curves in zip(D.components, part_curves(D), strict=True):
        left -= part.mean
        np.testing.assert_allclose(curves.left, left, atol=1e-9)


def test_limits_hold_95_per_cent_of_a_normal_distribution() -> None:
    curve = series_curves(D).observation
    np.testing.assert_allclose(curve.upper - curve.mean, 1.96 * curve.sd)
    np.testing.assert_allclose(curve.mean - curve.lower, 1.96 * curve.sd)


YEARLY = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
LINE_OF_MOST = leaf("Lin", sd=1.0, location=1900.0)


def test_what_a_part_carries_is_not_told_with_another_number_in_a_table() -> None:
    found = factory.airline()
    best = found.fitted.kernel
    whole = document(replace(found, alternatives=((best, 0.979), (best + YEARLY, 0.021))))
    (section,) = (one for one in whole.found if one.id == "sureness")
    assert not [block for block in section.blocks if isinstance(block, Table)]


def test_a_part_that_most_models_deny_has_no_mark_and_no_number() -> None:
    found = factory.airline()
    best = found.fitted.kernel
    told = document(replace(found, alternatives=((best, 0.248), *((LINE_OF_MOST + WN, 0.188),) * 4)))
    assert not [block for block in told.found[0].blocks if isinstance(block, Bullets)]
    text = to_markdown(told)
    (parts,) = (one for one in told.found if one.id == "parts")
    assert "24.8%" not in str(parts)
    assert "do without it" not in text
    assert "has half of the probability; this report describes the likeliest" in text


@pytest.mark.parametrize(("sd", "dispersion"), [(0.5, 0.0), (0.0, 0.3), (0.25, 0.3), (0.1, 1.0)])
def test_scatter_is_that_of_draws(sd: float, dispersion: float) -> None:
    rng = np.random.default_rng(0)
    logs = sd * rng.standard_normal(200_000)
    if dispersion:
        logs += np.log(rng.gamma(1.0 / dispersion, dispersion, 200_000))
    assert rate_scatter(sd, dispersion) == pytest.approx(np.quantile(logs, (0.025, 0.975)), abs=0.03)
