"""A model of a series taken apart, from its kernel and its data."""

from __future__ import annotations

from typing import Any

from autostatistician.data.dataset import Dataset, in_order
from autostatistician.decompose.records.series import Decomposition
from autostatistician.decompose.series.decomposition import decompose
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.problem import Problem
from autostatistician.language.kernel import Kernel


def decomposed(kernel: Kernel, data: Dataset, **settings: Any) -> Decomposition:
    """The decomposition of the kernel given the data, in whatever order their rows are."""
    return decompose(condition(kernel, Problem.of(in_order(data))), data, **settings)
