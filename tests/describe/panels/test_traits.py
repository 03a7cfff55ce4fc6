"""Who differs, and that chance alone makes nobody surprising."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from autostatistician.describe.claims.quantity import Quantity
from autostatistician.describe.panels.changes import SharedChange
from autostatistician.describe.panels.surprises import bulks, surprises
from autostatistician.describe.panels.traits import SeriesTraits
from autostatistician.panel.records import claim_of

MEASURED = ("growth", "ahead", "noise")
STEP = claim_of("step", -3.0, -4.0, -2.0, "2022-05-01", "2022-05-01", -0.3)


def panel(number: int, seed: int = 0, freedom: float = 1e6) -> list[SeriesTraits]:
    values = np.random.default_rng(seed).standard_t(freedom, size=(number, 3))
    return [
        SeriesTraits(
            f"s{index}", True, rows=60, first="2019-01-01", stop="2023-12-01", step="month", seasons=("yearly",),
            top="in December",
            measures=tuple((name, Quantity(v, v, v)) for name, v in zip(MEASURED, row, strict=True)),
        )
        for index, row in enumerate(values.tolist())
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("number", "freedom"), [(40, 4.0), (40, 1e6), (300, 2.0), (300, 4.0), (300, 1e6)])
def test_the_largest_of_many_is_not_surprising(number: int, freedom: float) -> None:
    found = [len(surprises(panel(number, seed, freedom), ())) for seed in range(20)]
    assert sum(count > 0 for count in found) <= 3, found


def test_one_far_from_the_others_is() -> None:
    every = panel(1000)
    every[7] = replace(every[7], measures=(("growth", Quantity(42.0, 40.0, 44.0)),))
    every[8] = replace(every[8], measures=(("growth", Quantity(42.0, -1.0, 85.0)),))  # nothing is known of it
    (surprise,) = surprises(every, ())
    (reason,) = surprise.reasons
    assert (surprise.name, reason.kind, reason.number) == ("s7", "growth", 42.0)
    assert reason.low == pytest.approx(-0.67, abs=0.1)
    assert reason.high == pytest.approx(0.67, abs=0.1)


def test_a_lasting_change_of_its_own_is_and_a_shared_one_is_not() -> None:
    every = panel(100)
    every[3] = replace(every[3], sudden=(STEP,))
    (surprise,) = surprises(every, ())
    assert (surprise.name, surprise.reasons[0].kind, surprise.reasons[0].others) == ("s3", "step", 0)
    assert surprises(every, (SharedChange("2022-05", ("s3",), 0, 1, 0.1, 0.001, None),)) == ()
    many = [replace(traits, sudden=(STEP,)) for traits in every[:50]] + every[50:]
    assert surprises(many, ()) == ()


def test_what_ended_unexpectedly_comes_before_what_is_rare() -> None:
    every = panel(100)
    every[3] = replace(every[3], sudden=(replace(STEP, form="recent", written=("2023-11-01", "2023-11-01")),))
    every[4] = replace(every[4], endings=(replace(STEP, kind="ending"),))
    every[5] = replace(every[5], seasons=())
    every[6] = replace(every[6], seasons=("yearly", "weekly"))
    every[7] = replace(every[7], top="in June")
    every[8] = replace(every[8], top="in November")  # so near to the others that it may be chance
    found = surprises(every, ())
    assert [surprise.name for surprise in found] == ["s3", "s4", "s5", "s6", "s7"]
    assert [surprise.reasons[0].kind for surprise in found] == ["recent", "ending", "lacks", "rare", "top"]


def test_few_series_have_no_usual() -> None:
    every = panel(5)
    every[0] = replace(every[0], measures=(("growth", Quantity(99.0, 99.0, 99.0)),), seasons=(), sudden=(STEP,))
    assert surprises(every, ()) == ()
    assert bulks(every) == {}


def test_equal_values_are_borne() -> None:
    same = [replace(traits, measures=(("growth", Quantity(0.0, 0.0, 0.0)),)) for traits in panel(50)]
    assert surprises(same, ()) == ()
    assert bulks(same)["growth"].p_value(Quantity(0.0, 0.0, 0.0)) == 1.0
