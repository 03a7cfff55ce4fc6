"""A model of a series taken apart: any, and a small one that many tests look at."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from autostatistician.data.dataset import Dataset, in_order
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.series import Decomposition, Fitted
from autostatistician.decompose.series.decomposition import decompose
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

SMOOTH, NOISE = leaf("SE", lengthscale=1.3, sd=1.1), leaf("WN", sd=0.2)
TREND, LEVEL = leaf("Lin", sd=0.4, location=-1.0), leaf("C", sd=2.0)
MODEL = SMOOTH + TREND + LEVEL + NOISE
X = np.linspace(0.0, 10.0, 41)
Y = 2.0 + 0.7 * X + np.sin(2.0 * X) + 0.2 * np.random.default_rng(11).normal(size=41)


def decomposed(kernel: Kernel, data: Dataset, **settings: Any) -> Decomposition:
    """The decomposition of the kernel given the data, in whatever order their rows are."""
    return decompose(condition(kernel, Problem.of(in_order(data))), data, **settings)


def taken_apart(
    kernel: Kernel,
    x: np.ndarray = X,
    y: np.ndarray = Y,
    *,
    horizon: int = 4,
    offset: float = 0.0,
    points: int = 60,
    intervals: bool = True,
) -> Decomposition:
    """The decomposition of the kernel given some data along a plain axis, by default 41 rows."""
    axis = Axis("x", "", "", 0.25, gap=0.25)
    inputs, target = np.asarray(x, float)[:, None], np.asarray(y, float)
    dataset = Dataset(inputs, target, ("x",), "y", axis, "toy", offset, ("minded",))
    found = decomposed(
        kernel,
        dataset,
        fitted=Fitted(kernel, 1.0, 2.0, 3, 4.0, 5),
        horizon=horizon,
        grid_points=points,
        intervals=intervals,
    )
    return replace(found, path=(("SE", 1.0, 2.0),))


@cache
def toy() -> Decomposition:
    """`MODEL` taken apart, with what the data leave open about its numbers."""
    return taken_apart(MODEL)
