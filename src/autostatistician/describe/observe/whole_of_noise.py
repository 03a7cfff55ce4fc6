"""Whether a model holds nothing but noise."""

from __future__ import annotations

from autostatistician.decompose.records.series import Decomposition

__all__ = ["is_pure_noise"]


def is_pure_noise(decomposition: Decomposition) -> bool:
    """Whether the model holds nothing but noise."""
    return all(part.is_noise for part in decomposition.components)
