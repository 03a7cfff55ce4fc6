"""Facts: computed from the kernel's numbers and the posterior summaries, judged with their uncertainty."""

from __future__ import annotations

import json
from math import inf

import numpy as np
import pytest
from tests.describe import factory
from tests.describe.factory import MONTHS, ZERO, observed

from autostatistician.describe.document.record import fact_json
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.part import (
    ActiveInterval,
    Amplitude,
    AmplitudeChange,
    ChangeSteepness,
    ConstantLevel,
    Extrapolation,
    LinearTrend,
    NoiseLevel,
    Periodicity,
    PolynomialTrend,
    RapidVariation,
    SmoothVariation,
    Trend,
)
from autostatistician.describe.facts.whole import UsefulParts, VarianceReached
from autostatistician.describe.observe.series.parts import component_facts
from autostatistician.describe.observe.series.whole import model_facts
from autostatistician.describe.words.nouns import find
from autostatistician.language.kernel import Kernel, leaf

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
        (leaf("SE", lengthscale=0.01, sd=1.0), RapidVariation),
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


@pytest.mark.parametrize(
    ("drift", "exactness"), [(None, "exact"), (0.6, "loose"), (0.7, "approximate"), (50.0, "approximate")]
)
def test_how_exactly_a_cycle_repeats(drift: float | None, exactness: str) -> None:
    cycle = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
    kernel = cycle if drift is None else leaf("SE", lengthscale=drift, sd=1.0) * cycle
    fact = _facts(kernel)[0]
    assert isinstance(fact, Periodicity)
    assert (fact.exactness, fact.drift) == (exactness, drift if drift is None else pytest.approx(drift))


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


def test_intervals_are_cut_to_the_data_but_keep_the_truth() -> None:
    kernel = Kernel.change_window(leaf("C", sd=1.0), ZERO, 1949.0, 5.0, 4.0)
    active = find(_facts(kernel), ActiveInterval)
    assert active is not None
    assert active.spans == ((-inf, 1947.0), (1951.0, inf))
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


def test_milestones_of_explained_variation() -> None:
    def reached(found: object) -> list[int]:
        return [f.parts for f in model_facts(found) if isinstance(f, VarianceReached)]  # type: ignore[arg-type]

    assert reached(factory.airline()) == [2, 3]
    assert reached(factory.solar()) == [4]
    assert reached(factory.noise_only()) == []  # noise never counts


def test_how_many_parts_help_to_predict() -> None:
    found = [find(model_facts(d()), UsefulParts) for d in (factory.airline, factory.solar, factory.noise_only)]
    assert [fact.number for fact in found if fact is not None] == [3, 4, 0]
