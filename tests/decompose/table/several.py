"""Three classes with known chances and a model of each against the rest, for tests: no search is needed."""

from dataclasses import replace
from functools import cache

import numpy as np

from autostatistician.data.classes import against_rest
from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.classes import Chances, ClassForecast
from autostatistician.decompose.records.series import Fitted
from autostatistician.decompose.records.table import SeveralClasses, TableDecomposition
from autostatistician.decompose.table.decomposition import decompose_table
from autostatistician.decompose.table.leave_one_out_classes import together
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

N, MONTHS = 150, 96
MONTHLY = Axis("month", "year", "month", 1 / 12)
AHEAD = 12


def dataset(n: int = N) -> Dataset:
    """Small rows are red, large ones blue, those between that are also young green; one column is idle."""
    rng = np.random.default_rng(5)
    size, age, idle = rng.uniform(0.0, 10.0, n), rng.uniform(20.0, 60.0, n), rng.normal(size=n)
    middle = 3.0 - 0.5 * (size - 5.0) ** 2 - 0.1 * (age - 40.0)
    scores = np.column_stack([2.5 - size + 2.0, middle, size - 5.5]) + rng.gumbel(size=(n, 3))
    X, names = np.column_stack([size, age, idle]), ("red", "green", "blue")
    return Dataset(X, scores.argmax(axis=1), ("size", "age", "idle"), "colour", None, "balls", classes=names)


def over_time(months: int = MONTHS) -> Dataset:
    """Months of frost in winter, of sun later on, and of rain."""
    rng = np.random.default_rng(6)
    x = 2010.0 + np.arange(months) / 12.0
    scores = np.column_stack([2.5 * np.cos(2.0 * np.pi * x), 0.6 * (x - 2014.0), np.zeros(months)])
    y = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    return Dataset(x[:, None], y, ("month",), "weather", MONTHLY, "weather", classes=("frost", "sun", "rain"))


LEVEL = leaf("C", sd=1.0)


def kernels() -> tuple[Kernel, Kernel, Kernel]:
    """Of small, of middle and of large rows."""
    line = leaf("Lin", "size", sd=0.5, location=5.0) + LEVEL
    hill = leaf("SE", "size", lengthscale=2.5, sd=2.0) * leaf("SE", "age", lengthscale=40.0, sd=1.0) + LEVEL
    return line, hill, line


def kernels_over_time() -> tuple[Kernel, Kernel, Kernel]:
    """A yearly cycle, a line, nothing."""
    return (
        leaf("Per", lengthscale=1.0, period=1.0, sd=1.5) + LEVEL,
        leaf("Lin", sd=0.4, location=2014.0) + LEVEL,
        LEVEL,
    )


def _apart(data: Dataset, kernel: Kernel, place: int) -> TableDecomposition:
    """The model of one class against the rest, taken apart as a search would hand it on."""
    one = against_rest(data, place)
    known = condition(kernel, Problem.of(one, Bernoulli()))
    fitted = Fitted(kernel, -known.log_evidence, 2.0 * -known.log_evidence, 3, 1.0, 10)
    found = decompose_table(known, one, fitted=fitted, alternatives=((kernel, 1.0),))
    record = replace(found, path=((str(kernel), 180.0, 1.0),), criterion="evidence")
    if data.axis is None:
        return record
    x = data.axis.future(float(data.x.max()), AHEAD)
    mean = known.probability(x[:, None])  # type: ignore[attr-defined]
    return replace(record, ahead=ClassForecast(x, Chances(mean, 0.8 * mean, 0.2 + 0.8 * mean)))


@cache
def found(n: int = N) -> SeveralClasses:
    """The three models of the table."""
    data = dataset(n)
    return together(data, tuple(_apart(data, kernel, place) for place, kernel in enumerate(kernels())))


@cache
def found_over_time(months: int = MONTHS) -> SeveralClasses:
    """The three models of the series, with twelve months ahead."""
    data = replace(over_time(months), warnings=("A word on the data.",))
    return together(data, tuple(_apart(data, kernel, place) for place, kernel in enumerate(kernels_over_time())))


@cache
def nothing() -> SeveralClasses:
    """The same chances for every row, of which the columns tell nothing."""
    data = replace(dataset(), y=np.random.default_rng(7).permutation(dataset().y))
    return together(data, tuple(_apart(data, LEVEL, place) for place in range(3)))
