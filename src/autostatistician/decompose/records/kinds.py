"""What a check of a model looks at, and the shapes that a curve may have."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["CheckKind", "ShapeKind"]


class CheckKind(StrEnum):
    """What a check compares with simulations from the model; the last two are of tables alone."""

    DISTRIBUTION = "distribution"
    AUTOCORRELATION = "autocorrelation"
    PERIODOGRAM = "periodogram"
    COURSE = "course"  # whether the values are of one size throughout
    QUANTILES = "quantiles"  # of a part alone
    SPREAD = "spread"  # whether errors are larger where predictions are high
    PATTERN = "pattern"  # along a column


class ShapeKind(StrEnum):
    """The shape of a curve as far as its posterior is sure of it."""

    UNCLEAR = "unclear"  # no two places differ for sure
    STRAIGHT = "straight"
    RISING = "rising"
    FALLING = "falling"
    TURNING = "turning"
