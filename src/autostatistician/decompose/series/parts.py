"""The posteriors of all additive parts of a model, computed once and added up as needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.series.order import Rows
from autostatistician.inference.posterior import Posterior, Projection
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import is_noise

__all__ = ["Part", "part_of"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Part:
    """One additive part of a conditioned kernel."""

    kernel: Kernel
    is_noise: bool
    mean: Array  # (n,) at the data
    sd: Array  # (n,)
    held_out: tuple[Array, ...]  # per fold, the prediction of the held-out rows
    grid: Projection


def part_of(
    kernel: Kernel, posterior: Posterior, others: Sequence[Posterior], folds: Sequence[Rows], grid: Array
) -> Part:
    """The posterior of the part ``kernel`` at the data and on the grid, and its prediction of each fold.

    ``others`` are the posteriors that do without each fold (`Posterior.without`).
    """
    held_out = tuple(other.project(kernel, posterior.X[rows]).mean for other, rows in zip(others, folds, strict=True))
    at_data = posterior.project(kernel)
    return Part(kernel, is_noise(kernel), at_data.mean, at_data.sd, held_out, posterior.project(kernel, grid))
