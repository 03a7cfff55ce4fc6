"""What the engines of `beside.py` have in common: the data that they get, and what can be measured of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["PERIODIC", "Array", "Data", "Engine", "Numbers"]

Array = NDArray[np.float64]
Numbers = dict[str, float]

STRETCHED, SHRUNK = 1.5, 0.7  # where a fit starts: lengthscales and sizes, times those of the data
PERIODIC = 0.5342  # share of the variance of exp(cos - 1) that is not constant, lengthscale 1: Per has no constant


@dataclass(frozen=True, eq=False)
class Data:
    """Rows (n,), what follows them (m,), and the numbers of the structure at which a likelihood is told."""

    x: Array
    y: Array
    x_new: Array
    y_new: Array
    numbers: Numbers

    @property
    def start(self) -> Numbers:
        """Numbers from which every fit begins; the periods are told."""
        factors = {"sd": SHRUNK, "period": 1.0}
        return {name: value * factors.get(name.split("_")[-1], STRETCHED) for name, value in self.numbers.items()}


class Engine:
    """A way of computing; methods that are not there cannot be measured."""

    package = ""
    note = ""

    def __init__(self, data: Data, *, start: bool) -> None:
        self.data, self.numbers = data, data.start if start else data.numbers
        self.begin()

    def begin(self) -> None:
        """What is not timed."""

    def likelihood(self) -> float | None:
        """One negative log marginal likelihood, with its gradient unless the note says otherwise."""
        raise NotImplementedError

    def fit(self) -> float | None:
        """The negative log marginal likelihood at the fitted numbers, where there is one."""
        raise NotImplementedError

    def report(self) -> float | None:
        """A page about the model as it is."""
        raise NotImplementedError

    def predict(self) -> tuple[Array, Array | None]:
        """Means and standard deviations (m,) of the new rows."""
        raise NotImplementedError
