"""A table of classes with known chances and its model, for tests: no search is needed."""

from dataclasses import replace
from functools import cache

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.decompose.records.series import Fitted
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.decompose.table.decomposition import decompose_table
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

N = 160
KINDS = ("first", "second")


def dataset(n: int = N) -> Dataset:
    """Rows of an age and a kind that matter, and of an idle column: a falling chance, higher for the first kind."""
    rng = np.random.default_rng(3)
    age, kind, idle = rng.uniform(10.0, 70.0, n), rng.integers(0, 2, n), rng.normal(size=n)
    latent = 1.6 - 0.05 * age + 1.2 * (kind == 0)
    y = np.where(latent + rng.standard_normal(n) > 0.0, 1.0, -1.0)
    X = np.column_stack([age, kind, idle])
    levels = {"kind": KINDS}
    return Dataset(X, y, ("age", "kind", "idle"), "survived", None, "people", levels=levels, classes=("no", "yes"))


def model() -> Kernel:
    """A curve over age, a size of each kind, and a level."""
    age = leaf("SE", "age", lengthscale=40.0, sd=1.5)
    return age + leaf("Cat", "kind", sd=1.0, contrast=1.0) + leaf("C", sd=1.0)


def posterior(data: Dataset | None = None, kernel: Kernel | None = None) -> Posterior:
    """The model given the data, by expectation propagation."""
    return condition(kernel or model(), Problem.of(data or dataset(), Bernoulli()))


@cache
def decomposition(n: int = N) -> TableDecomposition:
    """The model taken apart, as a search would hand it on."""
    data = dataset(n)
    known, kernel = posterior(data), model()
    fitted = Fitted(kernel, -known.log_evidence, 0.0, 4, 1.0, 10)
    path = (("C", 230.0, 0.0), (str(kernel), 180.0, 1.0))
    found = decompose_table(known, data, fitted=fitted, alternatives=((kernel, 1.0),))
    return replace(found, path=path, criterion="evidence")


@cache
def nothing() -> TableDecomposition:
    """The same chance for every row, of which the columns tell nothing."""
    kernel = leaf("C", sd=1.0)
    data = replace(dataset(), y=np.random.default_rng(7).permutation(dataset().y))
    known = posterior(data, kernel)
    fitted = Fitted(kernel, -known.log_evidence, 0.0, 1, 1.0, 10)
    return decompose_table(known, data, fitted=fitted, alternatives=((kernel, 1.0),))
