"""A table with a known function behind it, and a model that holds it."""

from dataclasses import replace
from functools import cache

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.series import Fitted
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.decompose.table.decomposition import decompose_table
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

COLUMNS = ("a", "b", "c", "d")


def bump(column: str, sd: float = 1.0, lengthscale: float = 1.5) -> Kernel:
    return leaf("SE", column, lengthscale=lengthscale, sd=sd)


def model() -> Kernel:
    return bump("a") + bump("b") * bump("c") + leaf("WN", sd=0.1)


@cache
def dataset(n: int = 120) -> Dataset:
    """sin(a) + b c with noise; d does nothing."""
    X = np.random.default_rng(0).uniform(-2.0, 2.0, (n, 4))
    noise = np.random.default_rng(1).normal(0.0, 0.1, n)
    return Dataset(X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + noise, COLUMNS, "y", None)


@cache
def posterior(n: int = 120) -> Posterior:
    return condition(model(), Problem.of(dataset(n)))


def decomposition(kernel: Kernel, data: Dataset) -> TableDecomposition:
    path = (("WN", 50.0, 0.1), (str(kernel), 10.0, 0.2))
    fitted = Fitted(kernel, -3.0, 10.0, 5, 1.0, 12)
    other = (leaf("SE", "a", lengthscale=1.0, sd=1.0) + leaf("WN", sd=1.0), 0.04)
    alternatives = ((kernel, 0.96), other)
    found = decompose_table(condition(kernel, Problem.of(data)), data, fitted=fitted, alternatives=alternatives)
    return replace(found, path=path)
