"""Figure 2.8: Posterior correlations between the parts of a sum.

The strength of concrete by ingredient and age. Blue: two functions could replace each other.
"""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.decompose.component_correlation import correlations, parts_along_columns, signal_parts
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.fitting import fit
from autostatistician.gp.problem import Problem
from autostatistician.kernels import parse_kernel
from autostatistician.kernels.kernel import Kernel
from autostatistician.report.correlations import figure_correlations
from autostatistician.search.starting.standardisation import standard
from look import data, save

COLUMNS = ("cement", "slag", "fly_ash", "water", "plasticizer", "coarse", "fine", "age")
ROWS = 100


def mixtures() -> Dataset:
    """The first mixtures of the table; their strength less its mean."""
    table = np.genfromtxt(data("regression/concrete.csv"), delimiter=",", names=True, max_rows=ROWS)
    y = table["y"] - table["y"].mean()
    return from_arrays(np.column_stack([table[name] for name in COLUMNS]), y, COLUMNS, target="strength")


def fitted(dataset: Dataset) -> Kernel:
    """A sum of one smooth function per column and noise, by the likelihood of the data."""
    maps, problem, scales = standard(dataset)
    functions = [f"SE[{name}](lengthscale=1, sd=0.3)" for name in COLUMNS]  # from 0.1: 12 nats worse
    start = parse_kernel(" + ".join([*functions, "WN(sd=0.1)"]))
    return maps.to_data(fit(start, problem, scales, max_steps=300).kernel)


def draw() -> Figure:
    """One square for every pair of functions."""
    dataset = mixtures()
    posterior = condition(fitted(dataset), Problem.of(dataset))
    parts, columns, inputs = zip(*parts_along_columns(posterior, signal_parts(posterior.kernel)), strict=True)
    axes = [(COLUMNS[column].replace("_", " "), X[:, column]) for column, X in zip(columns, inputs, strict=True)]
    return figure_correlations([name for name, _ in axes], axes, correlations(posterior, parts, inputs))


if __name__ == "__main__":
    save(draw(), __file__)
