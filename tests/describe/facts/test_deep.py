"""Facts on deep processes."""

from __future__ import annotations

import pytest
from tests.describe.deep_cases import CASES

from autostatistician.describe.observe.deep import deep_findings


def test_the_gain_is_over_the_fewest_layers() -> None:
    assert deep_findings(CASES["deep"]).count.gain == pytest.approx(13.9)
    assert deep_findings(CASES["deep of one layer"]).count.gain == 0.0
