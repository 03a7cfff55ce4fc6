"""Changes of the model inside of the test of its forecasts: what came before tells little about what came after."""

from __future__ import annotations

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.observe.anatomy import anatomy

__all__ = ["spanned_changes"]

NEAR = 0.5  # of the length of the test: how long before it a change leaves few data to refit the numbers to


def spanned_changes(d: Decomposition) -> tuple[float, ...]:
    """The places of change within the rows of the test or shortly before them, ascending; none without a test."""
    if d.calibration is None or not d.calibration.origins:
        return ()
    first, last = min(d.calibration.origins), float(d.x[-1])
    start = first - NEAR * (last - first)
    gates = [gate for part in d.components for gate in anatomy(part.kernel).gates]
    return tuple(sorted({edge for gate in gates for edge in gate.edges if start < edge < last}))
