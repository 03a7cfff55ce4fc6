"""From which probabilities on something is said, and how surely."""

from __future__ import annotations

__all__ = ["LIKELY", "SURE"]


SURE = 0.975  # probability from which something is said without reserve: 95 % ranges leave the other side out


LIKELY = 0.9  # probability from which it is said with "probably"
