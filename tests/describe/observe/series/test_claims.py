"""Probabilities of statements: which models make the same ones."""

from __future__ import annotations

import pytest
from tests.describe import factory
from tests.describe.factory import told_claims

from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.words.claims import Statement
from autostatistician.language.kernel import Kernel, leaf

UNITS = units_for(factory.airline())
WN = leaf("WN", sd=1.0)
YEARLY = leaf("Per", lengthscale=1.0, period=1.0, sd=1.0)
LINE = leaf("Lin", sd=1.0, location=1900.0)


def _told(*models: tuple[Kernel, float]) -> dict[str, tuple[float, bool]]:
    return {one.text: (pytest.approx(one.probability), one.in_best) for one in told_claims(models, UNITS)}


def test_a_statement_has_the_weight_of_the_models_that_make_it() -> None:
    nearly = leaf("Per", lengthscale=1.0, period=1.01, sd=1.0)
    found = _told((YEARLY + WN, 0.6), (nearly * LINE + WN, 0.3), (leaf("C", sd=1.0) + WN, 0.1))
    assert found == {
        "Random noise of the same size throughout": (1.0, True),
        "A yearly cycle": (0.9, True),
        "A yearly cycle that repeats exactly": (0.6, True),
        "A yearly cycle whose swings grow or shrink": (0.3, False),
    }


def test_a_cycle_whose_shape_changes_is_none_that_repeats_exactly() -> None:
    """One of them has 100 % only where all models say so."""
    slowly, hardly = (YEARLY * leaf("SE", lengthscale=length, sd=1.0) for length in (20.0, 900.0))
    assert _told((slowly + WN, 0.6), (YEARLY + WN, 0.3), (hardly + WN, 0.1)) == {
        "Random noise of the same size throughout": (1.0, True),
        "A yearly cycle": (1.0, True),
        "A yearly cycle whose shape changes": (0.6, True),
        "A yearly cycle that repeats exactly": (0.3, False),
    }


def test_changes_at_nearly_one_place_are_one() -> None:
    def broken(place: float) -> Kernel:
        return Kernel.change_point(WN, leaf("WN", sd=2.0), place, 4.0)

    found = _told((broken(1954.0), 0.5), (broken(1954.1), 0.3), (broken(1958.0), 0.2))
    changes = {text: known for text, known in found.items() if "change" in text}
    assert list(changes.values()) == [(0.8, True), (0.2, False)]


def test_kinds_of_curves() -> None:
    slow, quick = leaf("SE", lengthscale=20.0, sd=1.0), leaf("SE", lengthscale=0.5, sd=1.0)
    wandering = leaf("Matern12", lengthscale=50.0, sd=1.0)
    found = told_claims([(slow + quick + wandering + WN * LINE, 1.0)], UNITS)
    assert {one.text for one in found} == {
        "A straight line or a slow curve",
        "An irregular variation",
        "A level or a slope that wanders freely",
        "Random noise whose size changes along the data",
    }


def test_what_is_improbable_is_not_listed() -> None:
    found = told_claims([(WN, 0.97), (YEARLY + WN, 0.03)], UNITS)
    assert found == (Statement("Random noise of the same size throughout", 1.0, True),)


def test_what_wanders_off_is_told_as_such() -> None:
    walk, damped = leaf("Wiener", sd=1.0, location=1949.0), leaf("IOU", lengthscale=3.0, sd=1.0, location=1949.0)
    found = told_claims([(walk + WN * walk, 0.6), (damped + WN, 0.4)], UNITS)
    assert {one.text: one.probability for one in found} == pytest.approx({
        "A level or a slope that wanders freely": 0.6,
        "Random noise whose size changes along the data": 0.6,
        "A straight line or a slow curve": 0.4,
        "Random noise of the same size throughout": 0.4,
    })  # fmt: skip


def test_noises_of_one_size_are_one_and_a_model_never_has_even_noise_beside_uneven() -> None:
    def two(first: float, then: float) -> Kernel:
        return Kernel.change_point(leaf("WN", sd=first), leaf("WN", sd=then), 1954.0, 20.0, None)

    (equal,) = told_claims([(two(3.0, 3.1), 1.0)], UNITS)
    assert equal.text == "Random noise of the same size throughout"
    uneven = {one.text for one in told_claims([(WN + two(1.0, 9.0), 1.0)], UNITS)}
    assert "Random noise whose size differs from stretch to stretch" in uneven
    assert not any("throughout" in text for text in uneven)
