"""When nothing was found, and which effects are told."""

from __future__ import annotations

import numpy as np
import pytest
from tests.decompose.table.tables import dataset, decomposition, model
from tests.describe import factory
from tests.describe.factory import MONTHLY, MONTHS, component

from autostatistician.describe.facts.findings import SeriesFindings
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.table.effects import is_told
from autostatistician.describe.observe.table.findings import table_findings
from autostatistician.language.kernel import Kernel, leaf

WN, LEVEL, LINE = leaf("WN", sd=3.0), leaf("C", sd=5.0), leaf("Lin", sd=1.0, location=1950.0)


def _found(*kernels: Kernel) -> SeriesFindings:
    parts = tuple(component(kernel, MONTHS) for kernel in kernels)
    return series_findings(factory.decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY))


@pytest.mark.parametrize(
    ("kernels", "pure", "nothing"),
    [
        ((WN,), True, True),
        ((LEVEL, WN), False, True),
        ((LINE, WN), False, False),
        ((Kernel.change_point(LEVEL, leaf("0"), 1955.0, 4.0), WN), False, False),  # a level that ends is a finding
    ],
)
def test_noise_around_a_level_is_nothing(kernels: tuple[Kernel, ...], pure: bool, nothing: bool) -> None:
    found = _found(*kernels)
    assert (found.pure, found.nothing) == (pure, nothing)


@pytest.mark.parametrize(("size", "nothing"), [(100.0, False), (0.0, True)])
def test_a_level_that_steps_is_a_finding_where_it_can_be_seen(size: float, nothing: bool) -> None:
    step = LEVEL + Kernel.change_point(LEVEL, leaf("0"), 1955.0, 400.0)
    parts = (component(step, MONTHS, np.where(MONTHS < 1955.0, size, 0.0)), component(WN, MONTHS))
    found = series_findings(factory.decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY))
    assert found.nothing is nothing


@pytest.mark.slow
def test_small_effects_are_known_and_not_told() -> None:
    d = decomposition(model(), dataset(60))
    found = table_findings(d)
    assert len(found.parts) == len(d.effects)
    assert [one.columns for one in found.effects] == [one.columns for one in d.effects if is_told(one)]
